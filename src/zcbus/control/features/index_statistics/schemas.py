"""Requests and answers about key figures."""

from collections.abc import Callable
from datetime import timedelta
from enum import StrEnum
from typing import ClassVar

from pydantic import Field

from zcbus.control.features.metric.schemas import SeriesRecord
from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.period import StatisticsPeriod
from zcbus.control.platform.schema import Schema
from zcbus.control.store.columns import ID_LENGTH


class Grouping(StrEnum):
    """Grouping of figures. Link: a customer where it has no link."""

    TENANT = "tenant"
    CONTAINER = "container"
    NODE = "node"
    LINK = "link"


class PeriodRequest(StatisticsPeriod):
    """`from`, `to`: at most 93 days; left out: the last day. A period that is not over ends now."""

    usual: ClassVar[timedelta | None] = timedelta(days=1)

    by: Grouping = Grouping.LINK


class IndexPageRequest(PageRequest, PeriodRequest):
    """Groups by page, by name. `search`: a part of the name."""

    search: str = Field("", max_length=100)


class IndexDetailRequest(PeriodRequest):
    """`id`: of a group; null: everything that the caller may see."""

    id: str | None = Field(None, max_length=ID_LENGTH)


class KeyFigures(Schema):
    """Figures of a period; null where nothing was measured. `captured`: changes that publishing took from the sources;
    `applied`: changes in the targets, with `inserts`, `updates` and `deletes`. `lagMeanMs`: of the highest lag in each
    interval (`SeriesRecord.step`). `rowErrors`, `failedTables`: the most at one time. `measuredPercent`: for how much
    of the period there are figures."""

    captured: int | None
    applied: int | None
    inserts: int | None
    updates: int | None
    deletes: int | None
    rows_loaded: int | None
    bytes_loaded: int | None
    lag_mean_ms: float | None
    lag_max_ms: float | None
    row_errors: int | None
    failed_tables: int | None
    restarts: int | None
    measured_percent: float


class IndexRecord(Schema):
    """A group, in the period and in the one before."""

    id: str
    name: str
    current: KeyFigures
    before: KeyFigures


class IndexDetail(Schema):
    """Figures of a group or of everything. `start`, `end`, `beforeStart`, `beforeEnd`: what was counted, in
    milliseconds since 1970, in whole intervals of `intervalMs`."""

    current: KeyFigures
    before: KeyFigures
    start: int
    end: int
    before_start: int
    before_end: int
    interval_ms: int
    series: SeriesRecord


def _by(name: str) -> Callable[[IndexRecord], tuple[bool, float]]:
    """Sort key by a figure; unmeasured ones come first."""

    def key(record: IndexRecord) -> tuple[bool, float]:
        value = getattr(record.current, name)
        return (value is not None, value or 0)

    return key


INDEXES = ListDefinition[IndexRecord](
    IndexRecord,
    sort_keys={
        "name": lambda record: record.name.casefold(),
        "captured": _by("captured"),
        "applied": _by("applied"),
        "inserts": _by("inserts"),
        "updates": _by("updates"),
        "deletes": _by("deletes"),
        "rowsLoaded": _by("rows_loaded"),
        "bytesLoaded": _by("bytes_loaded"),
        "lagMeanMs": _by("lag_mean_ms"),
        "lagMaxMs": _by("lag_max_ms"),
        "rowErrors": _by("row_errors"),
        "failedTables": _by("failed_tables"),
        "restarts": _by("restarts"),
        "measuredPercent": _by("measured_percent"),
    },
)
