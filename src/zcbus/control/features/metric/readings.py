"""Last reports of all subjects of metrics, as far as they are current."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
import numpy.typing as npt
from sqlalchemy import ColumnElement, Connection, CursorResult, Row, and_, case, select

from zcbus.control.store.change_counts import waiting_changes
from zcbus.control.store.tables.container import agent, service
from zcbus.control.store.tables.publish import publish_node, published_table
from zcbus.control.store.tables.subscribe import channel, subscribed_table, unbound_table
from zcbus.model.reduction.services import RUNS, STALE_AFTER, is_stale
from zcbus.model.states import ERROR_STATES, SyncState

Floats = npt.NDArray[np.float64]

CHANGES = ("inserts", "updates", "deletes")
LOADS = ("rows_loaded", "bytes_loaded")
OF_SERVICES = (
    *("restarts", "came_ms", "went_ms", "backlog_bytes", "memory_bytes"),
    *("cpu_percent", "retries", "bus_bytes"),
)
"""What every service reports of its process."""
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
            [row.id for row in of_channels],
            holds=[alive[row.service_id] for row in of_channels],
            columns={"waiting_bytes": [backlogs[row.service_id] for row in of_channels]},
        ),
        published=_published(connection, {row.id: row for row in of_services if alive[row.id]}, now),
        services=_rows(
            [row.id for row in of_services],
            holds=[alive[row.id] for row in of_services],
            columns={name: [getattr(row, name) for row in of_services] for name in OF_SERVICES},
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
    table = subscribed_table.c
    # The total may be an estimate that the load exceeds.
    is_loading = and_(
        table.state == SyncState.FULL_RUNNING, table.rows_total > 0, table.rows_loaded <= table.rows_total
    )
    rows = connection.execute(
        select(
            *(table[name] for name in ("id", "channel_id", "is_up", "reported_generation", "row_errors", *counted)),
            case((table.state.in_(_LAG_STATES), table.lag_ms)).label("lag_ms"),
            case((table.current_state.in_(ERROR_STATES), 1), else_=0).label("failed_tables"),
            case((is_loading, table.rows_loaded)).label("loading"),
            case((is_loading, table.rows_total)).label("to_load"),
            *_changes(),
        ).join(published_table, published_table.c.id == table.published_table_id)
    )
    columns = _columns(rows)
    channels = columns.pop("channel_id")
    holds = [is_up and alive.get(one, False) for is_up, one in zip(columns.pop("is_up"), channels, strict=True)]
    # Counters are kept in the target for as long as its rows are.
    epochs = columns.pop("reported_generation")
    return _rows(columns.pop("id"), owners=channels, holds=holds, epochs=epochs, columns=columns)


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
    table = published_table.c
    # Counters of an earlier process say nothing of the present one. What thousands of rows say of times is compared
    # by the database: making moments of them takes longer than all else.
    is_current = and_(service.c.worker_started_at.is_not(None), table.reported_at >= service.c.worker_started_at)
    is_new = table.last_change_at.between(now - STALE_AFTER, now + STALE_AFTER)
    rows = connection.execute(
        select(
            *(table[name] for name in ("id", *CHANGES)),
            case((is_new, table.delay_ms)).label("delay_ms"),
            case((is_current, 1), else_=0).label("is_current"),
            publish_node.c.service_id,
        )
        .join(publish_node, publish_node.c.id == table.node_id)
        .join(service, service.c.id == publish_node.c.service_id)
    )
    columns = _columns(rows)
    owners = columns.pop("service_id")
    holds = [bool(one) and owner in working for one, owner in zip(columns.pop("is_current"), owners, strict=True)]
    for name in CHANGES:
        columns[name] = [value if here else None for value, here in zip(columns[name], holds, strict=True)]
    begun = {one: row.worker_started_at.timestamp() for one, row in working.items() if row.worker_started_at}
    epochs = [begun.get(owner, 0.0) for owner in owners]
    return _rows(columns.pop("id"), owners=owners, holds=holds, epochs=epochs, columns=columns)


def _hosts(connection: Connection, now: datetime) -> Rows:
    names = ("cpu_percent", "memory_used", "memory_total", "disk_used", "disk_total")
    rows = connection.execute(select(agent.c.id, agent.c.heartbeat_at, *(agent.c[name] for name in names))).all()
    return _rows(
        [row.id for row in rows],
        holds=[row.cpu_percent is not None and not is_stale(row.heartbeat_at, now) for row in rows],
        columns={name: [getattr(row, name) for row in rows] for name in names},
    )


def _columns(rows: CursorResult[Any]) -> dict[str, Sequence[Any]]:
    """Columns by their names."""
    names = list(rows.keys())
    found = list(zip(*rows.all(), strict=True)) or [()] * len(names)
    return dict(zip(names, found, strict=True))


def _rows(
    ids: Sequence[str],
    *,
    holds: Sequence[bool],
    columns: Mapping[str, Sequence[Any]],
    owners: Sequence[str] = (),
    epochs: Sequence[float] | None = None,
) -> Rows:
    return Rows(
        ids=ids,
        owners=owners,
        holds=np.array(holds, dtype=bool),
        epochs=np.array(epochs if epochs is not None else [0.0] * len(ids), dtype=np.float64),
        columns={name: np.array(values, dtype=np.float64) for name, values in columns.items()},
    )
