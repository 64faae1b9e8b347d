"""Turns of delivery: a few receivers of each tenant at a time, and no tenant waits for another one's slow servers."""

import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping

AT_ONCE = 8
"""Receivers of one tenant that are sent to at the same time."""
TURN_SECONDS = 5.0
"""How long a turn waits. Slower deliveries continue in the background, and the next turn serves the others."""


class Turns:
    """Thread-safe. Its threads end with the process: an attempt that ends so is repeated."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._busy: Counter[str] = Counter()

    def serve(self, due: Mapping[str, Iterable[str]], work: Callable[[str], None]) -> None:
        """Run `work`, which must not raise, for each receiver of each tenant in `due`. Returns when all are done or
        `TURN_SECONDS` are over; receivers not begun by then are left to the next turn."""
        ends = time.monotonic() + TURN_SECONDS
        threads = [
            threading.Thread(target=self._work, args=(tenant, queue, work, ends), name="notice-delivery", daemon=True)
            for tenant, queue in ((tenant, deque(receivers)) for tenant, receivers in due.items())
            for _ in range(self._take(tenant, len(queue)))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(max(0.0, ends - time.monotonic()))

    def _take(self, tenant: str, wanted: int) -> int:
        with self._lock:
            taken = min(wanted, AT_ONCE - self._busy[tenant])
            self._busy[tenant] += taken
            return taken

    def _work(self, tenant: str, queue: deque[str], work: Callable[[str], None], ends: float) -> None:
        try:
            while time.monotonic() < ends:
                try:
                    receiver = queue.popleft()
                except IndexError:
                    return
                work(receiver)
        finally:
            with self._lock:
                self._busy[tenant] -= 1
