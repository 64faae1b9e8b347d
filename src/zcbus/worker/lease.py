"""The worker's end of its lease: it must not outlive it, whatever becomes of its agent."""

import signal

from zcbus.kit.clock import uptime
from zcbus.protocol.worker_input import WorkerLease

_SOON = 0.001


def is_over(lease: WorkerLease) -> bool:
    return lease.until is not None and lease.until <= uptime()


def arm(lease: WorkerLease) -> None:
    """From now on this lease holds. When it ends the kernel ends this process with SIGALRM, even while it is in the
    middle of something; another lease before that moves the end."""
    if lease.until is None:
        signal.setitimer(signal.ITIMER_REAL, 0)
    else:
        signal.setitimer(signal.ITIMER_REAL, max(lease.until - uptime(), _SOON))
