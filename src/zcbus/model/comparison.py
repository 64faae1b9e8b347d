"""What a comparison of a subscribed table with its source finds, and the states it goes through."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

ComparisonMethod = Literal["content", "strict", "count"]
"""content: the same value counts as the same however it is spelt (scale, blanks at the end, layout of JSON). strict:
the spelling counts too, as far as both databases keep it. count: only how many rows there are; which ones differ is not
known, so nothing can be repaired."""


class ComparisonState(StrEnum):
    """Of one comparison."""

    NOT_RUNNING = "not-running"
    """Nobody has asked for one."""
    ALLOWED = "allowed-to-compare"
    """Asked for; the service has not begun."""
    COMPARING = "comparing"
    """Both sides are read."""
    SETTLING = "target-comparing"
    """Rows that were found are looked at again, once the link has caught up."""
    DONE = "comparison-done"
    ERROR = "comparison-error"
    STOPPED = "stopped"
    """Somebody stopped it."""


RUNNING = frozenset({ComparisonState.ALLOWED, ComparisonState.COMPARING, ComparisonState.SETTLING})
"""It is under way: no other begins."""


class RepairState(StrEnum):
    """Of what a comparison found."""

    NONE = "cannot-repair"
    """There is nothing to repair, or the comparison is not done."""
    ALLOWED = "allowed"
    """Differences are there."""
    REPAIRING = "repairing"
    DONE = "repair-done"
    ERROR = "repair-error"
    """Rows are left that could not be repaired, or something stood in the way."""


class DifferenceKind(StrEnum):
    """How a row differs."""

    MISSING = "missing"
    """In the target."""
    EXTRA = "extra"
    """In the target, and not in the source."""
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class Difference:
    """A row that is not the same on both sides. Values are canonical texts (model.types), bytes in hexadecimal, by the
    names of the source's columns; the source's are as they leave the link's transforms."""

    kind: DifferenceKind
    key: tuple[str, ...]
    source: Mapping[str, str | None] | None
    target: Mapping[str, str | None] | None
    columns: tuple[str, ...] = ()
    """Which differ, where both sides have the row."""
