"""A service's own state, measured while it runs."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from zcbus.engine.reasons import reason_of
from zcbus.kit.clock import Clock, now_ms
from zcbus.protocol.base import Reason
from zcbus.protocol.reports import Beat, FeedReport, ServiceReport

State = Literal["starting", "running", "waiting", "stopping", "failed"]


class ServiceStatus:
    """What the service report tells. Written by the service's main loop, read by the reporting thread."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.state: State = "starting"
        self.reason: Reason | None = None
        self.progress = 0
        self.position = ""
        self.lag_ms: int | None = None
        self.backlog_bytes: int | None = None
        self.came: Beat | None = None
        self.went: Beat | None = None

    def running(self) -> None:
        """The main loop turned once more."""
        self.progress += 1
        self.state, self.reason = "running", None

    def wait_for(self, error: BaseException) -> None:
        """Something outside is away and is tried again."""
        self.progress += 1
        self.state, self.reason = "waiting", reason_of(error)

    def stopping(self) -> None:
        self.state, self.reason = "stopping", None

    def fail(self, error: BaseException) -> None:
        """Nothing goes on until somebody changes something."""
        self.state, self.reason = "failed", reason_of(error)

    def report(self, feed: FeedReport | None = None) -> ServiceReport:
        """The service as measured now."""
        return ServiceReport(
            state=self.state,
            reason=self.reason,
            progress=self.progress,
            position=self.position,
            lag_ms=self.lag_ms,
            backlog_bytes=self.backlog_bytes,
            memory_bytes=resident_bytes(),
            feed=feed,
            came=self.came,
            went=self.went,
            at=self._clock.now(),
        )


def beat(took_ms: float | None, before: Beat | None = None) -> Beat:
    """Something passed a stage just now. Where it does not tell how long it took, what came `before` it does."""
    known = before.took_ms if before is not None else None
    return Beat(at=datetime.fromtimestamp(now_ms() / 1000, UTC), took_ms=known if took_ms is None else _whole(took_ms))


def _whole(took_ms: float) -> int:
    # Clocks of two hosts differ: nothing arrives before it was sent.
    return max(0, round(took_ms))


def resident_bytes() -> int | None:
    """Memory of this process as Linux counts it (resident, without what files share); None elsewhere."""
    try:
        status = Path("/proc/self/status").read_text("ascii")
    except OSError:
        return None
    fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    return int(fields["RssAnon"].split()[0]) * 1024 if "RssAnon" in fields else None
