"""Requests and answers of roles."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from zcbus.control.features.captcha.deletion import DeletionProof
from zcbus.control.platform.menus import Operation
from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.schema import Schema

Code = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,49}$")]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=50)]


class RoleOption(Schema):
    """A role that can be chosen. `name` is in the caller's language."""

    code: str
    name: str


class RoleListRequest(Schema):
    """Roles for a user of this department's tenant, or of this tenant, else of the caller's."""

    dept_id: str | None = Field(default=None, max_length=32)
    customer_id: str | None = Field(default=None, max_length=32)


class Permission(Schema):
    """Operations allowed behind a menu entry. `menuKey` '*' is every entry that is not administrative, also future
    ones; with the operation '*' it is everything."""

    menu_key: str = Field(max_length=100)
    operations: list[Operation | Literal["*"]]


class OfferedEntry(Schema):
    """A menu entry with the operations that the caller can grant behind it; a group has none. `administrative`: '*'
    does not include it."""

    menu_key: str
    parent_key: str | None
    kind: Literal["group", "page", "permission"]
    title: str
    administrative: bool
    whole_platform: bool
    operations: list[Operation]


class Offer(Schema):
    """Permissions that the caller can put into a role. `everywhere`: operations behind every entry that is not
    administrative, also future ones; `everything`: all of it."""

    entries: list[OfferedEntry]
    everywhere: list[Operation]
    everything: bool


class RoleRecord(Schema):
    """A role. `customerId` is the tenant that alone may use it, none: all tenants. `named`: shipped with the platform.
    `changeable`: the caller may change it."""

    id: str
    code: str
    name: str
    name_zh: str
    name_en: str
    description: str | None
    customer_id: str | None
    customer_name: str | None
    spans_tenants: bool
    named: bool
    changeable: bool
    users: int
    created_at: datetime


class RoleDetail(RoleRecord):
    """A role with its permissions."""

    permissions: list[Permission]


class RolePageRequest(PageRequest):
    """`search` covers codes and names."""

    search: str | None = Field(default=None, max_length=50)


class RoleChoice(Schema):
    """One role."""

    id: str = Field(max_length=32)


class RoleDeletion(RoleChoice, DeletionProof):
    """The role to delete."""


class RoleFields(Schema):
    """Editable fields of a role. Any operation behind an entry includes viewing it."""

    name_zh: Name
    name_en: Name
    description: str | None = Field(default=None, max_length=200)
    spans_tenants: bool = False
    permissions: list[Permission] = Field(max_length=500)


class NewRole(RoleFields):
    """A role of the tenant `customerId`; none: the caller's tenant, or all tenants where the caller spans them."""

    code: Code
    customer_id: str | None = Field(default=None, max_length=32)


class RoleEdit(RoleFields, RoleChoice):
    """The role as it shall be. Names of named roles stay."""


ROLES = ListDefinition[RoleRecord](
    RoleRecord,
    {
        "code": "code",
        "nameZh": "name_zh",
        "nameEn": "name_en",
        "users": "users",
        "createdAt": "created_at",
    },
)
