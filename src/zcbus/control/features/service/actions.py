"""Operations on services: each service is checked against `model.services` and has its own result."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row

from zcbus.control.features.container import service as containers
from zcbus.control.features.container.kafka_properties import find as find_container
from zcbus.control.features.contrast import service as contrast
from zcbus.control.features.service import queries
from zcbus.control.features.service.errors import (
    BusElsewhereError,
    RegistrationOverError,
    ServiceActionRefusedError,
    ServiceOwnerUnknownError,
    ServiceStatusRefusedError,
    ServiceThereError,
    ServiceTypeAbsentError,
    ServiceUnknownError,
)
from zcbus.control.features.service.listing import Moment, actions_in
from zcbus.control.features.service.schemas import (
    NodeStatusChange,
    NodeTypeStatusChange,
    ServiceAddition,
    ServiceEdit,
    ServiceResult,
    ServicesTransfer,
)
from zcbus.control.features.subscribe.client_types import refuse_start
from zcbus.control.features.sync_link import service as links
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import BusinessError
from zcbus.model.services import ACTIONS, ServiceAction
from zcbus.model.states import DesiredState, ServiceState
from zcbus.protocol.service_kinds import SERVICE_KINDS

_BY_STATUS: Mapping[str, ServiceAction] = {
    "started": ServiceAction.START,
    "starting": ServiceAction.START,
    "stopped": ServiceAction.STOP,
    "stopping": ServiceAction.STOP,
    "restarting": ServiceAction.RESTART,
}

Perform = Callable[[Row[Any]], None]


def action_for(status: str, forced: bool) -> ServiceAction:
    """The action that leads to a status. Raises ServiceStatusRefusedError."""
    if status not in _BY_STATUS:
        raise ServiceStatusRefusedError(status=status)
    action = _BY_STATUS[status]
    return ServiceAction.FORCE_STOP if forced and action is ServiceAction.STOP else action


def check_type(kind: str) -> None:
    """Raises ServiceTypeAbsentError."""
    if kind not in SERVICE_KINDS:
        raise ServiceTypeAbsentError(type=kind, types=", ".join(SERVICE_KINDS))


def ask(call: Call, ids: Sequence[str], action: ServiceAction, *, forced: bool = False) -> list[ServiceResult]:
    """Order one action of services by id. `forced`: a restart does not wait for draining."""
    rows = {row.id: row for row in queries.select_services(call.connection, call.principal, queries.by_ids(ids))}
    return each(call, list(dict.fromkeys(ids)), rows, action, lambda row: _set_desired(call, row, action, forced))


def order_of_node(call: Call, change: NodeStatusChange, *, only_fed: bool = False) -> list[ServiceResult]:
    """Order one action of a node's services; `only_fed`: without the one that publishes it."""
    conditions: list[ColumnElement[bool]] = [queries.by_node(change.node_id)]
    if isinstance(change, NodeTypeStatusChange):
        check_type(change.type)
        conditions.append(queries.of_kind(change.type, change.sub_type))
    if only_fed:
        conditions.append(queries.fed())
    action = action_for(change.status, change.forcestatus)
    rows = queries.select_services(call.connection, call.principal, *conditions)
    found = {row.id: row for row in rows}
    return each(call, list(found), found, action, lambda row: _set_desired(call, row, action, change.forcestatus))


def transfer(call: Call, request: ServicesTransfer) -> list[ServiceResult]:
    """Have other hosts run services. Raises ContainerUnknownError."""
    container = find_container(call.connection, call.principal, request.containerid)
    buses = queries.buses_of(call.connection, container.id)

    def move(row: Row[Any]) -> None:
        if row.container_id == container.id:
            raise ServiceThereError(name=row.name, container=container.name)
        if row.agent_id is not None and not (row.agent_bus and buses <= {row.agent_bus}):
            raise BusElsewhereError(name=row.name, container=container.name)
        containers.notify_services(call.connection, [row.id])
        queries.place(call.connection, [row.id], container.id)

    found = found_by_id(call, request.ids)
    return each(call, list(dict.fromkeys(request.ids)), found, ServiceAction.TRANSFER, move)


def found_by_id(call: Call, ids: Sequence[str]) -> dict[str, Row[Any]]:
    """The caller's services among these, which stay as they are until this call ends: none is started meanwhile."""
    containers.lock_services(call.connection, ids)
    return {row.id: row for row in queries.select_services(call.connection, call.principal, queries.by_ids(ids))}


def delete(call: Call, service_id: str) -> ServiceResult:
    """Take a service out of its container. Its positions are kept, so that it resumes where it stopped."""

    def take_out(row: Row[Any]) -> None:
        containers.notify_services(call.connection, [row.id])
        queries.remove(call.connection, [row.id], call.services.clock.now())

    return each(call, [service_id], found_by_id(call, [service_id]), ServiceAction.DELETE, take_out)[0]


def of_owners(call: Call, kind: str, owner_ids: Iterable[str]) -> Sequence[Row[Any]]:
    """The caller's services of publish nodes, of data services, or of customers, whether in a container or not."""
    return queries.select_by_owners(call.connection, call.principal, kind, owner_ids)


def rename(call: Call, service_id: str, name: str) -> None:
    """Rename a service. The caller notifies its agent."""
    queries.change(call.connection, [service_id], {"name": name})


def edit(call: Call, request: ServiceEdit) -> None:
    """Change the description of a service. Raises ServiceUnknownError."""
    rows = queries.select_services(call.connection, call.principal, queries.by_ids([request.id]))
    if not rows:
        raise ServiceUnknownError(id=request.id)
    given = request.model_dump(exclude={"id"}, exclude_none=True, by_alias=False)
    call.audit.subject = rows[0].name
    call.audit.before = {name: getattr(rows[0], name) for name in given}
    if given:
        queries.change(call.connection, [request.id], given)
        containers.notify_services(call.connection, [request.id])


def add(call: Call, request: ServiceAddition) -> list[ServiceResult]:
    """Have a container run the services of nodes or customers. Raises ServiceTypeAbsentError, ContainerUnknownError."""
    check_type(request.type)
    container = find_container(call.connection, call.principal, request.containerid)
    if SERVICE_KINDS[request.type].on_demand:
        contrast.make_for_customers(call, request.nodeids)
    rows = queries.select_by_owners(call.connection, call.principal, request.type, request.nodeids)
    owners = {_owner(row) for row in rows}
    unknown = [_refused(call, owner, owner, ServiceOwnerUnknownError(id=owner)) for owner in request.nodeids]
    results = [result for result in unknown if result.id not in owners]
    for row in rows:
        if row.removed_at is None:
            error = ServiceThereError(name=row.name, container=row.container_name)
            results.append(_refused(call, row.id, row.name, error))
        else:
            queries.place(call.connection, [row.id], container.id, log_level=request.log_level)
            results.append(_done(row, ServiceState.STOPPED))
    _follow(call, [row.id for row in rows if row.removed_at is not None])
    return results


def _owner(row: Row[Any]) -> str | None:
    """The owner of a service: a data service, a customer, or a publish node."""
    owner: str | None = row.data_service_id or row.customerid or row.node_id
    return owner


def each(
    call: Call, ids: Sequence[str], rows: Mapping[str, Row[Any]], action: ServiceAction, perform: Perform
) -> list[ServiceResult]:
    """Apply a change to each service whose state allows the action. Refused ones get their error as the result. The
    operation log keeps the states before."""
    moment = Moment.of(call.services)
    call.audit.before = {rows[one].name: rows[one].current_state for one in ids if one in rows}
    results = []
    for service_id in ids:
        row = rows.get(service_id)
        try:
            if row is None:
                raise ServiceUnknownError(id=service_id)
            _check(row, action, moment)
            perform(row)
        except BusinessError as error:
            results.append(_refused(call, service_id, row.name if row is not None else service_id, error))
        else:
            results.append(_done(row, None))
    done = [result.id for result in results if result.done]
    _follow(call, done)
    fresh = queries.select_services(call.connection, call.principal, queries.by_ids(done))
    states = {row.id: ServiceState(row.current_state) for row in fresh}
    return [result.model_copy(update={"state": states.get(result.id)}) if result.done else result for result in results]


def _check(row: Row[Any], action: ServiceAction, moment: Moment) -> None:
    state = ServiceState(row.current_state)
    if action not in ACTIONS[state]:
        raise ServiceActionRefusedError(name=row.name, action=action.value, state=state.value)
    if action not in actions_in(state, moment):
        raise RegistrationOverError(name=row.name)


def _set_desired(call: Call, row: Row[Any], action: ServiceAction, forced: bool) -> None:
    store, ids = call.connection, [row.id]
    if action in (ServiceAction.START, ServiceAction.RESTART):
        refuse_start(store, row.id)
    if action in (ServiceAction.STOP, ServiceAction.FORCE_STOP):
        containers.set_desired(store, ids, DesiredState.STOPPED, forced=action is ServiceAction.FORCE_STOP)
    elif action is ServiceAction.START:
        containers.set_desired(store, ids, DesiredState.RUNNING)
        if row.observed == ServiceState.ABNORMAL:
            containers.restart(store, ids)
    else:
        containers.restart(store, ids, forced=forced)


def _follow(call: Call, ids: Iterable[str]) -> None:
    """Notify agents and links of the change."""
    found = list(ids)
    containers.notify_services(call.connection, found)
    links.adopt_services(call.connection, found, call.services.clock.now())


def _done(row: Row[Any], state: ServiceState | None) -> ServiceResult:
    return ServiceResult(id=row.id, service_name=row.name, done=True, state=state, error=None, message=None)


def _refused(call: Call, service_id: str, name: str, error: BusinessError) -> ServiceResult:
    message = call.services.catalogue.error_text(call.language, error)
    return ServiceResult(id=service_id, service_name=name, done=False, state=None, error=error.code, message=message)
