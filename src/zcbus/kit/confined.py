"""Function calls in a child process with limits on memory and time.

They evaluate what users wrote in processes that many share: a child that exceeds a limit dies alone.
"""

import pickle
import resource
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeVar

from zcbus.kit.parent import child_environment, die_with_parent

T = TypeVar("T")

MEMORY_BYTES = 1 << 30
"""Memory in addition to what the child uses before its first call."""
SECONDS = 10
"""Processor time of one call; the answer may take three times as long."""
_START_SECONDS = 60
_IDLE_SECONDS = 60.0
_GIVEN_UP = "it takes too much memory or time"


class Overrun(Exception):
    """The child was killed: the call exceeded its memory or time."""

    def __init__(self) -> None:
        super().__init__(_GIVEN_UP)


class Confined:
    """Calls functions in a child process, one at a time. Thread-safe.

    The child starts on demand and ends when idle. Arguments, results and errors are pickled.
    """

    def __init__(self, memory_bytes: int = MEMORY_BYTES, seconds: int = SECONDS) -> None:
        self._memory, self._seconds = memory_bytes, seconds
        self._lock = threading.Lock()
        self._child: _Child | None = None

    def call(self, function: Callable[..., T], *arguments: object) -> T:
        """Call a function and return its result. Raises its errors, and Overrun."""
        with self._lock:
            try:
                failed, answer = self._ask(function, arguments)
            except (EOFError, OSError, TimeoutError, pickle.UnpicklingError) as error:
                self._end_child()
                raise Overrun from error
        if failed:
            raise answer
        result: T = answer
        return result

    def close(self) -> None:
        """End the child. Idempotent."""
        with self._lock:
            self._end_child()

    def _ask(self, function: Callable[..., object], arguments: tuple[object, ...]) -> tuple[bool, Any]:
        if self._child is not None:
            try:
                self._child.send(function, arguments)
            except (EOFError, OSError):
                # It ended while it was idle, without having begun this call.
                self._end_child()
        if self._child is None:
            self._child = _Child(self._memory, self._seconds)
            self._child.send(function, arguments)
        return self._child.answer(3 * self._seconds)

    def _end_child(self) -> None:
        if self._child is not None:
            self._child.kill()
            self._child = None


class _Child:
    def __init__(self, memory_bytes: int, seconds: int) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__, str(theirs.fileno()), str(memory_bytes), str(seconds)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                env=child_environment(),
            )
        self._ours: Connection = Connection(ours.detach())

    def send(self, function: Callable[..., object], arguments: tuple[object, ...]) -> None:
        """Returns once the child has begun the call. Raises EOFError, OSError: it has not, and never will."""
        self._ours.send((function, arguments))
        if not self._ours.poll(_START_SECONDS):
            raise TimeoutError
        self._ours.recv()

    def answer(self, seconds: float) -> tuple[bool, Any]:
        """Raises TimeoutError, and EOFError, OSError, UnpicklingError where the child died over the call."""
        if not self._ours.poll(seconds):
            raise TimeoutError
        failed, answer = self._ours.recv()
        return bool(failed), answer

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        self._ours.close()


def _serve(parent: Connection, memory_bytes: int, seconds: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    limited = False
    while parent.poll(_IDLE_SECONDS):
        try:
            function, arguments = parent.recv()
        except EOFError:
            return
        if not limited:  # The libraries are loaded now.
            limited = True
            limit_memory(memory_bytes)
        parent.send(None)
        _limit_time(seconds)
        try:
            answer: tuple[bool, object] = (False, function(*arguments))
        except MemoryError:
            return
        except Exception as error:  # noqa: BLE001  every error goes to the caller
            answer = (True, error)
        # A call that ends close to its limit must not have the child killed before the next one.
        _limit_time(None)
        parent.send(answer)


def limit_memory(more_bytes: int) -> None:
    """Limit the memory of this process to its current size and `more_bytes`; allocations beyond it fail."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[5])
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    limit = pages * resource.getpagesize() + more_bytes
    resource.setrlimit(resource.RLIMIT_DATA, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))


def _limit_time(seconds: int | None) -> None:
    """Limit the processor time from here on; None: no limit."""
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    used = resource.getrusage(resource.RUSAGE_SELF)
    until = hard if seconds is None else int(used.ru_utime + used.ru_stime) + 1 + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (until, hard))


if __name__ == "__main__":
    die_with_parent()
    _serve(Connection(int(sys.argv[1])), int(sys.argv[2]), int(sys.argv[3]))
