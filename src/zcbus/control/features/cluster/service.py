"""The rules of containers."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.account import tenants
from zcbus.control.features.cluster import repository
from zcbus.control.features.cluster.errors import (
    ContainerInUseError,
    ContainerNameTakenError,
    ContainerNeededError,
    TenantUnknownError,
)
from zcbus.control.features.cluster.hosts import listed
from zcbus.control.features.cluster.schemas import (
    CONTAINERS,
    ClusterDetail,
    ClusterRecord,
    ContainerEdit,
    ContainerInfoChoice,
    ContainerPageRequest,
    HostRecord,
    NewContainer,
)
from zcbus.control.features.container import agents as hosts
from zcbus.control.features.container import service as containers
from zcbus.control.features.container.service import notify_container
from zcbus.control.features.container.start import DEFAULT_CONTAINER
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.principal import Principal
from zcbus.control.store.tables.container import container

MENU_KEY = "container"


def listing(principal: Principal, request: ContainerPageRequest, now: datetime) -> Listing[ClusterRecord]:
    """How containers are listed."""
    return Listing(CONTAINERS, *repository.page_statement(principal, request, now), _record)


def find(connection: Connection, principal: Principal, now: datetime, container_id: str) -> Row[Any]:
    """A container the caller may use, with its counts. Raises RecordNotFoundError."""
    row = repository.find(connection, principal, now, container.c.id == container_id)
    if row is None:
        raise RecordNotFoundError(kind="container", id=container_id)
    return row


def describe(connection: Connection, principal: Principal, now: datetime, choice: ContainerInfoChoice) -> ClusterDetail:
    """A container with its hosts. Raises RecordNotFoundError."""
    condition = container.c.id == choice.id if choice.id else container.c.name == choice.container_name
    row = repository.find(connection, principal, now, condition)
    if row is None:
        raise RecordNotFoundError(kind="container", id=choice.id or choice.container_name)
    counts = repository.count_services_of_agents(connection, row.id)
    agents = hosts.agents_of(connection, principal, row.id)
    return ClusterDetail(**_fields(row), agents=[_host(agent, now, counts.get(agent.id, (0, 0))) for agent in agents])


def add(connection: Connection, now: datetime, new: NewContainer) -> str:
    """Make a container; returns its id. Raises ContainerNameTakenError, TenantUnknownError."""
    if new.customerid is not None and tenants.find_tenant(connection, new.customerid) is None:
        raise TenantUnknownError(id=new.customerid)
    made = containers.create_container(
        connection,
        name=new.container_name,
        created_at=now,
        tenant_id=new.customerid,
        display_name=new.display_name,
        description=new.description,
        moves_services=new.moves_services,
    )
    if made is None:
        raise ContainerNameTakenError(name=new.container_name)
    return made


def edit(connection: Connection, body: ContainerEdit) -> None:
    """Change an existing container; its hosts are notified."""
    repository.change(connection, body.id, **body.model_dump(by_alias=False, exclude={"id"}))
    notify_container(connection, body.id)


def delete(connection: Connection, row: Row[Any]) -> None:
    """Remove a container without services, with its hosts. Raises ContainerNeededError, ContainerInUseError."""
    if row.container_name == DEFAULT_CONTAINER:
        raise ContainerNeededError(name=row.display_name)
    names = repository.select_service_names(connection, row.id)
    if names:
        raise ContainerInUseError(name=row.display_name, count=len(names), services=listed(names))
    repository.leave_taken_out(connection, row.id, DEFAULT_CONTAINER)
    repository.remove(connection, row.id)


def plain(row: Row[Any]) -> dict[str, Any]:
    """A container for the operation log."""
    names = ("container_name", "display_name", "description", "customerid", "moves_services")
    return {name: getattr(row, name) for name in names}


def _record(row: Row[Any]) -> ClusterRecord:
    return ClusterRecord(**_fields(row))


def _fields(row: Row[Any]) -> dict[str, Any]:
    return {**row._mapping, "built_in": row.container_name == DEFAULT_CONTAINER}


def _host(row: Row[Any], now: datetime, counts: tuple[int, int]) -> HostRecord:
    services, pinned = counts
    return HostRecord(**hosts.agent_record(row, now).model_dump(by_alias=False), services=services, pinned=pinned)
