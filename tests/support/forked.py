"""Processes of the `zcbus` program without the second that each takes to load its libraries: one process loads them
for all, and forks.

A forked process runs the program from its first line (`zcbus.cli.main`). That the program also loads by itself is
proven wherever an agent or the command line starts it.
"""

import atexit
import contextlib
import ctypes
import functools
import gc
import importlib
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from typing import IO

_LOADED = (
    "zcbus.cli.main",
    "zcbus.cli.processes",
    "zcbus.worker.main",
    "zcbus.engine.publish.service",
    "zcbus.engine.subscribe.service",
    "zcbus.engine.contrast.service",
    "zcbus.connectors.postgresql.connector",
    "zcbus.connectors.mysql.connector",
)
_LARGEST = 1 << 18
_PR_SET_PDEATHSIG = 1


class ForkedProcess:
    """As much of `subprocess.Popen` as tests need."""

    def __init__(self, stdin: IO[bytes], stdout: IO[bytes], told: int) -> None:
        self.stdin, self.stdout = stdin, stdout
        self._told = os.fdopen(told, "rb", buffering=0)
        self.pid = int(self._told.readline())
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
                selector.register(self._told, selectors.EVENT_READ)
                if not selector.select(timeout):
                    raise subprocess.TimeoutExpired("zcbus", timeout or 0)
            with self._told:
                self._code = int(self._told.readline())
        return self._code

    def kill(self) -> None:
        """SIGKILL, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)


class _Loaded:
    """The process that has everything loaded. It ends with this one, and what it forked with it."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        # Not the script's folder on the module path: a file in it is called like a module of Python's own.
        command = [sys.executable, "-P", __file__, str(theirs.fileno())]
        with theirs:
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()])
        self._lock = threading.Lock()
        atexit.register(self._close)

    def fork(self, arguments: Sequence[str], environment: Mapping[str, str], stderr: int) -> ForkedProcess:
        (stdin_theirs, stdin), (stdout, stdout_theirs), (told, told_theirs) = os.pipe(), os.pipe(), os.pipe()
        wanted = json.dumps([list(arguments), dict(environment)]).encode()
        given = [stdin_theirs, stdout_theirs, stderr, told_theirs]
        with self._lock:
            socket.send_fds(self._socket, [wanted], given)
        for descriptor in (stdin_theirs, stdout_theirs, told_theirs):
            os.close(descriptor)
        return ForkedProcess(os.fdopen(stdin, "wb"), os.fdopen(stdout, "rb"), told)

    def _close(self) -> None:
        self._socket.close()
        self._process.wait()


_loaded = functools.cache(_Loaded)


def start(arguments: Sequence[str], environment: Mapping[str, str], stderr: int) -> ForkedProcess:
    """Start `zcbus <arguments>`; `stderr` is the descriptor of its log. Only what the program itself reads of the
    environment counts: the interpreter and the libraries are loaded already."""
    return _loaded().fork(arguments, environment, stderr)


class _Server:
    """Forks on demand, and tells how each child ended."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._selector = selectors.DefaultSelector()
        self._selector.register(control, selectors.EVENT_READ)
        self._children: dict[int, tuple[int, int]] = {}
        """Descriptor of a child → its process id, and where its end is told."""

    def serve(self) -> list[str]:
        """Returns in each child, with its arguments; ends with whoever asks."""
        while True:
            for key, _ in self._selector.select():
                if key.fd != self._control.fileno():
                    self._tell_end(key.fd)
                    continue
                asked, given, _, _ = socket.recv_fds(self._control, _LARGEST, 4)
                if not asked:
                    sys.exit()
                arguments, environment = json.loads(asked)
                if self._fork(given):
                    _become(environment)
                    return list(arguments)

    def _fork(self, given: list[int]) -> bool:
        """Whether this is the child."""
        *streams, told = given
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            _die_with(parent)
            self._let_go()
            for number, descriptor in enumerate(streams):
                os.dup2(descriptor, number)
        else:
            child = os.pidfd_open(pid)
            self._children[child] = pid, told
            self._selector.register(child, selectors.EVENT_READ)
            os.write(told, b"%d\n" % pid)
        for descriptor in streams if pid else given:
            os.close(descriptor)
        return pid == 0

    def _tell_end(self, child: int) -> None:
        self._selector.unregister(child)
        pid, told = self._children.pop(child)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        with contextlib.suppress(BrokenPipeError):
            os.write(told, b"%d\n" % code)
        os.close(told)
        os.close(child)

    def _let_go(self) -> None:
        """What is the server's alone."""
        self._selector.close()
        self._control.close()
        for child, (_, told) in self._children.items():
            os.close(told)
            os.close(child)


def _become(environment: Mapping[str, str]) -> None:
    os.environ.clear()
    os.environ.update(environment)


def _die_with(parent: int) -> None:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _main() -> int:
    for name in _LOADED:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    arguments = _Server(socket.socket(fileno=int(sys.argv[1]))).serve()
    sys.argv = ["zcbus", *arguments]
    from zcbus.cli.main import main

    return main(arguments)


if __name__ == "__main__":
    sys.exit(_main())
