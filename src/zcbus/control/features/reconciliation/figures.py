"""Figures of a period from the metric store: sums, and each minute as an equation."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from zcbus.control.features.metric.catalogue import METRICS, ROLL_UPS, SubjectKind
from zcbus.control.features.reconciliation.schemas import TopicFlowGrouping, TopicFlowMinute, TopicFlowPeriod
from zcbus.control.store.metrics.series import Grid
from zcbus.control.store.metrics.store import MetricStore
from zcbus.control.store.metrics.tiers import TIERS, Tier

KINDS: Mapping[TopicFlowGrouping, SubjectKind] = {
    TopicFlowGrouping.CHANNEL: SubjectKind.CHANNEL,
    TopicFlowGrouping.TABLE: SubjectKind.TABLE,
}
_SETTLED = ("applied", "skipped", "filtered", "refused")
_COUNTERS = {"published": "published", **{name: f"changes_{name}" for name in _SETTLED}}
"""Field → metric."""
_DAY = 86_400
_MINUTES, _HOURS = TIERS[1], TIERS[2]


@dataclass(frozen=True, slots=True)
class Period:
    """In whole steps of a tier, in seconds since 1970."""

    start: int
    end: int
    tier: Tier

    @classmethod
    def of(cls, request: TopicFlowPeriod, now: datetime) -> "Period":
        """Minutes as long as they are kept and not too many."""
        first, last = request.between(now)
        is_recent = last - first <= 2 * _DAY and now.timestamp() - first <= _MINUTES.kept
        tier = _MINUTES if is_recent else _HOURS
        start = int(first // tier.step) * tier.step
        end = -int(-min(last, now.timestamp()) // tier.step) * tier.step
        return cls(start, max(end, start + tier.step), tier)


@dataclass(frozen=True, slots=True)
class Sums:
    """Of a period; None: nothing was measured."""

    published: int | None
    applied: int | None
    skipped: int | None
    filtered: int | None
    refused: int | None
    measured_percent: float


def sums(store: MetricStore, by: TopicFlowGrouping, id_: str, period: Period) -> Sums:
    """What became of changes in a period."""
    kind = KINDS[by]
    grid = store.read(kind, id_, period.tier, period.start, period.end, ROLL_UPS[kind])
    counted = {name: _sum(_column(kind, grid, metric)) for name, metric in _COUNTERS.items()}
    return Sums(**counted, measured_percent=_measured(grid, period))


def minutes(store: MetricStore, by: TopicFlowGrouping, id_: str, period: Period) -> list[TopicFlowMinute]:
    """Every step of a period, the newest first."""
    kind, step = KINDS[by], period.tier.step
    grid = store.read(kind, id_, period.tier, period.start - step, period.end, ROLL_UPS[kind])
    columns = {name: _column(kind, grid, metric) for name, metric in _COUNTERS.items()}
    waiting, difference = (_column(kind, grid, f"changes_{name}") for name in ("waiting", "difference"))
    found = [
        _minute(
            (period.start + place * step - step) * 1000,
            step,
            {name: _whole(values[place]) for name, values in columns.items()},
            (_whole(waiting[before]), _whole(waiting[place])),
            (_whole(difference[before]), _whole(difference[place])),
        )
        for before, place in pairwise(range(len(grid)))
    ]
    return found[::-1]


def happened(minute: TopicFlowMinute) -> bool:
    """Whether anything moved or waited, or is not as it should be."""
    figures = (minute.published, *(getattr(minute, name) for name in _SETTLED), minute.difference, minute.waiting)
    return any(figures) or minute.balanced is False


def _minute(
    at: int,
    step: int,
    counted: Mapping[str, int | None],
    waiting: tuple[int | None, int | None],
    difference: tuple[int | None, int | None],
) -> TopicFlowMinute:
    before, after = waiting
    grown = None if difference[1] is None else difference[1] - (difference[0] or 0)
    explained = [counted[name] for name in _SETTLED]
    figures = [before, counted["published"], *explained, grown, after]
    balanced = False if grown else None
    if all(figure is not None for figure in figures):
        came = (before or 0) + (counted["published"] or 0)
        balanced = grown == 0 and came == sum(one or 0 for one in explained) + (after or 0)
    return TopicFlowMinute(
        at=at, step=step, before=before, **counted, difference=grown, waiting=after, balanced=balanced
    )


def _sum(values: npt.NDArray[np.float64]) -> int | None:
    known = values[~np.isnan(values)]
    return round(float(known.sum())) if known.size else None


def _measured(grid: Grid, period: Period) -> float:
    return round(min(100.0, 100 * float(grid[:, 0].sum()) / (period.end - period.start)), 3)


def _column(kind: SubjectKind, grid: Grid, name: str) -> npt.NDArray[np.float64]:
    return grid[:, 1 + next(place for place, metric in enumerate(METRICS[kind]) if metric.name == name)]


def _whole(value: float) -> int | None:
    return None if np.isnan(value) else round(float(value))
