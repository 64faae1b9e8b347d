"""Who waits for changes of the store, in this process.

News is a hint that saves a while: what another replica writes is not heard of here, and what is written between two
waits isn't either. Whoever waits looks by himself every now and then as well.
"""

import asyncio
import contextlib
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from sqlalchemy import Connection

_KEY = "zcbus_news"


def announce(connection: Connection, subject: str) -> None:
    """Tell those who wait for a subject, once the open transaction is committed."""
    connection.info.setdefault(_KEY, set()).add(subject)


def announced(connection: Connection) -> set[str]:
    """Take the subjects that a transaction announced."""
    subjects: set[str] = connection.info.pop(_KEY, set())
    return subjects


_Wake = Callable[[], object]


class News:
    """Wakes who waits for subjects. `wait` on an event loop, all else in any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[str, set[_Wake]] = defaultdict(set)
        self._closed = False

    async def wait(self, subject: str, seconds: float) -> bool:
        """Whether there was news of the subject within so many seconds; false at once after `close`."""
        loop = asyncio.get_running_loop()
        heard: asyncio.Future[None] = loop.create_future()
        with self._listening(subject, partial(loop.call_soon_threadsafe, _resolve, heard)) as open_still:
            if not open_still:
                return False
            try:
                await asyncio.wait_for(heard, seconds)
            except TimeoutError:
                return False
        return not self._closed

    @contextlib.contextmanager
    def heard(self, subject: str) -> Iterator[threading.Event]:
        """Set once there is news of the subject while the block runs, or after `close`."""
        event = threading.Event()
        with self._listening(subject, event.set) as open_still:
            if not open_still:
                event.set()
            yield event

    def tell(self, subjects: Iterable[str]) -> None:
        """There is news."""
        with self._lock:
            listeners = [wake for subject in subjects for wake in self._waiting.get(subject, ())]
        for wake in listeners:
            with contextlib.suppress(RuntimeError):  # its loop has ended, and who waited with it
                wake()

    def close(self) -> None:
        """Let everybody go, because the process stops."""
        with self._lock:
            self._closed = True
            subjects = list(self._waiting)
        self.tell(subjects)

    @contextlib.contextmanager
    def _listening(self, subject: str, wake: _Wake) -> Iterator[bool]:
        """Whether there can be news still."""
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


def _resolve(heard: "asyncio.Future[None]") -> None:
    if not heard.done():
        heard.set_result(None)
