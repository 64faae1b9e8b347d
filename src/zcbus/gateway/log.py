"""Log and metrics of answered calls."""

import threading
from collections import deque
from datetime import UTC, datetime, timedelta

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

from zcbus.protocol.data_service import ApiCall, ApiCallsReport

_MAX_STORED = 5_000
MAX_UNPROVEN = 60
_MINUTE = timedelta(minutes=1)
_MAX_AT_ONCE = 500
"""Limit of calls in a report, which is one line of at most 1 MiB."""


class CallLog:
    """Calls that are not reported yet; calls beyond the limit are only counted. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls: deque[ApiCall] = deque()
        self._dropped = 0
        self._minute, self._unproven = datetime.min.replace(tzinfo=UTC), 0
        self._registry = CollectorRegistry()
        self._count = Counter("zcbus_gateway_calls", "Calls answered", ["status"], registry=self._registry)
        self._seconds = Histogram("zcbus_gateway_call_seconds", "Time until the answer", registry=self._registry)
        self._rows = Counter("zcbus_gateway_rows", "Rows answered", registry=self._registry)

    def add(self, call: ApiCall) -> None:
        """Add a call."""
        self._count.labels(str(call.status)).inc()
        self._seconds.observe(call.duration_ms / 1000)
        self._rows.inc(call.rows)
        with self._lock:
            if len(self._calls) < _MAX_STORED and self._is_stored(call):
                self._calls.append(call)
            else:
                self._dropped += 1

    def _is_stored(self, call: ApiCall) -> bool:
        """Limit unauthenticated calls per minute, so that they cannot fill the store."""
        if call.app:
            return True
        if call.at - self._minute >= _MINUTE:
            self._minute, self._unproven = call.at, 0
        self._unproven += 1
        return self._unproven <= MAX_UNPROVEN

    def take(self) -> list[ApiCallsReport]:
        """Reports of the calls since the last `take`; [] if there are none."""
        with self._lock:
            calls, dropped = list(self._calls), self._dropped
            self._calls.clear()
            self._dropped = 0
        if not calls and not dropped:
            return []
        parts = [tuple(calls[first : first + _MAX_AT_ONCE]) for first in range(0, len(calls), _MAX_AT_ONCE)] or [()]
        return [ApiCallsReport(calls=part, dropped=dropped if number == 0 else 0) for number, part in enumerate(parts)]

    def metrics(self) -> bytes:
        """Metrics in Prometheus' text format."""
        return generate_latest(self._registry)
