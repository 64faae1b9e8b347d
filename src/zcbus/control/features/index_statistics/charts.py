"""Charts of key figures: changes by kind, and the period against the one before."""

from collections.abc import Sequence

import numpy as np

from zcbus.control.features.index_statistics.figures import CHANGES, Floats
from zcbus.control.features.index_statistics.period import Period
from zcbus.control.features.metric.catalogue import METRICS, MetricType, SubjectKind
from zcbus.control.features.metric.schemas import MetricChart, MetricSeries, SeriesRecord
from zcbus.control.platform.language import Language
from zcbus.control.store.metrics.series import Grid

Points = tuple[Grid, Grid]
"""Applied and captured changes (see `figures.chart_points`)."""


def series_record(current: Points, before: Points, period: Period, language: Language) -> SeriesRecord:
    """The charts of a period, with the moments of the period itself."""
    texts = _ZH if language == "zh" else _EN
    (applied, captured), (applied_before, captured_before) = current, before
    names = (texts["current"], texts["before"])
    charts = [
        _chart("applied", texts["applied"], [_counter(*one) for one in _kinds(applied, language)]),
        _against("applied-before", texts["against"], names, _all(applied), _all(applied_before)),
        _against("captured-before", texts["captured"], names, _all(captured), _all(captured_before)),
        MetricChart(
            name="lag-before",
            title=texts["lag"],
            unit="ms",
            series=[
                _gauge("lag_now", names[0], applied[:, -1]),
                _gauge("lag_before", names[1], applied_before[:, -1]),
            ],
        ),
    ]
    start, end = period.start * 1000, period.end * 1000
    return SeriesRecord(start=start, end=end, step=period.point, times=period.times(), charts=charts)


def changes_per_second(grid: Grid) -> list[float | None]:
    """Changes of all kinds, point by point; None: nothing was measured."""
    return _rates(*_all(grid))


Counted = tuple[str, str, Floats, Floats]
"""Name, label, values and the seconds in which they were measured."""


def _kinds(applied: Grid, language: Language) -> Sequence[Counted]:
    labels = {metric.name: metric.zh if language == "zh" else metric.en for metric in METRICS[SubjectKind.CHANNEL]}
    return [(name, labels[name], applied[:, place], applied[:, 0]) for place, name in enumerate(CHANGES, start=1)]


def _all(grid: Grid) -> tuple[Floats, Floats]:
    """Changes of all kinds, and the seconds in which they were measured."""
    changes = grid[:, 1 : 1 + len(CHANGES)]
    return np.where(np.isnan(changes).all(axis=1), np.nan, np.nansum(changes, axis=1)), grid[:, 0]


def _against(
    name: str, title: str, labels: tuple[str, str], now: tuple[Floats, Floats], before: tuple[Floats, Floats]
) -> MetricChart:
    series = [_counter(f"{name}-now", labels[0], *now), _counter(name, labels[1], *before)]
    return _chart(name, title, series)


def _chart(name: str, title: str, series: list[MetricSeries]) -> MetricChart:
    return MetricChart(name=name, title=title, unit="rows", series=series)


def _counter(name: str, label: str, values: Floats, seconds: Floats) -> MetricSeries:
    known = values[~np.isnan(values)]
    return MetricSeries(
        name=name,
        label=label,
        type=MetricType.COUNTER,
        values=_rates(values, seconds),
        total=float(known.sum()) if known.size else None,
    )


def _rates(values: Floats, seconds: Floats) -> list[float | None]:
    return shown(values / np.where(seconds > 0, seconds, np.nan))


def _gauge(name: str, label: str, values: Floats) -> MetricSeries:
    return MetricSeries(name=name, label=label, type=MetricType.GAUGE, values=shown(values), total=None)


def shown(values: Floats) -> list[float | None]:
    """As an answer has them: None where nothing was measured."""
    return [None if np.isnan(value) else round(float(value), 3) for value in values]


_ZH = {
    "current": "本期",
    "before": "上期",
    "applied": "已应用的变更",
    "against": "已应用的变更，与上期相比",
    "captured": "已捕获的变更，与上期相比",
    "lag": "最高延迟，与上期相比",
}
_EN = {
    "current": "This period",
    "before": "Period before",
    "applied": "Applied changes",
    "against": "Applied changes against the period before",
    "captured": "Captured changes against the period before",
    "lag": "Highest lag against the period before",
}
