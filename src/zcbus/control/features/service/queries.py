"""Queries over services with their owners. Each carries the condition that hides other tenants' rows."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, func, or_, select, update

from zcbus.control.features.container import views as containers
from zcbus.control.features.service.schemas import ServicePageRequest
from zcbus.control.platform.principal import Principal
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.container import agent, container, service
from zcbus.control.store.tables.contrast import contrast
from zcbus.control.store.tables.data_service import data_service
from zcbus.control.store.tables.data_source import data_source
from zcbus.control.store.tables.publish import publish_node, published_table
from zcbus.control.store.tables.stream import computation, computation_input
from zcbus.control.store.tables.subscribe import channel, customer, customer_database, master
from zcbus.control.store.tables.sync_link import sync_link
from zcbus.model.states import ServiceState
from zcbus.protocol.service_kinds import SERVICE_KINDS

_feeding_node = publish_node.alias("feeding_node")
_read_node = (
    select(func.min(published_table.c.node_id))
    .join(computation_input, computation_input.c.published_table_id == published_table.c.id)
    .where(computation_input.c.computation_id == computation.c.id)
    .correlate(computation)
    .scalar_subquery()
)
"""A stream query may read several nodes; it is shown with one of them."""
_node_id = func.coalesce(publish_node.c.id, master.c.node_id, _read_node)
_kind = data_source.c.kind


def select_services(
    connection: Connection, principal: Principal, *conditions: ColumnElement[bool]
) -> Sequence[Row[Any]]:
    """Services that are in containers, by name."""
    return _select(connection, principal, service.c.removed_at.is_(None), *conditions)


def select_by_owners(
    connection: Connection, principal: Principal, kind: str, owner_ids: Iterable[str]
) -> Sequence[Row[Any]]:
    """Services of publish nodes, of data services, or of customers, whether in a container or not."""
    owners = {"node": publish_node.c.id, "data-service": data_service.c.id, "customer": customer.c.id}
    owner = owners[SERVICE_KINDS[kind].made_for]
    return _select(connection, principal, service.c.type == kind, owner.in_(list(owner_ids)))


def by_ids(ids: Iterable[str]) -> ColumnElement[bool]:
    return service.c.id.in_(list(ids))


def by_node(node_id: str) -> ColumnElement[bool]:
    """Those that publish a node and those that subscribe to it."""
    return _node_id == node_id


def fed() -> ColumnElement[bool]:
    """Those that another service feeds."""
    return _feeding_node.c.service_id.is_not(None)


def of_kind(kind: str, sub_type: str) -> ColumnElement[bool]:
    """Services of a type, and of a kind of database where one is given."""
    return and_(service.c.type == kind, _kind == sub_type) if sub_type else service.c.type == kind


def matching(request: ServicePageRequest) -> list[ColumnElement[bool]]:
    """Conditions of a list's filters, as far as they are stored columns."""
    filters = (
        (service.c.container_id, request.containerid),
        (service.c.type, request.type),
        (customer.c.id, request.customerid),
        (_node_id, request.node_id),
        (_feeding_node.c.service_id, request.parent_id),
    )
    conditions: list[ColumnElement[bool]] = [column == value for column, value in filters if value]
    if request.status:
        conditions.append(service.c.current_state.in_([part.strip() for part in request.status.split(",")]))
    if request.subtypes:
        conditions.append(_kind.in_([part.strip() for part in request.subtypes.split(",")]))
    if request.parent_id_is_null:
        conditions.append(_feeding_node.c.service_id.is_(None))
    if request.search.strip():
        searched = (service.c.name, service.c.id, agent.c.host, container.c.name, service.c.remark)
        conditions.append(any_contains(searched, request.search.strip()))
    return conditions


def buses_of(connection: Connection, container_id: str) -> set[str | None]:
    """Bus names of a container's hosts."""
    return set(connection.execute(select(agent.c.bus).where(agent.c.container_id == container_id)).scalars())


def change(connection: Connection, service_ids: Iterable[str], values: Mapping[str, Any]) -> None:
    connection.execute(update(service).where(by_ids(service_ids)).values(**values))


def place(connection: Connection, service_ids: Iterable[str], container_id: str, **values: Any) -> None:
    """Put stopped services into a container, without an agent yet."""
    fresh = {
        "agent_id": None,
        "next_agent_id": None,
        "pinned": False,
        "observed": ServiceState.NOT_RUNNING.value,
        "pid": None,
        "removed_at": None,
        "reason": None,
    }
    change(connection, service_ids, {**fresh, "container_id": container_id, **values})


def remove(connection: Connection, service_ids: Iterable[str], now: datetime) -> None:
    """Take stopped services out of their containers."""
    nowhere = {"agent_id": None, "next_agent_id": None, "pinned": False, "pid": None}
    change(connection, service_ids, {**nowhere, "removed_at": now})


def _select(connection: Connection, principal: Principal, *conditions: ColumnElement[bool]) -> Sequence[Row[Any]]:
    link = (
        select(func.min(sync_link.c.id))
        .where(or_(sync_link.c.node_id == publish_node.c.id, sync_link.c.customer_id == master.c.customer_id))
        .scalar_subquery()
    )
    target = func.coalesce(master.c.data_source_id, customer_database.c.data_source_id, customer.c.data_source_id)
    statement = (
        containers.services()
        .add_columns(
            func.coalesce(_node_id, "").label("node_id"),
            customer.c.id.label("customerid"),
            _feeding_node.c.service_id.label("parent_id"),
            data_service.c.id.label("data_service_id"),
            func.coalesce(_kind, "").label("sub_type"),
            link.label("link_id"),
            agent.c.bus.label("agent_bus"),
        )
        .outerjoin(publish_node, publish_node.c.service_id == service.c.id)
        .outerjoin(channel, channel.c.service_id == service.c.id)
        .outerjoin(contrast, contrast.c.service_id == service.c.id)
        .outerjoin(master, master.c.id == func.coalesce(channel.c.master_id, contrast.c.master_id))
        .outerjoin(computation, computation.c.service_id == service.c.id)
        .outerjoin(customer_database, customer_database.c.id == computation.c.database_id)
        .outerjoin(customer, customer.c.id == func.coalesce(master.c.customer_id, computation.c.customer_id))
        .outerjoin(_feeding_node, _feeding_node.c.id == master.c.node_id)
        .outerjoin(data_service, data_service.c.service_id == service.c.id)
        .outerjoin(data_source, data_source.c.id == func.coalesce(publish_node.c.data_source_id, target))
        .where(containers.by_tenant(principal), *conditions)
        .order_by(service.c.name, service.c.type, service.c.id)
    )
    return connection.execute(statement).all()
