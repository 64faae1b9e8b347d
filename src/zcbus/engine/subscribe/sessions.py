"""Sessions of a subscription on its target: numbered, so that leftovers can be ended, and reused."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from zcbus.connectors.roles import Target, TargetSession
from zcbus.connectors.roles.sink import Wait, pace, register
from zcbus.kit.errors import ZcbusError

_MOST = 128
"""Limit of numbered sessions; further ones have no number and are not registered."""
_FIRST = 0


class SessionIds:
    """Numbers of this process's open sessions. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._taken: set[int] = set()

    def free(self) -> list[int]:
        """Unused numbers."""
        with self._lock:
            return [number for number in range(_MOST) if number not in self._taken]

    @contextmanager
    def first(self) -> Iterator[int]:
        """Reserve the number of the main session, for the duration of a block."""
        with self._lock:
            self._taken.add(_FIRST)
        try:
            yield _FIRST
        finally:
            self._give_back(_FIRST)

    @contextmanager
    def another(self) -> Iterator[int | None]:
        """Reserve an unused number, for the duration of a block; None: all are in use."""
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
    """Opens sessions of an owner, each registered with a number on the server. Thread-safe.

    By the number a later process ends the sessions of a process that is gone, or of a connection that died unnoticed.
    """

    def __init__(self, target: Target, owner: str, numbers: SessionIds | None = None, wait: Wait | None = None) -> None:
        """`numbers`: of the owner's open sessions. `wait`: how commits wait for more changes; None: to the end."""
        self._target, self._owner, self._numbers = target, owner, numbers or SessionIds()
        self._wait = wait

    @contextmanager
    def first(self) -> Iterator[TargetSession]:
        """Open the main session; one at a time. Raises TargetUnavailable, AccessDenied.

        The server's other sessions of this owner are ended, except those that are open in this process.
        """
        with self._numbers.first() as number, self._target.open() as session:
            register(session, self._owner, number, self._numbers.free())
            yield self._paced(session)

    @contextmanager
    def another(self) -> Iterator[TargetSession]:
        """Open a further session. Raises TargetUnavailable, AccessDenied."""
        with self._numbers.another() as number, self._target.open() as session:
            if number is not None:
                register(session, self._owner, number)
            yield self._paced(session)

    def _paced(self, session: TargetSession) -> TargetSession:
        if self._wait is not None:
            pace(session, self._wait)
        return session


_Opened = tuple[ExitStack, TargetSession]
"""The closer of a session, and the session."""


class Sessions:
    """Pool of sessions for jobs. Thread-safe.

    For a small table, opening a session and filling its server's caches takes longer than the rows.
    """

    def __init__(self, session_factory: SessionFactory) -> None:
        self._session_factory = session_factory
        self._lock = threading.Lock()
        self._idle: list[_Opened] = []
        self._closed = False

    @contextmanager
    def open(self) -> Iterator[TargetSession]:
        """Lend a session without open transaction and cached tables. Raises TargetUnavailable, AccessDenied.

        Leaving without commit rolls back. After an error the session and all idle ones are closed, because they may
        be broken too.
        """
        opened, session = self._take() or self._open()
        with opened:
            try:
                yield session
            except BaseException:
                self.close_idle()
                raise
            if self._is_fresh(session):
                self._keep(opened, session)

    def close_idle(self) -> None:
        """Close idle sessions."""
        with self._lock:
            idle, self._idle = self._idle, []
        for opened, _ in idle:
            opened.close()

    def close(self) -> None:
        """Close idle sessions, and keep none from now on."""
        with self._lock:
            self._closed = True
        self.close_idle()

    def _open(self) -> _Opened:
        with ExitStack() as opened:
            session = opened.enter_context(self._session_factory.another())
            return opened.pop_all(), session

    def _take(self) -> _Opened | None:
        with self._lock:
            return self._idle.pop() if self._idle else None

    def _is_fresh(self, session: TargetSession) -> bool:
        """Whether the session could be reset."""
        try:
            session.rollback()
        except ZcbusError:
            return False  # Its user's work is committed.
        session.forget_tables()
        return True

    def _keep(self, opened: ExitStack, session: TargetSession) -> None:
        with self._lock:
            if not self._closed:
                self._idle.append((opened.pop_all(), session))
