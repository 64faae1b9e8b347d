"""Requests about the results of comparisons, and their answers."""

from typing import Literal

from zcbus.model.comparison import Difference, DifferenceKind
from zcbus.protocol.base import Message


class ListDifferences(Message):
    """List stored differences of a comparison. Answer: DifferenceLines."""

    type: Literal["list-differences"] = "list-differences"
    service: str
    comparison: str
    kinds: tuple[DifferenceKind, ...] = ()
    """(): all."""
    search: str = ""
    """Substring of a key's value."""
    offset: int = 0
    limit: int = 20


class DifferenceLines(Message):
    """One page; `total`: over all pages."""

    columns: tuple[str, ...]
    """Names of the key's columns, then of all others."""
    key: tuple[str, ...]
    """Names of the key's columns."""
    lines: tuple[Difference, ...]
    total: int
