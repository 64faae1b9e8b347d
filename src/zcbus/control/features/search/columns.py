"""The column names of published tables, refreshed once a day through the agents that reach the tables."""

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

_BATCH = 1_000
"""Tables of a node per request; the next request follows a minute later."""
_REFRESH_AFTER = timedelta(days=1)
_RETRY_AFTER = timedelta(hours=1)
_AGENT_LIVENESS = timedelta(seconds=30)
_MAX_COLUMNS = 2_000
_log = get_logger("control.search")


@dataclass(frozen=True, slots=True)
class _NodeBatch:
    node_id: str
    destination: Destination
    connection: Connection
    tables: Sequence[Any]


def refresh_columns(services: Services) -> None:
    """Read the columns of the published tables that are due, at most `_BATCH` of each node.

    Safe to run twice at once. Nodes without a live agent are skipped and stay due.
    """
    for node_id in _due_nodes(services):
        batch = _batch_of(services, node_id)
        if batch is None:
            continue
        try:
            described = _describe(services, batch)
        except ZcbusError as error:
            _log.warning("columns not read", node=node_id, code=error.code)
            described = None
        _store(services, batch, described)


def _is_due(services: Services) -> ColumnElement[bool]:
    return or_(described_table.c.due_at.is_(None), described_table.c.due_at <= services.clock.now())


def _due_nodes(services: Services) -> Sequence[str]:
    is_live = agent.c.heartbeat_at > services.clock.now() - _AGENT_LIVENESS
    with services.database.read() as store:
        return (
            store.execute(
                select(published_table.c.node_id)
                .distinct()
                .join(publish_node, publish_node.c.id == published_table.c.node_id)
                .join(service, service.c.id == publish_node.c.service_id)
                .join(agent, agent.c.container_id == service.c.container_id)
                .outerjoin(described_table, described_table.c.table_id == published_table.c.id)
                .where(_is_due(services), is_live)
            )
            .scalars()
            .all()
        )


def _batch_of(services: Services, node_id: str) -> _NodeBatch | None:
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
            .limit(_BATCH)
        ).all()
        connection = connections.open_stored(store, services.secrets, node.data_source_id)
    return _NodeBatch(node_id, Destination(node.container_id, node.name), connection, tables)


def _describe(services: Services, batch: _NodeBatch) -> dict[tuple[str, str], Description]:
    """Descriptions by schema and name, without dropped tables: one of them would fail the whole request."""
    existing = inventory.tables(services, batch.destination, batch.connection, refresh=False)
    existing_names = {(line.schema_name, line.table) for line in existing}
    names = ((row.schema_name, row.table_name) for row in batch.tables)
    refs = tuple(TableRef(schema_name=name[0], table=name[1]) for name in names if name in existing_names)
    if not refs:
        return {}
    answer = ask(services, batch.destination, DescribeTables(connection=batch.connection, tables=refs), Descriptions)
    return {(one.schema_name, one.table): one for one in answer.tables}


def _store(services: Services, batch: _NodeBatch, described: dict[tuple[str, str], Description] | None) -> None:
    """Replace the columns of a batch and set when its tables are due again. None: the request failed, the known columns
    stay."""
    due_at = services.clock.now() + (_REFRESH_AFTER if described is not None else _RETRY_AFTER)
    ids = [row.id for row in batch.tables]
    names = {
        row.id: dict.fromkeys(column.name[:255] for column in one.columns[:_MAX_COLUMNS])
        for row in batch.tables
        if (one := (described or {}).get((row.schema_name, row.table_name))) is not None
    }
    with services.database.write() as store:
        # Deletes first: they take the store's lock for writes, so no table is withdrawn before the inserts.
        store.execute(delete(described_table).where(described_table.c.table_id.in_(ids)))
        if described is not None:
            store.execute(delete(published_column).where(published_column.c.table_id.in_(ids)))
        published = store.execute(select(published_table.c.id).where(published_table.c.id.in_(ids))).scalars().all()
        if published:
            store.execute(described_table.insert(), [{"table_id": one, "due_at": due_at} for one in published])
        columns = [
            {"table_id": one, "name": name, "folded": name.lower()} for one in published for name in names.get(one, ())
        ]
        if columns:
            store.execute(published_column.insert(), columns)
