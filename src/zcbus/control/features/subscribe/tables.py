"""Subscribed tables as they are now: for lists, for a link's status, for actions on tables."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar

from pydantic import BaseModel
from sqlalchemy import ColumnElement, Connection, Row, Select, Subquery, and_, func, or_, select

from zcbus.control.features.subscribe import comparison_state, verifications, views
from zcbus.control.features.subscribe.client_types import row_lacks_rules
from zcbus.control.features.subscribe.schemas import SUBSCRIBED_TABLES
from zcbus.control.features.subscribe.table_state import subscribe_service
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.principal import Operation, Principal
from zcbus.control.platform.reasons import ReasonRecord, ReasonTexts
from zcbus.control.store.among import among
from zcbus.control.store.search import any_named, qualified
from zcbus.control.store.tables.publish import publish_node, published_table
from zcbus.control.store.tables.subscribe import channel, customer, master, subscribed_table
from zcbus.control.store.tables.sync_link import sync_link, sync_task
from zcbus.model.reduction import Origin
from zcbus.model.reduction.pace import Pace, table_pace
from zcbus.model.reduction.subscribed_tables import CHANGES_LOST, begins_with_load
from zcbus.model.states import ERROR_STATES, CleanMode, DesiredState, LoadMode, SyncState
from zcbus.model.table_states import FAILED
from zcbus.model.table_verbs import ALL_RIGHTS, Right, SubscribedFacts, subscribed_verbs

M = TypeVar("M", bound=BaseModel)

# A running load is never shown as complete: the total is an estimate until it ends.
_ALMOST = 99.9


def current_tables(connection: Connection, link_id: str, names: Sequence[str] | None = None) -> Sequence[Row[Any]]:
    """Rows of `views.tables` of one link, by source name. `names`: only these, by `schema.table` or id."""
    table = views.tables()
    statement = select(table).where(table.c.link_id == link_id)
    if names is not None:
        full_name = table.c.source_schema + "." + table.c.source_table
        statement = statement.where(or_(among(table.c.id, names), among(full_name, names)))
    return connection.execute(statement.order_by(table.c.source_schema, table.c.source_table)).all()


def readers_of(connection: Connection, published: Collection[str]) -> Sequence[Row[Any]]:
    """Rows of `views.tables` that receive published tables (by id), those of one table behind each other."""
    if not published:
        return ()
    table = views.tables()
    statement = select(table).where(among(table.c.published_table_id, published))
    return connection.execute(statement.order_by(table.c.published_table_id, table.c.id)).all()


def rows_by_id(connection: Connection, ids: Collection[str]) -> Sequence[Row[Any]]:
    """Rows of `views.tables`, of all tenants."""
    if not ids:
        return ()
    table = views.tables()
    return connection.execute(select(table).where(among(table.c.id, ids)).order_by(table.c.id)).all()


def listing(
    table: Subquery,
    condition: ColumnElement[bool],
    search: str | None,
    states: Sequence[SyncState] | None,
    to_record: Callable[[Row[Any]], M],
) -> Listing[M]:
    """Subscribed tables to be listed. `table`: `views.tables()`."""
    statement = select(table).where(condition)
    if search:
        names = (
            qualified(table.c.source_schema, table.c.source_table),
            qualified(table.c.target_schema, table.c.target_table),
        )
        statement = statement.where(any_named(names, search))
    if states:
        statement = statement.where(table.c.current_state.in_(states))
    return Listing(SUBSCRIBED_TABLES, statement, [table.c.source_schema, table.c.source_table, table.c.id], to_record)


def failed_tables(connection: Connection, principal: Principal, limit: int) -> tuple[Sequence[Row[Any]], int]:
    """Tables in error that the caller may see, the newest first, and their total number. Without those whose worker
    ended: its service reports that once."""
    table = views.tables()
    conditions = table.c.current_state.in_(sorted(FAILED)), table.c.current_origin != Origin.SERVICE
    failed = select(table).where(principal.visible(table.c.tenant_id), *conditions)
    rows = connection.execute(failed.order_by(table.c.current_since.desc(), table.c.id).limit(limit)).all()
    if len(rows) < limit:
        return rows, len(rows)
    return rows, int(connection.execute(select(func.count()).select_from(failed.subquery())).scalar_one())


def busiest_tables(connection: Connection, principal: Principal, limit: int) -> Sequence[Row[Any]]:
    """Rows of `views.tables` that changes are applied to now, by rows per second, the most first."""
    table = views.tables()
    busy = select(table).where(principal.visible(table.c.tenant_id), table.c.moving, table.c.rows_per_second > 0)
    return connection.execute(busy.order_by(table.c.rows_per_second.desc(), table.c.id).limit(limit)).all()


def tables_with_row_errors(connection: Connection, principal: Principal) -> Sequence[Row[Any]]:
    """Rows of `views.tables` with open row errors that the caller may see, by subscriber and source name."""
    table = views.tables()
    query = select(table).where(principal.visible(table.c.tenant_id), table.c.row_errors > 0)
    subscriber = func.coalesce(table.c.link_id, table.c.channel_id)
    return connection.execute(query.order_by(subscriber, table.c.source_schema, table.c.source_table)).all()


def differing_tables(connection: Connection, principal: Principal) -> Sequence[Row[Any]]:
    """The same of tables with rows that verification knows to differ."""
    table = views.tables()
    query = select(table).where(principal.visible(table.c.tenant_id), table.c.differences > 0)
    subscriber = func.coalesce(table.c.link_id, table.c.channel_id)
    return connection.execute(query.order_by(subscriber, table.c.source_schema, table.c.source_table)).all()


def tables_with_unaccounted_changes(connection: Connection, principal: Principal) -> Sequence[Row[Any]]:
    """The same of tables whose changes are not all accounted for."""
    table = views.tables()
    query = select(table).where(principal.visible(table.c.tenant_id), table.c.changes_difference != 0)
    subscriber = func.coalesce(table.c.link_id, table.c.channel_id)
    return connection.execute(query.order_by(subscriber, table.c.source_schema, table.c.source_table)).all()


def suspended_tables(connection: Connection) -> Sequence[Row[Any]]:
    """Suspended tables of links (or of channels without a link) that are to run, by subscriber and source name."""
    subscriber = func.coalesce(sync_link.c.id, channel.c.id)
    suspended: Select[Any] = (
        select(
            channel.c.id.label("channel_id"),
            sync_link.c.id.label("link_id"),
            func.coalesce(sync_link.c.name, customer.c.name).label("link_name"),
            customer.c.tenant_id,
            customer.c.client_type,
            customer.c.id.label("customer_id"),
            customer.c.name.label("customer_name"),
            sync_task.c.id.label("task_id"),
            published_table.c.schema_name.label("source_schema"),
            published_table.c.table_name.label("source_table"),
        )
        .select_from(subscribed_table)
        .join(published_table, published_table.c.id == subscribed_table.c.published_table_id)
        .join(channel, channel.c.id == subscribed_table.c.channel_id)
        .join(master, master.c.id == channel.c.master_id)
        .join(customer, customer.c.id == master.c.customer_id)
        .join(subscribe_service, subscribe_service.c.id == channel.c.service_id)
        .outerjoin(sync_task, sync_task.c.channel_id == channel.c.id)
        .outerjoin(sync_link, sync_link.c.id == sync_task.c.link_id)
        .where(
            subscribed_table.c.suspended,
            func.coalesce(sync_link.c.desired, subscribe_service.c.desired) == DesiredState.RUNNING,
        )
        .order_by(subscriber, published_table.c.schema_name, published_table.c.table_name)
    )
    return connection.execute(suspended).all()


def expiring_tables(connection: Connection, before: datetime, limit: int) -> Sequence[Row[Any]]:
    """Tables whose pending changes or full data retention removes before a moment. A table stopped by an error loses
    changes like any other; its full data will be published again."""
    table = views.tables()
    hours_in_use = connection.execute(select(publish_node.c.retention_hours).distinct()).scalars()
    silent = [
        and_(table.c.retention_hours == hours, table.c.silent_since < before - timedelta(hours=hours))
        for hours in hours_in_use
    ]
    changes = and_(or_(table.c.expires_at < before, *silent), table.c.current_state != SyncState.FULL_INFO_EXPIRED)
    full = and_(table.c.full_expires_at < before, table.c.current_state.not_in(sorted(FAILED)))
    statement = select(table).where(or_(changes, full))
    ordered = statement.order_by(table.c.source_schema, table.c.source_table, table.c.id)
    return connection.execute(ordered.limit(limit)).all()


def expires_at(row: Row[Any]) -> datetime | None:
    """When retention removes changes that wait for a table: as its service reported, or, where that is stopped, one
    retention period after its last report. None: nothing waits, or not for long."""
    expires_at: datetime | None = row.expires_at
    silent: datetime | None = row.silent_since
    return expires_at if silent is None else silent + timedelta(hours=row.retention_hours)


def full_expires_at(row: Row[Any]) -> datetime | None:
    """When retention removes the published full data that the table may still need."""
    moment: datetime | None = row.full_expires_at
    return None if row.current_state in FAILED else moment


def reason_of(row: Row[Any], texts: ReasonTexts) -> ReasonRecord | None:
    """Why a table is in its state: the publish side's reason where that is the cause, else the subscribe side's, else
    what blocks its services."""
    return texts.record(stored_reason(row))


def stored_reason(row: Row[Any]) -> Mapping[str, Any] | None:
    """The same reason as {code, facts}."""
    if row.current_state == SyncState.ERROR and row.current_origin == Origin.SERVICE:
        ended: Mapping[str, Any] | None = row.trouble
        return ended
    if row.current_origin == Origin.PUBLISHING and row.state not in ERROR_STATES:
        reason: Mapping[str, Any] | None = row.publish_reason
        return reason
    return row.reason or row.trouble or None


def link_rights(principal: Principal) -> frozenset[Right]:
    """The caller's rights on tables of sync links."""
    return frozenset(right for right in Right if principal.may("sync-link", Operation(right.value)))


def facts_of(row: Row[Any], link_rights: frozenset[Right] = ALL_RIGHTS) -> SubscribedFacts:
    """Facts that decide which verbs a table allows. `link_rights`: the caller's."""
    return SubscribedFacts(
        state=SyncState(row.current_state),
        changes=row.load_mode != LoadMode.FULL,
        suspended=row.suspended,
        changes_lost=lacks_changes(row),
        loads=row.load_mode != LoadMode.INCREMENTAL,
        loaded=row.load_finished_at is not None or not begins_with_load(row.load_mode, row.begin),
        lacks_rules=row_lacks_rules(row),
        of_link=row.link_id is not None,
        link_rights=link_rights,
        comparison=comparison_state.state_of(row),
        repair=comparison_state.repair_state_of(row),
        differs=comparison_state.differs(row),
        counts_only=row.comparison_method == "count",
        has_differences=bool(row.differences),
        repairs_them=verifications.repairs(row),
        keyless=row.append_only,
    )


def lacks_changes(row: Row[Any]) -> bool:
    """Whether changes of the table are missing on the bus, so that it is not captured."""
    reason = row.publish_reason or {}
    return row.current_state == SyncState.FULL_INFO_EXPIRED and reason.get("code") in CHANGES_LOST


def is_reloading(row: Row[Any]) -> bool:
    """Whether the last report is about an older load than the desired one."""
    waits = row.current_state == SyncState.FULL_ALLOWED or (row.current_state == SyncState.ERROR and row.loads)
    return bool(waits and row.reported_generation < row.generation)


def rows_total(row: Row[Any]) -> int | None:
    """Rows of the full load: exact at its end, an estimate before; None: not known, or nothing is loaded."""
    if is_reloading(row) or not row.loads:
        return None
    total = row.rows_total if row.rows_total is not None else row.publish_rows_total
    return None if total is None else int(total)


def rows_loaded(row: Row[Any]) -> int:
    """Loaded rows of the desired load."""
    return 0 if is_reloading(row) else int(row.rows_loaded)


def percent(row: Row[Any]) -> float | None:
    """How much of the full load is done; None where that is not known."""
    if row.load_finished_at is not None and not is_reloading(row):
        return 100.0
    total = rows_total(row)
    if not total:
        return None if total is None else 0.0
    return min(_ALMOST, round(100 * rows_loaded(row) / total, 1))


def lag_ms(row: Row[Any], stale: bool) -> int | None:
    """Age of the oldest pending change; None where it is not measured now. `stale`: the link has no contact at all."""
    return None if stale or row.current_lag_ms is None else int(row.current_lag_ms)


def time_left_ms(row: Row[Any]) -> int | None:
    """How long the full load will take at its present rate."""
    total = rows_total(row)
    if row.current_state != SyncState.FULL_RUNNING or total is None or row.rows_per_second <= 0:
        return None
    return max(0, int(1000 * (total - row.rows_loaded) / row.rows_per_second))


def pace(row: Row[Any], stale: bool, limit_seconds: int) -> Pace | None:
    """How a table keeps up. `limit_seconds`: from which lag on it is behind."""
    waiting = None if row.changes_waiting is None else int(row.changes_waiting)
    rate = row.rows_per_second if row.moving else 0.0
    return table_pace(SyncState(row.current_state), lag_ms(row, stale), rate, limit_seconds, waiting)


def figures(
    row: Row[Any], texts: ReasonTexts, stale: bool, limit_seconds: int, link_rights: frozenset[Right] = ALL_RIGHTS
) -> dict[str, Any]:
    """The fields of `TableFigures`. `stale`: its agent is silent. `limit_seconds`: see `pace`. `link_rights`: the
    caller's."""
    return {
        "id": row.id,
        "source": f"{row.source_schema}.{row.source_table}",
        "target": f"{row.target_schema}.{row.target_table}",
        "append_only": row.append_only,
        "doubles": row.append_only and row.clean_mode == CleanMode.NONE,
        "state": SyncState(row.current_state),
        "since": row.current_since,
        "percent": percent(row),
        "rows_total": rows_total(row),
        "rows_loaded": rows_loaded(row),
        "rows_per_second": round(row.rows_per_second, 1) if row.moving else 0.0,
        "time_left_ms": time_left_ms(row),
        "inserts": row.inserts,
        "updates": row.updates,
        "deletes": row.deletes,
        "lag_ms": lag_ms(row, stale),
        "pace": pace(row, stale, limit_seconds),
        "expires_at": expires_at(row),
        "full_expires_at": row.full_expires_at,
        "errors": row.errors,
        "row_errors": row.row_errors,
        "error_limit": row.error_limit,
        "dml_skip": row.current_dml_skip,
        "ddl_skip": row.current_ddl_skip,
        "reason": reason_of(row, texts),
        "verification": verifications.figures(row, texts),
        "actions": subscribed_verbs(facts_of(row, link_rights)),
    }
