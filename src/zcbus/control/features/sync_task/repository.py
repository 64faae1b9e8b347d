"""Queries over sync tasks and their tables."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, and_, case, func, not_, or_, select

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
    """A task's tables in groups of equal progress (`tables` in each), with sums of what they applied, open row errors
    and tables with rows that differ.

    `loaded`: the desired full load has ended; `begun`: it has brought rows.
    """
    table = tables()
    waits = or_(
        table.c.current_state == SyncState.FULL_ALLOWED, and_(table.c.current_state == SyncState.ERROR, table.c.loads)
    )
    reloading = and_(waits, table.c.reported_generation < table.c.generation)
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
        *(func.sum(table.c[name]).label(name) for name in ("inserts", "updates", "deletes", "row_errors")),
        func.sum(case((table.c.differences > 0, 1), else_=0)).label("differing"),
        func.max(case((loading, (total - table.c.rows_loaded) * 1000 / table.c.rows_per_second))).label("time_left_ms"),
    )
    return connection.execute(select(*groups, *figures).where(table.c.task_id == task_id).group_by(*groups)).all()
