"""Subscribed tables."""

from typing import Any

from sqlalchemy import Connection, Row, Select, select

from zcbus.control.store.among import among
from zcbus.control.store.reduction.rows import Moment, ids, marked, save
from zcbus.control.store.tables.container import service
from zcbus.control.store.tables.publish import published_table
from zcbus.control.store.tables.subscribe import channel, subscribed_table
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

_REDUCED = ("current_state", "current_origin", "is_up", "has_trouble")


def reduce_subscribed(connection: Connection, moment: Moment, services: set[str], *, sources: bool) -> set[str]:
    """Reduce the marked tables, those of services that changed and, with `sources`, those of marked published tables;
    returns the channels of which tables were reduced."""
    found = _concerned(connection, services, sources)
    changed, channels = [], set()
    for row in connection.execute(_facts().where(among(subscribed_table.c.id, found))):
        channels.add(row.channel_id)
        reduced = _reduce(row, moment)
        if any(reduced[name] != getattr(row, name) for name in _REDUCED):
            changed.append({"row_id": row.id, **reduced})
    save(connection, subscribed_table, changed)
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


def _facts() -> Select[Any]:
    own = (
        *("id", "channel_id", "state", "state_since", "reported_at", "reported_generation", "generation"),
        *("reported_moves", "moves", "suspended", "load_mode", "begin", "load_started_at", "load_finished_at"),
        *("row_errors", "current_since", *_REDUCED),
    )
    of_service = ("worker", "worker_started_at", "desired", "observed_since")
    source = published_table.c
    found: Select[Any] = select(
        *(subscribed_table.c[name] for name in own),
        *(service.c[name] for name in of_service),
        source.state.label("source_state"),
        source.state_since.label("source_since"),
        source.reason["code"].as_string().label("source_reason"),
        source.reported_generation.label("source_reported_generation"),
        source.generation.label("source_generation"),
    )
    return (
        found.join(channel, channel.c.id == subscribed_table.c.channel_id)
        .join(service, service.c.id == channel.c.service_id)
        .join(published_table, source.id == subscribed_table.c.published_table_id)
    )


def _reduce(row: Row[Any], moment: Moment) -> dict[str, Any]:
    known = _known(row)
    state, origin = table_state(known)
    told = {Origin.SERVICE: row.observed_since, Origin.PUBLISHING: row.source_since}.get(origin, row.state_since)
    same = state == row.current_state
    return {
        "current_state": state,
        "current_since": row.current_since if same else moment.since(row.current_since, told),
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
        load_started=row.load_started_at is not None,
        load_finished=row.load_finished_at is not None,
        worker=Worker(row.worker),
        worker_started_at=row.worker_started_at,
        wanted=row.desired == DesiredState.RUNNING,
        source=SourceFacts(
            PublishState(row.source_state), row.source_reason, row.source_reported_generation, row.source_generation
        ),
        row_errors=row.row_errors,
    )
