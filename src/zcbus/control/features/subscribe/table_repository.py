"""Queries over subscribed tables; each serves thousands of them in a few statements."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, bindparam, case, delete, func, literal, null, or_, select, update

from zcbus.control.platform.principal import Principal
from zcbus.control.store.among import among
from zcbus.control.store.columns import UtcTimestamp
from zcbus.control.store.tables.publish import publish_node, published_table
from zcbus.control.store.tables.stream import computation_input
from zcbus.control.store.tables.subscribe import channel, customer, master, subscribed_table
from zcbus.kit.ids import new_id
from zcbus.model.states import LoadMode, SyncState


def set_modes(connection: Connection, table_ids: Iterable[str], **modes: str) -> None:
    """How loads clean and how DDL is handled."""
    connection.execute(update(subscribed_table).where(among(subscribed_table.c.id, table_ids)).values(**modes))


def select_published(
    connection: Connection, node_id: str, table_ids: Iterable[str] | None = None
) -> Sequence[Row[Any]]:
    """A node's published tables, by name; `table_ids`: only these."""
    query = select(published_table).where(published_table.c.node_id == node_id)
    if table_ids is not None:
        query = query.where(among(published_table.c.id, table_ids))
    return connection.execute(query.order_by(published_table.c.schema_name, published_table.c.table_name)).all()


def select_subscribed(connection: Connection, master_id: str) -> set[str]:
    """Published tables that a master has, by id."""
    query = select(subscribed_table.c.published_table_id).join(channel, channel.c.id == subscribed_table.c.channel_id)
    return set(connection.execute(query.where(channel.c.master_id == master_id)).scalars())


def select_targets(connection: Connection, data_source_id: str) -> set[tuple[str, str]]:
    """Schema and name of every table that is replicated into a database."""
    query = (
        select(subscribed_table.c.target_schema, subscribed_table.c.target_table)
        .join(channel, channel.c.id == subscribed_table.c.channel_id)
        .join(master, master.c.id == channel.c.master_id)
        .where(master.c.data_source_id == data_source_id)
    )
    return {(row.target_schema, row.target_table) for row in connection.execute(query)}


def count_tables_of(connection: Connection, principal: Principal) -> int:
    """Subscribed tables of customers the caller may see."""
    counted = (
        select(func.count())
        .select_from(subscribed_table)
        .join(channel, channel.c.id == subscribed_table.c.channel_id)
        .join(master, master.c.id == channel.c.master_id)
        .join(customer, customer.c.id == master.c.customer_id)
    )
    return int(connection.execute(counted.where(principal.visible(customer.c.tenant_id))).scalar_one())


def select_tables(connection: Connection, channel_ids: Iterable[str]) -> Sequence[Row[Any]]:
    """Subscribed tables with the names and the generation of their published tables."""
    return connection.execute(
        select(
            subscribed_table,
            published_table.c.schema_name.label("source_schema"),
            published_table.c.table_name.label("source_table"),
            published_table.c.generation.label("published_generation"),
        )
        .join(published_table, published_table.c.id == subscribed_table.c.published_table_id)
        .where(subscribed_table.c.channel_id.in_(list(channel_ids)))
        .order_by(subscribed_table.c.channel_id, published_table.c.schema_name, published_table.c.table_name)
    ).all()


def select_desired(connection: Connection, channel_ids: Iterable[str]) -> Sequence[Row[Any]]:
    """Desired columns of the tables of channels, without reported ones."""
    columns = subscribed_table.c
    statement: Select[Any] = select(
        *(columns[name] for name in ("id", "channel_id", "published_table_id", *SETTINGS, *STEERING)),
        published_table.c.schema_name.label("source_schema"),
        published_table.c.table_name.label("source_table"),
    )
    return connection.execute(
        statement.join(published_table, published_table.c.id == columns.published_table_id)
        .where(columns.channel_id.in_(list(channel_ids)))
        .order_by(columns.channel_id, published_table.c.schema_name, published_table.c.table_name)
    ).all()


def select_tables_read_once(
    connection: Connection, publishing: Collection[str], applying: Collection[str]
) -> Sequence[str]:
    """Published tables of some publish services that are subscribed once, namely by one of some other services."""
    statement = (
        select(subscribed_table.c.published_table_id)
        .join(published_table, published_table.c.id == subscribed_table.c.published_table_id)
        .join(publish_node, publish_node.c.id == published_table.c.node_id)
        .join(channel, channel.c.id == subscribed_table.c.channel_id)
        .where(
            publish_node.c.service_id.in_(publishing),
            published_table.c.id.not_in(select(computation_input.c.published_table_id)),
        )
        .group_by(subscribed_table.c.published_table_id)
        .having(func.count() == 1, func.max(channel.c.service_id).in_(applying))
    )
    return connection.execute(statement).scalars().all()


def insert_tables(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    if rows:
        connection.execute(subscribed_table.insert(), list(rows))


_CHANGES_FAILED = (SyncState.INCREMENTAL_ERROR, SyncState.ERROR, SyncState.TABLE_LOCKED)
_KEPT_IN_TARGET = (
    "rows_total",
    "rows_loaded",
    "bytes_loaded",
    "inserts",
    "updates",
    "deletes",
    "changes_handled",
    "changes_skipped",
    "changes_filtered",
    "changes_refused",
    "changes_epoch",
    "changes_base",
    "changes_difference",
    "changes_compared_at",
    "ddl_seen",
    "ddl_followed",
    "ddl_skipped",
    "last_ddl_at",
    "reported_skip_revision",
    "dml_skip_left",
    "ddl_skip_left",
    "row_errors",
    "load_started_at",
    "load_finished_at",
    "last_change_at",
)
SETTINGS = (
    "target_schema",
    "target_table",
    "columns",
    "key_columns",
    "append_only",
    "load_mode",
    "clean_mode",
    "ddl_mode",
    "indexes",
    "transform",
    "generation",
)
"""Columns of a table's desired state …"""
STEERING = (
    "begin",
    "suspended",
    "retry",
    "error_limit",
    "dml_skip",
    "ddl_skip",
    "skip_revision",
    "moves",
    "came_from",
)
"""… and of orders given since."""


def change_tables(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Set the settings of tables by id (`table_id`, and `new_…` for each setting)."""
    if not rows:
        return
    # Targets may be swapped among the tables: first out of each other's way, then to where they belong.
    aside = update(subscribed_table).where(subscribed_table.c.id == bindparam("table_id"))
    connection.execute(
        aside.values(target_table=bindparam("aside")),
        [{"table_id": row["table_id"], "aside": f"\x7f{row['table_id']}"} for row in rows],
    )
    # A new generation begins as the load mode says.
    begin = case((subscribed_table.c.generation == bindparam("new_generation"), subscribed_table.c.begin), else_=null())
    values: dict[str, Any] = {name: bindparam(f"new_{name}") for name in SETTINGS}
    connection.execute(aside.values(**values, begin=begin), list(rows))


def start_generation(connection: Connection, generations: Mapping[str, int], begin: Any, suspended: bool) -> None:
    rows = [{"table_id": table_id, "new_generation": number} for table_id, number in generations.items()]
    if rows:
        connection.execute(
            update(subscribed_table)
            .where(subscribed_table.c.id == bindparam("table_id"))
            .values(generation=bindparam("new_generation"), begin=begin, suspended=suspended),
            rows,
        )


def take_newest_snapshot(connection: Connection, numbers: Mapping[str, int]) -> None:
    if not numbers:
        return
    begin = subscribed_table.c.begin["mode"].as_string()
    loads = func.coalesce(begin == "full", subscribed_table.c.load_mode != LoadMode.INCREMENTAL)
    same = subscribed_table.c.reported_generation == subscribed_table.c.generation
    unfinished = or_(~same, subscribed_table.c.load_finished_at.is_(None))
    connection.execute(
        update(subscribed_table)
        .where(
            subscribed_table.c.published_table_id == bindparam("published_id"),
            subscribed_table.c.generation < bindparam("number"),
            loads,
            unfinished,
        )
        .values(generation=bindparam("number")),
        [{"published_id": published_id, "number": number} for published_id, number in numbers.items()],
    )


def set_suspended(connection: Connection, table_ids: Iterable[str], suspended: bool) -> None:
    connection.execute(
        update(subscribed_table).where(among(subscribed_table.c.id, table_ids)).values(suspended=suspended)
    )


def request_retry(connection: Connection, table_ids: Iterable[str]) -> None:
    connection.execute(
        update(subscribed_table)
        .where(among(subscribed_table.c.id, table_ids))
        .values(
            retry=subscribed_table.c.retry + 1,
            reason=None,
            state=case(
                (subscribed_table.c.state == SyncState.FULL_ERROR, literal(SyncState.FULL_ALLOWED.value)),
                (subscribed_table.c.state.in_(_CHANGES_FAILED), literal(SyncState.INCREMENTAL_ALLOWED.value)),
                else_=subscribed_table.c.state,
            ),
        )
    )


def set_error_limits(connection: Connection, table_ids: Iterable[str], **limits: int) -> None:
    connection.execute(
        update(subscribed_table)
        .where(among(subscribed_table.c.id, table_ids))
        .values(**limits, skip_revision=subscribed_table.c.skip_revision + 1)
    )


def move_tables(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Move tables (`table_id`) to other channels (`new_channel`); `new_places`: the channels that may still have
    them."""
    if rows:
        connection.execute(
            update(subscribed_table)
            .where(subscribed_table.c.id == bindparam("table_id"))
            .values(
                channel_id=bindparam("new_channel"),
                came_from=bindparam("new_places"),
                moves=subscribed_table.c.moves + 1,
            ),
            list(rows),
        )


def delete_tables(connection: Connection, table_ids: Iterable[str]) -> None:
    connection.execute(delete(subscribed_table).where(among(subscribed_table.c.id, table_ids)))


def save_reports(connection: Connection, channel_id: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Store reports of subscribe services about their tables, one statement for all. Keys are prefixed with `new_`."""
    if not rows:
        return
    unchanged = subscribed_table.c.state == bindparam("new_state")
    names = [name for name in rows[0] if name != "table_id"]
    values: dict[str, Any] = {name.removeprefix("new_"): bindparam(name) for name in names}
    # A process that has not read the target yet knows no figures: the previous ones stay.
    unknown = and_(
        bindparam("new_state") == SyncState.UNINITIALIZED,
        subscribed_table.c.reported_generation == bindparam("new_reported_generation"),
    )
    for name in _KEPT_IN_TARGET:
        column = subscribed_table.c[name]
        values[name] = case((unknown, column), else_=bindparam(f"new_{name}", type_=column.type))
    since = case(
        (subscribed_table.c.row_errors > 0, subscribed_table.c.row_errors_since),
        else_=bindparam("new_reported_at", type_=UtcTimestamp()),
    )
    values["row_errors_since"] = case((values["row_errors"] > 0, since), else_=null())
    values["expires_at"] = bindparam("new_expires_at", type_=UtcTimestamp())
    values["reported_at"] = bindparam("new_reported_at", type_=UtcTimestamp())
    values["state_since"] = case(
        (unchanged, subscribed_table.c.state_since), else_=bindparam("new_reported_at", type_=UtcTimestamp())
    )
    connection.execute(
        update(subscribed_table)
        .where(subscribed_table.c.id == bindparam("table_id"), subscribed_table.c.channel_id == channel_id)
        .values(**values),
        list(rows),
    )


def new_table_row(channel_id: str, now: datetime, **values: Any) -> dict[str, Any]:
    """A subscribed table of which nothing was reported yet."""
    return {
        "id": new_id(),
        "channel_id": channel_id,
        "suspended": False,
        "retry": 0,
        "state": "uninitialized",
        "state_since": now,
        "current_since": now,
        "reported_generation": 0,
        "rows_loaded": 0,
        "rows_per_second": 0.0,
        "inserts": 0,
        "updates": 0,
        "deletes": 0,
        "errors": 0,
        **values,
    }
