"""Who owns stored data sources, whichever feature that belongs to."""

from typing import Any

from sqlalchemy import Select, String, literal, select, union_all

from zcbus.control.store.tables.data_service import api_group, data_service
from zcbus.control.store.tables.data_source import data_source
from zcbus.control.store.tables.publish import publish_node
from zcbus.control.store.tables.subscribe import customer, customer_database


def owned_data_sources() -> Select[Any]:
    """Columns kind, options, name (of the owner), use (publish, subscribe, api), by name; one with several owners is
    there for each. Of all tenants: callers add a condition about `data_source.c.tenant_id`."""
    owners = union_all(
        select(publish_node.c.data_source_id, publish_node.c.name, _use("publish")),
        select(customer.c.data_source_id, customer.c.name, _use("subscribe")),
        select(
            customer_database.c.data_source_id,
            (customer.c.name + " / " + customer_database.c.name).label("name"),
            _use("subscribe"),
        ).join(customer, customer.c.id == customer_database.c.customer_id),
        select(api_group.c.data_source_id, api_group.c.name, _use("api")).join(
            data_service, data_service.c.id == api_group.c.data_service_id
        ),
    ).subquery("owners")
    return (
        select(data_source.c.kind, data_source.c.options, owners.c.name, owners.c.use)
        .join(owners, owners.c.data_source_id == data_source.c.id)
        .order_by(owners.c.name, owners.c.use)
    )


def _use(name: str) -> Any:
    return literal(name, String(10)).label("use")
