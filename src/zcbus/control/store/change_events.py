"""Events of committed changes, for waiters in this process.

An event only saves waiting time. Those of other replicas come while `EventRelay` receives them, and a write between two
waits is missed. A waiter therefore polls the store as well.
"""

import asyncio
import contextlib
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from sqlalchemy import Connection

_KEY = "zcbus_change_events"


def notify(connection: Connection, subject: str) -> None:
    """Raise an event for a subject's waiters once the open transaction is committed."""
    connection.info.setdefault(_KEY, set()).add(subject)


def take_pending(connection: Connection) -> set[str]:
    """Take the subjects that a transaction has events for."""
    subjects: set[str] = connection.info.pop(_KEY, set())
    return subjects


_Wake = Callable[[], object]


class ChangeEvents:
    """Wakes the waiters of subjects. `wait` runs on an event loop, all else in any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[str, set[_Wake]] = defaultdict(set)
        self._closed = False

    @property
    def is_closed(self) -> bool:
        """Whether the process stops."""
        return self._closed

    async def wait(self, subject: str, seconds: float) -> bool:
        """Whether the subject had an event within `seconds`; false at once after `close`."""
        loop = asyncio.get_running_loop()
        notified: asyncio.Future[None] = loop.create_future()
        with self._listening(subject, partial(loop.call_soon_threadsafe, _resolve, notified)) as open_still:
            if not open_still:
                return False
            try:
                async with asyncio.timeout(seconds):
                    await notified
            except TimeoutError:
                return False
        return not self._closed

    @contextlib.contextmanager
    def listen(self, subject: str) -> Iterator[threading.Event]:
        """Give an event that is set when the subject changes while the block runs, or after `close`."""
        event = threading.Event()
        with self._listening(subject, event.set) as open_still:
            if not open_still:
                event.set()
            yield event

    @contextlib.contextmanager
    def calling(self, subject: str, wake: Callable[[], object]) -> Iterator[None]:
        """Have `wake` called, in any thread, whenever the subject changes while the block runs, and at `close`."""
        with self._listening(subject, wake):
            yield

    def publish(self, subjects: Iterable[str]) -> None:
        """Wake the waiters of subjects."""
        with self._lock:
            listeners = [wake for subject in subjects for wake in self._waiting.get(subject, ())]
        for wake in listeners:
            with contextlib.suppress(RuntimeError):  # its loop has ended, and its waiter with it
                wake()

    def close(self) -> None:
        """Release all waiters, because the process stops."""
        with self._lock:
            self._closed = True
            subjects = list(self._waiting)
        self.publish(subjects)

    @contextlib.contextmanager
    def _listening(self, subject: str, wake: _Wake) -> Iterator[bool]:
        """Whether events can still come."""
        with self._lock:
            open_still = not self._closed
            self._waiting[subject].add(wake)
        try:
            yield open_still
        finally:
            with self._lock:
                self._waiting[subject].discard(wake)
                if not self._waiting[subject]:
                    del self._waiting[subject]


def _resolve(notified: "asyncio.Future[None]") -> None:
    if not notified.done():
        notified.set_result(None)
