"""Spreading tables over channels."""

import random

from zcbus.control.features.table_command.balance import Weighed, balance


def spread(*weights: int, on: str = "a") -> list[Weighed]:
    return [Weighed(f"t{number:04}", on, weight) for number, weight in enumerate(weights)]


def test_tables_between_the_limits_stay() -> None:
    tables = [Weighed("x", "a", 110), Weighed("y", "b", 90)]
    assert balance(tables, ["a", "b"], 80, 120).moves == {}
    assert balance(tables, ["a", "b"], 95, 105).reached is False, "one table cannot be halved"


def test_one_full_channel_is_shared_with_empty_ones() -> None:
    found = balance(spread(*[10] * 9), ["a", "b", "c"], 80, 120)
    assert (found.reached, sorted(found.loads.values()), len(found.moves)) == (True, [30, 30, 30], 6)


def test_a_giant_has_a_channel_alone() -> None:
    found = balance(spread(1000, 1, 1, 1), ["a", "b"], 80, 120)
    assert found.reached is False
    assert sorted(found.loads.values()) == [3, 1000]
    assert len(found.moves) == 1


def test_balancing_without_tables_or_channels() -> None:
    assert balance([], ["a", "b"], 80, 120).reached
    assert balance([], [], 80, 120).moves == {}


def test_thousands_of_tables_are_spread_and_none_is_lost() -> None:
    chance = random.Random(3)
    channels = [f"c{number}" for number in range(16)]
    tables = [
        Weighed(f"t{n}", chance.choice(channels[:3]), min(400, int(chance.paretovariate(1.2)))) for n in range(6000)
    ]
    found = balance(tables, channels, 80, 120)
    assert found.reached
    loads = dict.fromkeys(channels, 0)
    for table in tables:
        loads[found.moves.get(table.id, table.channel)] += table.weight
    assert loads == found.loads
