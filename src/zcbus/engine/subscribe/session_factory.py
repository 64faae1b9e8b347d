"""Opens the sessions of a subscription on its target."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from zcbus.connectors.roles import Target, TargetSession

_MOST = 128
"""Sessions beyond so many at a time have no number, and are not announced."""
_FIRST = 0


class SessionIds:
    """SessionIds of the sessions that are open in this process. Any thread may call."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._taken: set[int] = set()

    def free(self) -> list[int]:
        """Those that no session has."""
        with self._lock:
            return [number for number in range(_MOST) if number not in self._taken]

    @contextmanager
    def first(self) -> Iterator[int]:
        """The number of the one session that nothing happens without, as long as this lasts."""
        with self._lock:
            self._taken.add(_FIRST)
        try:
            yield _FIRST
        finally:
            self._give_back(_FIRST)

    @contextmanager
    def another(self) -> Iterator[int | None]:
        """A number that no session has, as long as this lasts. None: there is no more."""
        with self._lock:
            number = next((one for one in range(_FIRST + 1, _MOST) if one not in self._taken), None)
            if number is not None:
                self._taken.add(number)
        try:
            yield number
        finally:
            self._give_back(number)

    def _give_back(self, number: int | None) -> None:
        with self._lock:
            self._taken -= {number}


class SessionFactory:
    """Gives each session of an owner a number, which the server is told: so whoever comes next ends what a process that
    is gone, or a connection that died unnoticed, still holds there. Any thread may call."""

    def __init__(self, target: Target, owner: str, numbers: SessionIds | None = None) -> None:
        """`numbers`: those of the owner's sessions that are open, where there may be some already."""
        self._target, self._owner, self._numbers = target, owner, numbers or SessionIds()

    @contextmanager
    def first(self) -> Iterator[TargetSession]:
        """The session that nothing happens without; one at a time. All that the server has of this owner ends, but for
        what is open here. Raises TargetUnavailable, AccessDenied."""
        with self._numbers.first() as number, self._target.open() as session:
            session.announce(self._owner, number, self._numbers.free())
            yield session

    @contextmanager
    def another(self) -> Iterator[TargetSession]:
        """A session beside it. Raises TargetUnavailable, AccessDenied."""
        with self._numbers.another() as number, self._target.open() as session:
            if number is not None:
                session.announce(self._owner, number)
            yield session
