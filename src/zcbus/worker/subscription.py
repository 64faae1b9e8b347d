"""Subscribe service with verification of its tables."""

import threading
from collections.abc import Callable
from pathlib import Path

from zcbus.bus.contract import Bus
from zcbus.engine.status import ServiceStatus
from zcbus.engine.subscribe.service import SubscribeService
from zcbus.engine.task_box import TaskBox
from zcbus.engine.verification.service import Verification
from zcbus.engine.worker_bus import worker_bus
from zcbus.kit.settings import Settings
from zcbus.protocol.reports import Report
from zcbus.protocol.tasks import SubscribeTask, Task

_LEAVE_SECONDS = 2.0


class VerifiedSubscription:
    """As SubscribeService. Verification never delays its end by more than a few seconds."""

    def __init__(self, box: TaskBox[SubscribeTask], bus: Bus, stop: threading.Event, data_dir: Path) -> None:
        self._service, self._over = SubscribeService(box, bus, stop), threading.Event()
        self._verification = Verification(box, bus, self._over, self._service.runs, data_dir)

    @property
    def status(self) -> ServiceStatus:
        return self._service.status

    def reports(self) -> list[Report]:
        """All reports, as measured now."""
        return self._service.reports()

    def run(self) -> None:
        """As SubscribeService.run."""
        thread = threading.Thread(target=self._verification.run, name="verification", daemon=True)
        thread.start()
        try:
            self._service.run()
        finally:
            self._over.set()
            thread.join(_LEAVE_SECONDS)
            if thread.is_alive():
                self._verification.interrupt()
                thread.join(_LEAVE_SECONDS)


def start(
    task: SubscribeTask, settings: Settings, stop: threading.Event
) -> tuple[VerifiedSubscription, Callable[[Task], None]]:
    """The service as a worker runs it, and the function that receives changed tasks."""
    box = TaskBox(task)
    bus = worker_bus(settings, readers=1 + task.load_threads)
    return VerifiedSubscription(box, bus, stop, settings.data_dir), box.receive
