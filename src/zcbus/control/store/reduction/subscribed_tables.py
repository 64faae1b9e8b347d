"""Subscribed tables."""

from functools import cache
from typing import Any

from sqlalchemy import Connection, Row, Select, func, select

from zcbus.control.store.among import among
from zcbus.control.store.live import announce
from zcbus.control.store.reduction.loads import record_loads
from zcbus.control.store.reduction.rows import Moment, ids, marked, save
from zcbus.control.store.tables.container import service
from zcbus.control.store.tables.publish import published_table
from zcbus.control.store.tables.subscribe import channel, subscribed_table
from zcbus.control.store.tables.verification import verification
from zcbus.model.reduction import Origin
from zcbus.model.reduction.services import Worker
from zcbus.model.reduction.subscribed_tables import (
    SourceFacts,
    TableFacts,
    begins_with_load,
    has_trouble,
    is_up,
    table_state,
)
from zcbus.model.states import DesiredState, LoadMode, PublishState, SyncState


def reduce_subscribed(connection: Connection, moment: Moment, services: set[str], *, sources: bool) -> set[str]:
    """Reduce the marked tables, those of services that changed and, with `sources`, those of marked published tables;
    returns the channels of which tables changed."""
    changed: dict[str, dict[str, Any]] = {}
    found = _concerned(connection, services, sources)
    if not found:
        return set()
    for row in connection.execute(_facts().where(among(subscribed_table.c.id, found))):
        reduced = _reduce(row)
        if tuple(reduced.values()) != (row.current_state, row.current_origin, row.is_up, row.has_trouble):
            changed[row.id] = reduced
    channels = _add_since(connection, moment, changed)
    save(connection, subscribed_table, [{"row_id": table, **reduced} for table, reduced in changed.items()])
    record_loads(connection, moment, changed)
    return channels


def _add_since(connection: Connection, moment: Moment, changed: dict[str, dict[str, Any]]) -> set[str]:
    """Since when the new states hold. Most reports change none, so this is not read with every table's facts."""
    if not changed:
        return set()
    channels, tenants = set(), set()
    table = subscribed_table.c
    known: Select[Any] = select(
        table.id,
        table.channel_id,
        table.current_state,
        table.current_since,
        table.state_since,
        service.c.tenant_id,
        service.c.observed_since,
        published_table.c.state_since.label("source_since"),
    )
    for row in connection.execute(_joined(known).where(among(table.id, changed))):
        reduced = changed[row.id]
        channels.add(row.channel_id)
        tenants.add(row.tenant_id)
        reported_since = {Origin.SERVICE: row.observed_since, Origin.PUBLISHING: row.source_since}
        same = reduced["current_state"] == row.current_state
        since = reported_since.get(reduced["current_origin"], row.state_since)
        reduced["current_since"] = row.current_since if same else moment.since(row.current_since, since)
    announce(connection, "table", tenants)
    return channels


def _concerned(connection: Connection, services: set[str], sources: bool) -> set[str]:
    table = subscribed_table.c
    concerned = ids(connection, marked(subscribed_table))
    if services:
        found = select(table.id).join(channel, channel.c.id == table.channel_id)
        concerned |= ids(connection, found.where(among(channel.c.service_id, services)))
    if sources:
        found = select(table.id).join(published_table, published_table.c.id == table.published_table_id)
        concerned |= ids(connection, found.where(published_table.c.unreduced))
    return concerned


@cache
def _facts() -> Select[Any]:
    own = (
        *("id", "state", "reported_at", "reported_generation", "generation", "reported_moves", "moves", "suspended"),
        *(
            "load_mode",
            "begin",
            "row_errors",
            "changes_difference",
            "current_state",
            "current_origin",
            "is_up",
            "has_trouble",
        ),
    )
    of_service = ("worker", "worker_started_at", "desired")
    source = published_table.c
    found: Select[Any] = select(
        *(subscribed_table.c[name] for name in own),
        subscribed_table.c.load_started_at.is_not(None).label("load_started"),
        subscribed_table.c.load_finished_at.is_not(None).label("load_finished"),
        *(service.c[name] for name in of_service),
        source.state.label("source_state"),
        source.reason["code"].as_string().label("source_reason"),
        source.reported_generation.label("source_reported_generation"),
        source.generation.label("source_generation"),
        func.coalesce(verification.c.differences, 0).label("differences"),
    )
    # Of an older generation of the table nothing holds any more.
    of_generation = verification.c.generation == subscribed_table.c.generation
    return _joined(found).outerjoin(verification, (verification.c.table_id == subscribed_table.c.id) & of_generation)


def _joined(statement: Select[Any]) -> Select[Any]:
    return (
        statement.join(channel, channel.c.id == subscribed_table.c.channel_id)
        .join(service, service.c.id == channel.c.service_id)
        .join(published_table, published_table.c.id == subscribed_table.c.published_table_id)
    )


def _reduce(row: Row[Any]) -> dict[str, Any]:
    known = _known(row)
    state, origin = table_state(known)
    return {
        "current_state": state,
        "current_origin": origin,
        "is_up": is_up(known),
        "has_trouble": has_trouble(known),
    }


def _known(row: Row[Any]) -> TableFacts:
    return TableFacts(
        reported=SyncState(row.state),
        reported_at=row.reported_at,
        reported_generation=row.reported_generation,
        generation=row.generation,
        reported_moves=row.reported_moves,
        moves=row.moves,
        suspended=row.suspended,
        load_mode=LoadMode(row.load_mode),
        loads=begins_with_load(row.load_mode, row.begin),
        load_started=row.load_started,
        load_finished=row.load_finished,
        worker=Worker(row.worker),
        worker_started_at=row.worker_started_at,
        desired=row.desired == DesiredState.RUNNING,
        source=SourceFacts(
            PublishState(row.source_state), row.source_reason, row.source_reported_generation, row.source_generation
        ),
        row_errors=row.row_errors,
        differences=row.differences,
        unaccounted=row.changes_difference != 0,
    )
