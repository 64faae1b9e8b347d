"""Owner of a service as alerts name it: a sync link, else a publish node, a subscriber or a process without a link."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, Row, Select, func, select

from zcbus.control.store.tables.publish import publish_node
from zcbus.control.store.tables.subscribe import channel, customer, master
from zcbus.control.store.tables.sync_link import sync_link, sync_task
from zcbus.model.services import ClientType

What = Literal["link", "node", "subscriber", "process"]
PROCESS: What = "process"
_CUSTOMERS: Mapping[ClientType, What] = {"client": "subscriber", "databus": PROCESS}


@dataclass(frozen=True, slots=True)
class Owner:
    """`customer`: id and name of the subscriber concerned, where there is one."""

    what: What
    name: str
    tenant_id: str
    link_id: str | None
    task_id: str | None
    customer: tuple[str, str] | None

    @property
    def facts(self) -> Mapping[str, str]:
        """How the texts of alerts speak of it."""
        return {"owner": self.what, "link": self.name}


def owners_of_services(connection: Connection) -> dict[str, Owner]:
    """By the service's id, of all tenants."""
    nodes = {row.service_id: _owner(row, "node") for row in connection.execute(_publishing())}
    receivers = {row.service_id: _owner(row, _alone(row)) for row in connection.execute(_subscribing())}
    return nodes | receivers


def subscription_facts(row: Row[Any]) -> dict[str, str]:
    """The same facts of a subscribed table, from a row with `link_id`, `link_name` and `client_type`
    (`subscribe.views.tables`)."""
    return {"owner": owner_of(row), "link": row.link_name}


def owner_of(row: Row[Any]) -> What:
    """Of a row with `link_id` and `client_type`."""
    return "link" if row.link_id else _alone(row)


def _alone(row: Row[Any]) -> What:
    return _CUSTOMERS[row.client_type]


def _owner(row: Row[Any], alone: What) -> Owner:
    concerned = (row.customer_id, row.customer_name) if row.customer_id else None
    return Owner("link" if row.link_id else alone, row.name, row.tenant_id, row.link_id, row.task_id, concerned)


def _publishing() -> Select[Any]:
    # A node may feed several links; the service is the first one's then, so that there is one alert.
    fed = sync_link.alias("fed")
    first = select(func.min(fed.c.id)).where(fed.c.node_id == publish_node.c.id).correlate(publish_node)
    task = select(func.min(sync_task.c.id)).where(sync_task.c.link_id == sync_link.c.id).correlate(sync_link)
    return (
        select(
            publish_node.c.service_id,
            publish_node.c.tenant_id,
            func.coalesce(sync_link.c.name, publish_node.c.name).label("name"),
            sync_link.c.id.label("link_id"),
            task.scalar_subquery().label("task_id"),
            customer.c.id.label("customer_id"),
            customer.c.name.label("customer_name"),
        )
        .select_from(publish_node)
        .outerjoin(sync_link, sync_link.c.id == first.scalar_subquery())
        .outerjoin(customer, customer.c.id == sync_link.c.customer_id)
    )


def _subscribing() -> Select[Any]:
    return (
        select(
            channel.c.service_id,
            customer.c.tenant_id,
            customer.c.client_type,
            func.coalesce(sync_link.c.name, customer.c.name).label("name"),
            sync_link.c.id.label("link_id"),
            sync_task.c.id.label("task_id"),
            customer.c.id.label("customer_id"),
            customer.c.name.label("customer_name"),
        )
        .select_from(channel)
        .join(master, master.c.id == channel.c.master_id)
        .join(customer, customer.c.id == master.c.customer_id)
        .outerjoin(sync_task, sync_task.c.channel_id == channel.c.id)
        .outerjoin(sync_link, sync_link.c.id == sync_task.c.link_id)
    )
