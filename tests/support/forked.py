"""Processes of the `zcbus` program without the second that each takes to load its libraries: tests ask the product's
fork server for them, as an agent does.

That the program also loads by itself is proven wherever the command line starts it.
"""

import atexit
import contextlib
import functools
import os
import selectors
import signal
import socket
import subprocess
import threading
from collections.abc import Mapping, Sequence
from typing import IO

from zcbus.cli import fork_server
from zcbus.kit.forking import request


class ForkedProcess:
    """As much of `subprocess.Popen` as tests need."""

    def __init__(self, stdin: IO[bytes], stdout: IO[bytes], status: int) -> None:
        self.stdin, self.stdout = stdin, stdout
        self._status = os.fdopen(status, "rb", buffering=0)
        self.pid = int(self._status.readline())
        self._code: int | None = None

    def poll(self) -> int | None:
        """The exit code of a process that has ended, negative for a signal."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.wait(0)
        return None

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, once there is one. Raises subprocess.TimeoutExpired."""
        if self._code is None:
            with selectors.DefaultSelector() as selector:
                selector.register(self._status, selectors.EVENT_READ)
                if not selector.select(timeout):
                    raise subprocess.TimeoutExpired("zcbus", timeout or 0)
            with self._status:
                self._code = int(self._status.readline())
        return self._code

    def kill(self) -> None:
        """SIGKILL, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)


class _Server:
    """It ends with this process, which closes the socket, and what it forked with it."""

    def __init__(self, command: Sequence[str]) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [*command, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )
        self._lock = threading.Lock()
        atexit.register(self._close)

    def fork(self, arguments: Sequence[str], environment: Mapping[str, str], stderr: int | None) -> ForkedProcess:
        (stdin_theirs, stdin), (stdout, stdout_theirs), (status, status_theirs) = os.pipe(), os.pipe(), os.pipe()
        streams = [stdin_theirs, stdout_theirs, stdout_theirs if stderr is None else stderr]
        with self._lock:
            request.send(self._socket, arguments, environment, [*streams, status_theirs])
        for descriptor in (stdin_theirs, stdout_theirs, status_theirs):
            os.close(descriptor)
        return ForkedProcess(os.fdopen(stdin, "wb"), os.fdopen(stdout, "rb"), status)

    def _close(self) -> None:
        self._socket.close()
        self._process.wait()


_server = functools.cache(_Server)


def start(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    stderr: int | None = None,
    command: Sequence[str] = fork_server.COMMAND,
) -> ForkedProcess:
    """Start `zcbus <arguments>` with these variables over those of the tests; `stderr` is the descriptor of its log,
    without one that goes to the output; `command` starts the fork server. Only what the program itself reads of the
    environment counts: interpreter and libraries are loaded already."""
    return _server(tuple(command)).fork(arguments, environment, stderr)
