"""Requests and answers about the reconciliation of published changes."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import ClassVar

from pydantic import Field

from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.period import StatisticsPeriod
from zcbus.control.platform.schema import Schema
from zcbus.control.store.columns import ID_LENGTH
from zcbus.model.services import ApplyingClient


class TopicFlowGrouping(StrEnum):
    """Channel: all tables that a subscriber takes from a topic over a channel."""

    CHANNEL = "channel"
    TABLE = "table"


class TopicFlowState(StrEnum):
    """From the best to the worst; a channel has the worst of its tables.

    `not-counted`: no changes are replicated, or not yet. `not-compared`: the two sides have not met at a common
    position since one of them began to count. `silent`: the subscription does not run, or its agent is silent, so the
    figures are those of its last report. `difference`: both sides disagree.
    """

    RECONCILED = "reconciled"
    NOT_COUNTED = "not-counted"
    WAITING = "waiting"
    NOT_COMPARED = "not-compared"
    SILENT = "silent"
    DIFFERENCE = "difference"


class TopicFlowPeriod(StatisticsPeriod):
    """`from`, `to`: at most 93 days; left out: the last hour. A period that is not over ends now."""

    usual: ClassVar[timedelta | None] = timedelta(hours=1)


class TopicFlowPageRequest(PageRequest, TopicFlowPeriod):
    """Channels or tables by page, those in the worst state first. `search`: a part of the topic's, the subscriber's,
    the channel's or a table's name."""

    by: TopicFlowGrouping = TopicFlowGrouping.CHANNEL
    search: str = Field("", max_length=100)
    state: TopicFlowState | None = None


class TopicFlowMinutesRequest(PageRequest, TopicFlowPeriod):
    """Minutes of a channel or a table, the newest first; in a period that is longer than two days, or older than
    minutes are kept, hours. `all`: also those in which nothing happened."""

    by: TopicFlowGrouping
    id: str = Field(min_length=1, max_length=ID_LENGTH)
    all: bool = False


class TopicFlowRecord(Schema):
    """What became of the changes that a topic has for a subscriber's channel or table.

    `published` to `refused`: in the period, null where nothing was measured; `published` = `applied` + `skipped` +
    `filtered` + `refused` + the growth of `waiting` and of `difference`. `skipped`: in the full load already, or come
    through the target itself. `waiting`: now; null: not known. `difference`: changes that were published and never
    arrived; negative: that arrived too often. `comparedAt`: when both sides last met. `measuredPercent`: for how much
    of the period there are figures. `source`, `target`: of a table; empty of a channel, which has `tables` tables.
    """

    id: str
    topic: str
    subscriber: str
    channel: str
    source: str
    target: str
    tables: int
    state: TopicFlowState
    published: int | None
    applied: int | None
    skipped: int | None
    filtered: int | None
    refused: int | None
    waiting: int | None
    difference: int
    row_errors: int
    compared_at: datetime | None
    measured_percent: float
    node_id: str
    link_id: str | None
    task_id: str | None
    customer_id: str
    client_type: ApplyingClient


class TopicFlowMinute(Schema):
    """A minute, or an hour, of `step` seconds from `at` on, in milliseconds since 1970. `before` + `published` =
    `applied` + `skipped` + `filtered` + `refused` + `difference` + `waiting`: what waited before and what came is what
    became of it, what did not arrive (`difference`), and what still waits. `balanced`: whether that is so, without a
    difference; null where a figure is missing, since it was not measured."""

    at: int
    step: int
    before: int | None
    published: int | None
    applied: int | None
    skipped: int | None
    filtered: int | None
    refused: int | None
    difference: int | None
    waiting: int | None
    balanced: bool | None


FLOWS = ListDefinition[TopicFlowRecord](
    TopicFlowRecord,
    {
        "topic": "topic",
        "subscriber": "subscriber",
        "channel": "channel",
        "source": "source",
        "target": "target",
        "tables": "tables",
        "state": "rank",
        "waiting": "waiting",
        "difference": "difference",
        "rowErrors": "row_errors",
        "comparedAt": "compared_at",
    },
)

MINUTES = ListDefinition[TopicFlowMinute](
    TopicFlowMinute,
    sort_keys={
        "at": lambda one: one.at,
        "published": lambda one: one.published or 0,
        "applied": lambda one: one.applied or 0,
        "skipped": lambda one: one.skipped or 0,
        "filtered": lambda one: one.filtered or 0,
        "refused": lambda one: one.refused or 0,
        "difference": lambda one: abs(one.difference or 0),
        "waiting": lambda one: one.waiting or 0,
    },
)
