"""A service's own state, measured while it runs."""

from pathlib import Path
from typing import Literal

from zcbus.engine.reasons import reason_of
from zcbus.kit.clock import Clock
from zcbus.protocol.base import Reason
from zcbus.protocol.reports import FeedReport, ServiceReport

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
            at=self._clock.now(),
        )


def resident_bytes() -> int | None:
    """Memory of this process as Linux counts it (resident, without what files share); None elsewhere."""
    try:
        status = Path("/proc/self/status").read_text("ascii")
    except OSError:
        return None
    fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    return int(fields["RssAnon"].split()[0]) * 1024 if "RssAnon" in fields else None
