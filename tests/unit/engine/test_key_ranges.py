"""Key ranges of a direct load that were loaded in any order, over several attempts."""

import itertools
import random

from zcbus.engine.subscribe.load.direct_load import EVERYTHING, KeyOrder, KeyRange, gaps

KEYS = [("b",), ("B",), ("ab",), ("10",), ("9",), ("é",)]
"""In an order that only the source knows."""


def parts(order: KeyOrder) -> list[KeyRange]:
    """Each gap cut at every key in it."""
    ranks = [(), *KEYS]
    found: list[KeyRange] = []
    for gap, (lower, upper) in enumerate(order.gaps):
        inside = [key for key in KEYS if ranks.index(key) > ranks.index(lower)]
        inside = inside[: inside.index(upper)] if upper else inside
        borders = [lower, *inside, upper]
        for key_range in itertools.pairwise(borders):
            order.found(gap, key_range)
            found.append(key_range)
    return found


def test_ranges_are_merged_over_interrupted_attempts() -> None:
    chance = random.Random(5)
    for _ in range(50):
        loaded: tuple[KeyRange, ...] = ()
        while loaded != (EVERYTHING,):
            order = KeyOrder(loaded)
            some = parts(order)
            chance.shuffle(some)
            for part in some[: chance.randint(1, len(some))]:
                loaded = order.with_part(loaded, part)
            assert len(gaps(loaded)) == len(set(gaps(loaded)))
            assert not set(loaded) & set(gaps(loaded))
        assert gaps(loaded) == []


def test_a_range_is_ordered_among_earlier_ones() -> None:
    earlier: tuple[KeyRange, ...] = (((), ("b",)), (("ab",), ("10",)))
    order = KeyOrder(earlier)
    assert order.gaps == [(("b",), ("ab",)), (("10",), ())]
    order.found(0, (("b",), ("B",)))
    order.found(1, (("10",), ()))
    assert order.with_part(earlier, (("10",), ())) == (((), ("b",)), (("ab",), ()))
    assert order.with_part(earlier, (("b",), ("B",))) == (((), ("B",)), (("ab",), ("10",)))
