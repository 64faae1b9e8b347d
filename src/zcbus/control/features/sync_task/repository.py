"""Queries over sync tasks and their tables."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, case, func, not_, or_, select

from zcbus.control.features.subscribe.views import tables
from zcbus.control.features.sync_link import views
from zcbus.control.platform.principal import Principal
from zcbus.control.store.tables.sync_link import sync_link, sync_task
from zcbus.model.states import SyncState


def find_link_of_task(connection: Connection, principal: Principal, task_id: str) -> Row[Any] | None:
    """The link of a task the caller may see."""
    statement = views.links().where(sync_task.c.id == task_id, principal.visible(sync_link.c.tenant_id))
    return connection.execute(statement).one_or_none()


def select_progress(connection: Connection, task_id: str) -> Sequence[Row[Any]]:
    """A task's tables in groups that are equally far (`tables` in each), with sums of what they applied.

    `loaded`: the full load that is wanted has ended; `begun`: it has brought rows.
    """
    table = tables()
    reloading = and_(table.c.current_state == SyncState.FULL_ALLOWED, table.c.reported_generation < table.c.generation)
    loaded = and_(not_(reloading), table.c.load_finished_at.is_not(None))
    begun = and_(not_(reloading), table.c.rows_loaded > 0)
    total = func.coalesce(table.c.rows_total, table.c.publish_rows_total)
    loading = and_(table.c.current_state == SyncState.FULL_RUNNING, table.c.rows_per_second > 0)
    groups = (
        table.c.current_state.label("state"),
        table.c.load_mode,
        case((loaded, 1), else_=0).label("loaded"),
        case((begun, 1), else_=0).label("begun"),
    )
    figures = (
        func.count().label("tables"),
        *(func.sum(table.c[name]).label(name) for name in ("inserts", "updates", "deletes")),
        func.max(case((loading, (total - table.c.rows_loaded) * 1000 / table.c.rows_per_second))).label("time_left_ms"),
    )
    return connection.execute(select(*groups, *figures).where(table.c.task_id == task_id).group_by(*groups)).all()


def tables_statement(
    task_id: str, search: str | None, states: Sequence[SyncState] | None
) -> tuple[Select[Any], Mapping[str, ColumnElement[Any]], Sequence[ColumnElement[Any]]]:
    """A task's tables: statement, what they may be sorted by, their usual order."""
    table = tables()
    statement = select(table).where(table.c.task_id == task_id)
    if search:
        names = (table.c.source_schema, table.c.source_table, table.c.target_schema, table.c.target_table)
        statement = statement.where(or_(*(name.icontains(search, autoescape=True) for name in names)))
    if states:
        statement = statement.where(table.c.current_state.in_(states))
    sortable = {
        "source": table.c.source_table,
        "target": table.c.target_table,
        "state": table.c.current_state,
        "rowsTotal": table.c.rows_total,
        "rowsLoaded": table.c.rows_loaded,
        "rowsPerSecond": table.c.rows_per_second,
        "inserts": table.c.inserts,
        "updates": table.c.updates,
        "deletes": table.c.deletes,
        "lagMs": table.c.current_lag_ms,
        "errors": table.c.errors,
        "since": table.c.state_since,
    }
    return statement, sortable, [table.c.source_schema, table.c.source_table]
