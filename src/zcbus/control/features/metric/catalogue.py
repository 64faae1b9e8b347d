"""The catalogue of metrics: one literal declaration. Store, API, charts and reference follow from it.

Metrics of a subject kind are only ever added at the end: stored series have their columns in this order.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from zcbus.control.store.metrics.series import RollUp


class SubjectKind(StrEnum):
    """Subjects of metrics, named by their ids in the metadata."""

    TABLE = "table"
    """A subscribed table."""
    CHANNEL = "channel"
    """A channel, or the sync link on it: its tables together."""
    PUBLISHED_TABLE = "published-table"
    SERVICE = "service"
    HOST = "host"
    """By its agent's id."""


class MetricType(StrEnum):
    COUNTER = "counter"
    """Grows; shown per second."""
    GAUGE = "gauge"


Unit = Literal["rows", "bytes", "ms", "percent", "count"]


@dataclass(frozen=True, slots=True)
class Chart:
    """Metrics that are drawn together."""

    name: str
    unit: Unit
    zh: str
    en: str


@dataclass(frozen=True, slots=True)
class Metric:
    """A figure of each subject of a kind."""

    name: str
    chart: Chart
    type: MetricType
    roll_up: RollUp
    zh: str
    en: str
    source: str
    """Its origin for the reference: fields of `protocol.reports` or of `protocol.agent`."""

    @property
    def across(self) -> RollUp:
        """Aggregation of several subjects at the same time: the longest of times, the mean of shares, else the sum."""
        return _ACROSS.get(self.chart.unit, RollUp.SUM)


_ACROSS: Mapping[Unit, RollUp] = {"ms": RollUp.MAX, "percent": RollUp.MEAN}


def _counter(name: str, chart: Chart, zh: str, en: str, source: str) -> Metric:
    return Metric(name, chart, MetricType.COUNTER, RollUp.SUM, zh, en, source)


def _highest(name: str, chart: Chart, zh: str, en: str, source: str) -> Metric:
    """A gauge of which longer intervals have the highest value: nothing that stood out for seconds is lost."""
    return Metric(name, chart, MetricType.GAUGE, RollUp.MAX, zh, en, source)


def _mean(name: str, chart: Chart, zh: str, en: str, source: str) -> Metric:
    return Metric(name, chart, MetricType.GAUGE, RollUp.MEAN, zh, en, source)


def _last(name: str, chart: Chart, zh: str, en: str, source: str) -> Metric:
    """A gauge of which longer intervals have the value at their end, so that it can be set against counters."""
    return Metric(name, chart, MetricType.GAUGE, RollUp.LAST, zh, en, source)


_APPLIED = Chart("applied", "rows", "已应用的变更", "Applied changes")
_CAPTURED = Chart("captured", "rows", "已捕获的变更", "Captured changes")
_LOADED = Chart("loaded", "rows", "全量装载", "Full load")
_LOADED_BYTES = Chart("loaded-bytes", "bytes", "全量装载流量", "Full load, bytes")
_LAG = Chart("lag", "ms", "延迟", "Lag")
_WAITING = Chart("waiting", "bytes", "积压", "Backlog")
_ERRORS = Chart("errors", "count", "错误", "Errors")
_HOPS = Chart("hops", "ms", "各段耗时", "Time per hop")
_MEMORY = Chart("memory", "bytes", "内存", "Memory")
_RETRIES = Chart("retries", "count", "重试", "Retries")
_BUS = Chart("bus", "bytes", "总线流量", "Bus traffic")
_PROGRESS = Chart("progress", "percent", "装载进度", "Load progress")
_RESTARTS = Chart("restarts", "count", "重启", "Restarts")
_CPU = Chart("cpu", "percent", "CPU", "CPU")
_DISK = Chart("disk", "bytes", "磁盘", "Disk")

_SETTLED = Chart("settled", "rows", "变更去向", "What became of changes")
_UNSETTLED = Chart("unsettled", "count", "等待与差额", "Waiting and unaccounted")

_CHANGES = (
    ("inserts", "插入", "Inserts"),
    ("updates", "更新", "Updates"),
    ("deletes", "删除", "Deletes"),
)

_COUNTS = (
    _counter("published", _SETTLED, "已发布", "Published", "PublishTableReport.changes"),
    _counter("changes_applied", _SETTLED, "已应用", "Applied", "ChangeCounts.handled"),
    _counter("changes_skipped", _SETTLED, "已略过", "Skipped", "ChangeCounts.skipped"),
    _counter("changes_filtered", _SETTLED, "已过滤", "Filtered", "ChangeCounts.filtered"),
    _counter("changes_refused", _SETTLED, "被拒绝", "Refused", "ChangeCounts.refused"),
    _last("changes_waiting", _UNSETTLED, "等待", "Waiting", "PublishTableReport.changes"),
    _last("changes_difference", _UNSETTLED, "差额", "Difference", "ChangeCounts.difference"),
)
"""published = applied + skipped + filtered + refused + the growth of what waits and of the difference."""

METRICS: Mapping[SubjectKind, tuple[Metric, ...]] = {
    SubjectKind.TABLE: (
        *(_counter(name, _APPLIED, zh, en, f"SyncTableReport.{name}") for name, zh, en in _CHANGES),
        _counter("rows_loaded", _LOADED, "装载行数", "Rows loaded", "SyncTableReport.rows_loaded"),
        _counter("bytes_loaded", _LOADED_BYTES, "装载字节", "Bytes loaded", "SyncTableReport.bytes_loaded"),
        _highest(
            "lag_ms", _LAG, "最早未应用变更的等待时间", "Age of the oldest waiting change", "SyncTableReport.lag_ms"
        ),
        _highest("row_errors", _ERRORS, "未处理的异常行", "Open row errors", "SyncTableReport.row_errors"),
        *_COUNTS,
        _last("load_percent", _PROGRESS, "已装载的行", "Rows loaded", "SyncTableReport.rows_total"),
    ),
    SubjectKind.CHANNEL: (
        *(_counter(name, _APPLIED, zh, en, f"SyncTableReport.{name}") for name, zh, en in _CHANGES),
        _counter("rows_loaded", _LOADED, "装载行数", "Rows loaded", "SyncTableReport.rows_loaded"),
        _counter("bytes_loaded", _LOADED_BYTES, "装载字节", "Bytes loaded", "SyncTableReport.bytes_loaded"),
        _highest(
            "lag_ms", _LAG, "最早未应用变更的等待时间", "Age of the oldest waiting change", "SyncTableReport.lag_ms"
        ),
        _highest("waiting_bytes", _WAITING, "待读取", "Still to be read", "ServiceReport.backlog_bytes"),
        _highest("row_errors", _ERRORS, "未处理的异常行", "Open row errors", "SyncTableReport.row_errors"),
        _highest("failed_tables", _ERRORS, "出错的表", "Tables in error", "SyncTableReport.state"),
        *_COUNTS,
        _last("load_percent", _PROGRESS, "已装载的行", "Rows loaded", "SyncTableReport.rows_total"),
    ),
    SubjectKind.PUBLISHED_TABLE: (
        *(_counter(name, _CAPTURED, zh, en, f"PublishTableReport.{name}") for name, zh, en in _CHANGES),
        _highest("delay_ms", _LAG, "从提交到写入总线", "From commit to the bus", "PublishTableReport.delay_ms"),
    ),
    SubjectKind.SERVICE: (
        *(_counter(name, _CAPTURED, zh, en, f"PublishTableReport.{name}") for name, zh, en in _CHANGES),
        _counter("restarts", _RESTARTS, "重启次数", "Restarts", "ServiceStatus.restarts"),
        _highest("came_ms", _HOPS, "到达本服务", "To this service", "ServiceReport.came"),
        _highest("went_ms", _HOPS, "经过本服务", "Through this service", "ServiceReport.went"),
        _highest(
            "backlog_bytes",
            _WAITING,
            "保留的日志或待读取",
            "Retained log, or still to be read",
            "ServiceReport.backlog_bytes",
        ),
        _highest("memory_bytes", _MEMORY, "进程内存", "Process memory", "ServiceReport.memory_bytes"),
        _mean("cpu_percent", _CPU, "本进程，相对单个处理器", "Process, of one processor", "ServiceReport.cpu_percent"),
        _counter("retries", _RETRIES, "重试次数", "Retries", "ServiceReport.retries"),
        _counter("bus_bytes", _BUS, "写入或读取的字节", "Bytes written or read", "ServiceReport.bus_bytes"),
    ),
    SubjectKind.HOST: (
        _mean("cpu_percent", _CPU, "所有处理器", "All processors", "HostFigures.cpu_percent"),
        _mean("memory_used", _MEMORY, "已用", "Used", "HostFigures.memory_used"),
        _highest("memory_total", _MEMORY, "总量", "Total", "HostFigures.memory_total"),
        _mean("disk_used", _DISK, "已用", "Used", "HostFigures.disk_used"),
        _highest("disk_total", _DISK, "总量", "Total", "HostFigures.disk_total"),
    ),
}


ROLL_UPS: Mapping[str, tuple[RollUp, ...]] = {
    kind.value: tuple(metric.roll_up for metric in metrics) for kind, metrics in METRICS.items()
}
