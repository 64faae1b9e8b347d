"""Log of a service or an agent, read on the agent's host. There are three commands, all about this one file:

tail -n N FILE        the last N lines
tail -n N -f FILE     the same, then new lines, until Ctrl+C or another command
cat FILE              all of it; `{"done": "cat"}` marks the end
"""

import asyncio
import contextlib
import shlex
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool

from zcbus.control.features.container import agents
from zcbus.control.features.container import service as containers
from zcbus.control.features.terminal.errors import LogCommandError
from zcbus.control.platform import agent_requests as requests
from zcbus.control.platform.agent_requests import Destination
from zcbus.control.platform.routing import Api
from zcbus.control.platform.sockets import Socket, Sockets
from zcbus.kit.errors import ZcbusError
from zcbus.protocol.answers import LogPart
from zcbus.protocol.requests import AGENT_LOG, ReadLog

PURPOSE = "log"

_INTERRUPT = "\x03"
_MAX_LINES = 10_000
_POLL_SECONDS = 1.0
# A follower only watches, so missing input does not end the socket.
_IDLE_SECONDS = 4 * 3600


def declare(api: Api) -> None:
    """Add the socket to the feature."""
    Sockets(api.router, api.tag).open("/ws/docker/{target}", PURPOSE)(log)


def file_of(log: str) -> str:
    """File name of the log of a service (its id), or of an agent (AGENT_LOG)."""
    return f"{log}.log"


@dataclass(frozen=True, slots=True)
class Source:
    """A log, and the agent that reads it."""

    destination: Destination
    log: str


@dataclass(frozen=True, slots=True)
class Command:
    """Part of a log to show: the last lines, or with None everything from the beginning."""

    lines: int | None
    follow: bool


def parse(text: str, file: str) -> Command:
    """Understand a command about `file`. Raises LogCommandError."""
    try:
        words = shlex.split(text)
    except ValueError:
        words = []
    if words == ["cat", file]:
        return Command(lines=None, follow=False)
    if len(words) >= 4 and words[:2] == ["tail", "-n"] and words[2].isdecimal():
        lines = min(int(words[2][:6]), _MAX_LINES)
        if words[3:] in ([file], ["-f", file]):
            return Command(lines, follow="-f" in words[3:])
    raise LogCommandError(command=text.strip()[:100])


async def log(socket: Socket) -> str:
    """Answer commands until the browser closes."""
    source = await run_in_threadpool(_source, socket)
    socket.idle_seconds = _IDLE_SECONDS
    showing: asyncio.Task[None] | None = None
    try:
        async for frame in socket.frames():
            if not isinstance(frame, str):
                continue
            await _stop(showing)
            if command := frame.replace(_INTERRUPT, "").strip():
                showing = asyncio.create_task(_show(socket, source, command))
    finally:
        await _stop(showing)
    return "closed"


async def _stop(showing: asyncio.Task[None] | None) -> None:
    if showing is not None:
        showing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await showing


async def _show(socket: Socket, source: Source, text: str) -> None:
    try:
        command = parse(text, file_of(source.log))
        part = await _read(socket, source, from_byte=0 if command.lines is None else None, lines=command.lines or 0)
        await socket.send(part.text)
        while command.follow or part.more:
            if not part.more:
                await asyncio.sleep(_POLL_SECONDS)
            part = await _read(socket, source, from_byte=part.next, lines=0)
            if part.text:
                await socket.send(part.text)
        await socket.send_control(done=text.split()[0])
    except ZcbusError as error:
        await socket.send_control(error=error.code, message=socket.text(error.code, **error.facts))


async def _read(socket: Socket, source: Source, *, from_byte: int | None, lines: int) -> LogPart:
    question = ReadLog(service=source.log, from_byte=from_byte, lines=lines)
    return await run_in_threadpool(requests.ask, socket.services, source.destination, question, LogPart)


def _source(socket: Socket) -> Source:
    """The target of a ticket: an agent or a service."""
    with socket.services.database.read() as connection:
        agent = agents.destination_of_agent(connection, socket.target)
        if agent is not None:
            return Source(agent, AGENT_LOG)
        return Source(containers.destination_of_service(connection, socket.target), socket.target)
