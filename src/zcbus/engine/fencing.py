"""Being fenced out by another process of the same service."""

import time

from zcbus.connectors.errors import Fenced

_MOST = 5
_SECONDS = 60.0
"""A process that is fenced out so often within so long has a living rival."""


class Fencing:
    """Tells leftovers, which end by themselves, from a rival that lives."""

    def __init__(self) -> None:
        self._times: list[float] = []

    def note(self, error: Fenced) -> None:
        """It happened once more. Raises it again where a rival lives."""
        now = time.monotonic()
        self._times = [*(then for then in self._times if now - then < _SECONDS), now]
        if len(self._times) > _MOST:
            raise error
