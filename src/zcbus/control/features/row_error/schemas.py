"""Requests and answers about row errors."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from zcbus.control.features.subscribe.schemas import ChannelChoice
from zcbus.control.features.sync_link.schemas import LinkChoice, TablesChoice
from zcbus.control.platform.paging import PageRequest
from zcbus.control.platform.schema import Schema
from zcbus.model.row_errors import RowErrorStatus, RowOperation

MAX_AT_ONCE = 1000

Id = Annotated[str, Field(min_length=1, max_length=200)]
Image = dict[Annotated[str, Field(max_length=255)], str | None]


class ErrorPageFilter(PageRequest):
    """`tables`: ids of subscribed tables. `search`: part of a row's key, of the target's name or of the error.
    `cause`: as `error/cause/list` answers it.
    `sort`: found, changed, status, operation, target, code or attempts."""

    tables: list[Id] | None = Field(None, max_length=MAX_AT_ONCE)
    status: list[RowErrorStatus] | None = None
    operation: list[RowOperation] | None = None
    search: str | None = Field(None, max_length=255)
    cause: str | None = Field(None, max_length=5000)


class RowErrorPageRequest(LinkChoice, ErrorPageFilter):
    """Of a link."""


class ChannelErrorPageRequest(ChannelChoice, ErrorPageFilter):
    """Of a channel, as all that begin so below."""


class CauseFilter(Schema):
    """Of some tables or all, in some states or all."""

    tables: list[Id] | None = Field(None, max_length=MAX_AT_ONCE)
    status: list[RowErrorStatus] | None = None


class CauseListRequest(LinkChoice, CauseFilter):
    """Of a link."""


class ChannelCauseListRequest(ChannelChoice, CauseFilter):
    """Of a channel."""


class CauseRecord(Schema):
    """The target's message about `count` changes; `…` stands for the parts that differ. `text`: the same to be
    shown."""

    cause: str
    text: str
    count: int


class RowErrorRecord(Schema):
    """A change that the target refused. `blocking`: its table stopped at it. `note`: why it is closed."""

    id: str
    table: str
    target: str
    operation: RowOperation
    status: RowErrorStatus
    key: Image
    code: str
    detail: str
    blocking: bool
    edited: bool
    attempts: int
    found_at: datetime
    changed_at: datetime
    note: str


class ErrorChoice(Schema):
    error: Id


class RowErrorChoice(LinkChoice, ErrorChoice):
    """Of a link."""


class ChannelErrorChoice(ChannelChoice, ErrorChoice):
    """Of a channel."""


class RowErrorDetail(RowErrorRecord):
    """With all stored values: `before` and `after` by source column; a column that is missing in `after` was not sent,
    or is one of `lacks`: an expression had no value for it. Binary values are hexadecimal digits behind `\\x`.
    `position`: as the source writes it; empty: none."""

    before: Image
    after: Image
    lacks: list[str]
    statement: str
    position: str
    committed_at: datetime | None


class ErrorsChoice(Schema):
    """Open row errors by their ids, or all open ones of some tables, or all."""

    errors: list[Id] = Field(default_factory=list, max_length=MAX_AT_ONCE)
    tables: list[Id] = Field(default_factory=list, max_length=MAX_AT_ONCE)


class RowErrorsChoice(LinkChoice, ErrorsChoice):
    """Of a link."""


class ChannelErrorsChoice(ChannelChoice, ErrorsChoice):
    """Of a channel."""


class ErrorEdit(ErrorChoice):
    """`after`: the values to try instead, by column; the others stay."""

    after: Image = Field(min_length=1)


class RowErrorEdit(LinkChoice, ErrorEdit):
    """Of a link."""


class ChannelErrorEdit(ChannelChoice, ErrorEdit):
    """Of a channel."""


class ErrorLimits(TablesChoice):
    """`errorLimit`: the most open row errors of a running table; 0: it stops at the first. `dmlSkip`, `ddlSkip`: number
    of further failing changes that are skipped for good, counted from now on; each is recorded."""

    error_limit: int = Field(100, ge=0, le=100_000)
    dml_skip: int = Field(0, ge=0, le=1_000_000)
    ddl_skip: int = Field(0, ge=0, le=100)
