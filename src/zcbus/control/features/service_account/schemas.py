"""Requests and answers of service accounts."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from zcbus.control.features.captcha.deletion import DeletionProof
from zcbus.control.features.role.schemas import Permission
from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.schema import Schema
from zcbus.control.store.columns import ID_LENGTH

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]

State = Literal["valid", "expiring", "expired", "revoked"]
"""`expiring`: its token ends within 30 days."""

MAX_DAYS = 3_650
MAX_GRACE_HOURS = 720


class ServiceAccountPageRequest(PageRequest):
    """`search` covers names, descriptions and owners. Without `state`: all that are not revoked."""

    search: str = Field("", max_length=100)
    state: State | None = None


class ServiceAccountChoice(Schema):
    """One service account."""

    id: str = Field(max_length=ID_LENGTH)


class ServiceAccountRevocation(ServiceAccountChoice, DeletionProof):
    """The account to revoke."""


class NewServiceAccount(Schema):
    """`permissions`: what it may do of what its owner may, with the rules of roles: '*' covers entries that are not
    administrative. `days` until the token ends; none: as many as allowed. `spansTenants`: with the owner's right to
    every tenant, else the account is confined to the owner's tenant."""

    name: Name
    description: str | None = Field(default=None, max_length=200)
    permissions: list[Permission] = Field(max_length=500)
    days: int | None = Field(default=None, ge=1, le=MAX_DAYS)
    spans_tenants: bool = False


class ServiceAccountEdit(ServiceAccountChoice):
    """The account as it shall be. `permissions` none: an account without a scope stays so."""

    description: str | None = Field(default=None, max_length=200)
    permissions: list[Permission] | None = Field(max_length=500)


class Rotation(ServiceAccountChoice):
    """A new token. The present one stays good for `graceHours`, one that was replaced before ends at once."""

    days: int | None = Field(default=None, ge=1, le=MAX_DAYS)
    grace_hours: int = Field(default=24, ge=0, le=MAX_GRACE_HOURS)


class IssuedToken(Schema):
    """A token, shown this once."""

    id: str
    name: str
    token: str
    expires_at: datetime | None


class TokenTerms(Schema):
    """Limits of tokens: days that they live at most, hours that a replaced one stays good at most."""

    longest_days: int
    longest_grace_hours: int


class ServiceAccountRecord(Schema):
    """A service account. `permissions` none: all of its owner's rights (tokens made on the platform's host).
    `expiresAt`: end of its newest token, none: no end, or no token is left (`expired`). `previousUntil`: the token that
    a rotation replaced is good until then. `usedAt`, `usedFrom`: the last call, to the minute. `isOwn`: the caller is
    its owner."""

    id: str
    name: str
    description: str | None
    owner_name: str
    customer_name: str
    spans_tenants: bool
    permissions: list[Permission] | None
    state: State
    created_at: datetime
    rotated_at: datetime | None
    expires_at: datetime | None
    previous_until: datetime | None
    used_at: datetime | None
    used_from: str | None
    revoked_at: datetime | None
    is_own: bool


SERVICE_ACCOUNTS = ListDefinition[ServiceAccountRecord](
    ServiceAccountRecord,
    {
        "name": "name",
        "ownerName": "owner_name",
        "createdAt": "created_at",
        "expiresAt": "expires_at",
        "usedAt": "used_at",
    },
)
