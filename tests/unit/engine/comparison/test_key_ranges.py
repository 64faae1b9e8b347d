"""Every key belongs to exactly one range, and ranges whose sums differ are read."""

import random

import pytest

from zcbus.connectors.conditions import Comparison, Junction
from zcbus.connectors.reading import Extent, Sum
from zcbus.engine.comparison.key_ranges import KeyRange, Numbering, numbered, unequal

GREATEST = (1 << 63) - 1


def number_of(part: Numbering, key: int) -> int:
    return (min(max(key, part.base), part.base + part.step * part.last) - part.base) // part.step


def holds(key_range: KeyRange, key: int) -> bool:
    return (key_range.low is None or key_range.low <= key) and (key_range.high is None or key <= key_range.high)


@pytest.mark.parametrize(
    "extent",
    [
        Extent(1, 1, 1),
        Extent(-5, 5, 11),
        Extent(1, 10_000_000, 10_000_000),
        Extent(-(1 << 61), 1 << 60, 5_000_000),
        Extent(0, 900, 4_000_000),
    ],
    ids=str,
)
def test_every_key_is_in_one_part_and_in_the_range_of_its_number(extent: Extent) -> None:
    chance = random.Random(1)
    parts = list(numbered(extent))
    keys = [chance.randint(extent.low - 9, extent.high + 9) for _ in range(200)]
    for key in [-GREATEST - 1, GREATEST, extent.low, extent.high, extent.low - 1, extent.high + 1, *keys]:
        (own,) = [part for part in parts if holds(KeyRange(part.low, part.high), key)]
        number = number_of(own, key)
        assert holds(own.key_range(range(number, number + 1)), key)
        others = [range(number), range(number + 1, own.last + 1)]
        assert not any(holds(own.key_range(other), key) for other in others if other)


def test_sparse_keys_are_not_divided_into_ranges() -> None:
    assert not list(numbered(Extent(-GREATEST, GREATEST, 5)))


def test_differing_sums_that_lie_near_are_read_at_once() -> None:
    source = {number: Sum(1, str(number)) for number in range(100)}
    target = {**source, 3: Sum(1, "x"), 5: Sum(2, "5"), 50: Sum(1, "y"), 120: Sum(1, "z")}
    del target[99]
    assert unequal(source, target) == [range(3, 6), range(50, 51), range(99, 100), range(120, 121)]
    assert unequal(source, source) == []


def test_a_key_range_as_a_condition() -> None:
    assert KeyRange(None, None).condition("id") is None
    assert KeyRange(1, 2).condition("id") == Junction("AND", (Comparison("id", ">=", "1"), Comparison("id", "<=", "2")))
