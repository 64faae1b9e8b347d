"""Figures of metrics as texts of alerts show them: a number in a unit that people read."""

from zcbus.control.features.metric.catalogue import METRICS, Metric, MetricType, SubjectKind

_MIB = 1 << 20


def metric_of(kind: str, name: str) -> Metric | None:
    """The declared metric; None: there is none of this name."""
    metrics = METRICS.get(SubjectKind(kind), ()) if kind in set(SubjectKind) else ()
    return next((metric for metric in metrics if metric.name == name), None)


def shown(metric: Metric, value: float) -> str:
    """A value, of counters one per second."""
    unit = metric.chart.unit
    number, suffix = {
        "ms": (value / 1000, " s"),
        "bytes": (value / _MIB, " MiB"),
        "percent": (value, " %"),
        "rows": (value, ""),
        "count": (value, ""),
    }[unit]
    return f"{number:,.6g}{suffix}{'/s' if metric.type is MetricType.COUNTER else ''}"
