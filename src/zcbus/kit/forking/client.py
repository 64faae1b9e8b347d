"""Asking a fork server for processes, from an event loop."""

import asyncio
import errno
import os
import signal
import socket
import subprocess
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from zcbus.kit.forking import request
from zcbus.kit.logging import get_logger
from zcbus.kit.parent import child_environment

_log = get_logger("forking")
_LONGEST_LINE = 1 << 20


class ForkedProcess:
    """As much of `asyncio.subprocess.Process` as a supervisor needs."""

    def __init__(
        self, pid: int, stdin: asyncio.StreamWriter, stdout: asyncio.StreamReader, stderr: asyncio.StreamReader
    ) -> None:
        self.pid, self.stdin, self.stdout, self.stderr = pid, stdin, stdout, stderr
        self._ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def wait(self) -> int:
        """The exit code; negative: the signal that ended it."""
        return await asyncio.shield(self._ended)

    async def follow(self, told: asyncio.StreamReader) -> None:
        """Wait for what the server tells of its end."""
        line = await told.readline()
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
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._asking = asyncio.Lock()
        self._following: set[asyncio.Task[None]] = set()

    @property
    def pid(self) -> int | None:
        """The server's process id, while there is one."""
        return self._process.pid if self._runs() and self._process else None

    def open(self) -> None:
        """Start the server, unless it runs. It loads what it shares while the caller goes on. Raises OSError."""
        self._running()

    async def start(self, arguments: Sequence[str], environment: Mapping[str, str]) -> ForkedProcess:
        """Start a process with these variables over those of this one. Waits while the server loads. Raises OSError."""
        pipes = _Pipes.make()
        async with self._asking:
            try:
                await asyncio.to_thread(request.send, self._running(), arguments, environment, pipes.theirs)
            except OSError:
                _close_all(pipes.ours)
                raise
            finally:
                _close_all(pipes.theirs)
        return await self._met(pipes)

    async def close(self) -> None:
        """End the server at once, and with it what it forked."""
        if self._control is not None and self._process is not None:
            self._control.close()
            self._process.kill()
            await asyncio.to_thread(self._process.wait)
        await asyncio.gather(*self._following)

    def _runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def _running(self) -> socket.socket:
        if self._control is not None and self._runs():
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

    async def _met(self, pipes: "_Pipes") -> ForkedProcess:
        stdin, stdout, stderr, told = pipes.ours
        streams = await _writer(stdin), await _reader(stdout), await _reader(stderr)
        news = await _reader(told)
        line = await news.readline()
        number = int(line) if line else -errno.ECONNRESET
        if number < 0:
            streams[0].close()
            raise OSError(-number, os.strerror(-number))
        process = ForkedProcess(number, *streams)
        following = asyncio.create_task(process.follow(news))
        self._following.add(following)
        following.add_done_callback(self._following.discard)
        return process


class _Pipes(NamedTuple):
    """Each of standard input, output, error and what is told of the process: our end and theirs."""

    ours: tuple[int, int, int, int]
    theirs: tuple[int, int, int, int]

    @classmethod
    def make(cls) -> "_Pipes":
        (stdin_theirs, stdin), (stdout, stdout_theirs) = os.pipe(), os.pipe()
        (stderr, stderr_theirs), (told, told_theirs) = os.pipe(), os.pipe()
        return cls((stdin, stdout, stderr, told), (stdin_theirs, stdout_theirs, stderr_theirs, told_theirs))


async def _reader(descriptor: int) -> asyncio.StreamReader:
    reader = asyncio.StreamReader(limit=_LONGEST_LINE)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(descriptor, "rb", 0))
    return reader


async def _writer(descriptor: int) -> asyncio.StreamWriter:
    loop = asyncio.get_running_loop()
    transport, protocol = await loop.connect_write_pipe(
        lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), os.fdopen(descriptor, "wb", 0)
    )
    return asyncio.StreamWriter(transport, protocol, None, loop)


def _close_all(descriptors: Sequence[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)
