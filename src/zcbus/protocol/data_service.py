"""What a data service is to serve, and what it tells of the calls it got."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, PlainSerializer, SecretStr

from zcbus.protocol.base import Connection, Message, Reason
from zcbus.protocol.reports import Report
from zcbus.protocol.tasks import Task

ParameterType = Literal["string", "integer", "decimal", "date", "timestamp", "boolean"]


class ApiParameter(Message):
    """A value that a caller gives."""

    name: str = Field(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,62}$")
    type: ParameterType = "string"
    many: bool = False
    """A list of such values, of at least one; for `IN (:name)`."""
    required: bool = True
    default: str | None = Field(default=None, max_length=4000)
    """Where it is not required and not given, in the form of a query string (lists: parted by commas); None: null."""


class ApiQuery(Message):
    """A query over a data source, and its limits."""

    source: str
    """Id of the data source."""
    statement: str
    """One query with `:parameters`."""
    parameters: tuple[ApiParameter, ...] = ()
    row_limit: int = Field(default=1000, ge=1, le=100_000)
    """Rows of one answer."""
    timeout_ms: int = Field(default=10_000, ge=100, le=600_000)


class PublishedApi(Message):
    """A version of an API that callers get."""

    id: str
    path: str
    """With its group's prefix: `/orders/by-customer`."""
    version: int
    query: ApiQuery
    cache_s: int = Field(default=0, ge=0, le=86_400)
    """How long an answer may be given again; 0: never."""


class ApiApp(Message):
    """A program that may call."""

    id: str
    key: str
    """Who it says it is."""
    secret_hash: Annotated[SecretStr, PlainSerializer(SecretStr.get_secret_value, when_used="json")]
    """SHA-256 of its secret, hexadecimal."""
    addresses: tuple[str, ...] = ()
    """Addresses or networks it may call from; (): all."""
    per_minute: int | None = Field(default=None, ge=1)
    """Calls in a minute; None: as many as it likes."""
    apis: tuple[str, ...] = ()
    """Ids of those that it may call."""
    expires_at: datetime | None = None


class DataServiceTask(Task):
    """Answer callers over HTTP."""

    type: Literal["data-service"] = "data-service"
    host: str
    """Address of the host that is listened on."""
    port: int = Field(ge=0, le=65535)
    """0: any free one."""
    sources: dict[str, Connection] = Field(default_factory=dict)
    """By id of the data source."""
    apis: tuple[PublishedApi, ...] = ()
    apps: tuple[ApiApp, ...] = ()


class ApiCall(Message):
    """A call that was answered, one way or another. Values of parameters are not kept."""

    id: str
    at: datetime
    api: str
    """Id; empty: there is none at the path, or the caller did not prove who it is."""
    version: int
    app: str
    """Id; empty: not proven."""
    method: str
    path: str
    address: str
    status: int
    """Of HTTP."""
    rows: int
    bytes: int
    """Of the answer's body."""
    duration_ms: int
    cached: bool
    error: Reason | None = None


class ApiCallsReport(Report):
    """Calls since the last such report. These reports add up, they don't replace each other."""

    type: Literal["api-calls"] = "api-calls"
    calls: tuple[ApiCall, ...]
    dropped: int = 0
    """Further calls that could not be told."""


class TryQuery(Message):
    """Run a query once, as a caller would. Answer: QueryRows."""

    type: Literal["try-query"] = "try-query"
    connection: Connection
    query: ApiQuery
    values: dict[str, str | tuple[str, ...]] = Field(default_factory=dict)


class QueryColumn(Message):
    name: str
    type: str
    """The database's own name of it."""


class QueryRows(Message):
    """Rows in the order of `columns`. `more`: there are further ones."""

    columns: tuple[QueryColumn, ...]
    rows: tuple[tuple[object, ...], ...]
    more: bool
    duration_ms: int = 0
