"""Requests and answers about data services, API groups, APIs, apps and the log of calls."""

import ipaddress
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, field_validator

from zcbus.control.features.captcha.deletion import DeletionProof
from zcbus.control.features.datasource.schemas import ConnectionInput, ConnectionRecord
from zcbus.control.platform.faults import field_fault
from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.reasons import ReasonRecord
from zcbus.control.platform.schema import Schema
from zcbus.control.store.columns import ID_LENGTH
from zcbus.model.query_text import MAX_LENGTH
from zcbus.model.services import ServiceAction
from zcbus.model.states import ServiceState
from zcbus.protocol.data_service import ApiParameter, QueryColumn

Id = Annotated[str, StringConstraints(min_length=1, max_length=ID_LENGTH)]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]
Remark = Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)]
Path = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]*(/[a-z0-9][a-z0-9_-]*)*$", max_length=100)]
"""Parts of letters, digits, - and _, parted by /, without one at either end."""
Prefix = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]*$", max_length=100)]
Host = Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"^[A-Za-z0-9.:_-]+$", max_length=255)]


def _network(text: str) -> str:
    try:
        return str(ipaddress.ip_network(text, strict=False))
    except ValueError as error:
        raise field_fault("network") from error


ApiState = Literal["draft", "published", "changed", "offline"]
"""changed: published, and edited since."""


class SearchPageRequest(PageRequest):
    """`search`: a part of a name, a path or a remark."""

    search: str = Field("", max_length=100)


class Chosen(Schema):
    """One of them."""

    id: Id


class ChosenDeletion(DeletionProof):
    """The one that is to go."""

    id: Id


class DataServiceInput(Schema):
    """A data service and its address. `container`: which one runs it; empty: the default one."""

    name: Name
    container: str = Field("", max_length=200)
    host: Host = "127.0.0.1"
    port: int = Field(ge=1, le=65535)


class DataServiceChange(Schema):
    """A service that runs goes to another address by itself."""

    id: Id
    name: Name
    host: Host
    port: int = Field(ge=1, le=65535)


class DataServiceOperation(Schema):
    """Start, stop or restart its service."""

    id: Id
    action: Literal["start", "stop", "restart"]


class DataServiceRecord(Schema):
    """A data service with the state of its service and the allowed actions. `inContainer`: a container runs it.
    `callsDropped`: calls that were answered and are not in the log, because too many came at once.
    `heldUp`: it is to work, but `reason` prevents it."""

    id: str
    service_id: str
    name: str
    host: str
    port: int
    container_name: str
    in_container: bool
    agent_host: str | None
    state: ServiceState
    actions: list[ServiceAction]
    reason: ReasonRecord | None
    held_up: bool
    groups: int
    calls_dropped: int


class GroupInput(Schema):
    """An API group: the path prefix of its APIs, the data service that answers, and the database they read. The
    password of the connection may be omitted in a change: the stored one stays."""

    name: Name
    data_service_id: Id
    prefix: Prefix
    owner: Annotated[str, StringConstraints(strip_whitespace=True, max_length=100)] = ""
    remark: Remark = ""
    connection: ConnectionInput


class GroupChange(GroupInput):
    id: Id


class GroupRecord(Schema):
    """`published`: number of its published APIs."""

    id: str
    name: str
    data_service_id: str
    data_service_name: str
    prefix: str
    owner: str
    remark: str
    connection: ConnectionRecord
    apis: int
    published: int
    updated_at: datetime


class ApiDraft(Schema):
    """The statement of an API, and its limits. `cacheS`: seconds for which an answer may be reused."""

    statement: str = Field(min_length=1, max_length=MAX_LENGTH)
    parameters: list[ApiParameter] = Field(default_factory=list, max_length=100)
    row_limit: int = Field(1000, ge=1, le=100_000)
    timeout_ms: int = Field(10_000, ge=100, le=600_000)
    cache_s: int = Field(0, ge=0, le=86_400)


class ApiInput(ApiDraft):
    """An API. Callers can use it once it is published."""

    group_id: Id
    name: Name
    path: Path
    remark: Remark = ""


class ApiChange(ApiInput):
    """Callers get the published version until the change is published too; another path takes effect at once."""

    id: Id


class ApiPageRequest(SearchPageRequest):
    """`groupId`: only those of a group; `state`: only those in it."""

    group_id: str = Field("", max_length=ID_LENGTH)
    state: ApiState | None = None


class ApiLine(Schema):
    """An API in a list. `path` is the complete one; `version`: the published one."""

    id: str
    group_id: str
    group_name: str
    data_service_name: str
    name: str
    path: str
    remark: str
    state: ApiState
    version: int | None
    versions: int
    grants: int
    updated_at: datetime


class ApiDetail(ApiDraft):
    """The draft of an API. `kind` is its database's; `address`: its URL for callers."""

    id: str
    group_id: str
    name: str
    path: str
    remark: str
    kind: str
    state: ApiState
    version: int | None
    address: str


class ApiVersionChoice(Schema):
    id: Id
    number: int = Field(ge=1)


class ApiVersionRecord(ApiDraft):
    """A version; `published`: callers get it."""

    number: int
    made_at: datetime
    made_by: str
    published: bool


class ApiTrial(ApiDraft):
    """Run a draft once, over the database of a group. `values`: texts by name of the parameter."""

    group_id: Id
    values: dict[str, str | list[str]] = Field(default_factory=dict, max_length=100)


class TrialRows(Schema):
    """The first rows. `more`: there are further ones."""

    columns: list[QueryColumn]
    rows: list[list[Any]]
    more: bool
    duration_ms: int


class AppInput(Schema):
    """A program that may call. `addresses`: addresses or networks that it may call from; none: all. `perMinute`: how
    many calls; null: any number. `apis`: those that it may call."""

    name: Name
    addresses: list[str] = Field(default_factory=list, max_length=100)
    per_minute: int | None = Field(None, ge=1, le=1_000_000)
    enabled: bool = True
    expires_at: datetime | None = None
    remark: Remark = ""
    apis: list[Id] = Field(default_factory=list, max_length=10_000)

    @field_validator("addresses")
    @classmethod
    def _networks(cls, addresses: list[str]) -> list[str]:
        return [_network(address.strip()) for address in addresses]

    @field_validator("expires_at")
    @classmethod
    def _has_zone(cls, moment: datetime | None) -> datetime | None:
        if moment is not None and moment.tzinfo is None:
            raise field_fault("zone")
        return moment


class AppChange(AppInput):
    id: Id


class AppRecord(Schema):
    """An app; its secret cannot be read again."""

    id: str
    name: str
    key: str
    addresses: list[str]
    per_minute: int | None
    enabled: bool
    expires_at: datetime | None
    remark: str
    apis: list[str]
    updated_at: datetime


class AppSecret(Schema):
    """An app's new secret, shown this once."""

    id: str
    key: str
    secret: str


class LogPageRequest(SearchPageRequest):
    """`search`: a part of the path, the API's or the app's name, or the address. `failed`: only calls that got no
    rows, or only those that did."""

    api_id: str = Field("", max_length=ID_LENGTH)
    app_id: str = Field("", max_length=ID_LENGTH)
    failed: bool | None = None
    since: datetime | None = None
    until: datetime | None = None


class CallRecord(Schema):
    """An answered call. Values of parameters are not kept."""

    id: str
    called_at: datetime
    api_id: str
    api_name: str
    version: int
    app_id: str
    app_name: str
    method: str
    path: str
    address: str
    status: int
    rows: int
    bytes: int
    duration_ms: int
    cached: bool
    reason: ReasonRecord | None


GROUP_LIST = ListDefinition[GroupRecord](
    GroupRecord,
    {
        "name": "name",
        "prefix": "prefix",
        "owner": "owner",
        "dataServiceName": "data_service_name",
        "updatedAt": "updated_at",
    },
)


API_LIST = ListDefinition[ApiLine](
    ApiLine,
    {
        "name": "name",
        "path": "full_path",
        "groupName": "group_name",
        "version": "published",
        "updatedAt": "updated_at",
    },
)


APP_LIST = ListDefinition[AppRecord](
    AppRecord,
    {
        "name": "name",
        "key": "key",
        "perMinute": "per_minute",
        "enabled": "enabled",
        "expiresAt": "expires_at",
        "updatedAt": "updated_at",
    },
)


CALL_LIST = ListDefinition[CallRecord](
    CallRecord,
    {
        "calledAt": "called_at",
        "apiName": "api_name",
        "appName": "app_name",
        "status": "status",
        "rows": "rows",
        "durationMs": "duration_ms",
    },
)
