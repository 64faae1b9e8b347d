"""Present alert conditions, from the store. Stateless: `watch` compares two checks."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.alert.certificates import certificates_ending
from zcbus.control.features.alert.collector import exports_in_trouble
from zcbus.control.features.alert.condition import Condition
from zcbus.control.features.alert.expiry import expiring
from zcbus.control.features.alert.kinds import Kind
from zcbus.control.features.alert.metric_store import metrics_in_trouble
from zcbus.control.features.alert.operation_log import audit_in_trouble
from zcbus.control.features.alert.owners import Owner, owner_of, owners_of_services, subscription_facts
from zcbus.control.features.alert.plans import plans_in_trouble
from zcbus.control.features.alert.rules import rules_in_trouble
from zcbus.control.features.alert.tokens import tokens_ending
from zcbus.control.features.container import agents
from zcbus.control.features.container import service as containers
from zcbus.control.features.container.schemas import ServiceRecord
from zcbus.control.features.link_monitor.stalled import stalled_channels
from zcbus.control.features.parameter import service as parameters
from zcbus.control.features.registration import service as registration
from zcbus.control.features.registration.schemas import RegistrationStatus
from zcbus.control.features.stream import views as stream_queries
from zcbus.control.features.subscribe import lookup, tables
from zcbus.control.features.sync_link import listing
from zcbus.control.features.sync_link.schemas import LinkRecord
from zcbus.control.platform.principal import DEFAULT_TENANT, local_principal
from zcbus.control.platform.reasons import ReasonRecord, ReasonTexts
from zcbus.control.platform.services import Services
from zcbus.model.reduction.pace import is_behind
from zcbus.model.reduction.services import is_stale
from zcbus.model.states import DesiredState, LinkState, ServiceState

# A service that ran on for so long after a crash has got over it.
CRASH_OVER = timedelta(minutes=10)
# Agents sync twice a second; a short restart is not worth an alert.
AGENT_AWAY = timedelta(seconds=30)
# Nor is a database that is started again, or a platform that is stopped together with its databases.
WAITED_LONG = timedelta(seconds=30)
# How long lost changes of a JSON topic are reported: only its readers can repair that.
GAP_IS_NEWS = timedelta(hours=24)

# Nor are refused rows that are tried again with success.
ROW_ERRORS_STAY = timedelta(seconds=60)

_MAX_TABLES = 10_000
_NAMED_TABLES = 5
_ORDERLY_END = "exit 0"
_MEGABYTE = 1 << 20
_REPORTED_BY_SERVICES = (
    Kind.SERVICE_ABNORMAL,
    Kind.SERVICE_WAITING,
    Kind.HELD_LOG,
    Kind.JSON_TOPIC_WAITING,
    Kind.JSON_TOPIC_GAP,
)


@dataclass(slots=True)
class Findings:
    """All present conditions, and those that are unknown now (their open alerts stay)."""

    conditions: list[Condition] = field(default_factory=list)
    unknown: set[tuple[str, str]] = field(default_factory=set)


def find_conditions(connection: Connection, services: Services) -> Findings:
    """Run one check."""
    now, everybody = services.clock.now(), local_principal()
    # The language does not matter: codes and facts are stored, and put into text for each reader.
    texts = ReasonTexts(services.catalogue, "en")
    found, owners = Findings(), owners_of_services(connection)
    services_now = containers.list_services(connection, everybody, texts, now)
    _find_services(found, services_now, owners, now, parameters.retained_log_limit_mb(connection))
    limit = parameters.lag_limit_seconds(connection)
    for link in listing.all_links(connection, everybody, texts, now):
        _find_lag(found, _lag_of_link(link.record, owners[link.service_ids[1]]), limit)
    for row in lookup.channels_without_link(connection):
        _find_lag(found, _lag_of_channel(row, owners[row.service_id], now), limit)
    _find_heartbeats(found, connection, now)
    found.conditions += _failed_tables(connection)
    found.conditions += _failed_stream_queries(connection)
    found.conditions += _suspended_tables(connection)
    found.conditions += _row_errors(connection, now)
    found.conditions += _differences(connection)
    found.conditions += _unaccounted(connection)
    found.conditions += expiring(connection, now)
    found.conditions += plans_in_trouble(connection, now)
    found.conditions += _silent_agents(connection, services, now)
    found.conditions += _registration(services)
    found.conditions += tokens_ending(connection, now)
    found.conditions += certificates_ending(connection, now)
    found.conditions += audit_in_trouble(connection, services)
    found.conditions += metrics_in_trouble(services)
    found.conditions += exports_in_trouble(connection, now)
    found.conditions += rules_in_trouble(connection, owners, now)
    return found


def _find_services(
    found: Findings, services: Sequence[ServiceRecord], owners: Mapping[str, Owner], now: datetime, held_limit: int
) -> None:
    for service in services:
        owner = owners.get(service.id)
        if owner is None:
            continue
        wanted = service.desired is DesiredState.RUNNING
        if service.stale:
            found.unknown |= {(kind, service.id) for kind in (_REPORTED_BY_SERVICES if wanted else (Kind.HELD_LOG,))}
        # The last report of a stopped service about its JSON topic does not count: it was stopped on purpose.
        troubles = (*_service_troubles(service, now), *_json_topic(service, now)) if wanted else ()
        for kind, facts, reason, mark in (*troubles, *_held_log(service, held_limit)):
            service_facts = {"service": service.service_name, "type": service.type, **facts}
            found.conditions.append(_concerning(owner, kind, service.id, service_facts, _plain(reason), mark))


def _concerning(
    owner: Owner,
    kind: Kind,
    subject: str,
    facts: Mapping[str, str],
    reason: Mapping[str, Any] | None = None,
    mark: str = "",
) -> Condition:
    return Condition(
        kind,
        subject,
        owner.tenant_id,
        {**owner.facts, **facts},
        reason,
        mark,
        owner.link_id,
        owner.task_id,
        owner.customer,
    )


def _service_troubles(
    service: ServiceRecord, now: datetime
) -> Iterator[tuple[Kind, dict[str, str], ReasonRecord | None, str]]:
    newest = service.attempts[0] if service.attempts else None
    if newest and newest.result != _ORDERLY_END and now - newest.ended_at < CRASH_OVER:
        yield Kind.SERVICE_CRASHED, {"exit": newest.result}, newest.reason, newest.started_at.isoformat()
    if service.stale:
        return
    if service.state is ServiceState.ABNORMAL:
        yield Kind.SERVICE_ABNORMAL, {}, service.reason, service.reason.code if service.reason else ""
    elif service.held_up and _has_waited(service, now):
        yield Kind.SERVICE_WAITING, {}, service.reason, service.reason.code if service.reason else ""


def _held_log(service: ServiceRecord, limit: int) -> Iterator[tuple[Kind, dict[str, str], ReasonRecord | None, str]]:
    # What a subscription still has to read lies on the bus, not in a source's log.
    held = (service.backlog_bytes or 0) // _MEGABYTE if service.type == "publish" else 0
    if held > limit and not service.stale:
        yield Kind.HELD_LOG, {"limit": str(limit), "held": str(held)}, None, ""


def _json_topic(
    service: ServiceRecord, now: datetime
) -> Iterator[tuple[Kind, dict[str, str], ReasonRecord | None, str]]:
    feed = service.feed
    if feed is None or service.stale:
        return
    if feed.reason is not None and (feed.waiting_seconds or 0) >= WAITED_LONG.total_seconds():
        yield Kind.JSON_TOPIC_WAITING, {"topic": feed.name}, feed.reason, feed.reason.code
    if feed.gap_at is not None and now - feed.gap_at < GAP_IS_NEWS:
        yield Kind.JSON_TOPIC_GAP, {"topic": feed.name}, None, feed.gap_at.isoformat()


def _has_waited(service: ServiceRecord, now: datetime) -> bool:
    # A process that just began may report the final state of the previous one.
    begun = [moment for moment in (service.report_since, service.started_at) if moment is not None]
    return service.report_state == "waiting" and bool(begun) and now - max(begun) >= WAITED_LONG


@dataclass(frozen=True, slots=True)
class _Lag:
    """How far a link, or a channel without one, is behind; None where that is not known."""

    subject: str
    owner: Owner
    milliseconds: int | None
    # Whether it is to run, so that a missing lag may be one that is not reported.
    wanted: bool


def _lag_of_link(record: LinkRecord, owner: Owner) -> _Lag:
    wanted = record.state not in (LinkState.STOPPED, LinkState.SUSPENDED)
    return _Lag(record.id, owner, record.lag_ms, wanted)


def _lag_of_channel(row: Row[Any], owner: Owner, now: datetime) -> _Lag:
    silent = row.agent_id is not None and is_stale(row.agent_seen_at, now)
    return _Lag(row.id, owner, None if silent else row.lag_ms, row.desired == DesiredState.RUNNING)


def _find_lag(found: Findings, lag: _Lag, limit: int) -> None:
    if lag.milliseconds is None:
        if lag.wanted:
            found.unknown.add((Kind.LAG, lag.subject))
    elif is_behind(lag.milliseconds, limit):
        facts = {"limit": str(limit), "lag": str(round(lag.milliseconds / 1000))}
        found.conditions.append(_concerning(lag.owner, Kind.LAG, lag.subject, facts))


def _find_heartbeats(found: Findings, connection: Connection, now: datetime) -> None:
    for row in stalled_channels(connection, now):
        seen = (row.publish_agent_seen_at, row.subscribe_agent_seen_at)
        if any(is_stale(at, now) for at in seen):
            found.unknown.add((Kind.HEARTBEAT, row.id))
            continue
        found.conditions.append(
            Condition(
                Kind.HEARTBEAT,
                row.id,
                row.tenant_id,
                {"owner": owner_of(row), "link": row.name, "hop": row.stands_at},
                mark=row.stands_at,
                link_id=row.link_id,
                task_id=row.task_id,
                customer=(row.customer_id, row.customer_name),
            )
        )


def _failed_tables(connection: Connection) -> Iterator[Condition]:
    rows, _ = tables.failed_tables(connection, local_principal(), _MAX_TABLES)
    for row in rows:
        reason = tables.stored_reason(row)
        yield Condition(
            Kind.TABLE_FAILED,
            row.id,
            row.tenant_id,
            {
                **subscription_facts(row),
                "table": f"{row.source_schema}.{row.source_table}",
                "state": row.current_state,
            },
            reason,
            f"{row.generation}.{row.retry}.{reason['code'] if reason else ''}"[:100],
            row.link_id,
            row.task_id,
            (row.customer_id, row.customer_name),
        )


def _failed_stream_queries(connection: Connection) -> Iterator[Condition]:
    for row in stream_queries.failed(connection, local_principal()):
        link = stream_queries.link_of(connection, row.id)
        code = row.reason["code"] if row.reason else ""
        yield Condition(
            Kind.STREAM_QUERY_FAILED,
            row.id,
            row.tenant_id,
            {"computation": row.name, "table": f"{row.target_schema}.{row.target_table}"},
            row.reason,
            f"{row.generation}.{row.retry}.{code}"[:100],
            link.id if link is not None else None,
            customer=(row.customer_id, row.customer_name),
        )


def _suspended_tables(connection: Connection) -> Iterator[Condition]:
    for subject, rows in _by_subscription(tables.suspended_tables(connection)):
        yield _of_subscription(Kind.TABLES_SUSPENDED, subject, rows, len(rows))


def _row_errors(connection: Connection, now: datetime) -> Iterator[Condition]:
    found = tables.tables_with_row_errors(connection, local_principal())
    for subject, rows in _by_subscription(found):
        if any(row.row_errors_since <= now - ROW_ERRORS_STAY for row in rows):
            yield _of_subscription(Kind.ROW_ERRORS, subject, rows, sum(row.row_errors for row in rows))


def _differences(connection: Connection) -> Iterator[Condition]:
    """Rows that verification proved to differ, by the log: that needs no delay. During a pass their number grows;
    another table is a new occurrence, another row is not."""
    found = tables.differing_tables(connection, local_principal())
    for subject, rows in _by_subscription(found):
        condition = _of_subscription(Kind.DIFFERENCES, subject, rows, sum(row.differences for row in rows))
        yield replace(condition, mark=str(len(rows)))


def _unaccounted(connection: Connection) -> Iterator[Condition]:
    """Changes are counted by position: a difference is never one of time, so it is reported at once."""
    found = tables.tables_with_unaccounted_changes(connection, local_principal())
    for subject, rows in _by_subscription(found):
        count = sum(abs(row.changes_difference) for row in rows)
        yield _of_subscription(Kind.CHANGES_UNACCOUNTED, subject, rows, count)


def _by_subscription(rows: Sequence[Row[Any]]) -> Iterator[tuple[str, list[Row[Any]]]]:
    """Tables by their subscription, in the order of the rows."""
    for subject, group in groupby(rows, key=lambda row: row.link_id or row.channel_id):
        yield subject, list(group)


def _of_subscription(kind: Kind, subject: str, rows: Sequence[Row[Any]], count: int) -> Condition:
    """Condition of some tables of a subscription, with names and their number; another number is a new occurrence."""
    names = [f"{row.source_schema}.{row.source_table}" for row in rows]
    more = ", …" if len(names) > _NAMED_TABLES else ""
    first = rows[0]
    return Condition(
        kind,
        subject,
        first.tenant_id,
        {**subscription_facts(first), "count": str(count), "tables": ", ".join(names[:_NAMED_TABLES]) + more},
        mark=str(count),
        link_id=first.link_id,
        task_id=first.task_id,
        customer=(first.customer_id, first.customer_name),
    )


def _silent_agents(connection: Connection, services: Services, now: datetime) -> Iterator[Condition]:
    concerned = agents.tenants_of_agents(connection)
    for agent in agents.list_agents(connection, local_principal(), now):
        # While the platform was down, the agent could not report. A time in the future is from before the clock was set
        # back.
        heard = [then for then in (agent.heartbeat_at, services.started_at) if then <= now]
        if heard and now - max(heard) < AGENT_AWAY:
            continue
        for tenant_id in concerned.get(agent.id, {DEFAULT_TENANT}):
            facts = {"host": agent.host, "container": agent.container_name}
            yield Condition(Kind.AGENT_AWAY, agent.id, tenant_id, facts)


def _registration(services: Services) -> Iterator[Condition]:
    """A registration that has ended or is about to. A missing one is shown by the console."""
    record = registration.describe(services)
    if record.end_time is None or record.status is RegistrationStatus.REGISTERED:
        return
    end = record.end_time.isoformat(sep=" ", timespec="minutes")
    facts = {"holder": record.holder or "", "end": end}
    yield Condition(Kind.REGISTRATION, "registration", DEFAULT_TENANT, facts, mark=f"{record.status} {end}")


def _plain(reason: ReasonRecord | None) -> Mapping[str, Any] | None:
    return {"code": reason.code, "facts": reason.facts} if reason else None
