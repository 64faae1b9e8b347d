"""Requests and answers about single tables of a link: reload, start at a position, accept a gap."""

from pydantic import Field

from zcbus.control.features.subscribe.start_position import StartChoice
from zcbus.control.features.sync_link.schemas import (
    MAX_PATTERNS,
    LinkChoice,
    TableChange,
    TablesChoice,
    TableWords,
)
from zcbus.control.platform.schema import Schema


class GapRequest(LinkChoice):
    """Tables of a link by name or id; left out: all of which changes are missing."""

    tables: list[TableWords] | None = Field(default=None, min_length=1, max_length=MAX_PATTERNS)


class NewTableList(Schema):
    """Tables of the source that a link does not carry, with where they would go."""

    tables: list[TableChange]


class TakeInRequest(LinkChoice):
    """New tables of a link's source, by `schema.table`."""

    tables: list[TableWords] = Field(min_length=1, max_length=MAX_PATTERNS)


class ReloadRequest(TablesChoice):
    """`beside`: load into a shadow table and exchange the rows at the end, so that readers of the target always see
    complete data. False: clean first, as the link says. Omitted: a shadow table where the link does not clean. Rows
    that the source does not have are removed, unless the link does not clean and the table existed before the link."""

    beside: bool | None = None


class IncrementalPosition(StartChoice, TablesChoice):
    """Where incremental subscription of tables of a link is to begin."""


class IncrementalStart(IncrementalPosition):
    """`hold`: only set the position; the tables start there when they are resumed."""

    hold: bool = False
