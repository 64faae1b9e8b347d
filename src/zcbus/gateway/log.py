"""The calls that were answered and are not told yet, and their figures."""

import threading
from collections import deque
from datetime import UTC, datetime, timedelta

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

from zcbus.protocol.data_service import ApiCall, ApiCallsReport

_MOST_KEPT = 5_000
MOST_UNPROVEN = 60
_MINUTE = timedelta(minutes=1)
_MOST_AT_ONCE = 500
"""A report is one line of at most a MiB."""


class CallLog:
    """Bounded: what finds no place is counted. Thread-safe."""

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
        """Note a call."""
        self._count.labels(str(call.status)).inc()
        self._seconds.observe(call.duration_ms / 1000)
        self._rows.inc(call.rows)
        with self._lock:
            if len(self._calls) < _MOST_KEPT and self._has_place(call):
                self._calls.append(call)
            else:
                self._dropped += 1

    def _has_place(self, call: ApiCall) -> bool:
        """Calls of nobody who is known fill no store: so many of them a minute are kept, the rest is counted."""
        if call.app:
            return True
        if call.at - self._minute >= _MINUTE:
            self._minute, self._unproven = call.at, 0
        self._unproven += 1
        return self._unproven <= MOST_UNPROVEN

    def take(self) -> list[ApiCallsReport]:
        """What was not told yet, in parts; [] where there is nothing."""
        with self._lock:
            calls, dropped = list(self._calls), self._dropped
            self._calls.clear()
            self._dropped = 0
        if not calls and not dropped:
            return []
        parts = [tuple(calls[first : first + _MOST_AT_ONCE]) for first in range(0, len(calls), _MOST_AT_ONCE)] or [()]
        return [ApiCallsReport(calls=part, dropped=dropped if number == 0 else 0) for number, part in enumerate(parts)]

    def metrics(self) -> bytes:
        """In Prometheus' text form."""
        return generate_latest(self._registry)
