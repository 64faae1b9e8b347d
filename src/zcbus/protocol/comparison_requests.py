"""Requests about the results of comparisons, and their answers."""

from typing import Literal

from zcbus.model.comparison import Difference, DifferenceKind
from zcbus.protocol.base import Message
from zcbus.protocol.tasks import ComparisonTask


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


class PreviewRepair(Message):
    """Read the rows that a comparison found again, and spell how they would be repaired. Writes nothing. Answer:
    RepairPreview."""

    type: Literal["preview-repair"] = "preview-repair"
    task: ComparisonTask
    """The service's task with this comparison only."""
    limit: int = 200
    """Number of rows."""


class RepairStatement(Message):
    """The statement that would repair a row."""

    kind: DifferenceKind
    key: tuple[str, ...]
    statement: str
    """In the target's dialect, without an end mark."""


class RepairPreview(Message):
    """What a repair would write now."""

    settings: tuple[str, ...]
    """Statements to run first in another session."""
    statements: tuple[RepairStatement, ...]
    """Deletions first. Rows that are equal by now, or quarantined, have none."""
    examined: int
    """Rows that were read: the first ones of `total`."""
    total: int
    """Rows that the comparison found."""
    cut: bool = False
    """The rest of the statements is left out because they are too long."""
