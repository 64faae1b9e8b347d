"""One run of a worker process: tasks on its standard input, reports on its standard output."""

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pydantic import TypeAdapter, ValidationError

from zcbus.kit.bus_settings import BusSettings
from zcbus.kit.log_file import RotatingLog
from zcbus.kit.logging import get_logger
from zcbus.kit.network import NetworkRules
from zcbus.model.properties import Values, variables
from zcbus.protocol.reports import Report
from zcbus.protocol.service_kinds import SERVICE_KINDS, AnyReport
from zcbus.protocol.tasks import Task
from zcbus.protocol.worker_input import WorkerInput

_log = get_logger("agent")
_REPORT: TypeAdapter[Report] = TypeAdapter(AnyReport)
_LOG_CHUNK = 1 << 16
_DRAIN_SECONDS = 5.0
"""How long the output of an ended worker is read."""


class Process(Protocol):
    """A process in a group of its own: the part of `asyncio.subprocess.Process` that is used."""

    @property
    def pid(self) -> int: ...
    @property
    def stdin(self) -> asyncio.StreamWriter | None: ...
    @property
    def stdout(self) -> asyncio.StreamReader | None: ...
    @property
    def stderr(self) -> asyncio.StreamReader | None: ...
    async def wait(self) -> int: ...


Start = Callable[[Sequence[str], Mapping[str, str]], Awaitable[Process]]
"""Starts the `zcbus` program with arguments and variables over those of the agent. Raises OSError."""


def arguments_for(task: Task) -> tuple[str, ...]:
    """Arguments of the command that runs a task."""
    return (SERVICE_KINDS[task.type].program,)


@dataclass(frozen=True, slots=True)
class WorkerRules:
    """Rules for workers of a container: its properties and where they may connect to."""

    properties: Values
    network: NetworkRules

    def environment(self) -> dict[str, str]:
        return {**variables(self.properties), **self.network.environment()}


class WorkerProcess:
    """A started worker in a process group of its own. Secrets reach it by standard input only."""

    def __init__(self, process: Process, log: RotatingLog) -> None:
        self._process = process
        self._logging = asyncio.create_task(self._keep_log(log))

    @classmethod
    async def start(
        cls, start: Start, task: Task, data_dir: Path, bus: BusSettings, log: RotatingLog, rules: WorkerRules
    ) -> "WorkerProcess":
        """Start a task's worker under its container's rules; its log goes to the end of `log`. Raises OSError."""
        settings = {"ZCBUS_DATA_DIR": str(data_dir), **bus.environment(), **rules.environment()}
        return cls(await start(arguments_for(task), settings), log)

    @property
    def pid(self) -> int:
        return self._process.pid

    async def give(self, message: WorkerInput) -> None:
        """Send the task, its changes, or a lease. A worker that has ended is no error here."""
        stdin = self._process.stdin
        assert stdin is not None
        with contextlib.suppress(ConnectionError):
            stdin.write(message.model_dump_json().encode() + b"\n")
            await stdin.drain()

    async def reports(self) -> AsyncIterator[Report]:
        """Reports until the worker closes its output."""
        stdout = self._process.stdout
        assert stdout is not None
        while line := await stdout.readline():
            try:
                yield _REPORT.validate_json(line)
            except ValidationError as error:
                _log.warning("report-unreadable", pid=self.pid, errors=error.error_count())

    def ask_to_stop(self) -> None:
        """Drain, checkpoint, end."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._signal(signal.SIGTERM)

    def kill(self) -> None:
        """End the whole process group at once."""
        self._signal(signal.SIGKILL)

    async def wait(self) -> int:
        """The exit code; negative: the signal that ended it. Also kills the rest of its process group."""
        code = await self._process.wait()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        # Its last output may still be in the pipe.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_DRAIN_SECONDS):
                await self._logging
        return code

    async def _keep_log(self, log: RotatingLog) -> None:
        stderr = self._process.stderr
        assert stderr is not None
        try:
            while data := await stderr.read(_LOG_CHUNK):
                log.write(data)
        finally:
            log.close()

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, number)
