"""A service's state as SQL."""

from sqlalchemy import ColumnElement, and_, case, exists, func, literal

from zcbus.control.features.container.pending import is_pending
from zcbus.control.store.tables.container import service, service_attempt
from zcbus.model.services import AT_REST, STANDS_STILL
from zcbus.model.states import DesiredState, ServiceState


def service_state() -> ColumnElement[str]:
    """A `ServiceState` of a service's row: what the agent sees, unless it does not know the newest order yet."""
    pending = func.coalesce(is_pending(service), literal(False))
    wanted = service.c.desired == DesiredState.RUNNING
    waiting = and_(service.c.observed == ServiceState.STARTED, service.c.report_state.in_(("starting", "waiting")))
    return case(
        (and_(pending, wanted), literal(ServiceState.STARTING.value)),
        (and_(wanted, service.c.agent_id.is_(None)), literal(ServiceState.STARTING.value)),
        (and_(pending, ~wanted, service.c.observed.not_in(STANDS_STILL)), literal(ServiceState.STOPPING.value)),
        (and_(wanted, waiting), literal(ServiceState.STARTING.value)),
        else_=service.c.observed,
    )


def was_never_started() -> ColumnElement[bool]:
    """Whether a service is to stand still and no process of it was ever heard of."""
    has_run = exists().where(service_attempt.c.service_id == service.c.id)
    return and_(
        service.c.desired == DesiredState.STOPPED,
        service.c.observed.in_(AT_REST),
        service.c.reported_at.is_(None),
        ~has_run,
    )
