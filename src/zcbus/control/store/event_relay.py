"""Change events of other replicas, over PostgreSQL's LISTEN and NOTIFY. SQLite has one process, which needs none.

A transaction's events are part of it: PostgreSQL delivers them after the commit, in the order of commits. While the
listening connection is lost, events are missed; `LOST` and `FOUND` say so to those who rely on them.
"""

import contextlib
import json
import os
import select
import threading
from collections.abc import Iterable, Iterator
from typing import Any

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import SQLAlchemyError

from zcbus.control.store.change_events import ChangeEvents
from zcbus.kit.ids import new_id
from zcbus.kit.logging import get_logger

LOST = "relay/lost"
FOUND = "relay/found"
"""Subjects of the relay's own events."""

_CHANNEL = "zcbus_events"
# PostgreSQL takes less than 8000 bytes.
_MAX_PAYLOAD = 7_900
_RETRY_SECONDS = 5.0
_STOP_SECONDS = 2.0
_SEND = text("SELECT pg_notify(:channel, :payload)")

_log = get_logger("control.event_relay")


class EventRelay:
    """Sends a process's change events to the other replicas and publishes theirs. Safe for many threads."""

    def __init__(self, engine: Engine, events: ChangeEvents) -> None:
        self._engine = engine
        self._events = events
        self._origin = new_id()
        self._is_needed = engine.dialect.name == "postgresql"
        self._stopping = threading.Event()
        self._hearing = threading.Event()
        self._thread: threading.Thread | None = None
        self._wake: tuple[int, int] | None = None

    @property
    def is_complete(self) -> bool:
        """Whether every committed event is published in this process."""
        return not self._is_needed or self._hearing.is_set()

    def send(self, connection: Connection, subjects: Iterable[str]) -> None:
        """In the transaction that the events belong to."""
        if self._is_needed:
            for payload in _payloads(self._origin, sorted(subjects)):
                connection.execute(_SEND, {"channel": _CHANNEL, "payload": payload})

    def start(self) -> None:
        """Begin to listen, in a thread of its own."""
        if self._is_needed and self._thread is None:
            self._wake = os.pipe()
            self._thread = threading.Thread(target=self._run, name="event-relay", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End the thread and its connection."""
        if self._thread is None or self._wake is None:
            return
        self._stopping.set()
        os.write(self._wake[1], b"x")
        self._thread.join(_STOP_SECONDS)
        if not self._thread.is_alive():
            for end in self._wake:
                os.close(end)
        self._thread = None

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                with self._listening() as driver:
                    self._receive(driver)
            except Exception as error:  # noqa: BLE001  whatever ended the connection, another is tried
                _log.warning("change events of other replicas are missed", exc_info=error)
            if self._hearing.is_set():
                self._hearing.clear()
                self._events.publish({LOST})
            self._stopping.wait(_RETRY_SECONDS)

    @contextlib.contextmanager
    def _listening(self) -> Iterator[Any]:
        """A driver's connection that is no more one of the pool's."""
        pooled = self._engine.raw_connection()
        driver: Any = pooled.driver_connection
        pooled.detach()
        try:
            driver.autocommit = True
            driver.execute(f"LISTEN {_CHANNEL}")
            self._hearing.set()
            self._events.publish({FOUND})
            yield driver
        finally:
            with contextlib.suppress(SQLAlchemyError):
                pooled.close()

    def _receive(self, driver: Any) -> None:
        assert self._wake is not None
        while not self._stopping.is_set():
            select.select([driver.fileno(), self._wake[0]], [], [])
            for notice in driver.notifies(timeout=0):
                origin, *subjects = json.loads(notice.payload)
                if origin != self._origin:
                    self._events.publish(subjects)


def _payloads(origin: str, subjects: Iterable[str]) -> Iterator[str]:
    """JSON lists of the origin and subjects, each within PostgreSQL's limit."""
    group: list[str] = []
    for subject in subjects:
        if group and len(json.dumps([origin, *group, subject]).encode()) > _MAX_PAYLOAD:
            yield json.dumps([origin, *group])
            group = []
        group.append(subject)
    if group:
        yield json.dumps([origin, *group])
