"""The task of a data service and its reports of calls."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, PlainSerializer, SecretStr

from zcbus.protocol.base import Connection, Message, Reason
from zcbus.protocol.reports import Report
from zcbus.protocol.tasks import Task

ParameterType = Literal["string", "integer", "decimal", "date", "timestamp", "boolean"]


class ApiParameter(Message):
    """A parameter of a query."""

    name: str = Field(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,62}$")
    type: ParameterType = "string"
    many: bool = False
    """Whether it takes a list of at least one value, for `IN (:name)`."""
    required: bool = True
    default: str | None = Field(default=None, max_length=4000)
    """Default of an optional parameter, in the form of a query string (lists: separated by commas); None: null."""


class ApiQuery(Message):
    """A query on a data source, and its limits."""

    source: str
    """Id of the data source."""
    statement: str
    """One query with `:parameters`."""
    parameters: tuple[ApiParameter, ...] = ()
    row_limit: int = Field(default=1000, ge=1, le=100_000)
    """Limit of rows of one answer."""
    timeout_ms: int = Field(default=10_000, ge=100, le=600_000)


class PublishedApi(Message):
    """A published version of an API."""

    id: str
    path: str
    """Path with its group's prefix: `/orders/by-customer`."""
    version: int
    query: ApiQuery
    cache_s: int = Field(default=0, ge=0, le=86_400)
    """Seconds for which an answer is cached; 0: never."""


class ApiApp(Message):
    """A program with access to APIs."""

    id: str
    key: str
    """Public key that identifies it."""
    secret_hash: Annotated[SecretStr, PlainSerializer(SecretStr.get_secret_value, when_used="json")]
    """SHA-256 of its secret, hexadecimal."""
    addresses: tuple[str, ...] = ()
    """Addresses or networks that it may call from; (): all."""
    per_minute: int | None = Field(default=None, ge=1)
    """Limit of calls per minute; None: unlimited."""
    apis: tuple[str, ...] = ()
    """Ids of the APIs that it may call."""
    expires_at: datetime | None = None


class DataServiceTask(Task):
    """Answer callers over HTTP."""

    type: Literal["data-service"] = "data-service"
    host: str
    """Address to listen on."""
    port: int = Field(ge=0, le=65535)
    """Port; 0: any free one."""
    sources: dict[str, Connection] = Field(default_factory=dict)
    """Data source id → connection."""
    apis: tuple[PublishedApi, ...] = ()
    apps: tuple[ApiApp, ...] = ()


class ApiCall(Message):
    """An answered call, also if it failed. Values of parameters are not stored."""

    id: str
    at: datetime
    api: str
    """Id of the API; empty: no API at the path, or the caller is not authenticated."""
    version: int
    app: str
    """Id of the app; empty: not authenticated."""
    method: str
    path: str
    address: str
    status: int
    """HTTP status."""
    rows: int
    bytes: int
    """Size of the answer's body."""
    duration_ms: int
    cached: bool
    error: Reason | None = None


class ApiCallsReport(Report):
    """Calls since the last such report. These reports add up instead of replacing each other."""

    type: Literal["api-calls"] = "api-calls"
    calls: tuple[ApiCall, ...]
    dropped: int = 0
    """Number of further calls that were dropped."""


class TryQuery(Message):
    """Run a query once, like a caller. Answer: QueryRows."""

    type: Literal["try-query"] = "try-query"
    connection: Connection
    query: ApiQuery
    values: dict[str, str | tuple[str, ...]] = Field(default_factory=dict)


class QueryColumn(Message):
    name: str
    type: str
    """The database's name of the type."""


class QueryRows(Message):
    """Rows in the order of `columns`. `more`: there are further rows."""

    columns: tuple[QueryColumn, ...]
    rows: tuple[tuple[object, ...], ...]
    more: bool
    duration_ms: int = 0
