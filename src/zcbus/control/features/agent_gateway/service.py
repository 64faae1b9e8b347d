"""What a sync does: newest reports in, orders out where they changed, questions out, answers in."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from pydantic import SecretStr
from sqlalchemy import Connection, Row

from zcbus.control.features.container import agents, kafka_properties, placement, reported, requests
from zcbus.control.features.container import service as containers
from zcbus.control.features.container.properties import properties_of
from zcbus.control.features.contrast import service as contrast
from zcbus.control.features.data_service import log as api_log
from zcbus.control.features.data_service import places as data_services
from zcbus.control.features.data_service.tasks import tasks_of as data_service_tasks
from zcbus.control.features.publish import service as publish
from zcbus.control.features.stream import service as stream
from zcbus.control.features.subscribe import service_tasks as subscribe
from zcbus.control.platform.awaited import Awaited
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.secrets import SecretBox
from zcbus.control.platform.services import Services
from zcbus.model.states import DesiredState
from zcbus.protocol.agent import (
    NEWS_SECONDS,
    Order,
    Orders,
    Registered,
    Registration,
    ServiceReports,
    SyncRequest,
    SyncResponse,
)
from zcbus.protocol.data_service import ApiCallsReport
from zcbus.protocol.reports import (
    ComparisonReport,
    ComputationReport,
    PublishTableReport,
    ServiceReport,
    SyncTableReport,
)
from zcbus.protocol.tasks import Task

_LEASED = ".leased"

R = TypeVar(
    "R", PublishTableReport, SyncTableReport, ComparisonReport, ComputationReport, ServiceReport, ApiCallsReport
)


def register(connection: Connection, principal: Principal, message: Registration, now: datetime) -> Registered:
    """Note an agent that starts. Raises ContainerUnknownError, NotThisContainerError."""
    container = agents.register_agent(connection, principal, message, now)
    return Registered(agent=message.agent, container=container)


def sync(connection: Connection, services: Services, principal: Principal, message: SyncRequest) -> SyncResponse:
    """One exchange with a registered agent. Raises AgentUnknownError: it has to register again."""
    now = services.clock.now()
    agent = agents.admit_agent(connection, principal, message.agent)
    held = _revision_held(agent, message.orders_version)
    agents.note_heartbeat(connection, agent, now, held, message.figures)
    placement.place(connection, agent, now)
    leased = placement.is_leased(connection, agent, now) and message.keeps_leases
    # Before the orders: what is changed while they are read then has a newer revision and is told the next time.
    revision = containers.revision_of(connection, agent.container_id)
    own = agents.services_of(connection, agent)
    _keep(connection, agent.id, [row.id for row in own], message)
    if any(row.next_agent_id for row in own):
        placement.hand_over(connection, agent, held, now)
    requests.take_answers(connection, agent.id, message.answers, now)
    withdrawn = requests.note_progress(connection, agent.id, message.progress)
    version = _version(agent, revision, own, leased)
    placement.note_lease(connection, agent, holds=message.orders_version.endswith(_LEASED), gets=leased)
    return SyncResponse(
        orders=None
        if version == message.orders_version
        else _orders(connection, services.secrets, version, agent, own),
        requests=requests.hand_out(connection, services.secrets, agent.container_id, agent.id, now),
        withdrawn=withdrawn,
        lease_s=placement.LEASE_SECONDS if leased else None,
    )


def news(connection: Connection, services: Services, principal: Principal, agent_id: str) -> Awaited:
    """What comes once orders of a registered agent change or somebody asks it. Raises AgentUnknownError."""
    agent = agents.admit_agent(connection, principal, agent_id)
    return Awaited.of(partial(services.database.news.wait, agent.container_id, NEWS_SECONDS))


def _keep(connection: Connection, agent_id: str, own: Sequence[str], message: SyncRequest) -> None:
    reported.save_statuses(connection, agent_id, message.statuses)
    newest = [(group.service, report) for group in message.reports for report in _only(group, ServiceReport)]
    reported.save_service_reports(connection, agent_id, newest)
    reported.save_attempts(connection, own, message.attempts)
    publish.save_reports(connection, own, _by_service(message.reports, PublishTableReport))
    subscribe.save_reports(connection, own, _by_service(message.reports, SyncTableReport))
    contrast.save_reports(connection, own, _by_service(message.reports, ComparisonReport))
    api_log.save_calls(connection, own, _by_service(message.reports, ApiCallsReport))
    stream.save_reports(connection, own, _by_service(message.reports, ComputationReport))


def _by_service(groups: Iterable[ServiceReports], kind: type[R]) -> dict[str, list[R]]:
    found: dict[str, list[R]] = defaultdict(list)
    for group in groups:
        reports = _only(group, kind)
        if reports:
            found[group.service] += reports
    return found


def _only(group: ServiceReports, kind: type[R]) -> list[R]:
    return [report for report in group.reports if isinstance(report, kind)]


def _version(agent: Row[Any], revision: int, own: Sequence[Row[Any]], leased: bool) -> str:
    """Changes with every order of the container, with the set of services that this agent has, and with whether it has
    them on a lease."""
    return f"{agent.container_id}.{revision}.{len(own)}{_LEASED if leased else ''}"


def _revision_held(agent: Row[Any], version: str) -> int:
    """The revision in a version that `_version` made for this agent; 0 where it holds none of them."""
    container_id, _, rest = version.partition(".")
    revision = rest.partition(".")[0]
    return int(revision) if container_id == agent.container_id and revision.isdecimal() else 0


def _orders(
    connection: Connection, secrets: SecretBox, version: str, agent: Row[Any], own: Sequence[Row[Any]]
) -> Orders:
    by_type: dict[str, list[str]] = defaultdict(list)
    for row in own:
        by_type[row.type].append(row.id)
    tasks = _tasks(connection, secrets, by_type)
    orders = tuple(
        Order(
            service=row.id,
            desired=DesiredState.STOPPED if row.next_agent_id else DesiredState(row.desired),
            forced=row.forced,
            restart=row.restart,
            # On its way to another host it is not pinned yet.
            leased=version.endswith(_LEASED) and (not row.pinned or row.next_agent_id is not None),
            task=tasks[row.id].model_copy(update={"log_level": row.log_level}),
        )
        for row in own
        if row.id in tasks
    )
    properties = kafka_properties.of_container(connection, secrets, agent.container_id)
    return Orders(
        version=version,
        orders=orders,
        push_properties=_hidden(properties.get("push", {})),
        client_properties=_hidden(properties.get("client", {})),
        properties=dict(properties_of(connection, agent.container_id)),
    )


def _tasks(connection: Connection, secrets: SecretBox, services: Mapping[str, Sequence[str]]) -> dict[str, Task]:
    """The tasks of an agent's services; `services`: their ids by type."""
    publishing = services.get(publish.SERVICE_TYPE, ())
    applying = [one for kind in subscribe.SERVICE_TYPES for one in services.get(kind, ())]
    direct = subscribe.tables_read_directly(connection, publishing, applying)
    published = publish.tasks_of(connection, secrets, publishing, direct)
    sources = {task.node: task.source for task in published.values()}
    return {
        **published,
        **subscribe.tasks_of(connection, secrets, applying, sources, direct),
        **contrast.tasks_of(connection, secrets, services.get(contrast.SERVICE_TYPE, ())),
        **stream.tasks_of(connection, secrets, services.get(stream.SERVICE_TYPE, ())),
        **data_service_tasks(connection, secrets, services.get(data_services.SERVICE_TYPE, ())),
    }


def _hidden(properties: Mapping[str, str]) -> dict[str, SecretStr]:
    return {name: SecretStr(value) for name, value in properties.items()}
