"""Queries over containers, agents and services."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, delete, func, select, update

from zcbus.control.features.container import views
from zcbus.control.platform.principal import Principal
from zcbus.control.store.among import among
from zcbus.control.store.change_events import notify
from zcbus.control.store.tables.container import agent, container, service
from zcbus.kit.ids import new_id
from zcbus.model.states import ServiceState


def find_container_by_name(connection: Connection, name: str) -> Row[Any] | None:
    return connection.execute(select(container).where(container.c.name == name)).one_or_none()


def select_containers(connection: Connection, principal: Principal) -> Sequence[Row[Any]]:
    """Those the caller may use, the oldest first."""
    return connection.execute(
        select(container).where(views.usable(principal)).order_by(container.c.created_at, container.c.id)
    ).all()


def insert_container(connection: Connection, **values: Any) -> str:
    container_id = new_id()
    connection.execute(container.insert().values(id=container_id, revision=1, **values))
    return container_id


def set_properties(connection: Connection, container_id: str, sealed: str) -> None:
    connection.execute(update(container).where(container.c.id == container_id).values(sealed_properties=sealed))


def set_plain_properties(connection: Connection, container_id: str, values: Mapping[str, int]) -> None:
    connection.execute(update(container).where(container.c.id == container_id).values(properties=dict(values)))


def set_network(connection: Connection, container_id: str, network: Mapping[str, Any]) -> None:
    connection.execute(update(container).where(container.c.id == container_id).values(network=dict(network)))


def services_of_container(connection: Connection, container_id: str) -> Sequence[str]:
    found = select(service.c.id).where(service.c.container_id == container_id, service.c.removed_at.is_(None))
    return connection.execute(found).scalars().all()


def containers_of(connection: Connection, service_ids: Iterable[str]) -> Sequence[str]:
    """Always in the same order, so that two changes never wait for each other."""
    statement = select(service.c.container_id).where(service.c.id.in_(list(service_ids))).distinct()
    return connection.execute(statement.order_by(service.c.container_id)).scalars().all()


def find_container(connection: Connection, container_id: str) -> Row[Any]:
    return connection.execute(select(container).where(container.c.id == container_id)).one()


def bump_revision(connection: Connection, container_id: str) -> None:
    """Notify the container's agents of a changed order."""
    connection.execute(
        update(container).where(container.c.id == container_id).values(revision=container.c.revision + 1)
    )
    notify(connection, container_id)


def revision_of(connection: Connection, container_id: str) -> int:
    revision: int = connection.execute(select(container.c.revision).where(container.c.id == container_id)).scalar_one()
    return revision


def find_agent(connection: Connection, agent_id: str) -> Row[Any] | None:
    return connection.execute(select(agent).where(agent.c.id == agent_id)).one_or_none()


def save_agent(connection: Connection, agent_id: str, **values: Any) -> None:
    """Insert or replace an agent's row."""
    done = connection.execute(update(agent).where(agent.c.id == agent_id).values(**values))
    if done.rowcount == 0:
        connection.execute(agent.insert().values(id=agent_id, **values))


def change_agent(connection: Connection, agent_id: str, **values: Any) -> None:
    connection.execute(update(agent).where(agent.c.id == agent_id).values(**values))


def release_foreign_services(connection: Connection, agent_id: str, container_id: str) -> None:
    """An agent that changed its container leaves the services of the old one there."""
    connection.execute(
        update(service)
        .where(service.c.agent_id == agent_id, service.c.container_id != container_id)
        .values(agent_id=None, next_agent_id=None, pinned=False)
    )
    cancel_moves(connection, agent_id, except_in=container_id)


def release(connection: Connection, service_ids: Sequence[str]) -> None:
    """Free services that surely no host runs for the next host that takes them."""
    nowhere = {"agent_id": None, "next_agent_id": None, "pinned": False, "pid": None}
    values = {**nowhere, "observed": ServiceState.NOT_RUNNING, "reason": None}
    connection.execute(update(service).where(by_ids(service_ids)).values(**values))


def remove_agent(connection: Connection, agent_id: str) -> None:
    mark_services(connection, agent_id)
    connection.execute(delete(agent).where(agent.c.id == agent_id))


def mark_services(connection: Connection, agent_id: str) -> None:
    """The states of an agent's services follow from its row too, and that has changed."""
    connection.execute(update(service).where(service.c.agent_id == agent_id).values(unreduced=True))


def cancel_moves(connection: Connection, agent_id: str, *, except_in: str = "") -> None:
    """Cancel moves of services to an agent, but for those of one container."""
    coming = and_(service.c.next_agent_id == agent_id, service.c.container_id != except_in)
    ids = connection.execute(select(service.c.id).where(coming)).scalars().all()
    order(connection, ids, {"next_agent_id": None, "pinned": False})
    for container_id in containers_of(connection, ids):
        bump_revision(connection, container_id)


def give(connection: Connection, service_ids: Sequence[str], agent_id: str, now: datetime) -> None:
    """Assign services that no host runs to an agent; the agents of their containers are notified."""
    values = {"agent_id": agent_id, "next_agent_id": None, "observed": ServiceState.NOT_RUNNING, "pid": None}
    connection.execute(update(service).where(by_ids(service_ids)).values(**values, observed_since=now, reason=None))
    for container_id in containers_of(connection, service_ids):
        bump_revision(connection, container_id)


def lock_services(connection: Connection, service_ids: Iterable[str]) -> None:
    """Lock services until this transaction ends."""
    connection.execute(select(service.c.id).where(by_ids(service_ids)).order_by(service.c.id).with_for_update())


def select_other_hosts(connection: Connection, container_id: str, agent_id: str) -> Sequence[Row[Any]]:
    """The container's agents but one, with the number of their services."""
    services = select(func.count()).select_from(service).where(service.c.agent_id == agent.c.id)
    return connection.execute(
        select(agent, services.correlate(agent).scalar_subquery().label("services"))
        .where(agent.c.container_id == container_id, agent.c.id != agent_id)
        .order_by(agent.c.host, agent.c.id)
    ).all()


def select_agents(connection: Connection, principal: Principal) -> Sequence[Row[Any]]:
    return connection.execute(
        select(agent, container.c.name.label("container_name"))
        .join(container, container.c.id == agent.c.container_id)
        .where(views.usable(principal))
        .order_by(container.c.name, agent.c.host)
    ).all()


def select_hosts_without_references(connection: Connection, container_ids: Sequence[str]) -> list[str]:
    return list(
        connection.execute(
            select(agent.c.host)
            .where(among(agent.c.container_id, container_ids), agent.c.reads_route_references.is_(False))
            .order_by(agent.c.host)
        ).scalars()
    )


def select_tenants_of_agents(connection: Connection) -> Sequence[Row[Any]]:
    """Agents with the tenants whose services they run."""
    pairs: Select[Any] = (
        select(service.c.agent_id, service.c.tenant_id).where(service.c.agent_id.is_not(None)).distinct()
    )
    return connection.execute(pairs).all()


def insert_service(connection: Connection, **values: Any) -> str:
    service_id = new_id()
    connection.execute(
        service.insert().values(
            id=service_id,
            forced=False,
            restart=0,
            observed="not-running",
            current_since=values["created_at"],
            restarts=0,
            last_exit="",
            progress=0,
            position="",
            **values,
        )
    )
    return service_id


def select_services_of_agent(connection: Connection, agent_id: str) -> Sequence[Row[Any]]:
    return connection.execute(select(service).where(service.c.agent_id == agent_id).order_by(service.c.id)).all()


def select_services(connection: Connection, condition: ColumnElement[bool]) -> Sequence[Row[Any]]:
    """Services with their container's name and their agent's host and heartbeat."""
    return connection.execute(views.services().where(condition).order_by(service.c.name, service.c.id)).all()


def by_ids(service_ids: Iterable[str]) -> ColumnElement[bool]:
    return service.c.id.in_(list(service_ids))


def order(connection: Connection, service_ids: Iterable[str], values: Mapping[str, Any]) -> None:
    """Change the desired state of services, from the container's next revision on."""
    next_revision = select(container.c.revision + 1).where(container.c.id == service.c.container_id).scalar_subquery()
    connection.execute(
        update(service).where(service.c.id.in_(list(service_ids))).values(revision=next_revision, **values)
    )


def request_restart(connection: Connection, service_ids: Iterable[str], forced: bool) -> None:
    order(connection, service_ids, {"restart": service.c.restart + 1, "forced": forced})


def delete_services(connection: Connection, service_ids: Iterable[str]) -> None:
    connection.execute(delete(service).where(service.c.id.in_(list(service_ids))))
