"""The platform on one machine: control plane, agent and demo as child processes.

A child that ends is started again after a growing pause. Ctrl+C or SIGTERM stops the agent, whose workers drain while
their databases still run, then the demo and the control plane. If this process is killed, the kernel ends its
children.
"""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import httpx

from zcbus.agent.timeouts import Pauses
from zcbus.cli.fork_server import COMMAND
from zcbus.cli.http import local_url
from zcbus.kit.forking.client import ForkServer
from zcbus.kit.logging import get_logger
from zcbus.kit.parent import child_environment
from zcbus.kit.settings import Settings
from zcbus.kit.tls import trusted_by

_log = get_logger("launcher")
_READY_TIMEOUT = 120.0
_STOP_TIMEOUT = 45.0
_STARTED_SECONDS = 5.0
_NOT_STARTED = 1
_HEALTHY_SECONDS = 60.0
"""After a run of this length the pauses start small again."""


async def launch(settings: Settings) -> int:
    """Run everything until a signal. Returns the exit code."""
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    forks = ForkServer(COMMAND)
    # The fork server loads the agent's libraries while the control plane starts; restarts find them loaded.
    forks.open()
    children = [Child("control", ("serve", "--no-agent"), settings, start_program)]
    failed = await _start_control(children[0], settings, stopping)
    if not failed and not stopping.is_set():
        if settings.demo:
            children.append(Child("demo", ("demo", "run"), settings, start_program))
        children.append(Child("agent", ("agent",), settings, forks.start_attached))
        for child in children[1:]:
            child.begin()
        _print_welcome(settings)
        await stopping.wait()
    for child in reversed(children):
        await child.stop()
    await forks.close()
    return 1 if failed else 0


async def _start_control(control: "Child", settings: Settings, stopping: asyncio.Event) -> bool:
    """Start the control plane and wait until it is ready; returns whether it failed."""
    await control.start_once()
    deadline = asyncio.get_running_loop().time() + _READY_TIMEOUT
    while not stopping.is_set():
        if await _is_ready(settings):
            control.begin()
            return False
        if control.ended or asyncio.get_running_loop().time() > deadline:
            print("zcbus: the control plane did not start", file=sys.stderr)
            return True
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.2):
                await stopping.wait()
    return False


async def _is_ready(settings: Settings) -> bool:
    url = local_url(settings)
    try:
        async with httpx.AsyncClient(
            trust_env=False, timeout=2, verify=trusted_by(url, settings.data_dir, settings.tls)
        ) as client:
            response = await client.get(f"{url}/readyz")
            return response.status_code == 200
    except httpx.HTTPError:
        return False


def _print_welcome(settings: Settings) -> None:
    password = settings.data_dir / "initial-password"
    print(f"\n  ZCBUS   {local_url(settings)}/zcbus\n  account  admin")
    if settings.admin_password:
        print("  password as set in ZCBUS_ADMIN_PASSWORD at the first start")
    elif password.exists():
        print(f"  password is in {_relative(password)} (to be changed at the first sign-in)")
    print("  Ctrl+C stops everything\n", flush=True)


def _relative(path: Path) -> Path:
    with contextlib.suppress(ValueError):
        return path.relative_to(Path.cwd())
    return path


class Process(Protocol):
    """A started child in a process group of its own: Ctrl+C in the terminal reaches the launcher only."""

    @property
    def pid(self) -> int: ...
    @property
    def returncode(self) -> int | None: ...
    async def wait(self) -> int: ...


Start = Callable[[Sequence[str], Mapping[str, str]], Awaitable[Process]]
"""Starts the program with the given words, and variables over those of the launcher. Raises OSError."""


async def start_program(arguments: Sequence[str], environment: Mapping[str, str]) -> Process:
    """Start a child that loads its own libraries."""
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "zcbus.cli",
        *arguments,
        stdin=asyncio.subprocess.DEVNULL,
        start_new_session=True,
        env=child_environment(**environment),
    )


@dataclass
class Child:
    """One supervised child process of the launcher."""

    name: str
    arguments: tuple[str, ...]
    settings: Settings
    start: Start

    def __post_init__(self) -> None:
        self._process: Process | None = None
        self._keeper: asyncio.Task[None] | None = None

    @property
    def ended(self) -> bool:
        return self._process is not None and self._process.returncode is not None

    async def start_once(self) -> None:
        """Start the process."""
        settings = {
            "ZCBUS_DATA_DIR": str(self.settings.data_dir),
            "ZCBUS_HOST": self.settings.host,
            "ZCBUS_PORT": str(self.settings.port),
        }
        self._process = await self.start(self.arguments, settings)

    def begin(self) -> None:
        """Start supervision of the process."""
        self._keeper = asyncio.create_task(self._keep(), name=f"child {self.name}")

    async def stop(self) -> None:
        """Terminate the process; kill its group after a timeout."""
        if self._keeper is not None:
            self._keeper.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._keeper
        if self._process is None or self._process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process.pid, signal.SIGTERM)
        try:
            async with asyncio.timeout(_STOP_TIMEOUT):
                await self._process.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    async def _keep(self) -> None:
        loop = asyncio.get_running_loop()
        pauses = Pauses()
        while True:
            began = loop.time()
            code = await self._run_once()
            _log.warning("child-ended", child=self.name, code=code)
            lived = loop.time() - began
            if lived > _HEALTHY_SECONDS:
                pauses = Pauses()
            await asyncio.sleep(pause_after(pauses, code, lived))

    async def _run_once(self) -> int:
        """Wait for the exit code of the current child, or of the next."""
        if self._process is None or self._process.returncode is not None:
            try:
                await self.start_once()
            except OSError as error:
                _log.warning("child-not-started", child=self.name, error=str(error))
                return _NOT_STARTED
        assert self._process is not None
        return await self._process.wait()


def pause_after(pauses: Pauses, code: int, lived: float) -> float:
    """Pause in seconds before a restart: short after a kill or after work, growing while starts fail."""
    return pauses.after(worked=code < 0 or lived > _STARTED_SECONDS)
