"""Queries over publish nodes and published tables."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Connection, Row, Select, bindparam, case, delete, func, select, update

from zcbus.control.store.among import among
from zcbus.control.store.columns import UtcTimestamp
from zcbus.control.store.tables.container import service
from zcbus.control.store.tables.publish import publish_node, published_table
from zcbus.control.store.tables.stream import computation, computation_input
from zcbus.kit.ids import new_id
from zcbus.model.states import DesiredState, PublishState

_DESIRED = (
    "id",
    "node_id",
    "schema_name",
    "table_name",
    "key_columns",
    "append_only",
    "generation",
    "gap",
    "stopped_generation",
)


def insert_node(connection: Connection, **values: Any) -> str:
    node_id = new_id()
    connection.execute(publish_node.insert().values(id=node_id, **values))
    return node_id


def find_node(connection: Connection, node_id: str) -> Row[Any]:
    return connection.execute(select(publish_node).where(publish_node.c.id == node_id)).one()


def select_nodes_of_services(connection: Connection, service_ids: Iterable[str]) -> Sequence[Row[Any]]:
    return connection.execute(select(publish_node).where(publish_node.c.service_id.in_(list(service_ids)))).all()


def node_of_name(connection: Connection, tenant_id: str, name: str) -> str | None:
    """A tenant's node of that name."""
    query = select(publish_node.c.id).where(publish_node.c.tenant_id == tenant_id, publish_node.c.name == name)
    return connection.execute(query.limit(1)).scalar()


def change_node(connection: Connection, node_id: str, **values: Any) -> None:
    connection.execute(update(publish_node).where(publish_node.c.id == node_id).values(**values))


def json_topic_owner(connection: Connection, name: str) -> str | None:
    """The node that has a JSON topic of that name."""
    return connection.execute(select(publish_node.c.id).where(publish_node.c.json_topic == name)).scalar()


def delete_node(connection: Connection, node_id: str) -> None:
    connection.execute(delete(publish_node).where(publish_node.c.id == node_id))


def select_tables(connection: Connection, node_ids: Iterable[str]) -> Sequence[Row[Any]]:
    return connection.execute(
        select(published_table)
        .where(published_table.c.node_id.in_(list(node_ids)))
        .order_by(published_table.c.node_id, published_table.c.schema_name, published_table.c.table_name)
    ).all()


def select_desired(connection: Connection, node_ids: Iterable[str]) -> Sequence[Row[Any]]:
    """Desired columns of the tables of nodes, without reported ones."""
    columns = published_table.c
    return connection.execute(
        select(*(columns[name] for name in _DESIRED))
        .where(columns.node_id.in_(list(node_ids)))
        .order_by(columns.node_id, columns.schema_name, columns.table_name)
    ).all()


def insert_tables(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    if rows:
        connection.execute(published_table.insert(), list(rows))


def change_tables(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Set key and generation of tables by id."""
    if rows:
        connection.execute(
            update(published_table)
            .where(published_table.c.id == bindparam("table_id"))
            .values(
                key_columns=bindparam("new_key_columns"),
                append_only=bindparam("new_append_only"),
                generation=bindparam("new_generation"),
            ),
            list(rows),
        )


def forget_failures(connection: Connection, table_ids: Iterable[str]) -> None:
    connection.execute(
        update(published_table)
        .where(among(published_table.c.id, table_ids))
        .values(state=PublishState.UNINITIALIZED.value, reason=None)
    )


def accept_gaps(connection: Connection, table_ids: Iterable[str]) -> None:
    """Count a further accepted gap, and forget the failures and the stop that it mends."""
    connection.execute(
        update(published_table)
        .where(among(published_table.c.id, table_ids))
        .values(
            gap=published_table.c.gap + 1,
            stopped_generation=None,
            state=PublishState.UNINITIALIZED.value,
            reason=None,
        )
    )


def stop_tables(connection: Connection, table_ids: Iterable[str]) -> None:
    """Until another generation is desired."""
    connection.execute(
        update(published_table)
        .where(among(published_table.c.id, table_ids))
        .values(stopped_generation=published_table.c.generation)
    )


def select_failed_tables(connection: Connection) -> Sequence[Row[Any]]:
    """Id and reason, of nodes that are to run."""
    failed = published_table.c.state == PublishState.PUBLISH_FAILED.value
    statement: Select[Any] = (
        select(published_table.c.id, published_table.c.reason)
        .join(publish_node, publish_node.c.id == published_table.c.node_id)
        .join(service, service.c.id == publish_node.c.service_id)
    )
    return connection.execute(statement.where(service.c.desired == DesiredState.RUNNING, failed)).all()


def fail_tables(connection: Connection, node_id: str, reason: Mapping[str, Any], now: datetime) -> None:
    """No table of the node can be published, for this reason."""
    connection.execute(
        update(published_table)
        .where(published_table.c.node_id == node_id)
        .values(state=PublishState.PUBLISH_FAILED.value, reason=dict(reason), state_since=now)
    )


def rename_table(connection: Connection, table_id: str, schema_name: str, table_name: str) -> None:
    """Also forgets why the table was not published under its former name."""
    connection.execute(
        update(published_table)
        .where(published_table.c.id == table_id)
        .values(
            schema_name=schema_name,
            table_name=table_name,
            state=PublishState.UNINITIALIZED.value,
            reason=None,
        )
    )


def select_computed_from(connection: Connection, condition: ColumnElement[bool]) -> Sequence[Row[Any]]:
    """Published tables that stream queries read, one row for each use: names of table and stream query."""
    name = computation.c.name.label("computation_name")
    inputs: Select[Any] = select(published_table.c.schema_name, published_table.c.table_name, name)
    return connection.execute(
        inputs.join(computation_input, computation_input.c.published_table_id == published_table.c.id)
        .join(computation, computation.c.id == computation_input.c.computation_id)
        .where(condition)
    ).all()


def delete_tables(connection: Connection, table_ids: Iterable[str]) -> None:
    connection.execute(delete(published_table).where(among(published_table.c.id, table_ids)))


def save_reports(connection: Connection, node_id: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Store reports of publish services about their tables, one statement for all. Keys are prefixed with `new_`."""
    if not rows:
        return
    unchanged = published_table.c.state == bindparam("new_state")
    connection.execute(
        update(published_table)
        .where(published_table.c.id == bindparam("table_id"), published_table.c.node_id == node_id)
        .values(
            state=bindparam("new_state"),
            state_since=case(
                (unchanged, published_table.c.state_since), else_=bindparam("new_reported_at", type_=UtcTimestamp())
            ),
            reason=bindparam("new_reason"),
            reported_generation=bindparam("new_reported_generation"),
            rows_total=bindparam("new_rows_total"),
            rows_read=bindparam("new_rows_read"),
            inserts=bindparam("new_inserts"),
            updates=bindparam("new_updates"),
            deletes=bindparam("new_deletes"),
            # A process that has not opened its topic yet knows no counts: the previous ones stay.
            changes_epoch=func.coalesce(
                bindparam("new_changes_epoch", type_=BigInteger()), published_table.c.changes_epoch
            ),
            changes=func.coalesce(bindparam("new_changes", type_=BigInteger()), published_table.c.changes),
            expires_at=bindparam("new_expires_at", type_=UtcTimestamp()),
            # A process that has seen no change yet knows nothing of the last one.
            delay_ms=func.coalesce(bindparam("new_delay_ms", type_=BigInteger()), published_table.c.delay_ms),
            last_change_at=func.coalesce(
                bindparam("new_last_change_at", type_=UtcTimestamp()), published_table.c.last_change_at
            ),
            reported_at=bindparam("new_reported_at", type_=UtcTimestamp()),
        ),
        list(rows),
    )


def new_table_row(node_id: str, now: datetime, **values: Any) -> dict[str, Any]:
    """A published table of which nothing was reported yet."""
    return {
        "id": new_id(),
        "node_id": node_id,
        "state": "uninitialized",
        "state_since": now,
        "current_since": now,
        "reported_generation": 0,
        "rows_read": 0,
        "inserts": 0,
        "updates": 0,
        "deletes": 0,
        **values,
    }
