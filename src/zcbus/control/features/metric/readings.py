"""Last reports of all subjects of metrics, as far as they are current."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
import numpy.typing as npt
from sqlalchemy import ColumnElement, Connection, Row, case, select

from zcbus.control.store.change_counts import waiting_changes
from zcbus.control.store.tables.container import agent, service
from zcbus.control.store.tables.publish import publish_node, published_table
from zcbus.control.store.tables.subscribe import channel, subscribed_table, unbound_table
from zcbus.model.reduction.services import RUNS, is_stale
from zcbus.model.states import ERROR_STATES, SyncState

Floats = npt.NDArray[np.float64]

CHANGES = ("inserts", "updates", "deletes")
LOADS = ("rows_loaded", "bytes_loaded")
COUNTS = ("published", "changes_applied", "changes_skipped", "changes_filtered", "changes_refused")
"""Of these, `published` is what the others explain, so that all belong to the same position on the topic."""
_LAG_STATES = (SyncState.INCREMENTAL_ALLOWED, SyncState.INCREMENTAL_RUNNING)


@dataclass(frozen=True, slots=True)
class Rows:
    """Subjects of a kind: one array element each."""

    ids: Sequence[str]
    owners: Sequence[str]
    """Of tables: the channel or the service that carries it; else empty."""
    holds: npt.NDArray[np.bool_]
    """Whether a report is current: its process runs, and its agent is not silent."""
    epochs: Floats
    """See `store.metrics.sample_writer.Counters`."""
    columns: dict[str, Floats]
    """By the names of the catalogue; NaN: not known."""


@dataclass(frozen=True, slots=True)
class Readings:
    tables: Rows
    channels: Rows
    published: Rows
    services: Rows
    hosts: Rows


def read(connection: Connection, now: datetime) -> Readings:
    """Everything, of all tenants."""
    of_services = connection.execute(
        select(service, agent.c.heartbeat_at).outerjoin(agent, agent.c.id == service.c.agent_id)
    ).all()
    alive = {row.id: row.worker in RUNS and not is_stale(row.heartbeat_at, now) for row in of_services}
    backlogs = {row.id: row.backlog_bytes for row in of_services}
    of_channels = connection.execute(select(channel.c.id, channel.c.service_id)).all()
    return Readings(
        tables=_tables(connection, {row.id: alive[row.service_id] for row in of_channels}),
        channels=_rows(
            of_channels,
            holds=[alive[row.service_id] for row in of_channels],
            columns={"waiting_bytes": [backlogs[row.service_id] for row in of_channels]},
        ),
        published=_published(connection, {row.id: row for row in of_services if alive[row.id]}, now),
        services=_rows(
            of_services,
            holds=[alive[row.id] for row in of_services],
            columns={
                name: [getattr(row, name) for row in of_services]
                for name in ("restarts", "came_ms", "went_ms", "backlog_bytes", "memory_bytes")
            },
        ),
        hosts=_hosts(connection, now),
    )


def existing(connection: Connection) -> dict[str, set[str]]:
    """Ids of the subjects of metrics, by kind. Unsubscribed tables may be subscribed again, with all their figures."""
    tables = {"table": (subscribed_table, unbound_table), "channel": (channel,), "published-table": (published_table,)}
    return {
        kind: {row.id for table in found for row in connection.execute(select(table.c.id))}
        for kind, found in {**tables, "service": (service,), "host": (agent,)}.items()
    }


def _tables(connection: Connection, alive: dict[str, bool]) -> Rows:
    counted = (*CHANGES, *LOADS)
    names = ("id", "channel_id", "is_up", "state", "reported_generation", "row_errors", "lag_ms", *counted)
    rows = connection.execute(
        select(*(subscribed_table.c[name] for name in names), *_changes()).join(
            published_table, published_table.c.id == subscribed_table.c.published_table_id
        )
    ).all()
    columns = {name: [getattr(row, name) for row in rows] for name in (*counted, "row_errors", *COUNTS, *_UNSETTLED)}
    columns["lag_ms"] = [row.lag_ms if row.state in _LAG_STATES else None for row in rows]
    columns["failed_tables"] = [row.state in ERROR_STATES for row in rows]
    return _rows(
        rows,
        owners=[row.channel_id for row in rows],
        holds=[row.is_up and alive.get(row.channel_id, False) for row in rows],
        # Counters are kept in the target for as long as its rows are.
        epochs=[row.reported_generation for row in rows],
        columns=columns,
    )


_UNSETTLED = ("changes_waiting", "changes_difference")


def _changes() -> list[ColumnElement[Any]]:
    """`COUNTS` and what is not settled; NULL: not known."""
    table, waiting = subscribed_table.c, waiting_changes()
    left_out = table.changes_skipped + table.changes_filtered + table.changes_refused
    known = table.changes_handled.is_not(None)
    return [
        (table.changes_handled + table.changes_difference + waiting).label("published"),
        (table.changes_handled - left_out).label("changes_applied"),
        *(case((known, table[name])).label(name) for name in (*COUNTS[2:], "changes_difference")),
        waiting.label("changes_waiting"),
    ]


def _published(connection: Connection, working: dict[str, Row[Any]], now: datetime) -> Rows:
    names = ("id", "reported_at", "last_change_at", "delay_ms", *CHANGES)
    rows = connection.execute(
        select(*(published_table.c[name] for name in names), publish_node.c.service_id).join(
            publish_node, publish_node.c.id == published_table.c.node_id
        )
    ).all()
    begun = [working[row.service_id].worker_started_at if row.service_id in working else None for row in rows]
    # Counters of an earlier process say nothing of the present one.
    holds = [
        at is not None and row.reported_at is not None and row.reported_at >= at
        for row, at in zip(rows, begun, strict=True)
    ]
    columns: dict[str, list[Any]] = {
        name: [getattr(row, name) if here else None for row, here in zip(rows, holds, strict=True)] for name in CHANGES
    }
    columns["delay_ms"] = [
        row.delay_ms if row.last_change_at is not None and not is_stale(row.last_change_at, now) else None
        for row in rows
    ]
    return _rows(
        rows,
        owners=[row.service_id for row in rows],
        holds=holds,
        epochs=[at.timestamp() if at is not None else 0.0 for at in begun],
        columns=columns,
    )


def _hosts(connection: Connection, now: datetime) -> Rows:
    names = ("cpu_percent", "memory_used", "memory_total", "disk_used", "disk_total")
    rows = connection.execute(select(agent.c.id, agent.c.heartbeat_at, *(agent.c[name] for name in names))).all()
    return _rows(
        rows,
        holds=[row.cpu_percent is not None and not is_stale(row.heartbeat_at, now) for row in rows],
        columns={name: [getattr(row, name) for row in rows] for name in names},
    )


def _rows(
    rows: Sequence[Any],
    *,
    holds: Sequence[bool],
    columns: dict[str, list[Any]],
    owners: Sequence[str] = (),
    epochs: Sequence[float] | None = None,
) -> Rows:
    return Rows(
        ids=[row.id for row in rows],
        owners=owners,
        holds=np.array(holds, dtype=bool),
        epochs=np.array(epochs if epochs is not None else [0.0] * len(rows), dtype=np.float64),
        columns={name: np.array(values, dtype=np.float64) for name, values in columns.items()},
    )
