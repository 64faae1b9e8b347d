"""A shell on a host, over SSH."""

import asyncio
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool

from zcbus.control.features.machine import service as machines
from zcbus.control.features.machine import ssh
from zcbus.control.features.machine.errors import MachineUnreachableError
from zcbus.control.features.machine.ssh import Access
from zcbus.control.platform.routing import Api
from zcbus.control.platform.sockets import Socket, Sockets

if TYPE_CHECKING:
    from asyncssh import SSHClientProcess

    Process = SSHClientProcess[str]

PURPOSE = "ssh"

# Until the browser sends its own size.
_COLUMNS, _ROWS = 80, 28
_MOST = 1000
_AT_ONCE = 64 * 1024


def declare(api: Api) -> None:
    """Add the socket to the feature."""
    Sockets(api.router, api.tag).open("/ws/ssh/{target}", PURPOSE)(shell)


async def shell(socket: Socket) -> str:
    """Text frames carry input and output; `{"resize": [columns, rows]}` changes the terminal's size."""
    from asyncssh import Error

    access = await run_in_threadpool(_access, socket)
    try:
        async with ssh.connected(access) as connection:
            process = await connection.create_process(
                term_type="xterm-256color", term_size=(_COLUMNS, _ROWS), encoding="utf-8", errors="replace"
            )
            return await _relay(socket, process)
    except Error as error:
        raise MachineUnreachableError(host=access.host, port=str(access.port), detail=str(error)[:200]) from error


def _access(socket: Socket) -> Access:
    with socket.services.database.read() as connection:
        return machines.access_to(connection, socket.services.secrets, socket.target)


async def _relay(socket: Socket, process: "Process") -> str:
    """Until either side ends; how it ended."""
    shown = asyncio.create_task(_show(socket, process))
    typed = asyncio.create_task(_type(socket, process))
    try:
        done, _ = await asyncio.wait({shown, typed}, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in (shown, typed):
            task.cancel()
        await asyncio.gather(shown, typed, return_exceptions=True)
    if shown not in done:
        return "closed"
    await socket.send_control(end="shell-ended", message=socket.text("shell-ended"))
    return "ended"


async def _show(socket: Socket, process: "Process") -> None:
    while text := await process.stdout.read(_AT_ONCE):
        await socket.send(text)


async def _type(socket: Socket, process: "Process") -> None:
    async for frame in socket.frames():
        if isinstance(frame, str):
            process.stdin.write(frame)
            await process.stdin.drain()
        else:
            _resize(process, frame.get("resize"))


def _resize(process: "Process", size: object) -> None:
    if isinstance(size, list) and len(size) == 2 and all(isinstance(part, int) and 0 < part <= _MOST for part in size):
        process.change_terminal_size(size[0], size[1])
