"""SQL of shown columns that a table's stored state (`zcbus.model.reduction`) does not have.

The columns are those of `views.tables`: subscribed and published table, and both services.
"""

from typing import Any

from sqlalchemy import ColumnElement, and_, case, func, or_

from zcbus.control.features.container.views import trouble_of
from zcbus.control.store.tables.container import service
from zcbus.control.store.tables.publish import published_table
from zcbus.control.store.tables.subscribe import subscribed_table
from zcbus.model.reduction.services import Worker
from zcbus.model.states import DesiredState, LoadMode, ServiceState, SyncState

publish_service = service.alias("publish_service")
subscribe_service = service.alias("subscribe_service")

_MOVING = (SyncState.FULL_RUNNING, SyncState.INCREMENTAL_RUNNING)
_MEASURED = (SyncState.INCREMENTAL_ALLOWED, SyncState.INCREMENTAL_RUNNING)
_CARRIED = (*_MEASURED, SyncState.INCREMENTAL_ERROR, SyncState.TABLE_LOCKED, SyncState.SUSPENDED)
_ALIVE = (ServiceState.STARTED, ServiceState.STOPPING)


def worker_ended() -> ColumnElement[bool]:
    """Whether the process that should apply the table ended, and does not restart before an operator acts."""
    return and_(
        subscribe_service.c.desired == DesiredState.RUNNING,
        subscribe_service.c.worker == Worker.ENDED,
        ~subscribed_table.c.suspended,
    )


def is_moving() -> ColumnElement[bool]:
    """Whether the last report's rates hold now."""
    return and_(subscribed_table.c.is_up, subscribed_table.c.state.in_(_MOVING))


def current_lag() -> ColumnElement[Any]:
    """Age of the oldest change that is not applied; NULL where it is not measured now."""
    return case((and_(subscribed_table.c.is_up, subscribed_table.c.state.in_(_MEASURED)), subscribed_table.c.lag_ms))


def silent_since() -> ColumnElement[Any]:
    """Since when pending changes are not measured though publishing runs; NULL where they are, or none came. Until then
    none waited for long."""
    table, service = subscribed_table.c, subscribe_service.c
    waits = and_(
        service.observed.not_in(_ALIVE),
        table.expires_at.is_(None),
        table.state.in_(_CARRIED),
        table.load_mode != LoadMode.FULL,
        or_(table.load_finished_at.is_not(None), table.load_mode == LoadMode.INCREMENTAL),
        published_table.c.last_change_at > service.observed_since,
    )
    return case((waits, service.observed_since))


def trouble() -> ColumnElement[Any]:
    """The reason of a service that blocks a table; NULL where none does or the table is not to run."""
    is_to_run = and_(subscribe_service.c.desired == DesiredState.RUNNING, ~subscribed_table.c.suspended)
    return case((is_to_run, func.coalesce(trouble_of(subscribe_service), trouble_of(publish_service))))


def loads() -> ColumnElement[bool]:
    """Whether the desired generation begins with a full load (`begins_with_load`)."""
    mode = subscribed_table.c.begin["mode"].as_string()
    return func.coalesce(mode == "full", subscribed_table.c.load_mode != LoadMode.INCREMENTAL)
