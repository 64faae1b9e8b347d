"""Status of a service while it runs."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from zcbus.engine import tracing
from zcbus.engine.reasons import reason_of
from zcbus.kit.clock import Clock, now_ms
from zcbus.protocol.base import Reason
from zcbus.protocol.reports import Beat, FeedReport, ServiceReport

State = Literal["starting", "running", "waiting", "stopping", "failed"]

_CPU_SECONDS = 1.0


class ServiceStatus:
    """State for the service's report. Written by the service's main loop, read by the reporting thread."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.state: State = "starting"
        self.reason: Reason | None = None
        self.progress = 0
        self.position = ""
        self.lag_ms: int | None = None
        self.backlog_bytes: int | None = None
        self.retries = 0
        self.bus_bytes: int | None = None
        """None: the service has no real topic of its own."""
        self._cpu = CpuShare()
        self.needs: dict[str, int] = {}
        self.came: Beat | None = None
        self.went: Beat | None = None

    def passed_bus(self, size: int) -> None:
        """Count bytes of the real topic that were written or read."""
        self.bus_bytes = (self.bus_bytes or 0) + size

    def running(self) -> None:
        """Record an iteration of the main loop."""
        self.progress += 1
        self.state, self.reason = "running", None

    def wait_for(self, error: BaseException) -> None:
        """Record a retry because something external is unavailable."""
        self.progress += 1
        self.retries += 1
        self.state, self.reason = "waiting", reason_of(error)

    def stopping(self) -> None:
        self.state, self.reason = "stopping", None

    def fail(self, error: BaseException) -> None:
        """Record a failure that needs a person."""
        self.state, self.reason = "failed", reason_of(error)

    def report(self, export: FeedReport | None = None) -> ServiceReport:
        """Current state of the service."""
        return ServiceReport(
            state=self.state,
            reason=self.reason,
            progress=self.progress,
            position=self.position,
            lag_ms=self.lag_ms,
            backlog_bytes=self.backlog_bytes,
            memory_bytes=resident_bytes(),
            cpu_percent=self._cpu.measured(),
            retries=self.retries,
            bus_bytes=self.bus_bytes,
            needs=self.needs,
            feed=export,
            came=self.came,
            went=self.went,
            traces=tracing.failure(),
            at=self._clock.now(),
        )


class CpuShare:
    """Share of one processor that this process uses, over intervals of at least a second."""

    def __init__(
        self, elapsed: Callable[[], float] = time.monotonic, used: Callable[[], float] = time.process_time
    ) -> None:
        """`elapsed`, `used`: seconds."""
        self._elapsed, self._used = elapsed, used
        self._since, self._was = elapsed(), used()
        self._percent: float | None = None

    def measured(self) -> float | None:
        """Percent of the newest interval that is over; None: the first is not."""
        now = self._elapsed()
        if now - self._since >= _CPU_SECONDS:
            used = self._used()
            self._percent = 100 * (used - self._was) / (now - self._since)
            self._since, self._was = now, used
        return self._percent


def beat(duration_ms: float | None, before: Beat | None = None) -> Beat:
    """Record that data passed a stage now; without a duration the previous one stays."""
    previous = before.took_ms if before is not None else None
    return Beat(
        at=datetime.fromtimestamp(now_ms() / 1000, UTC),
        took_ms=previous if duration_ms is None else _non_negative(duration_ms),
    )


def _non_negative(duration_ms: float) -> int:
    # Clocks of two hosts differ: a duration is never negative.
    return max(0, round(duration_ms))


def resident_bytes() -> int | None:
    """Memory of this process on Linux (resident, without file pages); None elsewhere."""
    try:
        status = Path("/proc/self/status").read_text("ascii")
    except OSError:
        return None
    fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    return int(fields["RssAnon"].split()[0]) * 1024 if "RssAnon" in fields else None
