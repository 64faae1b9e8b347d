"""Which table is verified next."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

FRESH = timedelta(minutes=5)
"""A table that was verified as a whole is left alone for so long."""
LOOK_AGAIN = timedelta(minutes=1)
"""So often rows that differ are looked at again."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What the order of turns depends on."""

    table: str
    asked: bool = False
    """Somebody waits for it."""
    turned_at: datetime | None = None
    """End of its last turn."""
    finished_at: datetime | None = None
    """End of its last whole pass; None: one is under way, or there was none."""
    differs: bool = False
    """Rows are known to differ."""


def next_turn(turns: Iterable[Turn], now: datetime) -> Turn | None:
    """What somebody asked for first; then the table that has waited longest, so that a large one, which takes many
    turns, lets all others have theirs. None: nothing is due."""
    due = [turn for turn in turns if _is_due(turn, now)]
    return min(due, key=lambda turn: (not turn.asked, _moment(turn.turned_at, now)), default=None)


def _is_due(turn: Turn, now: datetime) -> bool:
    if turn.asked or turn.turned_at is None or turn.turned_at > now:
        return True  # what lies in the future is from before the clock was set back
    if turn.differs and now - turn.turned_at >= LOOK_AGAIN:
        return True
    return turn.finished_at is None or now - turn.finished_at >= FRESH


def _moment(at: datetime | None, now: datetime) -> datetime:
    return datetime.min.replace(tzinfo=now.tzinfo) if at is None or at > now else at
