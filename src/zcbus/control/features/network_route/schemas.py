"""Requests and answers about routes."""

import ipaddress
import re
from datetime import datetime
from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from zcbus.connectors.options import HOST, PLAIN_TEXT
from zcbus.control.features.captcha.deletion import DeletionProof
from zcbus.control.platform.faults import field_fault
from zcbus.control.platform.names import plain_name
from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.schema import ConfidentialSchema, Schema
from zcbus.control.store.columns import ID_LENGTH
from zcbus.kit.network.route import RouteKind
from zcbus.kit.secret_references import EXPECTED, parse_reference

Id = Annotated[str, Field(min_length=1, max_length=ID_LENGTH)]
_MAX_TARGETS = 50
_NAME = re.compile(r"[A-Za-z0-9_*?.-]{1,255}")


def _target(value: str) -> str:
    try:
        ipaddress.ip_network(value, strict=False)
    except ValueError:
        if not _NAME.fullmatch(value):
            raise field_fault("route-target") from None
    return value


def _address(value: str) -> str:
    try:
        return value and str(ipaddress.ip_address(value))
    except ValueError:
        raise field_fault("route-address") from None


def _secret(value: str) -> str:
    try:
        parse_reference(value)
    except ValueError:
        raise field_fault("secret-reference", expected=EXPECTED) from None
    return value


class RouteSettings(ConfidentialSchema):
    """A way to servers. `kind`: direct, ssh, socks5, http; `host`, `port`, `user`, `password`: of bastion or proxy;
    `key`: private key for a bastion; `hostKey`: SHA256 fingerprint of the one host key that is trusted; `source`:
    address of the container's hosts that connections leave from; `targets`: servers that may be reached, none: all.
    `password` and `key` are never answered; left empty in a change they stay. Each may be a reference to a secret that
    is kept elsewhere."""

    kind: RouteKind
    host: str = Field("", max_length=255, pattern=rf"^$|{HOST}")
    port: int = Field(0, ge=0, le=65535)
    user: str = Field("", max_length=128, pattern=PLAIN_TEXT)
    password: Annotated[str, AfterValidator(_secret)] = Field("", max_length=255)
    key: Annotated[str, AfterValidator(_secret)] = Field("", max_length=20_000)
    host_key: str = Field("", pattern=r"^(SHA256:[A-Za-z0-9+/=]{1,64})?$")
    source: Annotated[str, Field(max_length=45), AfterValidator(_address)] = ""
    targets: list[Annotated[str, Field(max_length=255), AfterValidator(_target)]] = Field(
        default_factory=list, max_length=_MAX_TARGETS
    )

    @model_validator(mode="after")
    def _complete(self) -> Self:
        needed = (self.source,) if self.kind == "direct" else (self.host, self.port)
        if not all(needed) or (self.kind == "ssh" and not self.user):
            raise field_fault("route-required")
        return self


class RouteInput(RouteSettings):
    """A route with its name, which connections use and which stays."""

    name: Annotated[str, Field(max_length=50), AfterValidator(plain_name)]
    description: str = Field("", max_length=200, pattern=PLAIN_TEXT)

    @model_validator(mode="after")
    def _confirmed(self) -> Self:
        if self.kind == "ssh" and not self.host_key:
            raise field_fault("route-required")
        return self


class RouteChoice(Schema):
    id: Id


class RouteChange(RouteInput, RouteChoice):
    """A route with its new settings."""


class RouteDeletion(RouteChoice, DeletionProof):
    """The route to delete."""


class RouteTestRequest(RouteSettings):
    """Settings to try before they are stored. `id`: the stored route whose secrets are used where none is given, for
    the same host, port and user only. `containerId`: whose agent tries it; empty: the oldest. `targetHost`,
    `targetPort`: a server to reach behind it; empty: none."""

    id: str = Field("", max_length=ID_LENGTH)
    container_id: str = Field("", max_length=ID_LENGTH)
    target_host: str = Field("", max_length=255, pattern=rf"^$|{HOST}")
    target_port: int = Field(0, ge=0, le=65535)


class RouteCheck(Schema):
    """A step of a test. `item`: reach, host-key, sign-in, target."""

    item: str
    label: str
    ok: bool
    detail: str


class RouteTestRecord(Schema):
    """`shownKey`: fingerprint of the host key that a bastion showed, to be confirmed by a person."""

    ok: bool
    checks: list[RouteCheck]
    shown_key: str


class RoutePageRequest(PageRequest):
    """`search`: a part of name, host, address or description."""

    search: str = Field("", max_length=100)


class RouteRecord(Schema):
    """A route without its secrets. `passwordReference`, `keyReference`: where they are kept instead; `users`:
    connections that take it."""

    id: str
    name: str
    kind: RouteKind
    host: str
    port: int
    user: str
    has_password: bool
    has_key: bool
    password_reference: str
    key_reference: str
    host_key: str
    source: str
    targets: list[str]
    description: str
    users: int
    updated_by: str
    updated_at: datetime


class RouteName(Schema):
    """A route as a connection form offers it."""

    name: str
    kind: RouteKind
    description: str


class RouteUserPageRequest(PageRequest):
    """`id`: the route; `search`: a part of the connection's name or place."""

    id: Id
    search: str = Field("", max_length=100)


class RouteUser(Schema):
    """A connection that takes a route. `use`: publish, subscribe, api; `name`: of its owner."""

    use: str
    name: str
    kind: str
    place: str


ROUTES = ListDefinition[RouteRecord](
    RouteRecord, columns={"name": "name", "kind": "kind", "host": "host", "updatedAt": "updated_at"}
)
USERS = ListDefinition[RouteUser](
    RouteUser,
    sort_keys={
        "name": lambda one: one.name.casefold(),
        "use": lambda one: one.use,
        "kind": lambda one: one.kind,
        "place": lambda one: one.place,
    },
)
