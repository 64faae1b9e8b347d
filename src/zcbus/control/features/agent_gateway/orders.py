"""Orders of an agent: those of all its services, or the changes since the edition that it has."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import SecretStr
from sqlalchemy import Connection, Row

from zcbus.control.features.container import kafka_properties
from zcbus.control.features.container.network import reach_of
from zcbus.control.features.container.properties import properties_of
from zcbus.control.features.driver.distribution import drivers_of
from zcbus.control.features.verification import orders as verification
from zcbus.control.platform.editions import Editions, Marks
from zcbus.control.platform.outlines import Outline, mark
from zcbus.control.platform.secrets import SecretBox
from zcbus.kit.ids import new_id
from zcbus.model.states import DesiredState
from zcbus.protocol.agent import Order, Orders
from zcbus.protocol.service_kinds import SERVICE_KINDS, function
from zcbus.protocol.tasks import Task

_LEASED = ".leased"


@dataclass(frozen=True, slots=True)
class OrdersDue:
    """Scope of an agent's orders: its services at a revision of its container."""

    container_id: str
    agent_id: str
    revision: int
    own: Sequence[Row[Any]]
    leased: bool

    @property
    def version(self) -> str:
        """Changes with every order of the container, with the set of services that the agent has, and with whether it
        has them on a lease."""
        return f"{self.container_id}.{self.revision}.{len(self.own)}{_LEASED if self.leased else ''}"


def revision_of_version(container_id: str, version: str) -> int:
    """The revision in a version of orders for that container's agents; 0 where it is none."""
    of, _, rest = version.partition(".")
    revision = rest.partition(".")[0]
    return int(revision) if of == container_id and revision.isdecimal() else 0


def is_of_leased(version: str) -> bool:
    """Whether orders of that version give services on a lease."""
    return version.endswith(_LEASED)


def read_orders(
    connection: Connection, secrets: SecretBox, due: OrdersDue, editions: Editions, revision: str, loopback: bool
) -> Orders:
    """The orders, as changes since the agent's edition where that is known. A change after the revision may be included
    or not: it comes with the next orders anyway."""
    outlines = _outlines(connection, secrets, due.own)
    rows = [row for row in due.own if row.id in outlines]
    heads = {row.id: _order(row, outlines[row.id].task, leased=due.leased) for row in rows}
    marks = Marks(
        {service: mark(order.model_dump_json().encode()) for service, order in heads.items()},
        {service: outlines[service].marks() for service in heads},
    )
    before, edition = editions.marks_of(due.agent_id, revision), new_id()
    editions.keep(due.agent_id, edition, marks)
    unchanged = [service for service in heads if before is not None and before.same(marks, service)]
    properties = kafka_properties.of_container(connection, secrets, due.container_id)
    return Orders(
        version=due.version,
        edition=edition,
        since=revision if before is not None else "",
        orders=tuple(
            _filled(order, outlines[service], before, marks)
            for service, order in heads.items()
            if service not in unchanged
        ),
        unchanged=tuple(unchanged),
        push_properties=_hidden(properties.get("push", {})),
        client_properties=_hidden(properties.get("client", {})),
        properties=dict(properties_of(connection, due.container_id)),
        reach=reach_of(connection, due.container_id, loopback),
        drivers=drivers_of(connection, due.container_id),
    )


def _filled(order: Order, outline: Outline, before: Marks | None, marks: Marks) -> Order:
    """The order with its task's tables; with those that changed where the agent has the others."""
    tables = marks.parts[order.service]
    if before is None or order.service not in before.heads or outline.make is None:
        return order.model_copy(update={"task": outline.filled(order.task, tables)})
    known = before.parts[order.service]
    changed = [table for table, its in tables.items() if known.get(table) != its]
    removed = tuple(known.keys() - tables.keys())
    return order.model_copy(update={"task": outline.filled(order.task, changed), "removed": removed})


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


def _outlines(connection: Connection, secrets: SecretBox, own: Sequence[Row[Any]]) -> dict[str, Outline]:
    """The tasks of an agent's services, by the services' ids; one deleted meanwhile has none."""
    services: dict[str, list[str]] = defaultdict(list)
    for row in own:
        services[SERVICE_KINDS[row.type].orders].append(row.id)
    tasks: dict[str, Task | Outline] = {}
    for orders, service_ids in services.items():
        tasks.update(function(orders)(connection, secrets, service_ids))
    outlines = {service: task if isinstance(task, Outline) else Outline(task) for service, task in tasks.items()}
    return verification.with_orders(connection, secrets, outlines)


def _hidden(properties: Mapping[str, str]) -> dict[str, SecretStr]:
    return {name: SecretStr(value) for name, value in properties.items()}
