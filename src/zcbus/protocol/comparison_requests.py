"""Questions about what comparisons found, and their answers."""

from typing import Literal

from zcbus.model.comparison import Difference, DifferenceKind
from zcbus.protocol.base import Message


class ListDifferences(Message):
    """A part of the rows that a comparison found, as far as they are kept. Answer: DifferenceLines."""

    type: Literal["list-differences"] = "list-differences"
    service: str
    comparison: str
    kinds: tuple[DifferenceKind, ...] = ()
    """(): all."""
    search: str = ""
    """Part of a key's value."""
    offset: int = 0
    limit: int = 20


class DifferenceLines(Message):
    """`total`: over all parts."""

    columns: tuple[str, ...]
    """Names of the key's columns, then of all others."""
    key: tuple[str, ...]
    """Names of the key's columns."""
    lines: tuple[Difference, ...]
    total: int
