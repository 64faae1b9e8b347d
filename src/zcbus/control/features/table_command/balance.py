"""Spreading tables over channels so that each has about the same to do. Pure."""

from bisect import bisect_left, insort
from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Weighed:
    """A table on a channel, and how much work it is."""

    id: str
    channel: str
    weight: int


@dataclass(frozen=True, slots=True)
class Balance:
    """The channel of each table and the resulting load of each channel."""

    moves: Mapping[str, str]
    loads: Mapping[str, int]
    reached: bool
    """Whether every load lies between the limits."""


def balance(tables: Iterable[Weighed], channels: Iterable[str], lower: int, upper: int) -> Balance:
    """Move as few tables as possible until every channel's load is between two limits, in percent of the mean.

    Each step moves the table that brings the most and the least loaded channel nearest together; it ends where no table
    would.
    """
    kept: dict[str, list[tuple[int, str]]] = {name: [] for name in channels}
    home: dict[str, str] = {}
    for table in sorted(tables, key=lambda one: one.id):
        insort(kept[table.channel], (table.weight, table.id))
        home[table.id] = table.channel
    loads = {name: sum(weight for weight, _ in tables) for name, tables in kept.items()}
    moves: dict[str, str] = {}
    while not _lies_between(loads, lower, upper):
        high = max(loads, key=lambda name: (loads[name], name))
        low = min(loads, key=lambda name: (loads[name], name))
        chosen = _choose(kept[high], loads[high] - loads[low])
        if chosen is None:
            break
        del kept[high][bisect_left(kept[high], chosen)]
        insort(kept[low], chosen)
        weight, table_id = chosen
        loads[high] -= weight
        loads[low] += weight
        moves[table_id] = low
    return Balance(
        {table_id: channel for table_id, channel in moves.items() if home[table_id] != channel},
        loads,
        _lies_between(loads, lower, upper),
    )


def _lies_between(loads: Mapping[str, int], lower: int, upper: int) -> bool:
    total, count = sum(loads.values()), len(loads)
    return all(lower * total <= 100 * count * load <= upper * total for load in loads.values())


def _choose(tables: list[tuple[int, str]], gap: int) -> tuple[int, str] | None:
    """The table whose move halves the gap best; None: each would only turn it round."""
    index = bisect_left(tables, (gap // 2, ""))
    near = [one for one in tables[max(0, index - 1) : index + 1] if 0 < one[0] < gap]
    return min(near, key=lambda one: (abs(2 * one[0] - gap), one[1]), default=None)
