"""Queries over sync links and their tasks."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, String, cast, delete, func, literal, or_, select, update

from zcbus.control.features.subscribe.table_state import publish_service, subscribe_service
from zcbus.control.features.sync_link import views
from zcbus.control.platform.principal import Principal
from zcbus.control.store.tables.sync_link import sync_link, sync_task
from zcbus.kit.ids import new_id
from zcbus.model.states import LinkState


def find_links(
    connection: Connection, principal: Principal, *, link_id: str | None = None, name: str | None = None
) -> Sequence[Row[Any]]:
    """Links the caller may see with this id or this name. Names are unique in a tenant, the caller's own come first."""
    statement = views.links().where(principal.visible(sync_link.c.tenant_id))
    statement = statement.where(sync_link.c.id == link_id) if link_id else statement.where(sync_link.c.name == name)
    own_first = (sync_link.c.tenant_id == literal(principal.tenant_id)).desc()
    return connection.execute(statement.order_by(own_first, sync_link.c.id)).all()


def select_links(
    connection: Connection, principal: Principal, search: str | None, states: Sequence[LinkState] | None = None
) -> Sequence[Row[Any]]:
    """Links the caller may see, the newest first; `search` is a part of the name or of a connection's options.
    `states`: only links in one of these."""
    statement = views.links().where(principal.visible(sync_link.c.tenant_id))
    if states:
        statement = statement.where(sync_link.c.current_state.in_(states))
    if search:
        part = f"%{_escape(search.strip().lower())}%"
        statement = statement.where(
            or_(
                func.lower(sync_link.c.name).like(part, escape="\\"),
                *(
                    func.lower(cast(side.c.options, String)).like(part, escape="\\")
                    for side in (views.source, views.target)
                ),
            )
        )
    return connection.execute(statement.order_by(sync_link.c.created_at.desc(), sync_link.c.id.desc())).all()


def name_is_taken(connection: Connection, tenant_id: str, name: str) -> bool:
    found = select(sync_link.c.id).where(sync_link.c.tenant_id == tenant_id, sync_link.c.name == name)
    return connection.execute(found).first() is not None


def select_counts(connection: Connection, link_ids: list[str] | None) -> Sequence[Row[Any]]:
    return connection.execute(views.counts_by_state(link_ids)).all()


def insert_link(connection: Connection, **values: Any) -> str:
    link_id = new_id()
    values = {"current_since": values["created_at"], **values}
    connection.execute(sync_link.insert().values(id=link_id, version=1, **values))
    return link_id


def insert_task(connection: Connection, link_id: str, channel_id: str, now: datetime) -> str:
    task_id = new_id()
    connection.execute(sync_task.insert().values(id=task_id, link_id=link_id, channel_id=channel_id, created_at=now))
    return task_id


def task_of(connection: Connection, link_id: str) -> str:
    """The task that runs on a link."""
    task_id: str = connection.execute(select(sync_task.c.id).where(sync_task.c.link_id == link_id)).scalar_one()
    return task_id


def set_desired(connection: Connection, link_id: str, desired: str, now: datetime) -> None:
    connection.execute(update(sync_link).where(sync_link.c.id == link_id).values(desired=desired, updated_at=now))


def select_desired(connection: Connection, service_ids: Iterable[str]) -> Sequence[Row[Any]]:
    """Links that use one of the services, with the desired state of both services and the container of the second."""
    ids = list(service_ids)
    uses = or_(publish_service.c.id.in_(ids), subscribe_service.c.id.in_(ids))
    statement: Select[Any] = views.links().with_only_columns(
        sync_link.c.id,
        sync_link.c.desired,
        sync_link.c.container_id,
        publish_service.c.desired.label("publish_desired"),
        subscribe_service.c.desired.label("subscribe_desired"),
        subscribe_service.c.container_id.label("subscribe_container"),
    )
    return connection.execute(statement.where(uses).order_by(sync_link.c.id)).all()


def follow(connection: Connection, link_id: str, desired: str, container_id: str, now: datetime) -> None:
    """Set a link's desired state and container to those of its services."""
    values = {"desired": desired, "container_id": container_id, "updated_at": now}
    connection.execute(update(sync_link).where(sync_link.c.id == link_id).values(**values))


def change_document(connection: Connection, link_id: str, version: int, document: Any, now: datetime) -> bool:
    """Store a changed document over version `version`; False where another change was faster."""
    done = connection.execute(
        update(sync_link)
        .where(sync_link.c.id == link_id, sync_link.c.version == version)
        .values(document=document, version=version + 1, updated_at=now)
    )
    return done.rowcount == 1


def delete_link(connection: Connection, link_id: str) -> None:
    connection.execute(delete(sync_task).where(sync_task.c.link_id == link_id))
    connection.execute(delete(sync_link).where(sync_link.c.id == link_id))


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
