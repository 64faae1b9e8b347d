"""Progress of a call, which its caller may follow and cancel while it runs.

The caller names the call in the header PROGRESS_HEADER and polls by that name. The result is the call's own answer and
is recorded in the operation log; the progress is not kept.
"""

import re
import time
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, select, update

from zcbus.control.platform.errors import BusinessError, RequestMalformedError
from zcbus.control.platform.services import Services
from zcbus.control.store.tables.progress import call_progress, ended_call
from zcbus.kit.ids import new_id

PROGRESS_HEADER = "zcbus-progress"
KEY_PATTERN = "^[A-Za-z0-9-]{8,64}$"

# A call's process may have been killed.
_RETENTION = timedelta(hours=6)
# A shorter call is still being watched by its caller.
_LONG = timedelta(seconds=10)
_WRITE_SECONDS = 0.25
_CHECK_SECONDS = 0.2


class CallCancelledError(BusinessError):
    """Its caller called it off before it changed anything."""

    code = "call-cancelled"


class Progress:
    """Progress of a call that is not followed. No method but `note_end` may be called inside a transaction."""

    def step(self, name: str, total: int = 0, *, final: bool = False) -> None:
        """Begin a step (`progress.<name>` in the message catalogues) over `total` things; `final`: it can no longer be
        cancelled. Raises CallCancelledError."""

    def reached(self, done: int, total: int) -> None:
        """So much of the step is done. Cheap, however often it is called."""

    def check(self) -> None:
        """Raises CallCancelledError. Cheap, however often it is called."""

    def note_end(self, store: Connection, tenant_id: str, error_code: str | None, **facts: Any) -> None:
        """Record the end of a call that took long, for a notice. `error_code` None: it succeeded."""

    def end(self) -> None:
        """The call is over."""


NOT_FOLLOWED = Progress()


class FollowedProgress(Progress):
    """Progress in the store, where every replica finds it."""

    def __init__(self, services: Services, user_id: str, key: str) -> None:
        """Raises RequestMalformedError for a key that does not match KEY_PATTERN."""
        if not re.fullmatch(KEY_PATTERN, key):
            raise RequestMalformedError(fields=PROGRESS_HEADER)
        self._services = services
        self._id = new_id()
        self._begun_at = services.clock.now()
        self._written = self._checked = time.monotonic()
        self._reached = (0, 0)
        with services.database.write() as store:
            store.execute(delete(call_progress).where(_named(user_id, key)))
            store.execute(
                call_progress.insert().values(
                    id=self._id,
                    user_id=user_id,
                    key=key,
                    done=0,
                    total=0,
                    final=False,
                    cancelled=False,
                    begun_at=self._begun_at,
                )
            )

    def step(self, name: str, total: int = 0, *, final: bool = False) -> None:
        values = {"step": name, "step_begun_at": self._services.clock.now(), "done": 0, "total": total, "final": final}
        self._reached = (0, total)
        # One statement checks and advances: a later cancellation is refused.
        with self._services.database.write() as store:
            advance = update(call_progress).where(call_progress.c.id == self._id, ~call_progress.c.cancelled)
            advanced = store.execute(advance.values(**values)).rowcount
        if not advanced:
            self.check_now()

    def reached(self, done: int, total: int) -> None:
        now = time.monotonic()
        if (done, total) == self._reached or now - self._written < _WRITE_SECONDS:
            return
        self._written, self._reached = now, (done, total)
        with self._services.database.write() as store:
            store.execute(update(call_progress).where(call_progress.c.id == self._id).values(done=done, total=total))

    def check(self) -> None:
        now = time.monotonic()
        if now - self._checked >= _CHECK_SECONDS:
            self._checked = now
            self.check_now()

    def check_now(self) -> None:
        """As `check`, whenever it was called last."""
        with self._services.database.read() as store:
            query = select(call_progress.c.cancelled).where(call_progress.c.id == self._id)
            if store.execute(query).scalar():
                raise CallCancelledError

    def note_end(self, store: Connection, tenant_id: str, error_code: str | None, **facts: Any) -> None:
        now = self._services.clock.now()
        duration = now - self._begun_at
        if duration < _LONG or error_code == CallCancelledError.code:
            return
        noted = {**facts, "seconds": round(duration.total_seconds())}
        row = {"id": self._id, "tenant_id": tenant_id, "facts": noted, "error_code": error_code, "ended_at": now}
        store.execute(ended_call.insert().values(**row))

    def end(self) -> None:
        with self._services.database.write() as store:
            store.execute(delete(call_progress).where(call_progress.c.id == self._id))


def find(connection: Connection, user_id: str, key: str) -> Row[Any] | None:
    """A call that is under way, by its caller and his name for it."""
    return connection.execute(select(call_progress).where(_named(user_id, key))).first()


def cancel(connection: Connection, user_id: str, key: str) -> bool:
    """Call a call off; false: it is too late, or there is none."""
    calling_off = update(call_progress).where(_named(user_id, key), ~call_progress.c.final)
    return connection.execute(calling_off.values(cancelled=True)).rowcount > 0


def take_ended(store: Connection) -> Sequence[Row[Any]]:
    """Calls that took long and are over, each once."""
    return store.execute(delete(ended_call).returning(ended_call)).all()


def remove_left_over(services: Services) -> None:
    """Forget calls whose process was killed."""
    with services.database.write() as store:
        store.execute(delete(call_progress).where(call_progress.c.begun_at < services.clock.now() - _RETENTION))


def _named(user_id: str, key: str) -> ColumnElement[bool]:
    return (call_progress.c.user_id == user_id) & (call_progress.c.key == key)
