"""Whose logs a caller may search, and which hosts have them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.container import agents, views
from zcbus.control.features.container import service as containers
from zcbus.control.features.log_search.schemas import LogAround, LogKind, LogScope, LogSourceRecord
from zcbus.control.features.machine.service import MENU_KEY as HOSTS
from zcbus.control.features.sync_link import service as links
from zcbus.control.features.sync_link.schemas import LinkChoice
from zcbus.control.platform.agent_requests import Destination
from zcbus.control.platform.errors import ForbiddenError, RecordNotFoundError
from zcbus.control.platform.principal import Operation, Principal
from zcbus.control.store.tables.container import service
from zcbus.protocol.requests import AGENT_LOG


@dataclass(frozen=True, slots=True)
class HostLogs:
    """Logs that one host is asked for, by their names there, each with whose it is."""

    agent: Row[Any]
    logs: dict[str, LogSourceRecord]

    @property
    def destination(self) -> Destination:
        return Destination(self.agent.container_id, self.agent.container_name, self.agent.id)


def may_read_agents(principal: Principal) -> bool:
    """Whether the caller may read the logs of agents, as on the page of hosts."""
    return principal.may(HOSTS, Operation.OPERATE)


def sources_of(connection: Connection, principal: Principal, scope: LogScope) -> list[LogSourceRecord]:
    """Services, then agents. Raises RecordNotFoundError for a link that the caller may not see."""
    found = [_of_service(row) for row in _services(connection, principal, scope.link_id)]
    if not scope.link_id and may_read_agents(principal):
        found += map(_of_agent, agents.visible_agents(connection, principal))
    return [one for one in found if scope.container_id in ("", one.container_id) and scope.source in ("", one.id)]


def hosts_of(connection: Connection, principal: Principal, scope: LogScope) -> list[HostLogs]:
    """The hosts to ask. Each is asked for all services of its container: one that has moved left its older log.
    Raises RecordNotFoundError."""
    sources = sources_of(connection, principal, scope)
    if scope.source and not sources:
        raise RecordNotFoundError(kind="log", id=scope.source)
    found = [HostLogs(agent, _logs(agent, sources)) for agent in agents.visible_agents(connection, principal)]
    return [host for host in found if host.logs]


def host_of(connection: Connection, principal: Principal, wanted: LogAround) -> HostLogs:
    """The host that has one log. Raises RecordNotFoundError, ForbiddenError."""
    agent = agents.find_agent(connection, principal, wanted.host_id)
    if wanted.kind is LogKind.AGENT:
        if not may_read_agents(principal):
            raise ForbiddenError(menuKey=HOSTS, operation=Operation.OPERATE.value)
        if wanted.source != agent.id:
            raise RecordNotFoundError(kind="log", id=wanted.source)
        return HostLogs(agent, {AGENT_LOG: _of_agent(agent)})
    row = containers.find_service(connection, principal, wanted.source)
    if row.container_id != agent.container_id:
        raise RecordNotFoundError(kind="log", id=wanted.source)
    return HostLogs(agent, {row.id: _of_service(row)})


def _services(connection: Connection, principal: Principal, link_id: str) -> Sequence[Row[Any]]:
    condition = views.by_tenant(principal)
    if link_id:
        link = links.find_link(connection, principal, LinkChoice(id=link_id, name=None))
        condition = condition & service.c.id.in_(links.services_of(link))
    found = views.services().where(condition & service.c.removed_at.is_(None))
    return connection.execute(found.order_by(service.c.name, service.c.id)).all()


def _logs(agent: Row[Any], sources: Sequence[LogSourceRecord]) -> dict[str, LogSourceRecord]:
    return {
        AGENT_LOG if one.kind is LogKind.AGENT else one.id: one
        for one in sources
        if one.container_id == agent.container_id and (one.kind is LogKind.SERVICE or one.id == agent.id)
    }


def _of_service(row: Row[Any]) -> LogSourceRecord:
    return LogSourceRecord(
        id=row.id,
        kind=LogKind.SERVICE,
        name=f"{row.name} ({row.type})",
        container_id=row.container_id,
        container_name=row.container_name,
    )


def _of_agent(row: Row[Any]) -> LogSourceRecord:
    return LogSourceRecord(
        id=row.id, kind=LogKind.AGENT, name=row.host, container_id=row.container_id, container_name=row.container_name
    )
