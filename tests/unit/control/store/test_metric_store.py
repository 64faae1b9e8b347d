"""The metric store over simulated time: nothing is lost or invented when samples are rolled up."""

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from zcbus.control.store.metrics.blocks import _add_to_blocks
from zcbus.control.store.metrics.chunks import CHUNK
from zcbus.control.store.metrics.sample_writer import Counters
from zcbus.control.store.metrics.series import Grid, RollUp, empty, merge, pack, roll_up, unpack
from zcbus.control.store.metrics.store import MetricStore
from zcbus.control.store.metrics.tiers import SLOT, TIERS, Tier, tier_for

HOUR, DAY = 3600, 86_400
START = 20_000 * DAY
ROLL_UPS = (RollUp.SUM, RollUp.MAX, RollUp.MEAN)
SECONDS, MINUTES, HOURS = TIERS


@pytest.fixture
def store(tmp_path: Path) -> Iterator[MetricStore]:
    found = MetricStore(f"sqlite:///{tmp_path}/store.db")
    found.prepare()
    yield found
    found.close()


def write(store: MetricStore, at: float, values: Grid, subjects: tuple[str, ...] = ("a",)) -> bool:
    with store.sample_writer(at) as sample:
        if sample is not None:
            sample.put("kind", subjects, values)
        return sample is not None


def read(store: MetricStore, tier: Tier, start: int, end: int, subject: str = "a") -> Grid:
    return store.read("kind", subject, tier, start, end, ROLL_UPS)


def roll_all(store: MetricStore) -> None:
    store.roll({"kind": ROLL_UPS}, 60.0)


def test_rolled_up_points_are_exact_before_and_after_they_become_blocks(store: MetricStore) -> None:
    values = np.random.default_rng(1).integers(0, 1000, (360, 3)).astype(float)
    write(store, START - SLOT, empty(1, 3)[:, 1:])
    for place in range(360):
        write(store, START + place * SLOT, values[place : place + 1])
    expected = np.column_stack(
        [values[:, 0].reshape(60, 6).sum(1), values[:, 1].reshape(60, 6).max(1), values[:, 2].reshape(60, 6).mean(1)]
    )
    waiting = read(store, MINUTES, START, START + HOUR)
    write(store, START + HOUR, values[:1])
    roll_all(store)
    stored = read(store, MINUTES, START, START + HOUR)
    for found in (waiting, stored):
        assert (found[:, 0] == 60).all()
        np.testing.assert_allclose(found[:, 1:], expected)
    hour = read(store, HOURS, START, START + HOUR)
    np.testing.assert_allclose(hour, [[3600, values[:, 0].sum(), values[:, 1].max(), values[:, 2].mean()]])


def test_gaps_stay_gaps_and_weigh_nothing(store: MetricStore) -> None:
    write(store, START - SLOT, np.array([[1.0, 1.0, 1.0]]))
    write(store, START, np.array([[5.0, 7.0, 10.0]]))
    # The platform was down for two minutes: this sample only stores the counters' values.
    write(store, START + 120, np.array([[9.0, 9.0, 9.0]]))
    write(store, START + 130, np.array([[6.0, np.nan, 40.0]]))
    fine = read(store, SECONDS, START, START + 180)
    assert fine[:, 0].tolist() == [10.0, *[0.0] * 12, 10.0, *[0.0] * 4]
    assert np.isnan(fine[1:13, 1:]).all()
    whole = roll_up(fine, 18, ROLL_UPS)[0]
    assert whole.tolist() == [20.0, 11.0, 7.0, 25.0]


def test_a_late_sample_covers_the_time_since_the_previous_one(store: MetricStore) -> None:
    write(store, START, np.array([[1.0, 1.0, 1.0]]))
    write(store, START + 25, np.array([[50.0, 1.0, 1.0]]))
    found = read(store, SECONDS, START, START + 30)
    assert found[2, :2].tolist() == [25.0, 50.0]


def test_a_slot_is_written_once_and_none_goes_back(store: MetricStore) -> None:
    values = np.array([[1.0, 1.0, 1.0]])
    assert write(store, START, values)
    assert not write(store, START + 9.9, values)
    assert not write(store, START - 30, values)
    assert write(store, START + SLOT, values)
    # Only a clock that was set back by more than an hour begins again.
    assert write(store, START - 2 * HOUR, values)


def test_growth_is_exact_over_restarts_and_never_negative(store: MetricStore) -> None:
    def growth(at: int, value: float, epoch: float, *, restart: bool) -> float:
        with store.sample_writer(at) as sample:
            assert sample is not None
            counters = Counters(np.array([[float(value)]]), np.array([epoch]), restart=restart)
            return float(sample.growth("restarting" if restart else "kept", ["a"], counters)[0, 0])

    assert np.isnan(growth(START, 100, 1, restart=True))
    assert growth(START + 10, 130, 1, restart=True) == 30
    assert growth(START + 20, 7, 1, restart=True) == 7
    assert growth(START + 30, 9, 2, restart=True) == 9
    assert np.isnan(growth(START + 40, np.nan, 2, restart=True))
    assert growth(START + 50, 12, 2, restart=True) == 3
    # Counters that the target keeps are reported as 0 until it was read: neither that nor the next value is growth.
    growth(START + 60, 1000, 1, restart=False)
    assert growth(START + 70, 1010, 1, restart=False) == 10
    assert growth(START + 80, 0, 1, restart=False) == 0
    assert growth(START + 90, 1015, 1, restart=False) == 5
    assert growth(START + 100, 4, 2, restart=False) == 4


def test_a_new_counter_between_two_samples_counts_from_zero(store: MetricStore) -> None:
    def growth(at: int, **values: float) -> list[float]:
        with store.sample_writer(at) as sample:
            assert sample is not None
            counters = Counters(
                np.array([[float(value)] for value in values.values()]), np.ones(len(values)), restart=True
            )
            found: list[float] = sample.growth("kind", list(values), counters)[:, 0].tolist()
            return found

    growth(START, old=500)
    assert growth(START + 10, old=500, new=40) == [0, 40]


def test_removed_series_are_forgotten_and_their_numbers_not_reused(store: MetricStore) -> None:
    values = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    for place in range(362):
        write(store, START + place * SLOT, values, ("a", "b"))
    roll_all(store)
    store.forget("kind", {"b"})
    assert (read(store, MINUTES, START, START + HOUR)[:, 0] == 0).all()
    write(store, START + 2 * HOUR, values, ("b", "c"))
    write(store, START + 2 * HOUR + SLOT, values, ("b", "c"))
    assert read(store, SECONDS, START, START + HOUR, "b")[5, 1] == 4.0
    assert (read(store, SECONDS, START, START + HOUR, "c")[:, 0] == 0).all()


@pytest.mark.wide
def test_a_year_stays_small_exact_and_quick(store: MetricStore) -> None:
    """Days are inserted as the roll-up of three million samples, since writing these would take an hour."""
    random = np.random.default_rng(2)
    for at in (START - 2 * SLOT, START - SLOT):
        write(store, at, np.array([[0.0, 0.0, 0.0]]))
    sums = np.zeros(365)
    for day in range(365):
        size = DAY // SLOT
        values = np.column_stack([random.integers(0, 5000, size), random.integers(0, 900, size), random.random(size)])
        sums[day] = values[:, 0].sum()
        put_day(store, START + day * DAY, values.astype(float), with_seconds=day < 2 or day > 362)
        if day % 30 == 0:
            store.remove_old(START + day * DAY)
    end = START + 365 * DAY
    store.remove_old(end)
    hours = read(store, HOURS, START, end)
    np.testing.assert_array_equal(hours[:, 1].reshape(365, 24).sum(axis=1), sums)
    begun = time.perf_counter()
    minutes = read(store, MINUTES, end - 30 * DAY, end)
    assert time.perf_counter() - begun < 0.2
    assert minutes[:, 1].sum() == sums[-30:].sum()
    assert read(store, SECONDS, end - DAY, end)[:, 1].sum() == sums[-1]
    # Samples past their retention are gone, and their space is used again.
    assert (read(store, SECONDS, START, START + DAY)[:, 0] == 0).all()
    assert (read(store, MINUTES, START, START + DAY)[:, 0] == 0).all()
    assert store.size_bytes() < 2_500_000


def put_day(store: MetricStore, start: int, values: Grid, *, with_seconds: bool) -> None:
    grid = empty(len(values), 3)
    grid[:, 0], grid[:, 1:] = SLOT, values
    points = np.stack([grid], axis=1)
    with store._write() as connection:
        for hour in range(24 if with_seconds else 0):
            part = points[hour * 360 : (hour + 1) * 360]
            _add_to_blocks(connection, ("kind", 0, SECONDS), start + hour * HOUR, part, ROLL_UPS)
        for tier in (MINUTES, HOURS):
            points = roll_up(points, tier.step // (DAY // len(points)), ROLL_UPS)
            _add_to_blocks(connection, ("kind", 0, tier), start, points, ROLL_UPS)


@pytest.mark.parametrize(
    ("step", "age", "expected"),
    [
        (10, HOUR, SECONDS),
        (30, HOUR, SECONDS),
        (60, HOUR, MINUTES),
        (300, DAY, MINUTES),
        (10, 2 * DAY, MINUTES),
        (7200, DAY, HOURS),
        (60, 31 * DAY, HOURS),
        (60, 3000 * DAY, HOURS),
    ],
)
def test_the_tier_follows_from_step_and_age(step: int, age: float, expected: Tier) -> None:
    assert tier_for(step, age) is expected


def test_packed_grids_read_back_also_with_more_or_fewer_columns() -> None:
    grid = empty(CHUNK, 2)
    grid[3] = [10.0, 1.5, np.nan]
    for columns in (1, 2, 3):
        found = unpack(pack(grid), CHUNK, columns)
        assert found.shape == (CHUNK, 1 + columns)
        np.testing.assert_array_equal(found[:, : min(2, columns) + 1], grid[:, : min(2, columns) + 1])
        assert np.isnan(found[:, 3:]).all()


def test_merging_keeps_what_only_one_side_knows() -> None:
    one, other = empty(1, 3), empty(1, 3)
    one[0] = [10, 1, 5, 2]
    other[0] = [30, 2, 3, 6]
    assert merge(one, other, ROLL_UPS)[0].tolist() == [40, 3, 5, 5]
    assert merge(one, empty(1, 3), ROLL_UPS)[0].tolist() == one[0].tolist()
