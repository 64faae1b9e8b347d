"""Sessions of a subscription on its target: numbered, so that leftovers can be ended, and reused by jobs."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from zcbus.connectors.roles import Target, TargetSession
from zcbus.connectors.roles.sink import Wait, pace, register
from zcbus.kit.errors import ZcbusError

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

    def __init__(self, target: Target, owner: str, numbers: SessionIds | None = None, wait: Wait | None = None) -> None:
        """`numbers`: those of the owner's sessions that are open, where there may be some already. `wait`: how commits
        wait for more changes; None: to the end, whatever happens."""
        self._target, self._owner, self._numbers = target, owner, numbers or SessionIds()
        self._wait = wait

    @contextmanager
    def first(self) -> Iterator[TargetSession]:
        """The session that nothing happens without; one at a time. All that the server has of this owner ends, but for
        what is open here. Raises TargetUnavailable, AccessDenied."""
        with self._numbers.first() as number, self._target.open() as session:
            register(session, self._owner, number, self._numbers.free())
            yield self._paced(session)

    @contextmanager
    def another(self) -> Iterator[TargetSession]:
        """A session beside it. Raises TargetUnavailable, AccessDenied."""
        with self._numbers.another() as number, self._target.open() as session:
            if number is not None:
                register(session, self._owner, number)
            yield self._paced(session)

    def _paced(self, session: TargetSession) -> TargetSession:
        if self._wait is not None:
            pace(session, self._wait)
        return session


_Opened = tuple[ExitStack, TargetSession]
"""What closes a session, and the session."""


class Sessions:
    """Keeps sessions that ended well for whoever needs one next: for a small table, opening one and letting its server
    look everything up for the first time takes longer than the rows. Any thread may call."""

    def __init__(self, openings: SessionFactory) -> None:
        self._openings = openings
        self._lock = threading.Lock()
        self._idle: list[_Opened] = []
        self._closed = False

    @contextmanager
    def open(self) -> Iterator[TargetSession]:
        """A session with nothing open that knows no table. Leaving without commit rolls back; after an error it is
        closed, and so is what is idle, which may be broken as well. Raises TargetUnavailable, AccessDenied."""
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
        """Close what nobody uses at the moment."""
        with self._lock:
            idle, self._idle = self._idle, []
        for opened, _ in idle:
            opened.close()

    def close(self) -> None:
        """Close what is idle, and keep nothing from now on."""
        with self._lock:
            self._closed = True
        self.close_idle()

    def _open(self) -> _Opened:
        with ExitStack() as opened:
            session = opened.enter_context(self._openings.another())
            return opened.pop_all(), session

    def _take(self) -> _Opened | None:
        with self._lock:
            return self._idle.pop() if self._idle else None

    def _is_fresh(self, session: TargetSession) -> bool:
        """Whether the session could be made as a new one."""
        try:
            session.rollback()
        except ZcbusError:
            return False  # what its user wanted is committed
        session.forget_tables()
        return True

    def _keep(self, opened: ExitStack, session: TargetSession) -> None:
        with self._lock:
            if not self._closed:
                self._idle.append((opened.pop_all(), session))
