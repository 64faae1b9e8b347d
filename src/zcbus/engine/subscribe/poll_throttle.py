"""How often the bus is asked whether waiting tables can begin: thousands may wait at once."""

import time

_SHORTEST_SECONDS = 0.05
_FIRST_PER_SECOND = 2_000
_PER_SECOND = 200
"""Over all tables. What has not begun when it is asked for soon after is asked for less often, down to this."""


class PollThrottle:
    """Of one channel's tables, by id."""

    def __init__(self) -> None:
        self.waiting = 0
        """How many tables wait."""
        self._next: dict[str, float] = {}
        self._pause: dict[str, float] = {}

    def may(self, table: str) -> bool:
        """Whether the bus may be asked for this table now; then the next time is set."""
        now = time.monotonic()
        if now < self._next.get(table, 0.0):
            return False
        first, longest = self.waiting / _FIRST_PER_SECOND, self.waiting / _PER_SECOND
        pause = self._pause[table] = min(2 * self._pause.get(table, first), longest)
        self._next[table] = now + max(_SHORTEST_SECONDS, pause)
        return True

    def begun(self, table: str) -> None:
        """The table waits no more; the next time it does so it is asked for soon."""
        self._pause.pop(table, None)

    def soon(self, table: str) -> None:
        """What the table waits for is there; it waits only for its turn."""
        self._pause.pop(table, None)
        self._next.pop(table, None)
