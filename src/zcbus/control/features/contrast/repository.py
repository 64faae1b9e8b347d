"""Queries over contrast services and comparisons."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, bindparam, func, select, update

from zcbus.control.platform.principal import Principal
from zcbus.control.store.tables.container import agent, container, service
from zcbus.control.store.tables.contrast import comparison, contrast
from zcbus.control.store.tables.publish import publish_node
from zcbus.control.store.tables.subscribe import channel, customer, master, subscribed_table
from zcbus.kit.ids import new_id

_any_channel = channel.alias("any_channel")


def masters_to_serve(connection: Connection, masters: Iterable[str]) -> Sequence[Row[Any]]:
    """Masters with their contrast service (NULL: none yet), their tenant, and the container of their first channel."""
    first = select(func.min(_any_channel.c.id)).where(_any_channel.c.master_id == master.c.id).scalar_subquery()
    statement: Select[Any] = (
        select(
            master.c.id,
            master.c.name,
            customer.c.tenant_id,
            service.c.container_id,
            contrast.c.id.label("contrast_id"),
            contrast.c.service_id,
        )
        .join(customer, customer.c.id == master.c.customer_id)
        .join(channel, channel.c.id == first)
        .join(service, service.c.id == channel.c.service_id)
        .outerjoin(contrast, contrast.c.master_id == master.c.id)
        .where(master.c.id.in_(list(masters)))
        .order_by(master.c.id)
    )
    return connection.execute(statement).all()


def masters_of_customers(connection: Connection, principal: Principal, customers: Iterable[str]) -> Sequence[str]:
    """Masters of customers that the caller may see."""
    return (
        connection.execute(
            select(master.c.id)
            .join(customer, customer.c.id == master.c.customer_id)
            .where(principal.visible(customer.c.tenant_id), customer.c.id.in_(list(customers)))
        )
        .scalars()
        .all()
    )


def insert_contrast(connection: Connection, **values: Any) -> str:
    contrast_id = new_id()
    connection.execute(contrast.insert().values(id=contrast_id, **values))
    return contrast_id


def insert_comparisons(connection: Connection, comparisons: Sequence[Mapping[str, Any]]) -> None:
    if not comparisons:
        return
    figures = ("rows_compared", "missing", "extra", "different", "unsettled", "not_checked", "repaired")
    nothing = dict.fromkeys((*figures, "repair", "reported_repair", "reported_number"), 0)
    connection.execute(
        comparison.insert(),
        [
            {"id": new_id(), "state": "not-running", "repair_state": "cannot-repair", **nothing, **values}
            for values in comparisons
        ],
    )


def change_comparisons(connection: Connection, changes: Mapping[str, Mapping[str, Any]]) -> None:
    """Change comparisons (by subscribed table), the same columns for all."""
    if not changes:
        return
    names = next(iter(changes.values()))
    statement = (
        update(comparison)
        .where(comparison.c.table_id == bindparam("changed_table"))
        .values({name: bindparam(f"new_{name}") for name in names})
    )
    rows = [
        {"changed_table": table_id, **{f"new_{name}": value for name, value in values.items()}}
        for table_id, values in changes.items()
    ]
    connection.execute(statement, rows)


def comparison_of(connection: Connection, table_id: str) -> Row[Any] | None:
    """The comparison of a subscribed table, with the service that makes it; None: it was never compared."""
    statement: Select[Any] = (
        select(comparison, contrast.c.service_id)
        .join(contrast, contrast.c.id == comparison.c.contrast_id)
        .where(comparison.c.table_id == table_id)
    )
    return connection.execute(statement).first()


def services_of_masters(connection: Connection, masters: Iterable[str]) -> Sequence[str]:
    """Their contrast services, as far as they have one."""
    found = select(contrast.c.service_id).where(contrast.c.master_id.in_(list(masters)))
    return connection.execute(found.order_by(contrast.c.service_id)).scalars().all()


def service_location(connection: Connection, service_id: str) -> Row[Any]:
    """The container and agent of a service, with the agent's last heartbeat."""
    statement: Select[Any] = (
        select(service.c.agent_id, service.c.container_id, container.c.name, agent.c.heartbeat_at)
        .join(container, container.c.id == service.c.container_id)
        .outerjoin(agent, agent.c.id == service.c.agent_id)
        .where(service.c.id == service_id)
    )
    return connection.execute(statement).one()


def select_contrasts(connection: Connection, service_ids: Iterable[str]) -> Sequence[Row[Any]]:
    """Contrast services (by id) with their node and the two data sources."""
    statement: Select[Any] = (
        select(
            contrast.c.id,
            contrast.c.service_id,
            master.c.node_id,
            master.c.load_type,
            publish_node.c.data_source_id.label("source_id"),
            func.coalesce(master.c.data_source_id, customer.c.data_source_id).label("target_id"),
        )
        .join(master, master.c.id == contrast.c.master_id)
        .join(customer, customer.c.id == master.c.customer_id)
        .join(publish_node, publish_node.c.id == master.c.node_id)
        .where(contrast.c.service_id.in_(list(service_ids)))
    )
    return connection.execute(statement).all()


def select_requested(connection: Connection, contrast_ids: Iterable[str]) -> Sequence[Row[Any]]:
    """Comparisons with the channel of their table."""
    return connection.execute(
        select(comparison, subscribed_table.c.channel_id)
        .join(subscribed_table, subscribed_table.c.id == comparison.c.table_id)
        .where(comparison.c.contrast_id.in_(list(contrast_ids)))
        .order_by(comparison.c.asked_at, comparison.c.id)
    ).all()


def save_report(connection: Connection, contrast_id: str, comparison_id: str, values: Mapping[str, Any]) -> None:
    """Reports about the requested number."""
    own = and_(
        comparison.c.id == comparison_id,
        comparison.c.contrast_id == contrast_id,
        comparison.c.number == values["reported_number"],
    )
    connection.execute(update(comparison).where(own).values(**values))
