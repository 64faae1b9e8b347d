"""Names of published tables' columns, read once a day by the agents that reach the tables, so that they are found."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, delete, or_, select

from zcbus.control.features.datasource import connections
from zcbus.control.features.datasource.service import inventory
from zcbus.control.platform.agent_requests import Destination, ask
from zcbus.control.platform.services import Services
from zcbus.control.store.tables.container import agent, container, service
from zcbus.control.store.tables.publish import publish_node, published_table
from zcbus.control.store.tables.search import described_table, published_column
from zcbus.kit.errors import ZcbusError
from zcbus.kit.logging import get_logger
from zcbus.protocol.answers import Description, Descriptions
from zcbus.protocol.base import Connection, TableRef
from zcbus.protocol.requests import DescribeTables

_AT_ONCE = 1_000
"""Tables of a node that are asked for together, a minute apart."""
_KEPT = timedelta(days=1)
_AGAIN_AFTER_FAILURE = timedelta(hours=1)
_HEARD_LATELY = timedelta(seconds=30)
_MOST_COLUMNS = 2_000
_log = get_logger("control.search")


@dataclass(frozen=True, slots=True)
class _Due:
    node_id: str
    destination: Destination
    connection: Connection
    tables: Sequence[Any]


def read_due(services: Services) -> None:
    """Read the columns of published tables, as far as they are due: a part of each node's at a time. Doing it twice at
    once is harmless. Nodes whose container has no agent are left for later."""
    for node_id in _due_nodes(services):
        due = _due_of(services, node_id)
        if due is None:
            continue
        try:
            described = _asked(services, due)
        except ZcbusError as error:
            _log.warning("columns not read", node=node_id, code=error.code)
            described = None
        _keep(services, due, described)


def _is_due(services: Services) -> ColumnElement[bool]:
    return or_(described_table.c.due_at.is_(None), described_table.c.due_at <= services.clock.now())


def _due_nodes(services: Services) -> Sequence[str]:
    heard_lately = agent.c.heartbeat_at > services.clock.now() - _HEARD_LATELY
    with services.database.read() as store:
        return (
            store.execute(
                select(published_table.c.node_id)
                .distinct()
                .join(publish_node, publish_node.c.id == published_table.c.node_id)
                .join(service, service.c.id == publish_node.c.service_id)
                .join(agent, agent.c.container_id == service.c.container_id)
                .outerjoin(described_table, described_table.c.table_id == published_table.c.id)
                .where(_is_due(services), heard_lately)
            )
            .scalars()
            .all()
        )


def _due_of(services: Services, node_id: str) -> _Due | None:
    with services.database.read() as store:
        node = store.execute(
            select(publish_node.c.data_source_id, container.c.id.label("container_id"), container.c.name)
            .join(service, service.c.id == publish_node.c.service_id)
            .join(container, container.c.id == service.c.container_id)
            .where(publish_node.c.id == node_id)
        ).first()
        if node is None:
            return None
        tables = store.execute(
            select(published_table.c.id, published_table.c.schema_name, published_table.c.table_name)
            .outerjoin(described_table, described_table.c.table_id == published_table.c.id)
            .where(published_table.c.node_id == node_id, _is_due(services))
            .limit(_AT_ONCE)
        ).all()
        connection = connections.open_stored(store, services.secrets, node.data_source_id)
    return _Due(node_id, Destination(node.container_id, node.name), connection, tables)


def _asked(services: Services, due: _Due) -> dict[tuple[str, str], Description]:
    """By schema and name, without tables that are gone: one of them would fail the whole question."""
    there = {
        (line.schema_name, line.table) for line in inventory.tables(services, due.destination, due.connection, refresh=False)
    }
    names = ((row.schema_name, row.table_name) for row in due.tables)
    refs = tuple(TableRef(schema_name=schema, table=table) for schema, table in names if (schema, table) in there)
    if not refs:
        return {}
    answer = ask(services, due.destination, DescribeTables(connection=due.connection, tables=refs), Descriptions)
    return {(one.schema_name, one.table): one for one in answer.tables}


def _keep(services: Services, due: _Due, described: dict[tuple[str, str], Description] | None) -> None:
    """None: they could not be asked for. What is known of them stays then."""
    again = services.clock.now() + (_KEPT if described is not None else _AGAIN_AFTER_FAILURE)
    ids = [row.id for row in due.tables]
    names = {
        row.id: dict.fromkeys(column.name[:255] for column in one.columns[:_MOST_COLUMNS])
        for row in due.tables
        if (one := (described or {}).get((row.schema_name, row.table_name))) is not None
    }
    with services.database.write() as store:
        # Tables may have been withdrawn meanwhile.
        there = store.execute(select(published_table.c.id).where(published_table.c.id.in_(ids))).scalars().all()
        store.execute(delete(described_table).where(described_table.c.table_id.in_(ids)))
        if there:
            store.execute(described_table.insert(), [{"table_id": one, "due_at": again} for one in there])
        if described is None:
            return
        store.execute(delete(published_column).where(published_column.c.table_id.in_(ids)))
        kept = [{"table_id": one, "name": name, "folded": name.lower()} for one in there for name in names.get(one, ())]
        if kept:
            store.execute(published_column.insert(), kept)
