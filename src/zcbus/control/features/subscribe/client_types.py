"""Types of customers and their menu entries: subscribers have one, processes another, and both use the same calls."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, select, true

from zcbus.control.features.subscribe.errors import TablesWithoutRulesError
from zcbus.control.platform.authorisation import Access, authorise_any
from zcbus.control.platform.errors import ForbiddenError
from zcbus.control.platform.menus import CUSTOMER_PAGES
from zcbus.control.platform.principal import Operation, Principal
from zcbus.control.store.tables.publish import published_table
from zcbus.control.store.tables.subscribe import channel, customer, master, subscribed_table
from zcbus.model.services import ONLY_TRANSFORMED, ClientType
from zcbus.protocol.transforms import Transform


def authorise_customers(operation: Operation) -> Access:
    """For calls about customers of every type: each caller reaches those whose menu entry a role allows the operation
    on. Queries must use `reached`."""
    return authorise_any(*((key, operation) for key in CUSTOMER_PAGES.values()))


def reached(
    principal: Principal, tenant_id: ColumnElement[Any], client_type: ColumnElement[Any]
) -> ColumnElement[bool]:
    """The condition of every query over customers and their objects."""
    return and_(principal.visible(tenant_id), _of_types(principal, client_type))


def _of_types(principal: Principal, client_type: ColumnElement[Any]) -> ColumnElement[bool]:
    if principal.entered_by is None:
        return true()
    return client_type.in_([name for name, key in CUSTOMER_PAGES.items() if key in principal.entered_by])


def check_create(principal: Principal, client_type: ClientType) -> None:
    """Whether the caller may make a customer of this type. Raises ForbiddenError."""
    key = CUSTOMER_PAGES[client_type]
    if not principal.may(key, Operation.CREATE):
        raise ForbiddenError(menuKey=key, operation=Operation.CREATE.value)


def lacks_rules(client_type: str, transform: Transform) -> bool:
    """Whether a customer of this type refuses a table with this transformation."""
    return client_type in ONLY_TRANSFORMED and not transform.changes_rows


def row_lacks_rules(row: Row[Any]) -> bool:
    """Of a row with `client_type` and `transform`, as `views.tables` has them."""
    return row.client_type in ONLY_TRANSFORMED and lacks_rules(row.client_type, Transform.model_validate(row.transform))


def refuse_settings(row: Row[Any], transform: Transform) -> None:
    """Whether the table of such a row may be transformed so. Raises TablesWithoutRulesError."""
    if lacks_rules(row.client_type, transform):
        raise TablesWithoutRulesError(tables=_name(row))


def refuse_without_rules(rows: Iterable[Row[Any]]) -> None:
    """Whether all tables of such rows may be started. Raises TablesWithoutRulesError."""
    lacking = [_name(row) for row in rows if row_lacks_rules(row)]
    if lacking:
        raise TablesWithoutRulesError(tables=", ".join(lacking))


def refuse_start(connection: Connection, service_id: str) -> None:
    """Whether a service may apply its tables. Raises TablesWithoutRulesError."""
    names = published_table.c.schema_name.label("source_schema"), published_table.c.table_name.label("source_table")
    transformed: Select[Any] = (
        select(customer.c.client_type, subscribed_table.c.transform, *names)
        .join(published_table, published_table.c.id == subscribed_table.c.published_table_id)
        .join(channel, channel.c.id == subscribed_table.c.channel_id)
        .join(master, master.c.id == channel.c.master_id)
        .join(customer, customer.c.id == master.c.customer_id)
        .where(channel.c.service_id == service_id, customer.c.client_type.in_(sorted(ONLY_TRANSFORMED)))
    )
    refuse_without_rules(connection.execute(transformed.order_by(*names)).all())


def _name(row: Row[Any]) -> str:
    return f"{row.source_schema}.{row.source_table}"
