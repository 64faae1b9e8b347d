"""Key figures and charts from the metrics of a group's channels and services."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from zcbus.control.features.index_statistics.groups import Group
from zcbus.control.features.index_statistics.period import Period
from zcbus.control.features.index_statistics.schemas import KeyFigures
from zcbus.control.features.metric.catalogue import METRICS, ROLL_UPS, SubjectKind
from zcbus.control.store.metrics.series import Grid, RollUp, empty, roll_up
from zcbus.control.store.metrics.store import MetricStore

CHANGES = ("inserts", "updates", "deletes")

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Measured:
    """Metrics of a period by the ids of their subjects, and those of the period before."""

    channels: Mapping[str, Grid]
    services: Mapping[str, Grid]


def measure(store: MetricStore, groups: Collection[Group], period: Period, shift: int) -> Measured:
    """Metrics of all members of groups, `shift` seconds before the period."""
    start, end = period.start - shift, period.end - shift

    def read(kind: SubjectKind, ids: set[str]) -> Mapping[str, Grid]:
        return store.read_many(kind, ids, period.tier, start, end, ROLL_UPS[kind])

    channels = {id_ for group in groups for id_ in group.channels}
    services = {id_ for group in groups for id_ in group.services}
    return Measured(read(SubjectKind.CHANNEL, channels), read(SubjectKind.SERVICE, services))


def key_figures(group: Group, measured: Measured, period: Period) -> KeyFigures:
    """Figures of a group in a period."""
    channels, services = _members(group.channels, measured.channels), _members(group.services, measured.services)
    changes = [_sum(_column(SubjectKind.CHANNEL, channels, name)) for name in CHANGES]
    lag = _known(_column(SubjectKind.CHANNEL, channels, "lag_ms"))
    captured = [_sum(_column(SubjectKind.SERVICE, services, name)) for name in CHANGES]
    seconds = max((float(grid[:, 0].sum()) for grid in (*channels, *services)), default=0.0)
    return KeyFigures(
        captured=_added(captured),
        applied=_added(changes),
        **dict(zip(CHANGES, changes, strict=True)),
        rows_loaded=_sum(_column(SubjectKind.CHANNEL, channels, "rows_loaded")),
        bytes_loaded=_sum(_column(SubjectKind.CHANNEL, channels, "bytes_loaded")),
        lag_mean_ms=round(float(lag.mean()), 1) if lag.size else None,
        lag_max_ms=round(float(lag.max()), 1) if lag.size else None,
        row_errors=_most(_column(SubjectKind.CHANNEL, channels, "row_errors")),
        failed_tables=_most(_column(SubjectKind.CHANNEL, channels, "failed_tables")),
        restarts=_sum(_column(SubjectKind.SERVICE, services, "restarts")),
        measured_percent=round(min(100.0, 100 * seconds / (period.end - period.start)), 3),
    )


def chart_points(group: Group, measured: Measured, period: Period) -> tuple[Grid, Grid]:
    """Points of a chart: changes applied (`CHANGES` and the highest lag) and captured (`CHANGES`) by a group."""
    applied = _together(SubjectKind.CHANNEL, _members(group.channels, measured.channels), (*CHANGES, "lag_ms"), period)
    captured = _together(SubjectKind.SERVICE, _members(group.services, measured.services), CHANGES, period)
    return applied, captured


def volume_points(group: Group, measured: Measured, period: Period) -> Grid:
    """Points of a chart: changes applied (`CHANGES`) and rows loaded by a group."""
    members = _members(group.channels, measured.channels)
    return _together(SubjectKind.CHANNEL, members, (*CHANGES, "rows_loaded"), period)


def _members(ids: set[str], grids: Mapping[str, Grid]) -> Sequence[Grid]:
    return [grids[id_] for id_ in sorted(ids) if id_ in grids]


def _index(kind: SubjectKind, name: str) -> int:
    return 1 + next(place for place, metric in enumerate(METRICS[kind]) if metric.name == name)


def _column(kind: SubjectKind, grids: Sequence[Grid], name: str) -> Floats:
    """Members x points."""
    index = _index(kind, name)
    return np.array([grid[:, index] for grid in grids]) if grids else np.empty((0, 0))


def _known(values: Floats) -> Floats:
    return values[~np.isnan(values)]


def _sum(values: Floats) -> int | None:
    known = _known(values)
    return round(float(known.sum())) if known.size else None


def _added(values: Sequence[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _most(values: Floats) -> int | None:
    """The most of all members together at one time."""
    known = _known(_summed(values))
    return round(float(known.max())) if known.size else None


def _summed(values: Floats) -> Floats:
    """Sums over the members, NaN where none was measured."""
    return np.where(np.isnan(values).all(axis=0), np.nan, np.nansum(values, axis=0))


def _together(kind: SubjectKind, grids: Sequence[Grid], names: Sequence[str], period: Period) -> Grid:
    factor = period.point // period.tier.step
    whole = empty(period.points() * factor, len(names))
    if grids:
        steps = (period.end - period.start) // period.tier.step
        whole[:steps, 0] = np.max([grid[:, 0] for grid in grids], axis=0)
        for place, name in enumerate(names, start=1):
            values = _column(kind, grids, name)
            whole[:steps, place] = np.fmax.reduce(values, axis=0) if name == "lag_ms" else _summed(values)
    how = [RollUp.MAX if name == "lag_ms" else RollUp.SUM for name in names]
    return roll_up(whole, factor, how)
