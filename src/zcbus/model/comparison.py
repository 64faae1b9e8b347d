"""Results and states of comparisons of a subscribed table with its source."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

ComparisonMethod = Literal["content", "strict", "count"]
"""content: equal values are equal in any spelling (scale, trailing blanks, layout of JSON).

strict: the spelling counts too, as far as both databases preserve it. count: only the number of rows is compared, so
nothing can be repaired.
"""


class ComparisonState(StrEnum):
    """States of a comparison."""

    NOT_RUNNING = "not-running"
    """Not requested."""
    ALLOWED = "allowed-to-compare"
    """Requested; the service has not begun."""
    COMPARING = "comparing"
    """Both sides are being read."""
    EXPORTED = "source-export-done"
    """The source has been read; the target is still being read."""
    SETTLING = "target-comparing"
    """Rows that differ are checked again, once the link has caught up."""
    DONE = "comparison-done"
    NOT_NEEDED = "no-comparison-needed"
    """Neither side has a row of the table, so there was nothing to compare."""
    ERROR = "comparison-error"
    STOPPED = "stopped"
    """Stopped by a user."""


RUNNING = frozenset(
    {ComparisonState.ALLOWED, ComparisonState.COMPARING, ComparisonState.EXPORTED, ComparisonState.SETTLING}
)
"""States in which no other comparison can begin."""


class RepairState(StrEnum):
    """States of the repair of a comparison's differences."""

    NONE = "cannot-repair"
    """Nothing to repair, or the comparison is not done."""
    ALLOWED = "allowed"
    """There are differences."""
    REPAIRING = "repairing"
    DONE = "repair-done"
    ERROR = "repair-error"
    """Some rows could not be repaired."""


class DifferenceKind(StrEnum):
    """Kinds of differences of a row."""

    MISSING = "missing"
    """Missing in the target."""
    EXTRA = "extra"
    """Only in the target."""
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class Difference:
    """A row that differs between the sides.

    Values are canonical texts (model.types), bytes in hexadecimal, by the names of the source's columns. The source's
    values are those after the link's transforms.
    """

    kind: DifferenceKind
    key: tuple[str, ...]
    source: Mapping[str, str | None] | None
    target: Mapping[str, str | None] | None
    columns: tuple[str, ...] = ()
    """Columns that differ, if both sides have the row."""
