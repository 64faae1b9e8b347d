"""Sessions of a target that one job after the other uses."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from zcbus.connectors.roles import Target, TargetSession
from zcbus.kit.errors import ZcbusError


class Sessions:
    """Keeps sessions that ended well for whoever needs one next: for a small table, opening one and letting its server
    look everything up for the first time takes longer than the rows. Any thread may call."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._lock = threading.Lock()
        self._idle: list[TargetSession] = []
        self._closed = False

    @contextmanager
    def open(self) -> Iterator[TargetSession]:
        """A session with nothing open that knows no table. Leaving without commit rolls back; after an error it is
        closed, and so is what is idle, which may be broken as well. Raises TargetUnavailable, AccessDenied."""
        with ExitStack() as opened:
            session = opened.enter_context(self._take() or self._target.open())
            try:
                yield session
            except BaseException:
                self.close_idle()
                raise
            if self._is_fresh(session) and self._keep(session):
                opened.pop_all()

    def close_idle(self) -> None:
        """Close what nobody uses at the moment."""
        with self._lock:
            idle, self._idle = self._idle, []
        for session in idle:
            session.__exit__()

    def close(self) -> None:
        """Close what is idle, and keep nothing from now on."""
        with self._lock:
            self._closed = True
        self.close_idle()

    def _take(self) -> TargetSession | None:
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

    def _keep(self, session: TargetSession) -> bool:
        with self._lock:
            if not self._closed:
                self._idle.append(session)
            return not self._closed
