"""Which channels and services belong to the groups that figures are counted for."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Row, Select, func, select

from zcbus.control.features.index_statistics.schemas import Grouping
from zcbus.control.platform.principal import Principal
from zcbus.control.store.tables.container import container, service
from zcbus.control.store.tables.identity import tenant
from zcbus.control.store.tables.publish import publish_node
from zcbus.control.store.tables.subscribe import channel, customer, master
from zcbus.control.store.tables.sync_link import sync_link, sync_task


@dataclass(slots=True)
class Group:
    """Subjects of metrics (see `metric.catalogue`). A node that several links share counts for each of them."""

    id: str
    name: str
    channels: set[str] = field(default_factory=set)
    services: set[str] = field(default_factory=set)


def groups_of(connection: Connection, principal: Principal, by: Grouping) -> Sequence[Group]:
    """The groups that the caller may see, by name."""
    found: dict[str, Group] = {}
    nodes = connection.execute(_nodes(principal)).all()
    for row in connection.execute(_channels(principal)):
        group = _group(found, row, by)
        group.channels.add(row.channel_id)
        group.services |= {row.subscribe_service, row.publish_service}
    # Nodes that no channel reads. Links are no groups of theirs.
    for row in nodes if by is not Grouping.LINK else ():
        _group(found, row, by).services.add(row.publish_service)
    return sorted(found.values(), key=lambda group: (group.name.casefold(), group.id))


def all_of(groups: Iterable[Group]) -> Group:
    """Everything in the groups, once."""
    whole = Group("", "")
    for group in groups:
        whole.channels |= group.channels
        whole.services |= group.services
    return whole


def _group(found: dict[str, Group], row: Row[Any], by: Grouping) -> Group:
    id_, name = getattr(row, f"{by.value}_id"), getattr(row, f"{by.value}_name")
    return found.setdefault(id_, Group(id_, name))


def _nodes(principal: Principal) -> Select[Any]:
    found: Select[Any] = select(
        publish_node.c.id.label("node_id"),
        publish_node.c.name.label("node_name"),
        publish_node.c.service_id.label("publish_service"),
        tenant.c.id.label("tenant_id"),
        tenant.c.name.label("tenant_name"),
        container.c.id.label("container_id"),
        container.c.name.label("container_name"),
    )
    return (
        found.join(tenant, tenant.c.id == publish_node.c.tenant_id)
        .join(service, service.c.id == publish_node.c.service_id)
        .join(container, container.c.id == service.c.container_id)
        .where(principal.visible(publish_node.c.tenant_id))
    )


def _channels(principal: Principal) -> Select[Any]:
    found: Select[Any] = select(
        channel.c.id.label("channel_id"),
        channel.c.service_id.label("subscribe_service"),
        publish_node.c.service_id.label("publish_service"),
        publish_node.c.id.label("node_id"),
        publish_node.c.name.label("node_name"),
        tenant.c.id.label("tenant_id"),
        tenant.c.name.label("tenant_name"),
        container.c.id.label("container_id"),
        container.c.name.label("container_name"),
        func.coalesce(sync_link.c.id, customer.c.id).label("link_id"),
        func.coalesce(sync_link.c.name, customer.c.name).label("link_name"),
    )
    return (
        found.join(master, master.c.id == channel.c.master_id)
        .join(customer, customer.c.id == master.c.customer_id)
        .join(tenant, tenant.c.id == customer.c.tenant_id)
        .join(publish_node, publish_node.c.id == master.c.node_id)
        .join(service, service.c.id == channel.c.service_id)
        .join(container, container.c.id == service.c.container_id)
        .outerjoin(sync_task, sync_task.c.channel_id == channel.c.id)
        .outerjoin(sync_link, sync_link.c.id == sync_task.c.link_id)
        .where(principal.visible(customer.c.tenant_id))
    )
