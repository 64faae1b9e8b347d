"""Requests and answers of metrics."""

from enum import StrEnum

from pydantic import Field

from zcbus.control.features.metric.catalogue import MetricType, Unit
from zcbus.control.platform.period import RecentPeriod
from zcbus.control.platform.schema import Schema
from zcbus.control.store.tables.container import AGENT_ID_LENGTH

MAX_POINTS = 2000


class MetricSubject(StrEnum):
    """Subjects of metrics. Link and task: those of their channel; customer: of its channels together; node: of its
    service; container: of its hosts and services together."""

    LINK = "link"
    TASK = "task"
    CHANNEL = "channel"
    CUSTOMER = "customer"
    TABLE = "table"
    NODE = "node"
    PUBLISHED_TABLE = "published-table"
    SERVICE = "service"
    HOST = "host"
    CONTAINER = "container"


class SeriesRequest(RecentPeriod):
    """`last`: the seconds up to now; else `from` and `to`. `metrics`: their names; null: all of the subject.
    `maxPoints`: the most moments in the answer."""

    kind: MetricSubject
    id: str = Field(min_length=1, max_length=AGENT_ID_LENGTH)
    last: int | None = Field(default=None, ge=60, le=int(RecentPeriod.longest.total_seconds()))
    max_points: int = Field(default=500, ge=10, le=MAX_POINTS)
    metrics: list[str] | None = Field(default=None, max_length=50)


class MetricSeries(Schema):
    """`values`: one for each moment, null where nothing was measured; of counters per second. `total`: by how much a
    counter grew from the first moment to the last; null for gauges, and where nothing was measured."""

    name: str
    label: str
    type: MetricType
    values: list[float | None]
    total: float | None


class MetricChart(Schema):
    """Metrics that are drawn together. `unit`: of gauges; counters are in it per second."""

    name: str
    title: str
    unit: Unit
    series: list[MetricSeries]


class SeriesRecord(Schema):
    """`times`: the moments of the values, each the beginning of `step` seconds; they and the requested range (`start`,
    `end`) in milliseconds since 1970."""

    start: int
    end: int
    step: int
    times: list[int]
    charts: list[MetricChart]
