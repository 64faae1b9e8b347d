"""The worker's lease: the process ends with it, even where its agent no longer runs."""

import signal

from zcbus.kit.clock import uptime
from zcbus.protocol.worker_input import WorkerLease

_SOON = 0.001


def is_over(lease: WorkerLease) -> bool:
    return lease.until is not None and lease.until <= uptime()


def arm(lease: WorkerLease) -> None:
    """Replace the lease. When it ends, the kernel ends this process with SIGALRM."""
    if lease.until is None:
        signal.setitimer(signal.ITIMER_REAL, 0)
    else:
        signal.setitimer(signal.ITIMER_REAL, max(lease.until - uptime(), _SOON))
