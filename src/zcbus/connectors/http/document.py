"""The document that declares an interface.

Secrets are never part of it: `auth` says where account and secret of the connection go.
"""

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from zcbus.connectors.http.parts import ColumnPart, Header, Name, Part, Path, PathOrUrl, Text, Texts
from zcbus.connectors.http.target.document import ALL_TABLES, TargetPart
from zcbus.model.types import Kind

_KEY_KINDS = (Kind.INT64, Kind.TEXT)
_CURSOR_KINDS = (Kind.INT64, Kind.TEXT, Kind.TIMESTAMP, Kind.TIMESTAMP_TZ)


class NoAuth(Part):
    """No authentication."""

    type: Literal["none"] = "none"


class KeyAuth(Part):
    """The secret in a header or a parameter."""

    type: Literal["key"]
    header: Header | None = None
    query: Name | None = None
    prefix: Annotated[str, Field(max_length=50)] = ""

    @model_validator(mode="after")
    def _either_header_or_query(self) -> "KeyAuth":
        if (self.header is None) == (self.query is None):
            raise ValueError("header or query")
        return self


class BearerAuth(Part):
    """The secret as a bearer token."""

    type: Literal["bearer"]


class BasicAuth(Part):
    """Account and secret as user and password."""

    type: Literal["basic"]


class OAuth2Auth(Part):
    """A token by the account and secret of a client, or by a refresh token (RFC 6749)."""

    type: Literal["oauth2"]
    token_url: PathOrUrl
    grant: Literal["client-credentials", "refresh-token"] = "client-credentials"
    scope: Text = ""
    client: Literal["body", "basic"] = "body"
    """Where the client's account and secret go."""
    parameters: Texts = {}


class TokenAuth(Part):
    """A token that another call hands out for account and secret, as JSON."""

    type: Literal["token"]
    url: PathOrUrl
    body: Texts
    """May have `${account}` and `${secret}`."""
    token: Path
    seconds: Path | None = None
    """Where the answer says for how long the token is good; without it 1 hour."""
    header: Header = "Authorization"
    prefix: Annotated[str, Field(max_length=50)] = "Bearer "


class HmacAuth(Part):
    """Each request is signed by the secret: HMAC-SHA256 over lines, of method, path with query, time, body's hash."""

    type: Literal["hmac"]
    header: Header = "X-Signature"
    account_header: Header | None = None
    time_header: Header = "X-Timestamp"
    signed: Annotated[
        list[Literal["method", "path", "time", "body", "body-sha256", "account"]], Field(min_length=1, max_length=6)
    ] = ["method", "path", "time", "body-sha256"]
    separator: Annotated[str, Field(max_length=4)] = "\n"
    encoding: Literal["hex", "base64"] = "hex"
    prefix: Annotated[str, Field(max_length=50)] = ""


Auth = Annotated[
    NoAuth | KeyAuth | BearerAuth | BasicAuth | OAuth2Auth | TokenAuth | HmacAuth, Field(discriminator="type")
]


class SinglePage(Part):
    """One answer has all records."""

    type: Literal["none"] = "none"


class LinkPages(Part):
    """The header Link names the next page (RFC 8288)."""

    type: Literal["link-header"]


class UrlPages(Part):
    """The answer has the URL of the next page."""

    type: Literal["next-url"]
    path: Path


class _Sized(Part):
    param: Name
    size_param: Name | None = None
    size: Annotated[int, Field(ge=1, le=100_000)] = 100
    place: Literal["query", "body"] = "query"


class NumberedPages(_Sized):
    """Pages are numbered; the last has fewer records than `size`."""

    type: Literal["page"]
    first: int = 1


class OffsetPages(_Sized):
    """The next page begins so many records behind the first; the last has fewer than `size`."""

    type: Literal["offset"]


class TokenPages(_Sized):
    """The answer has a mark that asks for the next page."""

    type: Literal["cursor"]
    path: Path
    more: Path | None = None
    """Where the answer says whether there is a next page."""


class LastRecordPages(_Sized):
    """The next page begins behind a value of the last record."""

    type: Literal["last-record"]
    path: Path
    more: Path | None = None


Pages = Annotated[
    SinglePage | LinkPages | UrlPages | NumberedPages | OffsetPages | TokenPages | LastRecordPages,
    Field(discriminator="type"),
]


class CursorPart(Part):
    """A column that grows with each change of a record, and how it is asked for."""

    column: Name
    query: Texts = {}
    """Parameters of a request for changes; `${cursor}` is the position to resume at."""
    body: Texts = {}
    """The same in the body."""
    format: Literal["iso", "second", "seconds", "milliseconds", "minute", "plain"] = "plain"
    """How `${cursor}` is written: `iso` 2026-01-31T12:00:00.5Z, `second` the same without a fraction, `seconds` and
    `milliseconds` since 1970-01-01 UTC, `minute` 2026-01-31 12:00 of UTC; plain: as they come, times
    in the notation of the service (see ColumnPart.unit, notation.py)."""
    overlap: Annotated[int, Field(ge=0, le=31 * 86_400)] = 0
    """Overlap of a request with the one before, in seconds, or for numbers in units."""
    newest_first: bool = False
    """Answers come by falling cursor: a page that has nothing new is the last."""


class ExpectPart(Part):
    """Where answers say that they are none, whatever their status."""

    path: Path
    value: Text
    message: Path | None = None


class ParentPart(Part):
    """This resource is asked for once for each record of another, as `${parent.NAME}`."""

    resource: Name
    values: Annotated[dict[Name, Path], Field(min_length=1, max_length=10)]


class Resource(Part):
    """Records of one kind: a table."""

    name: Annotated[str, Field(min_length=1, max_length=63, pattern=r"^[A-Za-z0-9_\u4e00-\u9fff][\w.-]*$")]
    path: PathOrUrl
    method: Literal["GET", "POST"] = "GET"
    query: Texts = {}
    body: dict[str, Any] | None = None
    headers: dict[Header, Text] = {}
    records: Path = "$"
    """The list of records in an answer."""
    header_row: bool = False
    """Records are lists of values, of which the first has the names."""
    pages: Pages | None = None
    expect: ExpectPart | None = None
    key: Annotated[list[Name], Field(min_length=1, max_length=8)]
    columns: Annotated[dict[Name, ColumnPart], Field(min_length=1, max_length=500)]
    cursor: CursorPart | None = None
    parent: ParentPart | None = None

    @model_validator(mode="after")
    def _consistent(self) -> "Resource":
        for name in self.key:
            if name not in self.columns:
                raise ValueError(f"key: {name}")
            if self.columns[name].data.kind not in _KEY_KINDS:
                raise ValueError(f"key: {name}: text, bigint")
        if self.cursor is not None:
            column = self.columns.get(self.cursor.column)
            if column is None:
                raise ValueError(f"cursor: {self.cursor.column}")
            if column.data.kind not in _CURSOR_KINDS:
                raise ValueError(f"cursor: {self.cursor.column}: timestamptz, timestamp, bigint, text")
        return self


class Limits(Part):
    """Limits of the service."""

    requests_per_second: Annotated[float, Field(ge=0.01, le=1000)] = 10.0
    seconds: Annotated[int, Field(ge=1, le=600)] = 60
    """For which the service may say nothing."""
    attempts: Annotated[int, Field(ge=1, le=10)] = 4
    answer_mib: Annotated[int, Field(ge=1, le=64)] = 16
    pages: Annotated[int, Field(ge=1, le=1_000_000)] = 100_000
    busy: Annotated[list[Annotated[str, Field(min_length=1, max_length=100)]], Field(max_length=10)] = []
    """Texts in a refusal by which the service says that a limit is reached, whatever its status."""


class ProbePart(Part):
    """A request that the connection test of a target may make."""

    method: Literal["GET", "HEAD", "POST", "PUT"] = "GET"
    path: PathOrUrl = ""


class Interface(Part):
    """A whole document."""

    auth: Auth = NoAuth()
    headers: dict[Header, Text] = {}
    pages: Pages = SinglePage()
    expect: ExpectPart | None = None
    limits: Limits = Limits()
    resources: Annotated[list[Resource], Field(max_length=200)] = []
    targets: Annotated[list[TargetPart], Field(max_length=200)] = []
    probe: ProbePart | None = None

    @model_validator(mode="after")
    def _distinct(self) -> "Interface":
        if not self.resources and not self.targets:
            raise ValueError("resources, targets")
        names = [one.name for one in self.targets]
        double = next((name for name in names if names.count(name) > 1), None)
        if double is not None:
            raise ValueError(f"targets: {double}")
        return self

    @model_validator(mode="after")
    def _resolved(self) -> "Interface":
        names = [resource.name for resource in self.resources]
        double = next((name for name in names if names.count(name) > 1), None)
        if double is not None:
            raise ValueError(f"resources: {double}")
        for resource in self.resources:
            parents: list[str] = []
            one: Resource | None = resource
            while one is not None and one.parent is not None:
                parents.append(one.name)
                if one.parent.resource not in names or one.parent.resource in parents:
                    raise ValueError(f"parent: {one.parent.resource}")
                one = self.resource(one.parent.resource)
        return self

    def resource(self, name: str) -> Resource | None:
        """By its name."""
        return next((one for one in self.resources if one.name == name), None)

    def target(self, name: str) -> TargetPart | None:
        """The target of a table: by its name, else the one of all tables."""
        found = {one.name: one for one in self.targets}
        return found.get(name) or found.get(ALL_TABLES)
