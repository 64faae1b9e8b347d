"""Effects of orders on published tables."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Row

from zcbus.control.features.container import service as containers
from zcbus.control.features.publish import service
from zcbus.control.features.publish.tables import revive
from zcbus.control.features.subscribe import steering, tables, unbound
from zcbus.control.features.table_command.order import Effect, Order
from zcbus.model.table_verbs import TableVerb

Rows = Sequence[Row[Any]]


def _retry(order: Order, rows: Rows) -> None:
    node = order.parameters.node
    service.retry(order.store, [row.id for row in rows if not row.deserted])
    # The publish service checks its tables when it starts.
    containers.restart(order.store, [node.service_id])
    containers.notify_container(order.store, node.container_id)


def _stop(order: Order, rows: Rows) -> None:
    """Subscribers lose their position: they load again, or accept the gap."""
    ids = [row.id for row in rows]
    service.stop_tables(order.store, ids)
    readers = tables.readers_of(order.store, ids)
    steering.start_generation(order.store, readers, None, suspended=True)
    unbound.forget(order.store, ids)
    containers.notify_container(order.store, order.parameters.node.container_id)
    steering.notify_agents(order.store, readers)


def _publish_again(order: Order, rows: Rows) -> None:
    node = order.parameters.node
    service.change_tables(order.store, {row.id: (service.RowKey.of(row), row.generation + 1) for row in rows})
    revive(order.store, node, rows)
    containers.notify_container(order.store, node.container_id)


def _withdraw(order: Order, rows: Rows) -> None:
    service.remove_tables(order.store, [row.id for row in rows])
    containers.notify_container(order.store, order.parameters.node.container_id)


EFFECTS: Mapping[TableVerb, Effect] = {
    TableVerb.RETRY: _retry,
    TableVerb.STOP: _stop,
    TableVerb.PUBLISH_AGAIN: _publish_again,
    TableVerb.WITHDRAW: _withdraw,
}
