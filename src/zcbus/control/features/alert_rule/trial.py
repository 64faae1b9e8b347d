"""A rule on the history: when it would have fired."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np

from zcbus.control.features.alert_rule.evaluation import holds, limits_of
from zcbus.control.features.alert_rule.figures import metric_of
from zcbus.control.features.alert_rule.frames import Flags, Floats, in_scope, per_second, services_of_links, subjects_of
from zcbus.control.features.alert_rule.machine import GRACE, Limits, Reading, Status, advance
from zcbus.control.features.alert_rule.schemas import DAY, RuleTrialRecord, TrialEpisode
from zcbus.control.features.metric.catalogue import METRICS, ROLL_UPS, SubjectKind
from zcbus.control.platform.services import Services
from zcbus.control.store.metrics.tiers import TIERS

MAX_SUBJECT_DAYS = 1_500
"""Bounds the work of one trial: so many days of minutes are read."""
MAX_EPISODES = 200
_TOGETHER = 20
"""Subjects whose history is in memory at once."""
_READINGS = (Reading.FINE, Reading.OVER, Reading.MISSING)


@dataclass(frozen=True, slots=True)
class Episode:
    """Of one subject, in seconds since 1970. `ended_at`: None: it lasts. `peak`: None: it was missing."""

    fired_at: float
    ended_at: float | None
    is_missing: bool
    peak: float | None


def run(services: Services, rule: Any, tenant_id: str, days: int) -> RuleTrialRecord:
    """Try the settings of a rule, `RuleCondition` with a tenant, by the minutes of the last days."""
    kind = SubjectKind(rule.kind)
    with services.database.read() as connection:
        subjects, links = subjects_of(connection, kind), services_of_links(connection)
    chosen = np.flatnonzero(in_scope(_Scoped.of(rule, tenant_id), subjects, links))
    tried = chosen[: MAX_SUBJECT_DAYS // days]
    tier = TIERS[1]
    end = int(services.clock.now().timestamp() // tier.step) * tier.step
    start = end - days * DAY
    found, measured = [], 0
    for first in range(0, len(tried), _TOGETHER):
        together = {subjects.ids[place]: subjects.names[place] for place in tried[first : first + _TOGETHER]}
        for subject, values in _read(services, rule, tuple(together), (start, end)):
            measured += int((~np.isnan(values)).sum())
            times = np.arange(start, end, tier.step, dtype=np.float64)
            found += [(subject, together[subject], one) for one in episodes(rule, times, values)]
    found.sort(key=lambda one: -one[2].fired_at)
    points = len(tried) * (end - start) // tier.step
    return RuleTrialRecord(
        start=_moment(start),
        end=_moment(end),
        step=tier.step,
        subjects=len(chosen),
        tried=len(tried),
        total=len(found),
        episodes=[_record(*one) for one in found[:MAX_EPISODES]],
        measured=round(measured / points, 4) if points else 0.0,
    )


def episodes(rule: Any, times: Floats, values: Floats) -> Iterator[Episode]:
    """When figures at these moments would have been alerts. Nothing is missing before the first figure: the subject
    may not have been there."""
    known = np.flatnonzero(~np.isnan(values))
    if not len(known):
        return
    times, values = times[known[0] :], values[known[0] :]
    fired: tuple[int, bool] | None = None
    for place, status in _changes(limits_of(rule), times, holds(rule, values), np.isnan(values)):
        now = _alert_of(status)
        if fired is not None and now != fired[1]:
            yield _episode(rule, fired[1], times[fired[0]], values[fired[0] : place], float(times[place]))
            fired = None
        if now is not None and fired is None:
            fired = place, now
    if fired is not None:
        yield _episode(rule, fired[1], times[fired[0]], values[fired[0] :], None)


def _alert_of(status: Status | None) -> bool | None:
    """Whether the alert is that figures are missing; None: there is no alert."""
    if status is None or (status.fired_at is None and status.missing_fired_at is None):
        return None
    return status.fired_at is None


def _changes(limits: Limits, times: Floats, over: Flags, missing: Flags) -> Iterator[tuple[int, Status | None]]:
    """Statuses at the moments at which they may change: where another reading comes, and where one has lasted long
    enough."""
    readings = over.astype(np.int8) + 2 * missing.astype(np.int8)
    begins = np.concatenate(([0], np.flatnonzero(np.diff(readings)) + 1))
    status: Status | None = None
    for begin, end in zip(begins, np.append(begins[1:], len(readings)), strict=True):
        reading = _READINGS[readings[begin]]
        status = advance(status, limits, reading, float(times[begin]), None)
        yield int(begin), status
        place = int(np.searchsorted(times, _due_at(status, limits, reading)))
        if begin < place < end:
            status = advance(status, limits, reading, float(times[place]), None)
            yield place, status


def _due_at(status: Status | None, limits: Limits, reading: Reading) -> float:
    """When the reading has lasted long enough, if it lasts."""
    if reading is Reading.OVER and status is not None and status.since is not None:
        return status.since + limits.seconds
    if reading is Reading.MISSING and status is not None and status.missing_since is not None:
        return status.missing_since + max(limits.seconds, GRACE)
    return float("inf")


def _read(
    services: Services, rule: Any, subjects: tuple[str, ...], between: tuple[int, int]
) -> Iterator[tuple[str, Floats]]:
    kind, tier = SubjectKind(rule.kind), TIERS[1]
    metric = metric_of(kind, rule.metric)
    assert metric is not None
    column = METRICS[kind].index(metric) + 1
    grids = services.metric_store.read_many(kind, subjects, tier, *between, ROLL_UPS[kind])
    for subject, grid in grids.items():
        yield subject, per_second(metric, grid[:, column], grid[:, 0])


def _episode(rule: Any, is_missing: bool, fired_at: float, values: Floats, ended_at: float | None) -> Episode:
    figures = values[~np.isnan(values)]
    peak = None
    if len(figures) and not is_missing:
        peak = float(figures.max() if rule.comparison in ("gt", "ge") else figures.min())
    return Episode(float(fired_at), ended_at, is_missing, peak)


def _record(subject: str, name: str, one: Episode) -> TrialEpisode:
    return TrialEpisode(
        id=subject,
        name=name,
        missing=one.is_missing,
        fired_at=_moment(one.fired_at),
        ended_at=None if one.ended_at is None else _moment(one.ended_at),
        peak=one.peak,
    )


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


@dataclass(frozen=True, slots=True)
class _Scoped:
    tenant_id: str
    container_id: str | None
    link_id: str | None
    service_id: str | None
    pattern: str

    @classmethod
    def of(cls, rule: Any, tenant_id: str) -> "_Scoped":
        return cls(tenant_id, rule.container_id, rule.link_id, rule.service_id, rule.pattern)
