"""Quotas of apps."""

import threading
from collections.abc import Callable

from zcbus.gateway.errors import QuotaSpent
from zcbus.protocol.data_service import ApiApp

_SECONDS = 60.0


class Quotas:
    """Counts the calls of each app per minute, which starts with its first call. Thread-safe."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._minutes: dict[str, tuple[float, int]] = {}
        """App → start of its minute, and the calls since."""

    def spend(self, app: ApiApp) -> None:
        """Count a call. Raises QuotaSpent."""
        if app.per_minute is None:
            return
        now = self._monotonic()
        with self._lock:
            began, calls = self._minutes.get(app.id, (now, 0))
            if now - began >= _SECONDS:
                began, calls = now, 0
            if calls >= app.per_minute:
                raise QuotaSpent(limit=app.per_minute, seconds=max(1, round(began + _SECONDS - now)))
            self._minutes[app.id] = (began, calls + 1)
