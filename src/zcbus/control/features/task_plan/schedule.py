"""When a plan is due: five fields of cron in a time zone. Pure.

Changes of the clock are handled as Debian's cron does: a time that the clock skips is due once, right behind the gap; a
fixed time that comes twice is due once; `*` in minutes or hours follows the time that really passes.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import islice
from zoneinfo import ZoneInfo, available_timezones

from cronsim import CronSim, CronSimError

from zcbus.control.platform.faults import field_fault

_FIELDS = 5
MAX_MISSED = 1_000


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


def known_zone(value: str) -> str:
    """A time zone's IANA name. A check of schemas; raises field faults."""
    if value not in _zones():
        raise field_fault("time-zone")
    return value


def plain_cron(value: str) -> str:
    """A cron expression of five fields that comes due at some time, with single blanks. A check of schemas; raises
    field faults."""
    fields = value.split()
    expression = " ".join(fields)
    try:
        is_due = len(fields) == _FIELDS and next(CronSim(expression, datetime.now(UTC)), None) is not None
    except CronSimError:
        is_due = False
    if not is_due:
        raise field_fault("cron")
    return expression


def due_times(cron: str, zone: str, after: datetime) -> Iterator[datetime]:
    """Due times behind a moment, in UTC, each once and in order."""
    last = after
    for moment in CronSim(cron, after.astimezone(ZoneInfo(zone))):
        # While the clock is set back, the simulation may begin at the earlier of two equal times.
        due = moment.astimezone(UTC)
        if due > last:
            last = due
            yield due


def next_due(cron: str, zone: str, after: datetime) -> datetime | None:
    """The first due time behind a moment; None: there is none."""
    return next(due_times(cron, zone, after), None)


def passed(cron: str, zone: str, first: datetime, now: datetime) -> list[datetime]:
    """Due times from `first`, which is one, until now; of very many only the newest thousand or so."""
    found = [first]
    for due in due_times(cron, zone, first):
        if due > now:
            break
        found.append(due)
        if len(found) > MAX_MISSED:
            # Years of minutes: only the newest matters, so the search goes backwards.
            newest = CronSim(cron, (now + timedelta(seconds=1)).astimezone(ZoneInfo(zone)), reverse=True)
            found = [first, *sorted({moment.astimezone(UTC) for moment in islice(newest, MAX_MISSED)} - {first})]
            break
    return found
