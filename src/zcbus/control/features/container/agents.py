"""Rules of agents, one on each host of a container: registration and known facts."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any

from pydantic import SecretStr
from sqlalchemy import Connection, Row

from zcbus.control.features.container import repository
from zcbus.control.features.container.errors import (
    AgentChoiceNeededError,
    AgentUnknownError,
    BusNotSharedError,
    ContainerUnknownError,
    NotThisAgentError,
    NotThisContainerError,
    ReferenceUnreadError,
)
from zcbus.control.features.container.schemas import AgentRecord, ContainerRecord
from zcbus.control.platform import host_tokens
from zcbus.control.platform.agent_requests import Destination
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.principal import Principal
from zcbus.control.store.deployments import Program, note_version
from zcbus.kit.bus_settings import EMBEDDED
from zcbus.model.reduction.services import is_stale
from zcbus.protocol.agent import HostFigures, Registration

_SHOWN_HOSTS = 5


def register_agent(connection: Connection, principal: Principal, message: Registration, now: datetime) -> str:
    """Note an agent; returns its container's name. Raises ContainerUnknownError, NotThisContainerError,
    NotThisAgentError, BusNotSharedError."""
    container = repository.find_container_by_name(connection, message.container)
    if container is None:
        raise ContainerUnknownError(name=message.container)
    _check_account(connection, principal, container, message)
    check_bus(connection, container, message.agent, message.bus, now)
    repository.release_foreign_services(connection, message.agent, container.id)
    repository.save_agent(
        connection,
        message.agent,
        container_id=container.id,
        host=message.host[:255],
        pid=message.pid,
        version=message.version[:50],
        bus=message.bus[:500] if message.bus is not None else None,
        machine_code=message.machine_code[:64],
        serial_number=message.serial_number[:100],
        reads_route_references=message.reads_route_references,
        registered_at=now,
        heartbeat_at=now,
        contact_since=None,
    )
    note_version(connection, Program(message.agent, message.host, container.id), message.version, now)
    return str(container.name)


def check_bus(connection: Connection, container: Row[Any], agent_id: str, bus: str | None, now: datetime) -> None:
    """Hosts of a container share one bus: what one of them captured, each other must be able to apply. Absent hosts
    without services do not count. Raises BusNotSharedError."""
    if bus is None:
        return
    for other in other_hosts(connection, container.id, agent_id):
        if other.bus in (None, bus) and bus:
            continue
        if other.bus is not None and (other.services or not is_stale(other.heartbeat_at, now)):
            raise BusNotSharedError(
                container=container.name, host=other.host, other=other.bus or EMBEDDED, own=bus or EMBEDDED
            )


def admit_agent(connection: Connection, principal: Principal, agent_id: str) -> Row[Any]:
    """The row of a registered agent whose token it is. Raises AgentUnknownError, NotThisAgentError,
    NotThisContainerError."""
    agent = repository.find_agent(connection, agent_id)
    if agent is None:
        raise AgentUnknownError(agent=agent_id)
    if principal.kind != "local":
        account = host_tokens.find_account(connection, principal.user_id)
        if account.agent_id != agent_id:
            raise NotThisAgentError(host=account.host or "", agent=agent_id)
        if account.container_id != agent.container_id:
            raise NotThisContainerError(container=agent.container_id)
    return agent


def renewed_token(connection: Connection, principal: Principal, now: datetime) -> SecretStr | None:
    """The token that an agent uses from now on; None: its present one is young enough."""
    token = host_tokens.renewed_token(connection, principal, now) if principal.kind == "agent" else None
    return SecretStr(token) if token is not None else None


def note_heartbeat(
    connection: Connection,
    agent: Row[Any],
    now: datetime,
    contact_since: datetime,
    orders_revision: int,
    figures: HostFigures | None,
) -> None:
    """An agent is alive and follows the orders of this revision of its container. `contact_since`: there
    was no gap in its contact since then."""
    repository.change_agent(
        connection,
        agent.id,
        heartbeat_at=now,
        contact_since=contact_since,
        orders_revision=orders_revision,
        **(figures.model_dump() if figures else {}),
    )
    if orders_revision != agent.orders_revision:
        repository.mark_services(connection, agent.id)


def services_of(connection: Connection, agent: Row[Any]) -> Sequence[Row[Any]]:
    """The services that are placed on an agent."""
    return repository.select_services_of_agent(connection, agent.id)


def visible_agents(connection: Connection, principal: Principal) -> Sequence[Row[Any]]:
    """The agents of the containers that the caller may use, each with its container's name."""
    return repository.select_agents(connection, principal)


def agents_of(connection: Connection, principal: Principal, container_id: str) -> list[Row[Any]]:
    """Those of one container that the caller may see."""
    return [agent for agent in repository.select_agents(connection, principal) if agent.container_id == container_id]


def by_container(connection: Connection, principal: Principal) -> list[tuple[Row[Any], list[Row[Any]]]]:
    """The containers that the caller may use, the oldest first, each with its agents."""
    found: dict[str, list[Row[Any]]] = defaultdict(list)
    for agent in repository.select_agents(connection, principal):
        found[agent.container_id].append(agent)
    return [(one, found[one.id]) for one in repository.select_containers(connection, principal)]


def other_hosts(connection: Connection, container_id: str, agent_id: str) -> Sequence[Row[Any]]:
    """The container's agents but one, with the number of their services."""
    return repository.select_other_hosts(connection, container_id, agent_id)


def require_reference_readers(connection: Connection, container_ids: Iterable[str]) -> None:
    """Check that every agent of the containers takes references to secrets. Raises ReferenceUnreadError."""
    hosts = repository.select_hosts_without_references(connection, list(container_ids))
    if hosts:
        shown = ", ".join(hosts[:_SHOWN_HOSTS]) + (" …" if len(hosts) > _SHOWN_HOSTS else "")
        raise ReferenceUnreadError(hosts=shown)


def has_other(connection: Connection, agent: Row[Any], reaches: Callable[[Row[Any]], bool]) -> bool:
    """Whether another agent of the container fulfils the condition."""
    return any(map(reaches, other_hosts(connection, agent.container_id, agent.id)))


def remove(connection: Connection, agent: Row[Any]) -> None:
    """Delete an agent: others of its container get its services."""
    repository.release(connection, [row.id for row in services_of(connection, agent)])
    repository.cancel_moves(connection, agent.id)
    repository.remove_agent(connection, agent.id)
    repository.bump_revision(connection, agent.container_id)


def list_containers(connection: Connection, principal: Principal, now: datetime) -> list[ContainerRecord]:
    """Containers the caller may use, with their agents."""
    agents = repository.select_agents(connection, principal)
    return [
        ContainerRecord(
            id=row.id,
            container_name=row.name,
            display_name=row.display_name,
            agents=[agent_record(agent, now) for agent in agents if agent.container_id == row.id],
        )
        for row in repository.select_containers(connection, principal)
    ]


def list_agents(connection: Connection, principal: Principal, now: datetime) -> list[AgentRecord]:
    """Every agent of the containers the caller may use."""
    return [agent_record(row, now) for row in repository.select_agents(connection, principal)]


def find_agent(connection: Connection, principal: Principal, agent_id: str) -> Row[Any]:
    """An agent of a container the caller may use. Raises RecordNotFoundError."""
    for row in repository.select_agents(connection, principal):
        if row.id == agent_id:
            return row
    raise RecordNotFoundError(kind="agent", id=agent_id)


def find_or_only(connection: Connection, principal: Principal, agent_id: str | None) -> Row[Any]:
    """An agent by its id; without one the only agent the caller may use. Raises RecordNotFoundError,
    AgentChoiceNeededError."""
    if agent_id is not None:
        return find_agent(connection, principal, agent_id)
    rows = repository.select_agents(connection, principal)
    if len(rows) != 1:
        raise AgentChoiceNeededError(count=len(rows))
    return rows[0]


def destination_of_agent(connection: Connection, agent_id: str) -> Destination | None:
    """Where an agent is; None: there is none of this id."""
    row = repository.find_agent(connection, agent_id)
    return Destination(row.container_id, row.host, row.id) if row is not None else None


def tenants_of_agents(connection: Connection) -> dict[str, set[str]]:
    """The tenants whose services an agent runs, by the agent's id; agents without services are left out."""
    tenants: dict[str, set[str]] = {}
    for row in repository.select_tenants_of_agents(connection):
        tenants.setdefault(row.agent_id, set()).add(row.tenant_id)
    return tenants


def agent_record(row: Row[Any], now: datetime) -> AgentRecord:
    """An agent's row with its container's name, for records."""
    return AgentRecord(
        id=row.id,
        container_name=row.container_name,
        host=row.host,
        pid=row.pid,
        version=row.version,
        registered_at=row.registered_at,
        heartbeat_at=row.heartbeat_at,
        heartbeat_age_ms=max(0, int((now - row.heartbeat_at).total_seconds() * 1000)),
        alive=not is_stale(row.heartbeat_at, now),
        bus=row.bus,
        cpu_percent=row.cpu_percent,
        memory_used=row.memory_used,
        memory_total=row.memory_total,
        disk_used=row.disk_used,
        disk_total=row.disk_total,
    )


def _check_account(connection: Connection, principal: Principal, container: Row[Any], message: Registration) -> None:
    """Bind the token to this agent on this host; the first agent that registers with a new account gets it."""
    if principal.kind == "local":
        return
    account = host_tokens.find_account(connection, principal.user_id)
    if account.container_id != container.id:
        raise NotThisContainerError(container=container.name)
    host = host_tokens.Host(message.agent, message.host, message.machine_code)
    if account.agent_id is None and host_tokens.account_of_agent(connection, message.agent) is None:
        host_tokens.bind(connection, account.id, host)
    elif account.agent_id != message.agent or not _is_same_host(account, host):
        raise NotThisAgentError(host=account.host or "", agent=message.agent)


def _is_same_host(account: Row[Any], host: host_tokens.Host) -> bool:
    """Hosts are distinguished by machine codes where both are known, else by names."""
    if account.machine_code and host.machine_code:
        return bool(account.machine_code == host.machine_code[:64])
    return bool(account.host == host.name[:255])
