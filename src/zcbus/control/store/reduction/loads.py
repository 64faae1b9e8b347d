"""The history of full loads, written when the states of their tables change.

A load is one row for a table and a generation. Nothing else writes begins and ends, so the history shows what the
tables showed: also where an agent fell silent or the control plane was restarted.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, bindparam, exists, func, insert, literal, or_, select, update

from zcbus.control.store.among import among
from zcbus.control.store.reduction.rows import Moment
from zcbus.control.store.tables.container import agent, service
from zcbus.control.store.tables.data_source import data_source
from zcbus.control.store.tables.load import load_record
from zcbus.control.store.tables.publish import publish_node, published_table
from zcbus.control.store.tables.subscribe import channel, customer, master, subscribed_table
from zcbus.control.store.tables.sync_link import sync_link, sync_task
from zcbus.kit.ids import new_id
from zcbus.model.reduction import Origin
from zcbus.model.reduction.loads import (
    ENDED,
    SILENT_AFTER,
    LoadFacts,
    LoadState,
    has_load,
    load_state,
    milliseconds,
)
from zcbus.model.reduction.subscribed_tables import begins_with_load
from zcbus.model.states import LoadMode, SyncState

_LATEST = timedelta(days=30)
"""A load that is noticed only now is recorded if it ended within this time. It is no longer than the shortest
retention, so that none is removed and recorded again."""

SUPERSEDED = {"code": "load-superseded", "facts": {}}
REMOVED = {"code": "load-table-removed", "facts": {}}
_SUSPENDED = {"code": "load-suspended", "facts": {}}
_AWAY = {"code": "load-service-away", "facts": {}}
_SILENT = {"code": "load-agent-silent", "facts": {}}

_CHANGED = (
    *("state", "state_since", "reason", "started_at", "finished_at", "caught_up_at"),
    *("rows_total", "rows_loaded", "bytes_loaded"),
    *("waiting_ms", "loading_ms", "paused_ms", "catch_up_ms", "rows_per_second"),
    *("failures", "errors_counted", "interruptions", "is_open"),
)


def record_loads(connection: Connection, moment: Moment, table_ids: Collection[str]) -> None:
    """Record what the new states of tables mean for their loads. The rows of the tables must be written already: this
    keeps another transaction from recording the same load."""
    if not table_ids:
        return
    tables = {row.id: row for row in connection.execute(_facts().where(among(subscribed_table.c.id, table_ids)))}
    known: dict[str, Row[Any]] = {}
    changed: list[dict[str, Any]] = []
    for row in connection.execute(_known(table_ids)):
        table = tables[row.table_id]
        if row.generation == table.generation:
            known[table.id] = row
        else:
            changed.append(_superseded(row, table, moment.now))
    made = []
    for table in tables.values():
        before = known.get(table.id)
        facts = _load_facts(table, moment.now)
        if before is not None:
            changed += [_after(before, table, facts, moment.now)] if before.is_open or _is_back(before) else []
        elif has_load(facts) and not _is_old(table, facts, moment.now):
            made.append(_new(table, facts, moment.now))
    if made:
        connection.execute(insert(load_record), made)
    if changed:
        values = {name: bindparam(f"new_{name}", type_=load_record.c[name].type) for name in _CHANGED}
        connection.execute(update(load_record).where(load_record.c.id == bindparam("row_id")).values(**values), changed)


def contact_changed(connection: Connection, now: datetime) -> set[str]:
    """Tables whose agents fell silent during their loads, or are back: no report says so."""
    is_unfinished = and_(load_record.c.is_open, load_record.c.finished_at.is_(None))
    is_silent = func.coalesce(agent.c.heartbeat_at < now - SILENT_AFTER, True)
    is_shown = load_record.c.state == LoadState.RUNNING
    found = (
        select(load_record.c.table_id)
        .join(subscribed_table, subscribed_table.c.id == load_record.c.table_id)
        .join(channel, channel.c.id == subscribed_table.c.channel_id)
        .join(service, service.c.id == channel.c.service_id)
        .outerjoin(agent, agent.c.id == service.c.agent_id)
        .where(is_unfinished, subscribed_table.c.current_state == SyncState.FULL_RUNNING, is_shown == is_silent)
    )
    return set(connection.execute(found).scalars())


def has_removed(connection: Connection) -> bool:
    """Whether `cancel_removed` has anything to do."""
    return connection.execute(select(load_record.c.id).where(_REMOVED).limit(1)).scalar() is not None


def cancel_removed(connection: Connection, now: datetime) -> None:
    """End the loads of tables that are no longer subscribed."""
    is_finished = load_record.c.state == LoadState.FINISHED
    ended = {"state": LoadState.CANCELLED, "state_since": now, "reason": REMOVED, "is_open": False}
    connection.execute(update(load_record).where(_REMOVED, ~is_finished).values(ended))
    connection.execute(update(load_record).where(_REMOVED, is_finished).values(is_open=False))


_REMOVED = and_(
    load_record.c.is_open, ~exists().where(subscribed_table.c.id == load_record.c.table_id).correlate(load_record)
)


def _known(table_ids: Collection[str]) -> Select[Any]:
    """Loads of the desired generations, and older ones that have not ended."""
    found: Select[Any] = select(load_record).join(subscribed_table, subscribed_table.c.id == load_record.c.table_id)
    current = load_record.c.generation == subscribed_table.c.generation
    return found.where(among(load_record.c.table_id, table_ids), or_(current, load_record.c.is_open))


@cache
def _facts() -> Select[Any]:
    table = subscribed_table.c
    source, target = data_source.alias("load_source"), data_source.alias("load_target")
    names = (
        *("id", "generation", "load_mode", "begin", "reported_generation", "current_state", "current_origin"),
        *("rows_total", "rows_loaded", "bytes_loaded", "load_started_at", "load_finished_at", "errors", "reason"),
    )
    found: Select[Any] = select(
        *(table[name] for name in names),
        (table.target_schema + literal(".") + table.target_table).label("target_table"),
        (published_table.c.schema_name + literal(".") + published_table.c.table_name).label("source_table"),
        published_table.c.reason.label("publish_reason"),
        service.c.reason.label("service_reason"),
        service.c.report_reason,
        agent.c.heartbeat_at,
        customer.c.tenant_id,
        customer.c.client_type,
        customer.c.id.label("customer_id"),
        channel.c.name.label("channel_name"),
        sync_task.c.link_id,
        sync_task.c.id.label("task_id"),
        func.coalesce(sync_link.c.name, customer.c.name).label("link_name"),
        source.c.kind.label("source_kind"),
        target.c.kind.label("target_kind"),
    )
    return (
        found.join(published_table, published_table.c.id == table.published_table_id)
        .join(publish_node, publish_node.c.id == published_table.c.node_id)
        .join(source, source.c.id == publish_node.c.data_source_id)
        .join(channel, channel.c.id == table.channel_id)
        .join(service, service.c.id == channel.c.service_id)
        .join(master, master.c.id == channel.c.master_id)
        .join(customer, customer.c.id == master.c.customer_id)
        .join(target, target.c.id == func.coalesce(master.c.data_source_id, customer.c.data_source_id))
        .outerjoin(agent, agent.c.id == service.c.agent_id)
        .outerjoin(sync_task, sync_task.c.channel_id == channel.c.id)
        .outerjoin(sync_link, sync_link.c.id == sync_task.c.link_id)
    )


def _load_facts(table: Row[Any], now: datetime) -> LoadFacts:
    # Figures of an older generation are those of its own load.
    is_reported = table.reported_generation == table.generation
    return LoadFacts(
        state=SyncState(table.current_state),
        origin=Origin(table.current_origin),
        started=is_reported and table.load_started_at is not None,
        finished=is_reported and table.load_finished_at is not None,
        loads=begins_with_load(table.load_mode, table.begin),
        silent=table.heartbeat_at is None or table.heartbeat_at < now - SILENT_AFTER,
    )


def _is_old(table: Row[Any], facts: LoadFacts, now: datetime) -> bool:
    return facts.finished and table.load_finished_at < now - _LATEST


def _is_back(load: Row[Any]) -> bool:
    """Whether the load was cancelled with its table, which is subscribed again."""
    return bool(load.state == LoadState.CANCELLED)


def _new(table: Row[Any], facts: LoadFacts, now: datetime) -> dict[str, Any]:
    copied = (
        *("tenant_id", "link_id", "task_id", "link_name", "client_type", "customer_id", "channel_name"),
        *("source_kind", "source_table", "target_kind", "target_table", "generation"),
    )
    queued = min(now, table.load_started_at) if facts.started else now
    first = {
        "id": new_id(),
        "table_id": table.id,
        **{name: getattr(table, name) for name in copied},
        "queued_at": queued,
    }
    # Without a report of this generation, the count of errors is that of the one before.
    counted = 0 if table.reported_generation == table.generation else table.errors
    before = _Before(queued_at=queued, errors_counted=counted)
    return {**first, **_figures(before, table, facts, now)}


def _after(load: Row[Any], table: Row[Any], facts: LoadFacts, now: datetime) -> dict[str, Any]:
    return _bound(load.id, _figures(_Before.of(load), table, facts, now))


def _superseded(load: Row[Any], table: Row[Any], now: datetime) -> dict[str, Any]:
    """The end of a load behind which a newer one was ordered."""
    values = {name: getattr(load, name) for name in _CHANGED}
    if load.state != LoadState.FINISHED:
        values |= {"state": LoadState.SUPERSEDED, "state_since": now, "reason": SUPERSEDED}
        if table.reported_generation == load.generation:
            values |= {"rows_loaded": table.rows_loaded, "bytes_loaded": table.bytes_loaded}
    return _bound(load.id, {**values, "is_open": False})


def _bound(load_id: str, values: Mapping[str, Any]) -> dict[str, Any]:
    return {"row_id": load_id, **{f"new_{name}": values[name] for name in _CHANGED}}


def _figures(before: "_Before", table: Row[Any], facts: LoadFacts, now: datetime) -> dict[str, Any]:
    """The columns of a load that change, from those that it had."""
    state = LoadState.FINISHED if before.finished_at is not None else load_state(facts)
    is_reported = table.reported_generation == table.generation and before.finished_at is None
    started = before.started_at or (table.load_started_at if facts.started else None)
    finished = before.finished_at or (table.load_finished_at if facts.finished else None)
    was_held = before.is_held
    paused = before.paused_ms + ((milliseconds(before.state_since, finished or now) or 0) if was_held else 0)
    caught_up = before.caught_up_at or (now if finished and facts.state is SyncState.INCREMENTAL_RUNNING else None)
    loading = milliseconds(started, finished)
    running = None if loading is None else max(1, loading - paused)
    rows = table.rows_loaded if is_reported else before.rows_loaded
    is_same = state == before.state
    return {
        "state": state,
        "state_since": before.state_since if is_same and not was_held else finished or now,
        "reason": _reason(table, state, facts),
        "started_at": started,
        "finished_at": finished,
        "caught_up_at": caught_up,
        "rows_total": table.rows_total if is_reported else before.rows_total,
        "rows_loaded": rows,
        "bytes_loaded": table.bytes_loaded if is_reported else before.bytes_loaded,
        "waiting_ms": milliseconds(before.queued_at, started),
        "loading_ms": loading,
        "paused_ms": paused,
        "catch_up_ms": milliseconds(finished, caught_up),
        "rows_per_second": None if running is None else round(1000 * rows / running, 1),
        "failures": before.failures + _failed(before, table),
        "errors_counted": table.errors,
        "interruptions": before.interruptions + (state is LoadState.INTERRUPTED and not is_same),
        "is_open": finished is None or (caught_up is None and table.load_mode != LoadMode.FULL),
    }


def _failed(before: "_Before", table: Row[Any]) -> int:
    """Attempts that failed since. A process that is new counts from 0."""
    if before.finished_at is not None:
        return 0
    new = table.errors - before.errors_counted
    return int(new if new >= 0 else table.errors)


def _reason(table: Row[Any], state: LoadState, facts: LoadFacts) -> Any:
    if state in (LoadState.RUNNING, *ENDED):
        return None
    if facts.state is SyncState.SUSPENDED:
        return _SUSPENDED
    if facts.state is SyncState.FULL_RUNNING:
        return _SILENT
    if facts.origin is Origin.PUBLISHING:
        return table.publish_reason
    if facts.origin is Origin.SERVICE:
        return table.service_reason or table.report_reason or _AWAY
    return table.reason if facts.origin is Origin.REPORT else None


@dataclass(frozen=True, slots=True)
class _Before:
    """Recorded values of a load."""

    queued_at: datetime
    errors_counted: int
    state: str = ""
    state_since: datetime | None = None
    reason: Any = None
    started_at: datetime | None = None
    finished_at: datetime | None = None
    caught_up_at: datetime | None = None
    rows_total: int | None = None
    rows_loaded: int = 0
    bytes_loaded: int = 0
    paused_ms: int = 0
    failures: int = 0
    interruptions: int = 0

    @property
    def is_held(self) -> bool:
        """Whether it had begun and did not run. What a silent agent's loads did is not known: they count as running."""
        is_begun = self.started_at is not None and self.finished_at is None
        return is_begun and self.state != LoadState.RUNNING and self.reason != _SILENT

    @classmethod
    def of(cls, load: Row[Any]) -> "_Before":
        return cls(**{field.name: getattr(load, field.name) for field in fields(cls)})
