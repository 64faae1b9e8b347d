"""Requests and answers of the lists to choose from; the names on the wire are the specification's."""

from pydantic import Field

from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.schema import Schema
from zcbus.control.store.columns import ID_LENGTH
from zcbus.protocol.service_kinds import ServiceType


class CustomerListRequest(Schema):
    """Customers of one type: `client` is a subscriber, `databus` a process; empty: of every type."""

    client_type: str = Field("", max_length=20)


class CustomerOption(Schema):
    """A customer to choose."""

    customer_id: str = Field(alias="customerid")
    name: str


class ChannelListRequest(Schema):
    """Whose channels."""

    customer_id: str = Field(max_length=ID_LENGTH)


class StrategyPageRequest(PageRequest):
    """The strategies assigned to a customer; sorted by `productName` by default."""

    customer_id: str = Field(max_length=ID_LENGTH)


class StrategyOption(Schema):
    """A strategy to choose."""

    id: str
    product_name: str


class NamedOption(Schema):
    """Something to choose by its name."""

    id: str
    name: str


class MemberListRequest(Schema):
    """Owners that a service of this type can be made for: publish nodes, or customers of `customerType`. `freeOnly`:
    only those whose service is in no container, for `contrast` also those without a service. `ownOnly`: without publish
    nodes that a sync link controls."""

    type: ServiceType
    customer_type: str = Field("", max_length=20)
    free_only: bool = False
    own_only: bool = False


STRATEGIES = ListDefinition[StrategyOption](
    StrategyOption,
    {
        "productName": "product_name",
    },
)
