"""Who waits for changes of the store, in this process.

News is a hint that saves a while: what another replica writes is not heard of here, and what is written between two
waits isn't either. Whoever waits looks by himself every now and then as well.
"""

import asyncio
import contextlib
import threading
from collections import defaultdict
from collections.abc import Iterable

from sqlalchemy import Connection

_KEY = "zcbus_news"


def announce(connection: Connection, subject: str) -> None:
    """Tell those who wait for a subject, once the open transaction is committed."""
    connection.info.setdefault(_KEY, set()).add(subject)


def announced(connection: Connection) -> set[str]:
    """Take the subjects that a transaction announced."""
    subjects: set[str] = connection.info.pop(_KEY, set())
    return subjects


class News:
    """Wakes who waits for subjects. `wait` on an event loop, all else in any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[str, set[asyncio.Future[None]]] = defaultdict(set)
        self._closed = False

    async def wait(self, subject: str, seconds: float) -> bool:
        """Whether there was news of the subject within so many seconds; false at once after `close`."""
        heard: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        with self._lock:
            if self._closed:
                return False
            self._waiting[subject].add(heard)
        try:
            await asyncio.wait_for(heard, seconds)
        except TimeoutError:
            return False
        finally:
            self._forget(subject, heard)
        return not self._closed

    def tell(self, subjects: Iterable[str]) -> None:
        """There is news."""
        with self._lock:
            heard = [one for subject in subjects for one in self._waiting.get(subject, ())]
        for one in heard:
            with contextlib.suppress(RuntimeError):  # its loop has ended, and who waited with it
                one.get_loop().call_soon_threadsafe(_resolve, one)

    def close(self) -> None:
        """Let everybody go, because the process stops."""
        with self._lock:
            self._closed = True
            subjects = list(self._waiting)
        self.tell(subjects)

    def _forget(self, subject: str, heard: "asyncio.Future[None]") -> None:
        with self._lock:
            self._waiting[subject].discard(heard)
            if not self._waiting[subject]:
                del self._waiting[subject]


def _resolve(heard: "asyncio.Future[None]") -> None:
    if not heard.done():
        heard.set_result(None)
