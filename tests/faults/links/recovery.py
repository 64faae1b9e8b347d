"""How long changes take to arrive again after a fault, measured at the target while further faults strike."""

import contextlib
import threading
import time
from typing import Any

from tests.faults.links.situation import Situation

_PAUSE_SECONDS = 0.05


class Recovery:
    """Watches the target until closed. Rows written after a fault have higher ids than those before it."""

    def __init__(self, situation: Situation) -> None:
        self._situation = situation
        self._waiting: list[tuple[float, int]] = []
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self.seconds: list[float] = []
        """Of each fault after which a row that was written behind it is in the target."""
        self._thread = threading.Thread(target=self._watch, name="recovery", daemon=True)
        self._thread.start()

    def struck(self) -> None:
        """A fault happened, or ended, now."""
        with self._lock:
            self._waiting.append((time.monotonic(), self._situation.writer.newest))

    def begin_again(self) -> None:
        """Something without which nothing can arrive is back now: what waits for longer is counted from now on."""
        now = time.monotonic()
        with self._lock:
            self._waiting = [(now, before) for _, before in self._waiting]

    def close(self) -> None:
        """End; nothing stays open."""
        self._stop.set()
        self._thread.join(60)
        assert not self._thread.is_alive()

    @property
    def waiting(self) -> int:
        """Faults that nothing has arrived after so far."""
        return len(self._waiting)

    def summary(self) -> str:
        """Median, 95th percentile and longest, in seconds."""
        ordered = sorted(self.seconds)
        last = len(ordered) - 1
        at = {name: ordered[round(part * last)] for name, part in (("p50", 0.5), ("p95", 0.95), ("at most", 1.0))}
        return ", ".join(f"{name} {seconds:.1f} s" for name, seconds in at.items())

    def _watch(self) -> None:
        situation = self._situation
        while not self._stop.is_set():
            with contextlib.suppress(Exception), situation.target.connect(situation.target_database) as connection:
                while not self._stop.wait(_PAUSE_SECONDS):
                    self._arrived(_newest(connection))
            self._stop.wait(_PAUSE_SECONDS)

    def _arrived(self, newest: int) -> None:
        now = time.monotonic()
        with self._lock:
            self.seconds += [now - struck for struck, before in self._waiting if newest > before]
            self._waiting = [one for one in self._waiting if newest <= one[1]]


def _newest(connection: Any) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT coalesce(max(id), 0) FROM fault_rows")
        return int(cursor.fetchone()[0])
