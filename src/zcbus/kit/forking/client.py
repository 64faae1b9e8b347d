"""Client of a fork server, for an event loop."""

import asyncio
import errno
import os
import signal
import socket
import subprocess
import sys
import weakref
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from zcbus.kit.forking import request
from zcbus.kit.logging import get_logger
from zcbus.kit.parent import PARENT_VARIABLE, child_environment, die_with_parent

_log = get_logger("forking")
_MAX_LINE_BYTES = 1 << 20


class ForkedProcess:
    """The part of `asyncio.subprocess.Process` that a supervisor uses."""

    stdin: asyncio.StreamWriter | None = None
    stdout: asyncio.StreamReader | None = None
    stderr: asyncio.StreamReader | None = None

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    @property
    def returncode(self) -> int | None:
        """The exit code once the process has ended, else None; negative: the signal that ended it."""
        return self._ended.result() if self._ended.done() else None

    async def wait(self) -> int:
        """Wait for the end; returns the exit code."""
        return await asyncio.shield(self._ended)

    async def follow(self, status: asyncio.StreamReader) -> None:
        """Wait for the server's report of the end of the process."""
        line = await status.readline()
        if self.stdin is not None:
            self.stdin.close()
        # No report: the server was killed, and the kernel kills the processes that it forked.
        self._ended.set_result(int(line) if line else -signal.SIGKILL)


class ForkServer:
    """A fork server, started on demand and again after it ended.

    All calls belong to one event loop, whose thread lives as long as the process: the server ends with it.
    """

    def __init__(self, command: Sequence[str]) -> None:
        """`command` gets the descriptor of a socket as its last argument (see `zcbus.kit.forking.server`)."""
        self._command = tuple(command)
        self._process: subprocess.Popen[bytes] | ForkedServer | None = None
        self._control: socket.socket | None = None
        self._request_lock = asyncio.Lock()
        self._following: set[asyncio.Task[None]] = set()
        self._pipes: weakref.WeakSet[asyncio.ReadTransport] = weakref.WeakSet()
        """Read ends of the processes' output that are open."""

    @property
    def pid(self) -> int | None:
        """The server's process id while it runs."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def open(self) -> None:
        """Start the server unless it runs. It loads libraries in the background. Raises OSError."""
        self._running()

    def fork(self, serve: Callable[[socket.socket], int]) -> None:
        """Fork this process, with all that it has loaded, as the server.

        `serve` gets the server's socket and returns the exit code of the server and of its forks. Only for a process
        with one thread.
        """
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = ForkedServer.of_this_process(self._control, theirs, serve)

    async def start(self, arguments: Sequence[str], environment: Mapping[str, str]) -> ForkedProcess:
        """Start a process with pipes to its standard streams. Raises OSError.

        `environment` is added to the variables of this process. Waits while the server loads.
        """
        (stdin_theirs, stdin), (stdout, stdout_theirs), (stderr, stderr_theirs) = os.pipe(), os.pipe(), os.pipe()
        theirs = stdin_theirs, stdout_theirs, stderr_theirs
        try:
            process, status = await self._request(arguments, environment, theirs)
        except OSError:
            _close_all((stdin, stdout, stderr))
            raise
        finally:
            _close_all(theirs)
        process.stdin = await _writer(stdin)
        process.stdout, process.stderr = await self._reader(stdout), await self._reader(stderr)
        self._follow(process, status)
        return process

    async def start_attached(self, arguments: Sequence[str], environment: Mapping[str, str]) -> ForkedProcess:
        """Start a process without input, with the standard output and error of this process."""
        with Path(os.devnull).open("rb") as nothing:
            process, status = await self._request(arguments, environment, (nothing.fileno(), 1, 2))
        self._follow(process, status)
        return process

    async def close(self) -> None:
        """Kill the server and its forks; their unread output is lost."""
        if self._control is not None and self._process is not None:
            self._control.close()
            self._process.kill()
            await asyncio.to_thread(self._process.wait)
        await asyncio.gather(*self._following)
        for pipe in list(self._pipes):
            pipe.close()  # Another process may hold the other end longer.
        await asyncio.sleep(0)  # A transport closes its file in the next iteration of the loop.

    async def _request(
        self, arguments: Sequence[str], environment: Mapping[str, str], streams: Sequence[int]
    ) -> tuple[ForkedProcess, asyncio.StreamReader]:
        status, status_theirs = os.pipe()
        reader = await self._reader(status)
        try:
            async with self._request_lock:
                control = self._running()
                await asyncio.to_thread(request.send, control, arguments, environment, [*streams, status_theirs])
        finally:
            os.close(status_theirs)
        line = await reader.readline()
        number = int(line) if line else -errno.ECONNRESET
        if number < 0:
            raise OSError(-number, os.strerror(-number))
        return ForkedProcess(number), reader

    async def _reader(self, descriptor: int) -> asyncio.StreamReader:
        reader = asyncio.StreamReader(limit=_MAX_LINE_BYTES)
        loop = asyncio.get_running_loop()
        pipe, _ = await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(descriptor, "rb", 0)
        )
        self._pipes.add(pipe)
        return reader

    def _follow(self, process: ForkedProcess, status: asyncio.StreamReader) -> None:
        following = asyncio.create_task(process.follow(status))
        self._following.add(following)
        following.add_done_callback(self._following.discard)

    def _running(self) -> socket.socket:
        if self._control is not None and self.pid is not None:
            return self._control
        if self._control is not None:
            _log.warning("fork-server-ended", code=self._process.returncode if self._process else None)
            self._control.close()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [*self._command, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                env=child_environment(),
            )
        return self._control


class ForkedServer:
    """The part of `subprocess.Popen` that a fork of this process needs."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None

    @classmethod
    def of_this_process(
        cls, ours: socket.socket, theirs: socket.socket, serve: Callable[[socket.socket], int]
    ) -> "ForkedServer":
        """Fork. Returns in this process only; the server ends with it."""
        parent = os.getpid()
        pid = os.fork()
        if pid:
            return cls(pid)
        ours.close()
        os.environ[PARENT_VARIABLE] = str(parent)
        die_with_parent()
        os.setsid()
        sys.exit(serve(theirs))

    def poll(self) -> int | None:
        """The exit code; None while the process runs."""
        return self._poll(os.WNOHANG)

    def wait(self) -> int | None:
        """Wait for the end; returns the exit code."""
        return self._poll(0)

    def kill(self) -> None:
        """SIGKILL, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)

    def _poll(self, options: int) -> int | None:
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, options)
            self.returncode = os.waitstatus_to_exitcode(status) if pid else None
        return self.returncode


async def _writer(descriptor: int) -> asyncio.StreamWriter:
    loop = asyncio.get_running_loop()
    transport, protocol = await loop.connect_write_pipe(
        lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), os.fdopen(descriptor, "wb", 0)
    )
    return asyncio.StreamWriter(transport, protocol, None, loop)


def _close_all(descriptors: Sequence[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)
