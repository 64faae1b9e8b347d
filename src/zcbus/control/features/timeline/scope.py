"""What belongs to a subject whose timeline is shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, or_, select

from zcbus.control.features.metric.schemas import MetricSubject
from zcbus.control.store.tables.container import agent, service
from zcbus.control.store.tables.publish import publish_node, published_table
from zcbus.control.store.tables.subscribe import channel, master, subscribed_table
from zcbus.control.store.tables.sync_link import sync_link, sync_task


@dataclass(frozen=True, slots=True)
class Scope:
    """Ids of the links, channels, services and containers. `names`: of links and services, by which the operation log
    names them; `tenants`: theirs. `table`: the one that alerts, loads and schema changes are limited to; None: all of
    the channels' tables."""

    links: Sequence[str]
    channels: Sequence[str]
    services: Sequence[str]
    names: Sequence[str]
    tenants: Sequence[str]
    containers: Sequence[str]
    table: str | None = None


def find(connection: Connection, kind: MetricSubject, subject_id: str) -> Scope:
    """The scope of a subject that exists."""
    rows = connection.execute(_parts().where(_WHERE[kind](subject_id)).distinct()).all()
    services = {row.service_id: row.service_name for row in rows}
    links = {row.link_id: row.link_name for row in rows if row.link_id is not None}
    return Scope(
        links=list(links),
        channels=list(dict.fromkeys(row.channel_id for row in rows if row.channel_id is not None)),
        services=list(services),
        names=list(dict.fromkeys([*links.values(), *services.values()])),
        tenants=list(dict.fromkeys(row.tenant_id for row in rows)),
        containers=list(dict.fromkeys([*(row.container_id for row in rows), *_own(connection, kind, subject_id)])),
        table=subject_id if kind in (MetricSubject.TABLE, MetricSubject.PUBLISHED_TABLE) else None,
    )


def _own(connection: Connection, kind: MetricSubject, subject_id: str) -> Sequence[str]:
    """The container of a host or container without services."""
    if kind is MetricSubject.CONTAINER:
        return [subject_id]
    if kind is not MetricSubject.HOST:
        return []
    return connection.execute(select(agent.c.container_id).where(agent.c.id == subject_id)).scalars().all()


def _parts() -> Select[Any]:
    """Services with the channel that each applies for or publishes to, and its link."""
    return (
        select(
            service.c.id.label("service_id"),
            service.c.name.label("service_name"),
            service.c.tenant_id,
            service.c.container_id,
            channel.c.id.label("channel_id"),
            sync_link.c.id.label("link_id"),
            sync_link.c.name.label("link_name"),
        )
        .select_from(service)
        .outerjoin(publish_node, publish_node.c.service_id == service.c.id)
        .outerjoin(master, master.c.node_id == publish_node.c.id)
        .outerjoin(channel, or_(channel.c.service_id == service.c.id, channel.c.master_id == master.c.id))
        .outerjoin(sync_task, sync_task.c.channel_id == channel.c.id)
        .outerjoin(sync_link, sync_link.c.id == sync_task.c.link_id)
    )


def _channels_of(column: ColumnElement[Any], subject_id: str) -> Select[Any]:
    found = select(channel.c.id).join(master, master.c.id == channel.c.master_id)
    found = found.outerjoin(subscribed_table, subscribed_table.c.channel_id == channel.c.id)
    return found.where(column == subject_id)


def _node_of_table(subject_id: str) -> Select[Any]:
    return select(published_table.c.node_id).where(published_table.c.id == subject_id)


_WHERE: Mapping[MetricSubject, Any] = {
    MetricSubject.LINK: lambda one: sync_link.c.id == one,
    MetricSubject.TASK: lambda one: sync_task.c.id == one,
    MetricSubject.CHANNEL: lambda one: channel.c.id == one,
    MetricSubject.CUSTOMER: lambda one: channel.c.id.in_(_channels_of(master.c.customer_id, one)),
    MetricSubject.TABLE: lambda one: channel.c.id.in_(_channels_of(subscribed_table.c.id, one)),
    MetricSubject.NODE: lambda one: publish_node.c.id == one,
    MetricSubject.PUBLISHED_TABLE: lambda one: publish_node.c.id.in_(_node_of_table(one)),
    MetricSubject.SERVICE: lambda one: service.c.id == one,
    MetricSubject.HOST: lambda one: service.c.agent_id == one,
    MetricSubject.CONTAINER: lambda one: service.c.container_id == one,
}
