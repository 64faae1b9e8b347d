"""Processor seconds of processes that run, as the kernel counts them."""

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

from tests.support.processes import descendants

_TICKS = os.sysconf("SC_CLK_TCK")


def of_tree(pid: int) -> float:
    """Of a process, all that it waited for, and all that runs below it."""
    return sum(map(of_process, (pid, *descendants(pid))))


def of_processes(pids: Iterable[int]) -> float:
    """Of some processes."""
    return sum(map(of_process, pids))


def of_process(pid: int) -> float:
    """Of one process and its children that are over; 0 where it is gone."""
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / _TICKS
    return 0.0
