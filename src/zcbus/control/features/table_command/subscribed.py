"""Effects of orders on subscribed tables."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Row

from zcbus.control.features.container import service as containers
from zcbus.control.features.contrast import service as contrast
from zcbus.control.features.subscribe import service, steering, unbound
from zcbus.control.features.subscribe.start_position import start_at
from zcbus.control.features.table_command.order import Effect, Order
from zcbus.control.features.verification import service as verification
from zcbus.model.table_verbs import TableVerb

Rows = Sequence[Row[Any]]

NOTED: Mapping[TableVerb, Mapping[str, str]] = {
    TableVerb.LIMIT: {"errorLimit": "error_limit", "dmlSkip": "dml_skip", "ddlSkip": "ddl_skip"},
    TableVerb.CLEAN: {"clean": "clean_mode", "ddl": "ddl_mode"},
    TableVerb.TRANSFER: {"channel": "channel_name"},
    TableVerb.REBALANCE: {"channel": "channel_name"},
}
"""Settings that the operation log keeps besides a table's state before a change: name → column."""


def _reload(order: Order, rows: Rows) -> None:
    steering.reload(order.store, rows, order.parameters.beside)


def _suspend(order: Order, rows: Rows) -> None:
    service.set_suspended(order.store, [row.id for row in rows], True)
    steering.notify_agents(order.store, rows)


def _resume(order: Order, rows: Rows) -> None:
    steering.resume(order.store, rows)


def _reset(order: Order, rows: Rows) -> None:
    steering.start_generation(order.store, rows, None, suspended=True)
    steering.notify_agents(order.store, rows)


def _reset_and_start(order: Order, rows: Rows) -> None:
    steering.start_generation(order.store, rows, None, suspended=False)
    steering.notify_agents(order.store, rows)


def _start_incremental(order: Order, rows: Rows) -> None:
    start_at(order.store, rows, order.parameters.start, suspended=order.parameters.hold)


def _accept_gap(order: Order, rows: Rows) -> None:
    steering.accept_gaps(order.store, rows)


def _limit(order: Order, rows: Rows) -> None:
    limits = order.parameters
    service.set_error_limits(
        order.store,
        [row.id for row in rows],
        error_limit=limits.error_limit,
        dml_skip=limits.dml_skip,
        ddl_skip=limits.ddl_skip,
    )
    steering.notify_agents(order.store, rows)


def _clean(order: Order, rows: Rows) -> None:
    if modes := order.parameters.given():
        service.set_modes(order.store, [row.id for row in rows], **modes)
        steering.notify_agents(order.store, rows)


def _move(order: Order, rows: Rows) -> None:
    channels = {row.id: order.parameters.by_table[row.id].channel for row in rows}
    moved = [
        {"table_id": row.id, "new_channel": channels[row.id].id, "new_places": _known_at(row, channels[row.id].id)}
        for row in rows
    ]
    service.move_tables(order.store, moved)
    # Both channels are notified: the old one releases the tables, the new one takes them over.
    steering.notify_agents(order.store, rows)
    containers.notify_services(order.store, sorted({channel.service_id for channel in channels.values()}))


def _known_at(row: Row[Any], channel_id: str) -> list[str]:
    """The other channels one of which has the table's position: more than one while it is still on its way."""
    known = [] if row.reported_moves == row.moves else row.came_from
    return [one for one in dict.fromkeys([*known, row.channel_id]) if one != channel_id]


def _unbind(order: Order, rows: Rows) -> None:
    ids = [row.id for row in rows]
    unbound.keep(order.store, ids, order.call.services.clock.now())
    service.remove_tables(order.store, ids)
    steering.notify_agents(order.store, rows)


def _compare(order: Order, rows: Rows) -> None:
    contrast.compare(order.call, rows, order.parameters.asked)


EFFECTS: Mapping[TableVerb, Effect] = {
    TableVerb.RELOAD: _reload,
    TableVerb.SUSPEND: _suspend,
    TableVerb.RESUME: _resume,
    TableVerb.RECOVER: _resume,
    TableVerb.RESET: _reset,
    TableVerb.RESET_START: _reset_and_start,
    TableVerb.START_INCREMENTAL: _start_incremental,
    TableVerb.ACCEPT_GAP: _accept_gap,
    TableVerb.LIMIT: _limit,
    TableVerb.CLEAN: _clean,
    TableVerb.TRANSFER: _move,
    TableVerb.REBALANCE: _move,
    TableVerb.UNBIND: _unbind,
    TableVerb.COMPARE: _compare,
    TableVerb.STOP_COMPARING: lambda order, rows: contrast.stop(order.call, rows),
    TableVerb.REPAIR: lambda order, rows: contrast.repair(order.call, rows),
    TableVerb.DISCARD: lambda order, rows: contrast.discard(order.call, rows),
    TableVerb.VERIFY: lambda order, rows: verification.ask(order.store, rows, "number"),
    TableVerb.REPAIR_DIFFERENCES: lambda order, rows: verification.ask(order.store, rows, "repair"),
}
