"""Key ranges of a table, and the ranges to read because their sums differ."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from zcbus.connectors.conditions import Comparison, Condition, Junction
from zcbus.connectors.reading import Extent, Sum

_ROWS = 250
"""Rows of a range with one sum, about."""
_NUMBERS = 8_000
"""Ranges whose sums one statement reads."""
_NEAR = 8
_WIDEST = 1 << 62
"""Of 64 bits: sums of keys must not overflow."""


@dataclass(frozen=True, slots=True)
class KeyRange:
    """Rows by the first column of their key, an integer; None: no limit. Both inclusive."""

    low: int | None
    high: int | None

    def condition(self, column: str) -> Condition | None:
        """None: all rows."""
        parts = [Comparison(column, ">=", str(self.low))] if self.low is not None else []
        parts += [Comparison(column, "<=", str(self.high))] if self.high is not None else []
        return Junction("AND", tuple(parts)) if parts else None


@dataclass(frozen=True, slots=True)
class Numbering:
    """A part of a table in numbered ranges: the arguments of KeySums.read."""

    low: int | None
    high: int | None
    base: int
    step: int
    last: int

    def key_range(self, numbers: range) -> KeyRange:
        """The range that these numbers cover."""
        low = self.low if numbers.start == 0 else self.base + numbers.start * self.step
        return KeyRange(low, self.high if numbers.stop > self.last else self.base + numbers.stop * self.step - 1)


def numbered(extent: Extent) -> Iterator[Numbering]:
    """The table in parts of about two million rows, for evenly spread keys. Empty: the keys lie too far apart."""
    if extent.high - extent.low >= _WIDEST:
        return
    step = max((extent.high - extent.low + 1) * _ROWS // max(extent.rows, _ROWS), 1)
    wide = step * _NUMBERS
    for base in range(extent.low, extent.high + 1, wide):
        is_last = base + wide > extent.high
        last = (extent.high - base) // step if is_last else _NUMBERS - 1
        yield Numbering(None if base == extent.low else base, None if is_last else base + wide - 1, base, step, last)


def unequal(source: Mapping[int, Sum], target: Mapping[int, Sum]) -> list[range]:
    """Runs of numbers whose sums differ. Each run costs a statement, so near ones are joined with those between."""
    runs: list[range] = []
    for number in sorted(source.keys() | target.keys()):
        if source.get(number) == target.get(number):
            continue
        near = bool(runs) and number - runs[-1].stop < _NEAR
        runs[-1:] = [range(runs[-1].start, number + 1)] if near else [*runs[-1:], range(number, number + 1)]
    return runs
