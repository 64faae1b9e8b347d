"""Agent syncs: reports and answers in, changed orders and questions out."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from pydantic import SecretStr
from sqlalchemy import Connection, Row

from zcbus.control.features.agent_gateway.orders import OrdersDue, is_of_leased, read_orders, revision_of_version
from zcbus.control.features.container import agents, reported
from zcbus.control.features.container import service as containers
from zcbus.control.features.driver import distribution as drivers
from zcbus.control.features.placement import service as placement
from zcbus.control.features.verification import reports as verification
from zcbus.control.platform import agent_requests as requests
from zcbus.control.platform import certificates
from zcbus.control.platform.awaited import Awaited
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.services import Services
from zcbus.control.store.live import announce
from zcbus.control.store.reduction.reducer import deferred
from zcbus.protocol.agent import (
    EVENT_POLL_SECONDS,
    Orders,
    Registered,
    Registration,
    ServiceReports,
    SyncRequest,
    SyncResponse,
)
from zcbus.protocol.base import Message
from zcbus.protocol.reports import ServiceReport, SyncTableReport
from zcbus.protocol.service_kinds import SERVICE_KINDS, function

R = TypeVar("R", bound=Message)


def register(connection: Connection, principal: Principal, message: Registration, now: datetime) -> Registered:
    """Note an agent that starts. Raises ContainerUnknownError, NotThisContainerError."""
    container = agents.register_agent(connection, principal, message, now)
    return Registered(agent=message.agent, container=container)


@dataclass(frozen=True, slots=True)
class _Due:
    """Data for the agent's response."""

    orders: OrdersDue
    requests: Sequence[Row[Any]]
    withdrawn: tuple[str, ...]
    token: SecretStr | None


def sync(services: Services, principal: Principal, message: SyncRequest) -> SyncResponse:
    """One exchange with a registered agent. Must not be called inside a transaction: orders of thousands of tables are
    built after the reports are stored, without blocking writers. Raises AgentUnknownError: it has to register again."""
    with services.database.write() as connection:
        due = _take(connection, services, principal, message)
    return SyncResponse(
        orders=_orders(services, due.orders, message.orders_edition)
        if due.orders.version != message.orders_version
        else None,
        requests=requests.opened(services.secrets, due.requests),
        withdrawn=due.withdrawn,
        token=due.token,
        lease_s=placement.LEASE_SECONDS if due.orders.leased else None,
    )


def _orders(services: Services, due: OrdersDue, revision: str) -> Orders:
    with services.database.read() as connection:
        loopback = services.settings.network.loopback
        return read_orders(connection, services.secrets, due, services.editions, revision, loopback)


def _take(connection: Connection, services: Services, principal: Principal, message: SyncRequest) -> _Due:
    """Store an agent's message; returns the data for its response."""
    now = services.clock.now()
    agent = agents.admit_agent(connection, principal, message.agent)
    revision = revision_of_version(agent.container_id, message.orders_version)
    agents.note_heartbeat(connection, agent, now, placement.contact_since(agent, now), revision, message.figures)
    if message.certificates is not None:
        certificates.save_reported(connection, agent, message.certificates, now)
    if message.drivers is not None:
        drivers.save_reported(connection, agent.id, agent.container_id, message.drivers, now)
    # Reports before orders: containers are locked last.
    own_before = agents.services_of(connection, agent)
    with deferred(connection):
        _store_reports(connection, agent.id, own_before, message)
    placement.place(connection, agent, now)
    leased = placement.is_leased(connection, agent, now) and message.keeps_leases
    # Read before the orders: a change during their reading has a newer revision and comes with the next ones.
    revision = containers.revision_of(connection, agent.container_id)
    own = agents.services_of(connection, agent)
    if any(row.next_agent_id for row in own):
        placement.hand_over(connection, agent, revision, now)
    requests.take_answers(connection, agent.id, message.answers, now)
    withdrawn = requests.note_progress(connection, agent.id, message.progress, now)
    placement.note_lease(connection, agent, holds=is_of_leased(message.orders_version), gets=leased)
    return _Due(
        OrdersDue(agent.container_id, agent.id, revision, own, leased),
        requests.hand_out(connection, agent.container_id, agent.id, now),
        withdrawn,
        agents.renewed_token(connection, principal, now),
    )


def wait_for_changes(connection: Connection, services: Services, principal: Principal, agent_id: str) -> Awaited:
    """An answer once orders of a registered agent change or it gets a question. Raises AgentUnknownError."""
    agent = agents.admit_agent(connection, principal, agent_id)
    return Awaited.of(partial(services.database.change_events.wait, agent.container_id, EVENT_POLL_SECONDS))


def _store_reports(connection: Connection, agent_id: str, services: Sequence[Row[Any]], message: SyncRequest) -> None:
    own = [row.id for row in services]
    reported.save_statuses(connection, agent_id, message.statuses)
    newest = [(group.service, report) for group in message.reports for report in _only(group, ServiceReport)]
    reported.save_service_reports(connection, agent_id, newest)
    reported.save_attempts(connection, own, message.attempts)
    # Kinds that report the same keep it by the same function.
    for save, report in {kind.save_reports: kind.report for kind in SERVICE_KINDS.values()}.items():
        function(save)(connection, own, _by_service(message.reports, report))
    verification.save_reports(connection, own, _by_service(message.reports, SyncTableReport))
    announce(connection, "figures", _tenants_of_tables(services, message))


def _tenants_of_tables(services: Sequence[Row[Any]], message: SyncRequest) -> set[str]:
    """Tenants of the services that report about more than themselves: they do when figures of their tables change."""
    telling = {
        group.service
        for group in message.reports
        if any(not isinstance(report, ServiceReport) for report in group.reports)
    }
    return {row.tenant_id for row in services if row.id in telling}


def _by_service(groups: Iterable[ServiceReports], kind: type[R]) -> dict[str, list[R]]:
    found: dict[str, list[R]] = defaultdict(list)
    for group in groups:
        reports = _only(group, kind)
        if reports:
            found[group.service] += reports
    return found


def _only(group: ServiceReports, kind: type[R]) -> list[R]:
    return [report for report in group.reports if isinstance(report, kind)]
