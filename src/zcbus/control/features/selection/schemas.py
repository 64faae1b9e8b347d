"""Requests and answers of the lists to choose from; the names on the wire are the specification's."""

from typing import Literal

from pydantic import Field

from zcbus.control.platform.paging import MAX_PAGE_SIZE, PageRequest
from zcbus.control.platform.schema import Schema
from zcbus.control.store.columns import ID_LENGTH

ANY_STATUS = (-1, "")
CONTAINER_PAGE_SIZE = 100


class CustomerListRequest(Schema):
    """Customers of one type: `client` is a subscriber; empty: of every type."""

    client_type: str = Field("", max_length=20)


class CustomerOption(Schema):
    """A customer to choose."""

    customer_id: str = Field(alias="customerid")
    name: str


class ChannelListRequest(Schema):
    """Whose channels."""

    customer_id: str = Field(max_length=ID_LENGTH)


class NamedOption(Schema):
    """Something to choose by its name."""

    id: str
    name: str


class MemberListRequest(Schema):
    """What a service of this type can be made for: publish nodes, or customers of `customerType`."""

    type: Literal["publish", "subscribe"]
    customer_type: str = Field("", max_length=20)


class ContainerPageRequest(PageRequest):
    """Containers whose names hold these parts. `status`: 1 with an agent that was heard of in the last ten seconds,
    0 without; −1 or empty is any."""

    size: int = Field(default=CONTAINER_PAGE_SIZE, ge=-1, le=MAX_PAGE_SIZE)
    container_name: str = Field("", max_length=100)
    display_name: str = Field("", max_length=200)
    status: Literal[-1, 0, 1, ""] = -1


class ContainerOption(Schema):
    """A container. `status` as in the request."""

    id: str
    container_name: str
    display_name: str
    status: int
