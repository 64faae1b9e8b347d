"""Calls of the lists to choose from (the specification's 7.5 and 7.6)."""

from zcbus.control.features.selection import queries
from zcbus.control.features.selection.schemas import (
    STRATEGIES,
    ChannelListRequest,
    CustomerListRequest,
    CustomerOption,
    MemberListRequest,
    NamedOption,
    StrategyOption,
    StrategyPageRequest,
)
from zcbus.control.platform.authorisation import authorise_any
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.menus import CUSTOMER_PAGES, Operation
from zcbus.control.platform.paging import Listing, Page, answer_page
from zcbus.control.platform.routing import Api
from zcbus.control.store.tables.policy import strategy
from zcbus.protocol.service_kinds import SERVICE_KINDS

api = Api("selection")

# A caller who may see links sees all receivers; other callers see those of their own pages.
_VIEW = authorise_any(*((key, Operation.VIEW) for key in ("sync-link", *CUSTOMER_PAGES.values())))
_VIEW_MEMBERS = authorise_any(
    *((key, Operation.VIEW) for key in ("sync-link", "container", "publish", *CUSTOMER_PAGES.values()))
)


@api.read("/api/zcbus/subscribe/customer/list", _VIEW)
def list_customers(call: Call, body: CustomerListRequest) -> list[CustomerOption]:
    """Customers of one type, by name."""
    types = [body.client_type] if body.client_type else None
    rows = queries.select_customers(call.connection, call.principal, types)
    return [CustomerOption(customerid=row.id, name=row.name) for row in rows]


@api.read("/api/zcbus/subscribe/control/get/channel/list", _VIEW)
def list_channels(call: Call, body: ChannelListRequest) -> list[NamedOption]:
    """The channels of a customer's masters, by name."""
    _require_customer(call, body.customer_id)
    return [NamedOption.of_row(row) for row in queries.select_channels(call.connection, body.customer_id)]


@api.read("/api/zcbus/subscribe/product/list", _VIEW, lists=STRATEGIES)
def page_strategies(call: Call, body: StrategyPageRequest) -> Page[StrategyOption]:
    """Page the strategies assigned to a customer."""
    _require_customer(call, body.customer_id)
    name = strategy.c.product_name
    statement = queries.strategies_of(body.customer_id)
    listing = Listing(STRATEGIES, statement, [name, strategy.c.id], StrategyOption.of_row)
    return answer_page(call, body, listing)


def _require_customer(call: Call, customer_id: str) -> None:
    if not queries.sees_customer(call.connection, call.principal, customer_id):
        raise RecordNotFoundError(kind="customer", id=customer_id)


@api.read("/api/zcbus/container/cluster/customer/getnodeidorcustomerid", _VIEW_MEMBERS)
def list_members(call: Call, body: MemberListRequest) -> list[NamedOption]:
    """Owners that a service can be made for: publish nodes, data services, or customers."""
    kind = SERVICE_KINDS[body.type]
    if kind.made_for == "node":
        rows = queries.select_nodes(call.connection, call.principal, free_only=body.free_only, own_only=body.own_only)
    elif kind.made_for == "data-service":
        rows = queries.select_data_services(call.connection, call.principal, free_only=body.free_only)
    elif kind.on_demand and body.free_only:
        rows = queries.select_customers_to_compare(call.connection, call.principal, body.customer_type)
    else:
        types = [one for one in kind.clients if body.customer_type in ("", one)]
        rows = queries.select_customers(call.connection, call.principal, types, free_only=body.free_only)
    return [NamedOption.of_row(row) for row in rows]
