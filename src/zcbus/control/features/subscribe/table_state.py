"""A table's state as it is now, as SQL: what was reported of it, held against what is wanted and what its services do.

The columns are those of `views.tables`: subscribed and published table, and both services with the agent.
"""

from typing import Any

from sqlalchemy import ColumnElement, FromClause, and_, case, func, literal, or_

from zcbus.control.features.container.pending import is_pending
from zcbus.control.store.tables.container import service
from zcbus.control.store.tables.publish import published_table
from zcbus.control.store.tables.subscribe import subscribed_table
from zcbus.model.states import DesiredState, LoadMode, PublishState, ServiceState, SyncState

PUBLISH_FAILED = (PublishState.PUBLISH_FAILED, PublishState.NO_PRIMARY_KEY, PublishState.PUBLISH_STOPPED)
CHANGES_LOST = ("log-position-lost", "log-let-go", "capture-interrupted", "publication-stopped")
"""Reasons for which a table is not captured until a snapshot of it is wanted."""

publish_service = service.alias("publish_service")
subscribe_service = service.alias("subscribe_service")

_BEFORE_CHANGES = (SyncState.UNINITIALIZED, SyncState.FULL_ALLOWED, SyncState.FULL_RUNNING)
_ON_THE_WAY = (
    SyncState.FULL_ALLOWED,
    SyncState.FULL_RUNNING,
    SyncState.INCREMENTAL_ALLOWED,
    SyncState.INCREMENTAL_RUNNING,
    SyncState.TABLE_LOCKED,
)
_UNFINISHED = (SyncState.UNINITIALIZED, *_ON_THE_WAY)
_MOVING = (SyncState.FULL_RUNNING, SyncState.INCREMENTAL_RUNNING)
_AMONG_CHANGES = (SyncState.INCREMENTAL_RUNNING, SyncState.TABLE_LOCKED)
_MEASURED = (SyncState.INCREMENTAL_ALLOWED, SyncState.INCREMENTAL_RUNNING)
_CARRIED = (*_MEASURED, SyncState.INCREMENTAL_ERROR, SyncState.TABLE_LOCKED, SyncState.SUSPENDED)
_ALIVE = (ServiceState.STARTED, ServiceState.STOPPING)
_WORKING = ("running", "stopping")
_TROUBLED = (ServiceState.ABNORMAL, ServiceState.RESTARTING)


def current_state() -> ColumnElement[str]:
    """A `SyncState`."""
    reported = _reported()
    return case(
        (and_(_publish_failed(), _changes_lost()), literal(SyncState.FULL_INFO_EXPIRED.value)),
        (and_(_publish_failed(), reported == SyncState.UNINITIALIZED), literal(SyncState.ERROR.value)),
        (and_(_publish_failed(), reported.in_(_BEFORE_CHANGES)), literal(SyncState.FULL_ERROR.value)),
        (_publish_failed(), literal(SyncState.INCREMENTAL_ERROR.value)),
        (_snapshot_expired(reported), literal(SyncState.FULL_INFO_EXPIRED.value)),
        (and_(_held_back(), or_(_begins_anew(), reported.in_(_ON_THE_WAY))), literal(SyncState.SUSPENDED.value)),
        (and_(worker_ended(), or_(_begins_anew(), reported.in_(_UNFINISHED))), literal(SyncState.ERROR.value)),
        (and_(_begins_anew(), loads()), literal(SyncState.FULL_ALLOWED.value)),
        (_begins_anew(), literal(SyncState.INCREMENTAL_ALLOWED.value)),
        (and_(~is_up(), reported == SyncState.FULL_RUNNING), literal(SyncState.FULL_ALLOWED.value)),
        (and_(~is_up(), reported.in_(_AMONG_CHANGES)), literal(SyncState.INCREMENTAL_ALLOWED.value)),
        else_=reported,
    )


def is_up() -> ColumnElement[bool]:
    """Whether the last report is of a process that runs now, as asked, reaches its target, and has the table."""
    return and_(
        subscribe_service.c.observed.in_(_ALIVE),
        func.coalesce(subscribe_service.c.report_state, "").in_(_WORKING),
        func.coalesce(subscribed_table.c.reported_at >= subscribe_service.c.started_at, literal(False)),
        subscribed_table.c.reported_moves == subscribed_table.c.moves,
        func.coalesce(~is_pending(subscribe_service), literal(True)),
    )


def worker_ended() -> ColumnElement[bool]:
    """Whether the process that should apply the table ended, and does not come back before somebody mends something."""
    return and_(
        subscribe_service.c.desired == DesiredState.RUNNING,
        subscribe_service.c.observed == ServiceState.ABNORMAL,
        ~subscribed_table.c.suspended,
        func.coalesce(~is_pending(subscribe_service), literal(True)),
    )


def is_moving() -> ColumnElement[bool]:
    """Whether the last report's rates hold now."""
    return and_(is_up(), subscribed_table.c.state.in_(_MOVING))


def current_lag() -> ColumnElement[Any]:
    """Age of the oldest change that is not applied; NULL where nobody measures it now."""
    return case((and_(is_up(), subscribed_table.c.state.in_(_MEASURED)), subscribed_table.c.lag_ms))


def unheard_since() -> ColumnElement[Any]:
    """Since when nobody measures what waits of changes that are published all the same; NULL where somebody did, or
    nothing came. Until then nothing waited for long."""
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
    """The reason of a service that stands in a table's way; NULL where none does or nobody wants the table to move."""
    wanted = and_(subscribe_service.c.desired == DesiredState.RUNNING, ~subscribed_table.c.suspended)
    return case((wanted, func.coalesce(_trouble_of(subscribe_service), _trouble_of(publish_service))))


def _trouble_of(of: FromClause) -> ColumnElement[Any]:
    return case(
        (of.c.observed.in_(_TROUBLED), of.c.reason),
        (and_(of.c.observed == ServiceState.STARTED, of.c.report_state == "waiting"), of.c.report_reason),
    )


def _reported() -> ColumnElement[str]:
    """The last report. A new process has to look into the target first: until then a table that was loaded goes on, and
    does not begin."""
    fresh = subscribed_table.c.state == SyncState.UNINITIALIZED
    loaded = and_(fresh, subscribed_table.c.load_finished_at.is_not(None))
    return case(
        (and_(loaded, subscribed_table.c.load_mode == LoadMode.FULL), literal(SyncState.FULL_FINISHED.value)),
        (loaded, literal(SyncState.INCREMENTAL_ALLOWED.value)),
        (and_(fresh, subscribed_table.c.load_started_at.is_not(None)), literal(SyncState.FULL_ALLOWED.value)),
        else_=subscribed_table.c.state,
    )


def _begins_anew() -> ColumnElement[bool]:
    """The last report speaks of an older generation than the one that is wanted."""
    return and_(
        subscribed_table.c.reported_generation < subscribed_table.c.generation,
        subscribed_table.c.reported_at.is_not(None),
    )


def loads() -> ColumnElement[bool]:
    """Whether the wanted generation begins with a full load."""
    mode = subscribed_table.c.begin["mode"].as_string()
    return func.coalesce(mode == "full", subscribed_table.c.load_mode != LoadMode.INCREMENTAL)


def _publish_failed() -> ColumnElement[bool]:
    """A failure of an older generation is what the newer one is to mend."""
    return and_(
        published_table.c.state.in_(PUBLISH_FAILED),
        published_table.c.reported_generation >= published_table.c.generation,
    )


def _changes_lost() -> ColumnElement[bool]:
    """Changes are missing between the table's snapshot and what can be captured: only a new load helps."""
    return func.coalesce(published_table.c.reason["code"].as_string().in_(CHANGES_LOST), literal(False))


def _snapshot_expired(reported: ColumnElement[str]) -> ColumnElement[bool]:
    return and_(
        published_table.c.state == PublishState.FULL_TOPIC_EXPIRED,
        reported.in_(_BEFORE_CHANGES),
        published_table.c.reported_generation == published_table.c.generation,
    )


def _held_back() -> ColumnElement[bool]:
    """Nobody wants the table to move, and the process that moved it is gone."""
    return and_(
        or_(subscribe_service.c.desired != DesiredState.RUNNING, subscribed_table.c.suspended),
        subscribe_service.c.observed.not_in(_ALIVE),
        func.coalesce(~is_pending(subscribe_service), literal(True)),
    )
