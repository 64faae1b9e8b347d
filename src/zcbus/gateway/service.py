"""The data service in its worker process."""

import asyncio
import threading
from collections.abc import Callable

from zcbus.engine.backoff import Backoff
from zcbus.engine.connections import Connectors, registered
from zcbus.engine.status import ServiceStatus
from zcbus.engine.task_box import TaskBox
from zcbus.gateway.edge import Edge
from zcbus.gateway.errors import AddressNotAllowed
from zcbus.gateway.log import CallLog
from zcbus.gateway.server import Server, listening, server
from zcbus.kit.clock import Clock, SystemClock
from zcbus.kit.errors import TransientError
from zcbus.kit.gateway_settings import GatewaySettings
from zcbus.kit.logging import get_logger
from zcbus.kit.settings import Settings
from zcbus.protocol.data_service import DataServiceTask
from zcbus.protocol.reports import Report
from zcbus.protocol.tasks import Task

_POLL_SECONDS = 0.2


def start(
    task: DataServiceTask, settings: Settings, stop: threading.Event
) -> tuple["DataService", Callable[[Task], None]]:
    """A data service, and the function that receives changed tasks."""
    box = TaskBox(task)
    return DataService(box, stop, settings=settings.gateway), box.receive


class DataService:
    """Answers callers until `stop` is set. `run` in one thread, `reports` in any."""

    def __init__(
        self,
        box: TaskBox[DataServiceTask],
        stop: threading.Event,
        connectors: Connectors = registered,
        clock: Clock | None = None,
        settings: GatewaySettings | None = None,
    ) -> None:
        self._box, self._stop = box, stop
        self._settings = settings or GatewaySettings()
        self._clock = clock or SystemClock()
        self._calls = CallLog()
        self._edge = Edge(box.read()[1], connectors, self._clock, self._calls)
        self.status = ServiceStatus(self._clock)
        self.address: tuple[str, int] | None = None
        """The address it listens on; None while it does not."""
        self._log = get_logger("gateway").bind(service=box.read()[1].service)

    def reports(self) -> list[Report]:
        """The status of the service, and the calls that are not reported yet."""
        return [self.status.report(), *self._calls.take()]

    def run(self) -> None:
        """Serve until `stop` is set."""
        backoff = Backoff(self._stop.wait)
        try:
            while not self._stop.is_set():
                try:
                    asyncio.run(self._serve())
                    backoff.succeeded()
                except TransientError as error:
                    self._log.warning("waiting", reason=error.code, **error.facts)
                    self.status.wait_for(error)
                    backoff.pause()
        finally:
            self.status.stopping()
            self._edge.sessions.close()

    async def _serve(self) -> None:
        """Serve until `stop`, or until the address changes. Raises PortTaken, AddressNotAllowed."""
        task = self._box.read()[1]
        if not self._settings.allows(task.host, task.port):
            raise AddressNotAllowed(host=task.host, port=task.port)
        with listening(task.host, task.port) as own:
            self.address = own.getsockname()[:2]
            self._log.info("listening", host=self.address[0], port=self.address[1])
            running = server(self._edge, self._calls, self._settings)
            watch = asyncio.create_task(self._watch(running, (task.host, task.port)))
            try:
                await running.serve(sockets=[own])
            finally:
                watch.cancel()
                self.address = None

    async def _watch(self, running: Server, address: tuple[str, int]) -> None:
        version = 0
        while not running.should_exit:
            newest, task = self._box.read()
            if newest != version:
                version = newest
                self._edge.take(task)
            self.status.running()
            self._edge.sessions.close_idle()
            running.should_exit = self._stop.is_set() or (task.host, task.port) != address
            await asyncio.sleep(_POLL_SECONDS)
