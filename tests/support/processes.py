"""Looking at and killing processes of a running platform, by /proc."""

import contextlib
import ctypes
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

_PR_SET_PDEATHSIG = 1


def die_with_parent() -> None:
    """Of a child before it becomes a server: it is killed when the process of the tests ends in whatever way."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def descendants(pid: int) -> dict[int, list[str]]:
    """All living processes below `pid` with their command lines."""
    found: dict[int, list[str]] = {}
    for child in _children(pid):
        command = _command(child)
        if command:
            found[child] = command
        found |= descendants(child)
    return found


def alive(pid: int) -> bool:
    """Whether the process runs (a zombie does not)."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def workers(pid: int) -> list[int]:
    """Those below `pid` that do the work of a service."""
    return [below for below, command in descendants(pid).items() if command == ["zcbus worker"]]


def kill(pid: int, number: signal.Signals = signal.SIGKILL) -> None:
    """Signal a process that may be gone already."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def wait_until(condition: Callable[[], object], seconds: float, what: str, pause: float = 0.05) -> None:
    """Wait for a condition; fails with `what` when the time is over."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds:g} s: {what}")
        time.sleep(pause)


def _children(pid: int) -> list[int]:
    children: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            children += [int(child) for child in task.read_text().split()]
    return children


def _command(pid: int) -> list[str]:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").rstrip("\0").split("\0")
    return []
