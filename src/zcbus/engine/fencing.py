"""Detection of another live process of the same service, which fences this one out."""

import time

from zcbus.connectors.errors import Fenced

_MOST = 5
_SECONDS = 60.0
"""So many fencings within this time prove a live rival."""


class Fencing:
    """Distinguishes leftover processes, which end by themselves, from a live rival."""

    def __init__(self) -> None:
        self._times: list[float] = []

    def note(self, error: Fenced) -> None:
        """Record a fencing. Re-raises it if there is a live rival."""
        now = time.monotonic()
        self._times = [*(then for then in self._times if now - then < _SECONDS), now]
        if len(self._times) > _MOST:
            raise error
