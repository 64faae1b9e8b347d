"""Order in which tables are verified."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

FRESH = timedelta(minutes=5)
"""Pause between a table's passes."""
RECHECK_AFTER = timedelta(minutes=1)
"""Pause between rechecks of rows that differ."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A table's entry in the order of turns."""

    table: str
    requested: bool = False
    """A pass or a repair was requested."""
    turned_at: datetime | None = None
    """End of its last turn."""
    finished_at: datetime | None = None
    """End of its last complete pass; None: a pass is under way, or there was none."""
    differs: bool = False
    """Rows are known to differ."""
    settles: bool = False
    """Rows differed when its last turn ended; they are read once more."""


def next_turn(turns: Iterable[Turn], now: datetime) -> Turn | None:
    """The requested table, else one with rows to read once more, which takes least, else the one that has waited
    longest: a large table, which takes many turns, delays no other. None: nothing is due."""
    due = [turn for turn in turns if _is_due(turn, now)]
    return min(due, key=lambda turn: (not turn.requested, not turn.settles, _moment(turn.turned_at, now)), default=None)


def _is_due(turn: Turn, now: datetime) -> bool:
    if turn.requested or turn.settles or turn.turned_at is None or turn.turned_at > now:
        return True  # a time in the future is from before the clock was set back
    if turn.differs and now - turn.turned_at >= RECHECK_AFTER:
        return True
    return turn.finished_at is None or now - turn.finished_at >= FRESH


def _moment(at: datetime | None, now: datetime) -> datetime:
    return datetime.min.replace(tzinfo=now.tzinfo) if at is None or at > now else at
