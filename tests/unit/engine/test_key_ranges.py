"""What a direct load remembers of stretches that were loaded in any order, over several attempts."""

import itertools
import random

from zcbus.engine.subscribe.load.direct_load import EVERYTHING, KeyOrder, Stretch, gaps

KEYS = [("b",), ("B",), ("ab",), ("10",), ("9",), ("é",)]
"""In an order that nobody but the source knows."""


def parts(order: KeyOrder) -> list[Stretch]:
    """Each gap cut at every key in it."""
    places = [(), *KEYS]
    found: list[Stretch] = []
    for gap, (lower, upper) in enumerate(order.gaps):
        inside = [key for key in KEYS if places.index(key) > places.index(lower)]
        inside = inside[: inside.index(upper)] if upper else inside
        borders = [lower, *inside, upper]
        for stretch in itertools.pairwise(borders):
            order.found(gap, stretch)
            found.append(stretch)
    return found


def test_stretches_come_together_over_attempts_that_break_off() -> None:
    chance = random.Random(5)
    for _ in range(50):
        loaded: tuple[Stretch, ...] = ()
        while loaded != (EVERYTHING,):
            order = KeyOrder(loaded)
            some = parts(order)
            chance.shuffle(some)
            for part in some[: chance.randint(1, len(some))]:
                loaded = order.with_part(loaded, part)
            assert len(gaps(loaded)) == len(set(gaps(loaded)))
            assert not set(loaded) & set(gaps(loaded))
        assert gaps(loaded) == []


def test_a_stretch_knows_its_place_among_earlier_ones() -> None:
    earlier: tuple[Stretch, ...] = (((), ("b",)), (("ab",), ("10",)))
    order = KeyOrder(earlier)
    assert order.gaps == [(("b",), ("ab",)), (("10",), ())]
    order.found(0, (("b",), ("B",)))
    order.found(1, (("10",), ()))
    assert order.with_part(earlier, (("10",), ())) == (((), ("b",)), (("ab",), ()))
    assert order.with_part(earlier, (("b",), ("B",))) == (((), ("B",)), (("ab",), ("10",)))
