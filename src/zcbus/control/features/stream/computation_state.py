"""A computation's state as it is now, as SQL: what was reported of it, held against what is wanted and what its service
does."""

from sqlalchemy import ColumnElement, and_, case, func, literal

from zcbus.control.features.container.pending import is_pending
from zcbus.control.store.tables.container import service
from zcbus.control.store.tables.stream import computation
from zcbus.model.states import DesiredState, ServiceState, SyncState

_FAILED = (SyncState.FULL_ERROR, SyncState.INCREMENTAL_ERROR, SyncState.FULL_INFO_EXPIRED)
_ALIVE = (ServiceState.STARTED, ServiceState.STOPPING)


def current_state() -> ColumnElement[str]:
    """A `SyncState`. What stands still with a reason says so also while its service is stopped."""
    known = computation.c.reported_generation == computation.c.generation
    failed = and_(known, computation.c.state.in_(_FAILED))
    told = func.coalesce(~is_pending(service), literal(True))
    gone = and_(told, service.c.observed.not_in(_ALIVE))
    wanted = service.c.desired == DesiredState.RUNNING
    ended = and_(told, wanted, service.c.observed == ServiceState.ABNORMAL)
    return case(
        (failed, computation.c.state),
        (ended, literal(SyncState.ERROR.value)),
        (and_(gone, ~wanted, computation.c.reported_generation > 0), literal(SyncState.SUSPENDED.value)),
        (~known, literal(SyncState.UNINITIALIZED.value)),
        (and_(gone, computation.c.state == SyncState.FULL_RUNNING), literal(SyncState.FULL_ALLOWED.value)),
        (
            and_(gone, computation.c.state == SyncState.INCREMENTAL_RUNNING),
            literal(SyncState.INCREMENTAL_ALLOWED.value),
        ),
        else_=computation.c.state,
    )
