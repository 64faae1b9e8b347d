"""Service records with their state and the allowed operations."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row

from zcbus.control.features.container.service import effective_reason
from zcbus.control.features.registration import service as registration
from zcbus.control.features.registration.schemas import RegistrationStatus
from zcbus.control.features.service import queries
from zcbus.control.features.service.schemas import ManagedService, ServicePageRequest
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import ListDefinition, Page, page_of
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.platform.services import Services
from zcbus.model.reduction.services import is_held_up, is_stale
from zcbus.model.services import ACTIONS, ServiceAction
from zcbus.model.states import ServiceState

_OLD = ""
SERVICES = ListDefinition[ManagedService](
    ManagedService,
    sort_keys={
        "serviceName": lambda one: one.service_name.lower(),
        "containerName": lambda one: one.container_name.lower(),
        "id": lambda one: one.id,
        "type": lambda one: one.type,
        "agentHost": lambda one: one.agent_host or "",
        "heartbeats": lambda one: one.heartbeats,
        "reportedAt": lambda one: one.reported_at.isoformat() if one.reported_at else _OLD,
        "observed": lambda one: one.observed.value,
        "state": lambda one: one.state.value,
        "machineCode": lambda one: one.machine_code or "",
        "serialNumber": lambda one: one.serial_number or "",
        "logLevel": lambda one: one.log_level,
        "remark": lambda one: one.remark,
        "restarts": lambda one: one.restarts,
    },
)


@dataclass(frozen=True, slots=True)
class Moment:
    """Facts of a service's record besides its row."""

    now: datetime
    expired: bool

    @classmethod
    def of(cls, services: Services) -> "Moment":
        """Now, with the installation's registration."""
        status = registration.describe(services).status
        return cls(services.clock.now(), status is RegistrationStatus.EXPIRED)


def page_services(call: Call, request: ServicePageRequest) -> Page[ManagedService]:
    """A part of the caller's services."""
    rows = queries.select_services(call.connection, call.principal, *queries.matching(request))
    moment, texts = Moment.of(call.services), ReasonTexts.of(call)
    return page_of([record(row, moment, texts) for row in rows], request, SERVICES)


def record(row: Row[Any], moment: Moment, texts: ReasonTexts) -> ManagedService:
    """A row of `queries.select_services` as a record."""
    state = ServiceState(row.current_state)
    reason = effective_reason(row, texts, moment.now)
    return ManagedService(
        id=row.id,
        service_name=row.name,
        containerid=row.container_id,
        container_name=row.container_name,
        type=row.type,
        sub_type=row.sub_type,
        subtypes=row.sub_type,
        customerid=row.customerid,
        node_id=row.node_id,
        nodeids=[row.node_id],
        parent_id=row.parent_id,
        link_id=row.link_id,
        desired=row.desired,
        observed=row.observed,
        observed_since=row.observed_since,
        state_since=row.current_since,
        held_up=is_held_up(state, reason),
        state=state,
        status=state,
        actions=actions_in(state, moment),
        reason=reason,
        stale=is_stale(row.agent_seen_at, moment.now),
        device_id=row.agent_id,
        agent_host=row.agent_host,
        next_host=row.next_host,
        pinned=row.pinned,
        agent_seen_at=row.agent_seen_at,
        machine_code=row.machine_code or None,
        serial_number=row.serial_number or None,
        pid=row.pid,
        started_at=row.started_at,
        restarts=row.restarts,
        next_attempt_at=row.next_attempt_at,
        heartbeats=row.progress,
        progress_at=row.progress_at,
        reported_at=row.reported_at,
        memory_bytes=row.memory_bytes,
        log_level=row.log_level,
        remark=row.remark,
    )


_BEGINNING = frozenset({ServiceAction.START, ServiceAction.RESTART})


def actions_in(state: ServiceState, moment: Moment) -> list[ServiceAction]:
    """The operations that a state allows; none that starts something while the registration is over."""
    return [action for action in ACTIONS[state] if not (moment.expired and action in _BEGINNING)]
