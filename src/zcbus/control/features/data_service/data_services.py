"""Data services: where callers find APIs, and the service that answers them."""

from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.container import service as containers
from zcbus.control.features.container.network import check_listening
from zcbus.control.features.data_service import repository
from zcbus.control.features.data_service.errors import (
    DataServiceInUseError,
    DataServiceNameTakenError,
    DataServiceRefusedError,
)
from zcbus.control.features.data_service.schemas import (
    DataServiceChange,
    DataServiceInput,
    DataServiceOperation,
    DataServiceRecord,
)
from zcbus.control.features.recycle_bin.service import keep
from zcbus.control.features.service import actions
from zcbus.control.features.service.listing import Moment, actions_in
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.store.tables.data_service import data_service
from zcbus.model.reduction.services import is_held_up
from zcbus.model.services import ENDED, ServiceAction
from zcbus.model.states import DesiredState, ServiceState

SERVICE_TYPE = "data-service"


def find(connection: Connection, principal: Principal, identifier: str) -> Row[Any]:
    """Raises RecordNotFoundError."""
    row = repository.first(connection, repository.services(principal), data_service.c.id == identifier)
    if row is None:
        raise RecordNotFoundError(kind="data-service", id=identifier)
    return row


def list_all(call: Call) -> list[DataServiceRecord]:
    """The caller's data services, by name; there are few of them."""
    rows = repository.every(call.connection, repository.services(call.principal).order_by(data_service.c.name))
    found = actions.of_owners(call, SERVICE_TYPE, [row.id for row in rows])
    services = {row.id: row for row in found}
    moment, texts = Moment.of(call.services), ReasonTexts.of(call)
    return [_record(row, services[row.service_id], moment, texts) for row in rows if row.service_id in services]


def add(call: Call, given: DataServiceInput) -> str:
    """Make one, which runs from then on. Raises DataServiceNameTakenError, ContainerUnknownError,
    AddressOutsideError."""
    destination = containers.find_destination(call.connection, call.principal, given.container or None)
    tenant_id, now = call.principal.tenant_id, call.services.clock.now()
    _check_name(call, tenant_id, given.name, None)
    check_listening(call.connection, destination.container_id, given.host, given.port)
    service_id = containers.create_service(
        call.connection,
        tenant_id=tenant_id,
        container_id=destination.container_id,
        kind=SERVICE_TYPE,
        name=given.name,
        now=now,
    )
    made = repository.insert(
        call.connection,
        data_service,
        tenant_id=tenant_id,
        service_id=service_id,
        name=given.name,
        host=given.host,
        port=given.port,
        calls_dropped=0,
        created_at=now,
    )
    containers.set_desired(call.connection, [service_id], DesiredState.RUNNING)
    containers.notify_services(call.connection, [service_id])
    return made


def edit(call: Call, row: Row[Any], given: DataServiceChange) -> None:
    """Raises DataServiceNameTakenError, AddressOutsideError."""
    _check_name(call, row.tenant_id, given.name, row.id)
    destination = containers.destination_of_service(call.connection, row.service_id)
    check_listening(call.connection, destination.container_id, given.host, given.port)
    repository.change(call.connection, data_service, row.id, name=given.name, host=given.host, port=given.port)
    actions.rename(call, row.service_id, given.name)
    containers.notify_services(call.connection, [row.service_id])


def operate(call: Call, row: Row[Any], given: DataServiceOperation) -> None:
    """Raises DataServiceRefusedError."""
    [result] = actions.ask(call, [row.service_id], ServiceAction(given.action))
    if not result.done:
        raise DataServiceRefusedError(detail=result.message or "")


def delete(call: Call, row: Row[Any]) -> None:
    """Move a data service into the recycle bin. Raises DataServiceInUseError while it has groups, or its service is not
    stopped."""
    services = actions.of_owners(call, SERVICE_TYPE, [row.id])
    runs = any(one.removed_at is None and ServiceState(one.current_state) not in ENDED for one in services)
    if row.groups or runs:
        raise DataServiceInUseError(name=row.name, groups=row.groups)
    keep(call.connection, call.services, call.principal, "data-service", row.id)
    repository.remove(call.connection, data_service, row.id)
    containers.remove_services(call.connection, [row.service_id])


def plain(row: Row[Any]) -> dict[str, Any]:
    """For the operation log."""
    return {"name": row.name, "host": row.host, "port": row.port}


def notify_agents(connection: Connection, tenant_id: str) -> None:
    """Notify the agents of a tenant's data services of changed APIs or apps."""
    containers.notify_services(connection, repository.services_of_tenant(connection, tenant_id))


def _check_name(call: Call, tenant_id: str, name: str, besides: str | None) -> None:
    same = (data_service.c.tenant_id == tenant_id, data_service.c.name == name, data_service.c.id != (besides or ""))
    if repository.first(call.connection, repository.services(call.principal), *same) is not None:
        raise DataServiceNameTakenError(name=name)


def _record(row: Row[Any], service: Row[Any], moment: Moment, texts: ReasonTexts) -> DataServiceRecord:
    state, removed = ServiceState(service.current_state), service.removed_at is not None
    reason = containers.effective_reason(service, texts, moment.now)
    return DataServiceRecord(
        id=row.id,
        service_id=row.service_id,
        name=row.name,
        host=row.host,
        port=row.port,
        container_name="" if removed else service.container_name,
        in_container=not removed,
        agent_host=service.agent_host,
        state=state,
        actions=[] if removed else actions_in(state, moment),
        reason=reason,
        held_up=is_held_up(state, reason),
        groups=row.groups,
        calls_dropped=row.calls_dropped,
    )
