"""What hosts found, put together."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

from zcbus.control.features.log_search.asking import Asked, ask_all, ask_one, logs_of
from zcbus.control.features.log_search.schemas import (
    LogAround,
    LogContext,
    LogCounts,
    LogEntryRecord,
    LogFind,
    LogFound,
    SilentHost,
)
from zcbus.control.features.log_search.sources import HostLogs, host_of, hosts_of
from zcbus.control.platform.call import Call
from zcbus.protocol.log_search import FindLogLines, FoundLogLines, LogEntry

# Widths of a count, in seconds: the first that makes at most so many of a range.
_STEPS = (1, 5, 10, 30, 60, 300, 600, 1800, 3600, 10_800, 21_600, 43_200, 86_400)
_MAX_COUNTS = 120
_MILLION = 1_000_000


def find(call: Call, body: LogFind) -> LogFound:
    """Search all logs of a scope. Raises RecordNotFoundError, CallCancelledError."""
    with call.services.database.read() as connection:
        hosts = hosts_of(connection, call.principal, body)
    since, until = body.moments(call.services.clock.now())
    step = _step((until - since).total_seconds())

    def question(host: HostLogs) -> FindLogLines:
        return FindLogLines(
            logs=logs_of(host),
            since_us=_us(since),
            until_us=_us(until),
            text=body.text.strip(),
            level=body.level,
            table=body.table.strip(),
            code=body.code.strip(),
            limit=body.limit,
            bucket_us=step * _MILLION,
        )

    asked = ask_all(call, hosts, question)
    answered = [(one.host, one.found) for one in asked if one.found is not None]
    entries = sorted(_records(answered), key=lambda entry: (entry.at_us, entry.source, entry.host_id))
    return LogFound(
        entries=entries[-body.limit :],
        more=len(entries) > body.limit or any(found.more for _, found in answered),
        start=_us(since) // 1000,
        end=_us(until) // 1000,
        step=step * 1000,
        counts=_counts(found for _, found in answered),
        unread_until=_unread_until(found for _, found in answered),
        silent=_silent(call, asked),
    )


def around(call: Call, body: LogAround) -> LogContext:
    """The entries of one log around a moment. Raises RecordNotFoundError, ForbiddenError, and what `requests.ask`
    does."""
    with call.services.database.read() as connection:
        host = host_of(connection, call.principal, body)
    at, now = body.at_us, _us(call.services.clock.now())
    logs = logs_of(host)
    # The entry itself is the last of those before.
    before = FindLogLines(logs=logs, since_us=0, until_us=at + 1, limit=body.before + 1)
    ahead = max(at, now) + 3600 * _MILLION
    after = FindLogLines(logs=logs, since_us=at + 1, until_us=ahead, limit=body.after, is_oldest_first=True)
    older, newer = (ask_one(call, host, question, call.progress) for question in (before, after))
    entries = list(_records([(host, older), (host, newer)]))
    return LogContext(entries=entries, older=older.more, newer=newer.more)


def _step(seconds: float) -> int:
    return next((step for step in _STEPS if seconds / step <= _MAX_COUNTS), _STEPS[-1] * 7)


def _records(answered: Iterable[tuple[HostLogs, FoundLogLines]]) -> Iterable[LogEntryRecord]:
    return (_record(host, entry) for host, found in answered for entry in found.entries if entry.log in host.logs)


def _record(host: HostLogs, entry: LogEntry) -> LogEntryRecord:
    source = host.logs[entry.log]
    return LogEntryRecord(
        kind=source.kind,
        source=source.id,
        source_name=source.name,
        host_id=host.agent.id,
        host=host.agent.host,
        container_name=host.agent.container_name,
        at_us=entry.at_us,
        level=entry.level,
        text=entry.text,
    )


def _counts(answers: Iterable[FoundLogLines]) -> list[LogCounts]:
    sums: Mapping[int, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for found in answers:
        for count in found.counts:
            sums[count.at_us][count.level or "unknown"] += count.count
    return [LogCounts(at=at_us // 1000, **sums[at_us]) for at_us in sorted(sums)]


def _unread_until(answers: Iterable[FoundLogLines]) -> datetime | None:
    times = [found.unread_until_us for found in answers if found.unread_until_us is not None]
    return datetime.fromtimestamp(max(times) / _MILLION, UTC) if times else None


def _silent(call: Call, asked: Sequence[Asked]) -> list[SilentHost]:
    return [
        SilentHost(
            host=one.host.agent.host,
            container_name=one.host.agent.container_name,
            reason=call.text(one.error.code, **one.error.facts),
        )
        for one in asked
        if one.error is not None
    ]


def _us(moment: datetime) -> int:
    return round(moment.timestamp() * _MILLION)
