"""Sessions with data sources, reused between calls."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from zcbus.connectors.queries import QueryRunner
from zcbus.engine.connections import Connectors, options_of
from zcbus.gateway.errors import Busy
from zcbus.protocol.base import Connection

MAX_SESSIONS = 8
"""Limit of sessions per data source."""
_IDLE_SECONDS = 60.0


@dataclass(slots=True)
class _Source:
    connection: Connection
    slots: threading.BoundedSemaphore = field(default_factory=lambda: threading.BoundedSemaphore(MAX_SESSIONS))
    idle: list[tuple[float, QueryRunner]] = field(default_factory=list)
    """Idle sessions, each with the start of its idle time; the newest last."""


class Sessions:
    """Pool of sessions. Thread-safe."""

    def __init__(self, connectors: Connectors) -> None:
        self._connectors = connectors
        self._lock = threading.Lock()
        self._sources: dict[str, _Source] = {}

    @contextmanager
    def lent(self, name: str, connection: Connection, wait_s: float) -> Iterator[QueryRunner]:
        """A session with a data source. Raises Busy if none becomes free in time, and errors of opening one."""
        source = self._source(name, connection)
        if not source.slots.acquire(timeout=wait_s):
            raise Busy
        try:
            runner = self._idle(source) or self._connectors(connection.kind).query_runner(options_of(connection))
            try:
                yield runner
            finally:
                self._put_back(name, source, runner)
        finally:
            source.slots.release()

    def close_idle(self, older_than_s: float = _IDLE_SECONDS) -> None:
        """Close sessions that are idle for longer."""
        limit = time.monotonic() - older_than_s
        with self._lock:
            old = [runner for source in self._sources.values() for since, runner in source.idle if since <= limit]
            for source in self._sources.values():
                source.idle = [pair for pair in source.idle if pair[0] > limit]
        for runner in old:
            runner.close()

    def close(self) -> None:
        """Close all idle sessions; lent ones close when they are returned."""
        with self._lock:
            sources, self._sources = self._sources, {}
        for source in sources.values():
            for _, runner in source.idle:
                runner.close()

    def _source(self, name: str, connection: Connection) -> _Source:
        with self._lock:
            existing = self._sources.get(name)
            if existing is not None and existing.connection == connection:
                return existing
            source = self._sources[name] = _Source(connection)
        for _, runner in existing.idle if existing is not None else ():
            runner.close()
        return source

    def _idle(self, source: _Source) -> QueryRunner | None:
        with self._lock:
            return source.idle.pop()[1] if source.idle else None

    def _put_back(self, name: str, source: _Source, runner: QueryRunner) -> None:
        with self._lock:
            keep = runner.usable and self._sources.get(name) is source
            if keep:
                source.idle.append((time.monotonic(), runner))
        if not keep:
            runner.close()
