"""Progress and withdrawal of a request."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from zcbus.kit.errors import TerminalError

T = TypeVar("T")

_BATCH = 250


class RequestWithdrawn(TerminalError):
    """The request was withdrawn. No facts."""

    code = "request-withdrawn"


class Watch:
    """Progress of one request. `reached` and `batches` for the answering thread, all else from any."""

    def __init__(self) -> None:
        self._reached = (0, 0)
        self._moved_at = time.monotonic()
        self._is_withdrawn = False
        self._lock = threading.Lock()
        self._end: Callable[[], None] | None = None

    def reached(self, done: int, total: int) -> None:
        """Report progress. Cheap. Raises RequestWithdrawn."""
        if self._is_withdrawn:
            raise RequestWithdrawn
        if (done, total) != self._reached:
            self._reached, self._moved_at = (done, total), time.monotonic()

    def batches(self, things: Sequence[T], begin: int, total: int) -> Iterator[Sequence[T]]:
        """Divide a long list into batches, and report progress before each. `begin`: number of items done before.
        Raises RequestWithdrawn."""
        for done in range(0, len(things), _BATCH):
            self.reached(begin + done, total)
            yield things[done : done + _BATCH]
        self.reached(begin + len(things), total)

    @property
    def progress(self) -> tuple[int, int]:
        """Last reported (done, total); a total of 0: nothing yet."""
        return self._reached

    @property
    def seconds_without_progress(self) -> float:
        """Seconds since the last progress."""
        return time.monotonic() - self._moved_at

    def on_withdrawal(self, end: Callable[[], None] | None) -> None:
        """Set the callback that cancels the work on withdrawal: called once, in its own thread; must not raise. None:
        remove it. Raises RequestWithdrawn."""
        with self._lock:
            self._end = end
            if self._is_withdrawn:
                raise RequestWithdrawn

    def withdraw(self) -> None:
        """Withdraw the request."""
        with self._lock:
            self._is_withdrawn = True
            end, self._end = self._end, None
        if end is not None:
            threading.Thread(target=end, name="withdrawal", daemon=True).start()
