"""A trial over the history finds the alerts that an evaluation of each point would have made."""

import random
from types import SimpleNamespace

import numpy as np
import pytest

from zcbus.control.features.alert_rule.machine import Limits, Reading, Status, advance
from zcbus.control.features.alert_rule.trial import Episode, episodes

NAN = float("nan")


def rule(**settings: object) -> SimpleNamespace:
    return SimpleNamespace(**{"comparison": "gt", "threshold": 5.0, "seconds": 120, "on_missing": False, **settings})


def minutes(*values: float) -> tuple[np.ndarray, np.ndarray]:
    return np.arange(len(values)) * 60.0, np.array(values, dtype=np.float64)


def one_by_one(settings: SimpleNamespace, times: np.ndarray, values: np.ndarray) -> list[tuple[float, float | None]]:
    """Beginnings and ends of alerts, by each point after the first figure."""
    found: list[tuple[float, float | None]] = []
    status: Status | None = None
    kind: bool | None = None
    for at, value in zip(times[np.argmax(~np.isnan(values)) :], values[np.argmax(~np.isnan(values)) :], strict=True):
        reading = Reading.MISSING if np.isnan(value) else Reading.OVER if value > settings.threshold else Reading.FINE
        status = advance(status, Limits(settings.seconds, settings.on_missing), reading, float(at), None)
        fired = status is not None and (status.fired_at is not None or status.missing_fired_at is not None)
        now = status.fired_at is None if status is not None and fired else None
        if kind is not None and now != kind:
            found[-1] = (found[-1][0], float(at))
        if now is not None and now != kind:
            found.append((float(at), None))
        kind = now
    return found


def test_an_alert_begins_when_it_has_held_and_has_its_peak() -> None:
    assert list(episodes(rule(), *minutes(1, 9, 7, 8, 12, 1))) == [Episode(180.0, 300.0, False, 12.0)]
    assert list(episodes(rule(seconds=0), *minutes(9, 1, 9))) == [
        Episode(0.0, 60.0, False, 9.0),
        Episode(120.0, None, False, 9.0),
    ]
    assert list(episodes(rule(), *minutes(NAN, NAN))) == []
    low = rule(comparison="lt", seconds=0)
    assert list(episodes(low, *minutes(9, 4, 2, 9))) == [Episode(60.0, 180.0, False, 2.0)]


def test_missing_figures_fire_where_the_rule_says_so_and_not_before_the_first() -> None:
    settings = rule(on_missing=True, seconds=0)
    assert list(episodes(settings, *minutes(NAN, NAN, 1, NAN, NAN, NAN, 1))) == [Episode(240.0, 360.0, True, None)]


@pytest.mark.parametrize("seed", range(40))
def test_it_is_what_each_point_would_have_made(seed: int) -> None:
    chance = random.Random(seed)
    settings = rule(seconds=chance.choice((0, 60, 180, 600)), on_missing=chance.random() < 0.5)
    values: list[float] = []
    while len(values) < 200:
        values += [chance.choice((1.0, 9.0, NAN))] * chance.randint(1, 15)
    times, figures = minutes(*values)
    if np.isnan(figures).all():
        figures[0] = 1.0
    found = [(one.fired_at, one.ended_at) for one in episodes(settings, times, figures)]
    assert found == one_by_one(settings, times, figures)
