"""End with the parent process, so that no process survives a killed supervisor."""

import ctypes
import os
import signal
import sys

PARENT_VARIABLE = "ZCBUS_PARENT_PID"
_PR_SET_PDEATHSIG = 1


def die_with_parent(kill_signal: int = signal.SIGKILL) -> None:
    """Ask the kernel to send `kill_signal` when the parent process dies (Linux, prctl(2)).

    The parent puts its process id into ZCBUS_PARENT_PID: if it died before this call, this process ends at once. The
    kernel means the parent's *thread*: start such children from a thread that lives as long as the process. Without
    the variable, that is, if a person started the process, the call does nothing.
    """
    expected = os.environ.get(PARENT_VARIABLE)
    if not expected or not sys.platform.startswith("linux"):
        return
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(kill_signal), 0, 0, 0)
    if os.getppid() != int(expected):
        os._exit(1)


def child_environment(**extra: str) -> dict[str, str]:
    """The environment for a child that calls `die_with_parent`."""
    return {**os.environ, PARENT_VARIABLE: str(os.getpid()), **extra}
