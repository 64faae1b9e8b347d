"""Asking a fork server for processes, from an event loop."""

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
_LONGEST_LINE = 1 << 20


class ForkedProcess:
    """As much of `asyncio.subprocess.Process` as a supervisor needs."""

    stdin: asyncio.StreamWriter | None = None
    stdout: asyncio.StreamReader | None = None
    stderr: asyncio.StreamReader | None = None

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    @property
    def returncode(self) -> int | None:
        """The exit code, once it is known; negative: the signal that ended the process."""
        return self._ended.result() if self._ended.done() else None

    async def wait(self) -> int:
        """The exit code, once there is one."""
        return await asyncio.shield(self._ended)

    async def follow(self, told: asyncio.StreamReader) -> None:
        """Wait for what the server tells of its end."""
        line = await told.readline()
        if self.stdin is not None:
            self.stdin.close()
        # Without a word of it: the server was killed, and the kernel kills what it forked.
        self._ended.set_result(int(line) if line else -signal.SIGKILL)


class ForkServer:
    """One server, started when it is needed first and again where it has ended.

    All calls belong to one event loop, whose thread lives as long as the process: the server ends with it.
    """

    def __init__(self, command: Sequence[str]) -> None:
        """`command` gets the descriptor of a socket as its last word (see `zcbus.kit.forking.server`)."""
        self._command = tuple(command)
        self._process: subprocess.Popen[bytes] | ForkedServer | None = None
        self._control: socket.socket | None = None
        self._asking = asyncio.Lock()
        self._following: set[asyncio.Task[None]] = set()
        self._pipes: weakref.WeakSet[asyncio.ReadTransport] = weakref.WeakSet()
        """Of what processes write; the loop holds those that are open."""

    @property
    def pid(self) -> int | None:
        """The server's process id, while there is one."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def open(self) -> None:
        """Start the server, unless it runs. It loads what it shares while the caller goes on. Raises OSError."""
        self._running()

    def fork(self, serve: Callable[[socket.socket], int]) -> None:
        """Make a fork of this process the server, which has loaded what this one has; `serve` gets its socket, and
        returns the exit code of the server and of what it forks. Only while this process has one thread."""
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = ForkedServer.of_this_process(self._control, theirs, serve)

    async def start(self, arguments: Sequence[str], environment: Mapping[str, str]) -> ForkedProcess:
        """Start a process with these variables over those of this one, and pipes to its standard streams. Waits while
        the server loads. Raises OSError."""
        (stdin_theirs, stdin), (stdout, stdout_theirs), (stderr, stderr_theirs) = os.pipe(), os.pipe(), os.pipe()
        theirs = stdin_theirs, stdout_theirs, stderr_theirs
        try:
            process, told = await self._ask(arguments, environment, theirs)
        except OSError:
            _close_all((stdin, stdout, stderr))
            raise
        finally:
            _close_all(theirs)
        process.stdin = await _writer(stdin)
        process.stdout, process.stderr = await self._reader(stdout), await self._reader(stderr)
        self._follow(process, told)
        return process

    async def start_attached(self, arguments: Sequence[str], environment: Mapping[str, str]) -> ForkedProcess:
        """As `start`, but without input, and with the standard output and error of this process."""
        with Path(os.devnull).open("rb") as nothing:
            process, told = await self._ask(arguments, environment, (nothing.fileno(), 1, 2))
        self._follow(process, told)
        return process

    async def close(self) -> None:
        """End the server at once, and with it what it forked; what that wrote and nobody has read is lost."""
        if self._control is not None and self._process is not None:
            self._control.close()
            self._process.kill()
            await asyncio.to_thread(self._process.wait)
        await asyncio.gather(*self._following)
        for pipe in list(self._pipes):
            pipe.close()  # something else may hold the other end for longer
        await asyncio.sleep(0)  # a transport closes its file in the loop's next round

    async def _ask(
        self, arguments: Sequence[str], environment: Mapping[str, str], streams: Sequence[int]
    ) -> tuple[ForkedProcess, asyncio.StreamReader]:
        told, told_theirs = os.pipe()
        news = await self._reader(told)
        try:
            async with self._asking:
                control = self._running()
                await asyncio.to_thread(request.send, control, arguments, environment, [*streams, told_theirs])
        finally:
            os.close(told_theirs)
        line = await news.readline()
        number = int(line) if line else -errno.ECONNRESET
        if number < 0:
            raise OSError(-number, os.strerror(-number))
        return ForkedProcess(number), news

    async def _reader(self, descriptor: int) -> asyncio.StreamReader:
        reader = asyncio.StreamReader(limit=_LONGEST_LINE)
        loop = asyncio.get_running_loop()
        pipe, _ = await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(descriptor, "rb", 0)
        )
        self._pipes.add(pipe)
        return reader

    def _follow(self, process: ForkedProcess, told: asyncio.StreamReader) -> None:
        following = asyncio.create_task(process.follow(told))
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
    """As much of `subprocess.Popen` as is needed of a server that is a fork of this process."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None

    @classmethod
    def of_this_process(
        cls, ours: socket.socket, theirs: socket.socket, serve: Callable[[socket.socket], int]
    ) -> "ForkedServer":
        """Returns in this process alone; the server ends with it."""
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
        """The exit code, or None while it runs."""
        return self._look(os.WNOHANG)

    def wait(self) -> int | None:
        """The exit code, once there is one."""
        return self._look(0)

    def kill(self) -> None:
        """SIGKILL, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)

    def _look(self, options: int) -> int | None:
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
