"""Series for charts: aligned, in a resolution that fits the range."""

from collections.abc import Sequence
from datetime import datetime
from functools import reduce
from itertools import groupby

import numpy as np

from zcbus.control.features.metric.catalogue import METRICS, ROLL_UPS, Metric, MetricType
from zcbus.control.features.metric.schemas import MetricChart, MetricSeries, SeriesRecord, SeriesRequest
from zcbus.control.features.metric.subjects import Part
from zcbus.control.platform.language import Language
from zcbus.control.store.metrics.series import Grid, empty, merge, roll_up
from zcbus.control.store.metrics.store import MetricStore
from zcbus.control.store.metrics.tiers import Tier, tier_for

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
_STEPS = (
    *(10, 20, 30, _MINUTE, 2 * _MINUTE, 5 * _MINUTE, 10 * _MINUTE, 20 * _MINUTE, 30 * _MINUTE),
    *(_HOUR, 2 * _HOUR, 3 * _HOUR, 6 * _HOUR, 12 * _HOUR, _DAY, 2 * _DAY, 7 * _DAY, 14 * _DAY, 30 * _DAY, 90 * _DAY),
)


def read(
    store: MetricStore, parts: Sequence[Part], request: SeriesRequest, language: Language, now: datetime
) -> SeriesRecord:
    """The series of a subject in the requested range, part by part."""
    first, end = request.between(now)
    last = min(end, now.timestamp())
    # Both ends are rounded to whole steps, which needs up to two more.
    seconds_per_point = (end - first) / (request.max_points - 2)
    step = next(step for step in _STEPS if step >= seconds_per_point or step == _STEPS[-1])
    tier = tier_for(step, now.timestamp() - first)
    step = max(step, tier.step)
    start = int(first // step) * step
    end = max(start, -int(-last // step) * step)
    charts = []
    for part in parts:
        grid = roll_up(_together(store, part, tier, start, end), step // tier.step, ROLL_UPS[part.kind])
        names = [name for name in (part.metrics, request.metrics) if name is not None]
        charts += _charts(METRICS[part.kind], grid, names, language)
    return SeriesRecord(
        start=round(first * 1000),
        end=round(end * 1000),
        step=step,
        times=list(range(start * 1000, end * 1000, step * 1000)),
        charts=charts,
    )


def _together(store: MetricStore, part: Part, tier: Tier, start: int, end: int) -> Grid:
    """The members of a part as one. What all of them measured in an interval counts as measured in it once."""
    grids = list(store.read_many(part.kind, part.ids, tier, start, end, ROLL_UPS[part.kind]).values())
    if len(grids) < 2:
        return grids[0] if grids else empty((end - start) // tier.step, len(METRICS[part.kind]))
    across = [metric.across for metric in METRICS[part.kind]]
    whole = reduce(lambda one, other: merge(one, other, across), grids)
    whole[:, 0] = np.max([grid[:, 0] for grid in grids], axis=0)
    return whole


def _charts(
    metrics: Sequence[Metric], grid: Grid, chosen: Sequence[Sequence[str]], language: Language
) -> list[MetricChart]:
    """`chosen`: each leaves only metrics with these names."""
    shown = [
        (metric, column)
        for column, metric in enumerate(metrics, start=1)
        if all(metric.name in names for names in chosen)
    ]
    return [
        MetricChart(
            name=chart.name,
            title=_in(language, chart.zh, chart.en),
            unit=chart.unit,
            series=[_series(metric, grid, column, language) for metric, column in together],
        )
        for chart, together in groupby(shown, key=lambda pair: pair[0].chart)
    ]


def _series(metric: Metric, grid: Grid, column: int, language: Language) -> MetricSeries:
    values, total = grid[:, column], None
    if metric.type is MetricType.COUNTER:
        measured = values[~np.isnan(values)]
        total = float(measured.sum()) if len(measured) else None
        values = values / np.where(grid[:, 0] > 0, grid[:, 0], np.nan)
    return MetricSeries(
        name=metric.name,
        label=_in(language, metric.zh, metric.en),
        type=metric.type,
        values=[None if np.isnan(value) else round(float(value), 3) for value in values],
        total=total,
    )


def _in(language: Language, chinese: str, english: str) -> str:
    return chinese if language == "zh" else english
