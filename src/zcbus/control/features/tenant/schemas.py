"""Requests and answers of tenants."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from zcbus.control.features.captcha.deletion import DeletionProof
from zcbus.control.features.second_factor.requirement import Requirement
from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.schema import Schema

TenantStatus = Literal["0", "1"]

Code = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,31}$")]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]


class CustomerRecord(Schema):
    """A tenant. `status`: '0' normal, '1' disabled (its users cannot sign in). `builtIn`: shipped with the platform."""

    customerid: str
    code: str
    name: str
    status: TenantStatus
    contact: str | None
    phone: str | None
    description: str | None
    second_factor: Requirement
    users: int
    links: int
    built_in: bool
    created_at: datetime


class CustomerPageRequest(PageRequest):
    """`search` covers code, name and contact."""

    search: str | None = Field(default=None, max_length=100)
    status: TenantStatus | None = None


class CustomerChoice(Schema):
    """One tenant."""

    customerid: str = Field(max_length=32)


class CustomerDeletion(CustomerChoice, DeletionProof):
    """The tenant to delete."""


class CustomerFields(Schema):
    """Editable fields of a tenant. `secondFactor`: who must sign in with two steps, from the next sign-in on."""

    name: Name
    status: TenantStatus = "0"
    contact: str | None = Field(default=None, max_length=50)
    phone: str | None = Field(default=None, max_length=20)
    description: str | None = Field(default=None, max_length=200)
    second_factor: Requirement = "optional"


class NewCustomer(CustomerFields):
    """`code` (lower case letters, digits, hyphens) is its lasting name."""

    code: Code


class CustomerEdit(CustomerFields, CustomerChoice):
    """The tenant as it shall be."""


TENANTS = ListDefinition[CustomerRecord](
    CustomerRecord,
    {
        "code": "name",
        "name": "display_name",
        "status": "status",
        "users": "users",
        "links": "links",
        "createdAt": "created_at",
    },
)
