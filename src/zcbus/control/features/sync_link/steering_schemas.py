"""What is asked and answered about single tables of a link: load again, begin elsewhere, go on without what is lost."""

from datetime import datetime

from pydantic import Field, model_validator

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
    """`beside`: load into a table beside the target table and exchange the rows at the end, so that readers of the
    target never miss any. False: clean first, as the link says. Left out: beside where the link does not clean. Rows
    that the source does not have go, unless the link does not clean and the table was there before the link."""

    beside: bool | None = None


class IncrementalPlace(TablesChoice):
    """Where incremental subscription is to begin: with what was committed at a moment or later, or with a record of the
    link's changes. Exactly one of both."""

    time: datetime | None = None
    offset: int | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _check_place(self) -> "IncrementalPlace":
        if (self.time is None) == (self.offset is None):
            raise ValueError("either time or offset is needed")
        if self.time is not None and self.time.tzinfo is None:
            raise ValueError("time needs its zone")
        return self


class IncrementalStart(IncrementalPlace):
    """`hold`: only set the place; the tables begin there when they are resumed."""

    hold: bool = False


class TableStartRecord(Schema):
    """What waits for a table behind a place: changes, as far as they were counted, and when the first was committed."""

    source: str
    changes: int
    first_change_at: datetime | None


class IncrementalPlaceRecord(Schema):
    """A place that was found. `offset`: the record that is applied first; `firstOffset`, `nextOffset`: what there is;
    `complete`: every change behind the place was counted."""

    offset: int
    first_offset: int
    next_offset: int
    complete: bool
    tables: list[TableStartRecord]
