"""Sessions of a target that one job after the other uses."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from zcbus.connectors.roles import TargetSession
from zcbus.engine.subscribe.session_factory import SessionFactory
from zcbus.kit.errors import ZcbusError

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
