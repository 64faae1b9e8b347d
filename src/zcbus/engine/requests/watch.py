"""How far the answer to a question is, and whether anybody still waits for it."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from zcbus.kit.errors import TerminalError

T = TypeVar("T")

_PORTION = 250


class RequestWithdrawn(TerminalError):
    """Nobody waits for the answer any more. No facts."""

    code = "request-withdrawn"


class Watch:
    """`reached` belongs to the thread that answers, all else may be called in any."""

    def __init__(self) -> None:
        self._reached = (0, 0)
        self._moved_at = time.monotonic()
        self._is_withdrawn = False
        self._lock = threading.Lock()
        self._end: Callable[[], None] | None = None

    def reached(self, done: int, total: int) -> None:
        """So much of the answer there is. Cheap. Raises RequestWithdrawn."""
        if self._is_withdrawn:
            raise RequestWithdrawn
        if (done, total) != self._reached:
            self._reached, self._moved_at = (done, total), time.monotonic()

    def portions(self, things: Sequence[T], begin: int, total: int) -> Iterator[Sequence[T]]:
        """Parts of many things of which a database is asked, each small enough that progress shows; `begin` things of
        the answer were there before. Raises RequestWithdrawn."""
        for done in range(0, len(things), _PORTION):
            self.reached(begin + done, total)
            yield things[done : done + _PORTION]
        self.reached(begin + len(things), total)

    @property
    def progress(self) -> tuple[int, int]:
        """What `reached` was told last; a total of 0: nothing yet."""
        return self._reached

    @property
    def still_seconds(self) -> float:
        """For how long no progress was made."""
        return time.monotonic() - self._moved_at

    def on_withdrawal(self, end: Callable[[], None] | None) -> None:
        """What ends the work once nobody waits any more: called in a thread of its own, once, and must not raise. None:
        nothing can be ended any more. Raises RequestWithdrawn."""
        with self._lock:
            self._end = end
            if self._is_withdrawn:
                raise RequestWithdrawn

    def withdraw(self) -> None:
        """Nobody waits any more."""
        with self._lock:
            self._is_withdrawn = True
            end, self._end = self._end, None
        if end is not None:
            threading.Thread(target=end, name="withdrawal", daemon=True).start()
