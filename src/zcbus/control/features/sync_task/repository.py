"""Queries over sync tasks and their tables."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, or_, select

from zcbus.control.features.sync_link import views
from zcbus.control.platform.principal import Principal
from zcbus.control.store.tables.sync_link import sync_link, sync_task
from zcbus.model.states import SyncState


def find_link_of_task(connection: Connection, principal: Principal, task_id: str) -> Row[Any] | None:
    """The link of a task the caller may see."""
    statement = views.links().where(sync_task.c.id == task_id, principal.visible(sync_link.c.tenant_id))
    return connection.execute(statement).one_or_none()


def tables_statement(
    task_id: str, search: str | None, states: Sequence[SyncState] | None
) -> tuple[Select[Any], Mapping[str, ColumnElement[Any]], Sequence[ColumnElement[Any]]]:
    """A task's tables: statement, what they may be sorted by, their usual order."""
    table = views.tables()
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
        "lagMs": table.c.lag_ms,
        "errors": table.c.errors,
        "since": table.c.state_since,
    }
    return statement, sortable, [table.c.source_schema, table.c.source_table]
