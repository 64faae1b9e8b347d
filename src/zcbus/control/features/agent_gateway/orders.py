"""What an agent is told to do: the complete orders of its services."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import SecretStr
from sqlalchemy import Connection, Row

from zcbus.control.features.container import kafka_properties
from zcbus.control.features.container.properties import properties_of
from zcbus.control.features.contrast import service as contrast
from zcbus.control.features.data_service import places as data_services
from zcbus.control.features.data_service.tasks import tasks_of as data_service_tasks
from zcbus.control.features.publish import service as publish
from zcbus.control.features.stream import service as stream
from zcbus.control.features.subscribe import service_tasks as subscribe
from zcbus.control.platform.secrets import SecretBox
from zcbus.model.states import DesiredState
from zcbus.protocol.agent import Order, Orders
from zcbus.protocol.tasks import Task

_LEASED = ".leased"


@dataclass(frozen=True, slots=True)
class OrdersDue:
    """What an agent's orders are about: its services, as they are at a revision of its container."""

    container_id: str
    revision: int
    own: Sequence[Row[Any]]
    leased: bool

    @property
    def version(self) -> str:
        """Changes with every order of the container, with the set of services that the agent has, and with whether it
        has them on a lease."""
        return f"{self.container_id}.{self.revision}.{len(self.own)}{_LEASED if self.leased else ''}"


def revision_held(container_id: str, version: str) -> int:
    """The revision in a version of orders for that container's agents; 0 where it is none."""
    of, _, rest = version.partition(".")
    revision = rest.partition(".")[0]
    return int(revision) if of == container_id and revision.isdecimal() else 0


def is_of_leased(version: str) -> bool:
    """Whether orders of that version give services on a lease."""
    return version.endswith(_LEASED)


def read_orders(connection: Connection, secrets: SecretBox, due: OrdersDue) -> Orders:
    """The orders. What has changed since the revision may be in them or not: it is told with the next one anyway."""
    tasks = _tasks(connection, secrets, due.own)
    properties = kafka_properties.of_container(connection, secrets, due.container_id)
    return Orders(
        version=due.version,
        orders=tuple(_order(row, tasks[row.id], leased=due.leased) for row in due.own if row.id in tasks),
        push_properties=_hidden(properties.get("push", {})),
        client_properties=_hidden(properties.get("client", {})),
        properties=dict(properties_of(connection, due.container_id)),
    )


def _order(row: Row[Any], task: Task, *, leased: bool) -> Order:
    return Order(
        service=row.id,
        desired=DesiredState.STOPPED if row.next_agent_id else DesiredState(row.desired),
        forced=row.forced,
        restart=row.restart,
        # On its way to another host it is not pinned yet.
        leased=leased and (not row.pinned or row.next_agent_id is not None),
        task=task.model_copy(update={"log_level": row.log_level}),
    )


def _tasks(connection: Connection, secrets: SecretBox, own: Sequence[Row[Any]]) -> dict[str, Task]:
    """The tasks of an agent's services, by the services' ids; what is deleted meanwhile has none."""
    services: dict[str, list[str]] = defaultdict(list)
    for row in own:
        services[row.type].append(row.id)
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
