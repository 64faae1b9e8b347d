"""A service's state as SQL."""

from sqlalchemy import ColumnElement, and_, case, func, literal

from zcbus.control.features.container.pending import is_pending
from zcbus.control.store.tables.container import service
from zcbus.model.services import STANDS_STILL
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
