"""Requests and answers about comparisons of subscribed tables."""

from typing import Annotated

from pydantic import Field

from zcbus.control.features.subscribe.schemas import Id
from zcbus.control.features.subscribe.sheet_schemas import SheetChoice
from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.schema import Schema
from zcbus.model.comparison import ComparisonMethod, DifferenceKind

ColumnName = Annotated[str, Field(min_length=1, max_length=128)]


class ComparisonWay(Schema):
    """How tables are compared. `method`: null compares contents, and for append-only tables the record counts.
    `rounds`: convergence compare times, the number of rechecks of differing rows. `columns`: names in the source; only
    these are compared, besides the key; none: all selected ones."""

    method: ComparisonMethod | None = None
    columns: list[ColumnName] = Field(default_factory=list, max_length=1_600)
    rounds: int = Field(3, ge=2, le=100)


class ComparisonOrder(ComparisonWay, SheetChoice):
    """Compare tables once."""


class DifferencePageRequest(PageRequest):
    """Rows that the last comparison of a table found. `search`: part of a value of the key."""

    table: Id
    kind: list[DifferenceKind] = Field(default_factory=list, max_length=3)
    search: str = Field("", max_length=255)


class RepairPreviewRequest(Schema):
    """Rows of a table whose repair is to be shown. `rows`: how many of those that the last comparison found."""

    table: Id
    rows: int = Field(200, ge=1, le=1_000)


class RepairStatementRecord(Schema):
    """The statement that would repair a row, in the target's dialect. `key`: canonical texts."""

    kind: DifferenceKind
    key: list[str]
    statement: str


class RepairPreviewAnswer(Schema):
    """What a repair would write now. `settings`: statements to run first in another session. `statements`: deletions
    first; rows that are equal by now, or wait as row errors, have none. `examined`: rows that were read, the first of
    `total` that the comparison found. `cut`: further statements are left out because they are too long."""

    settings: list[str]
    statements: list[RepairStatementRecord]
    examined: int
    total: int
    cut: bool


class DifferenceRecord(Schema):
    """A row that differs, with both sides in the order of the page's `columns`; null: the side does not have the row.
    Values are canonical texts, bytes in hexadecimal. `differing`: names of the columns that differ."""

    kind: DifferenceKind
    key: list[str]
    source: list[str | None] | None
    target: list[str | None] | None
    differing: list[str]


class DifferencePage(Schema):
    """`columns`: of both sides; `key`: those of them that identify a row."""

    columns: list[str]
    key: list[str]
    records: list[DifferenceRecord]
    total: int


DIFFERENCES = ListDefinition[DifferenceRecord](DifferenceRecord)
"""In its own order only."""
