"""Queries over stream queries. Those for people hide other tenants' rows."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, select, update

from zcbus.control.features.stream.views import stream_queries
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.principal import Principal
from zcbus.control.store.among import among
from zcbus.control.store.tables.container import agent, container, service
from zcbus.control.store.tables.publish import publish_node, published_table
from zcbus.control.store.tables.stream import computation, computation_input
from zcbus.control.store.tables.subscribe import customer_database
from zcbus.kit.ids import new_id


def find(connection: Connection, principal: Principal, computation_id: str) -> Row[Any]:
    """Raises RecordNotFoundError."""
    row = connection.execute(stream_queries(principal).where(computation.c.id == computation_id)).one_or_none()
    if row is None:
        raise RecordNotFoundError(kind="computation", id=computation_id)
    return row


def inputs_of(connection: Connection, ids: Iterable[str]) -> dict[str, list[Row[Any]]]:
    """By stream query, in the order of their names."""
    found: dict[str, list[Row[Any]]] = defaultdict(list)
    statement = (
        select(
            computation_input,
            published_table.c.schema_name,
            published_table.c.table_name,
            published_table.c.key_columns,
            published_table.c.generation,
            publish_node.c.id.label("node_id"),
            publish_node.c.name.label("node_name"),
        )
        .join(published_table, published_table.c.id == computation_input.c.published_table_id)
        .join(publish_node, publish_node.c.id == published_table.c.node_id)
        .where(among(computation_input.c.computation_id, ids))
        .order_by(computation_input.c.name)
    )
    for row in connection.execute(statement):
        found[row.computation_id].append(row)
    return found


def published(principal: Principal) -> Select[Any]:
    """Published tables with their node: one row a table."""
    return (
        select(
            published_table,
            publish_node.c.name.label("node_name"),
            container.c.id.label("container_id"),
            container.c.name.label("container_name"),
            service.c.agent_id,
            agent.c.heartbeat_at.label("agent_seen_at"),
        )
        .join(publish_node, publish_node.c.id == published_table.c.node_id)
        .join(service, service.c.id == publish_node.c.service_id)
        .join(container, container.c.id == service.c.container_id)
        .outerjoin(agent, agent.c.id == service.c.agent_id)
        .where(principal.visible(publish_node.c.tenant_id))
    )


def published_tables(connection: Connection, principal: Principal, ids: Sequence[str]) -> dict[str, Row[Any]]:
    """By id, those that the caller may see."""
    rows = connection.execute(published(principal).where(among(published_table.c.id, ids)))
    return {row.id: row for row in rows}


def name_taken(connection: Connection, customer_id: str, name: str, own: str | None) -> bool:
    found = select(computation.c.id).where(computation.c.customer_id == customer_id, computation.c.name == name)
    return connection.execute(found).scalar() not in (None, own)


def writer_of(connection: Connection, database_id: str, schema: str, table: str) -> Row[Any] | None:
    """The stream query that writes a table."""
    query: Select[Any] = select(computation.c.id, computation.c.name).where(
        computation.c.database_id == database_id,
        computation.c.target_schema == schema,
        computation.c.target_table == table,
    )
    return connection.execute(query).one_or_none()


def insert(connection: Connection, **values: Any) -> str:
    computation_id = new_id()
    figures = {"state": "uninitialized", "reported_generation": 0, "input_rows": {}, "retry": 0, "generation": 1}
    counts = dict.fromkeys(("inserts", "updates", "deletes"), 0)
    values = {"current_since": values["created_at"], **values}
    connection.execute(computation.insert().values(id=computation_id, **figures, **counts, **values))
    return computation_id


def set_inputs(connection: Connection, computation_id: str, names: Mapping[str, str]) -> None:
    """`names`: the SELECT's name of each published table, by the table's id."""
    connection.execute(delete(computation_input).where(computation_input.c.computation_id == computation_id))
    rows = [
        {"id": new_id(), "computation_id": computation_id, "published_table_id": table, "name": name}
        for table, name in names.items()
    ]
    connection.execute(computation_input.insert(), rows)


def change(connection: Connection, computation_id: str, values: Mapping[str, Any]) -> None:
    connection.execute(update(computation).where(computation.c.id == computation_id).values(**values))


def remove(connection: Connection, computation_id: str) -> None:
    connection.execute(delete(computation).where(computation.c.id == computation_id))


def of_services(connection: Connection, service_ids: Iterable[str]) -> Sequence[Row[Any]]:
    """Stream queries of services, with their target's data source."""
    return connection.execute(
        select(computation, customer_database.c.data_source_id)
        .join(customer_database, customer_database.c.id == computation.c.database_id)
        .where(computation.c.service_id.in_(list(service_ids)))
    ).all()


def services_of_tables(connection: Connection, tables: Iterable[str]) -> Sequence[str]:
    """Services of the stream queries that read published tables."""
    reading = select(computation_input.c.computation_id).where(among(computation_input.c.published_table_id, tables))
    return connection.execute(select(computation.c.service_id).where(computation.c.id.in_(reading))).scalars().all()


def save_report(connection: Connection, service_id: str, computation_id: str, values: Mapping[str, Any]) -> None:
    own = (computation.c.id == computation_id) & (computation.c.service_id == service_id)
    connection.execute(update(computation).where(own).values(**values))
