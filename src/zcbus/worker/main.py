"""The worker process: `zcbus worker`.

Standard input brings a task, what changes of it, and leases (a JSON line each), standard output takes
reports and nothing else, standard error the log. End of input or SIGTERM: stop cleanly.
"""

import gc
import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Protocol, TextIO

from zcbus.bus.batch_limits import PortionedBus
from zcbus.bus.contract import Bus
from zcbus.bus.open import open_bus
from zcbus.engine.reasons import reason_of
from zcbus.engine.status import ServiceStatus
from zcbus.engine.task_box import TaskBox
from zcbus.engine.transform.confinement import limit_worker
from zcbus.kit.errors import TerminalError
from zcbus.kit.logging import configure_logging, get_logger, set_log_level
from zcbus.kit.network import use, watch_sockets
from zcbus.kit.parent import die_with_parent
from zcbus.kit.patient_output import PatientOutput
from zcbus.kit.settings import Settings, load_settings
from zcbus.protocol.reports import Report
from zcbus.protocol.tasks import ContrastTask, PublishTask, StreamTask, SubscribeTask, Task, WorkerLease
from zcbus.worker.lease import arm, is_over
from zcbus.worker.lines import lines
from zcbus.worker.reporter import Reporter
from zcbus.worker.told import ReportCache

STOPPED = 0
CRASHED = 1
CANNOT_GO_ON = 3
_SMALLEST_PORTION = 1 << 20


class Service(Protocol):
    """What an engine service is to the worker."""

    status: ServiceStatus

    def run(self) -> None: ...
    def reports(self) -> list[Report]: ...


Hear = Callable[[Task], None]
"""What takes changed tasks."""

Make = Callable[[Task, Settings, threading.Event], tuple[Service, Hear]]
"""Makes the service for a task, which ends once the event is set."""


class NotThisProcess(TerminalError):
    """The task is for another program than this one. Facts: task."""

    code = "task-invalid"


def main(make: Make | None = None) -> int:
    """Run the task that standard input brings, by default as a service of the engine; returns the exit code."""
    die_with_parent()
    output, log = _take_standard_output(), PatientOutput(sys.stderr.fileno())
    configure_logging(output=log)
    try:
        return _work(output, make or engine_service)
    finally:
        log.close()


def _work(output: TextIO, make: Make) -> int:
    settings = load_settings()
    use(settings.network)
    watch_sockets(main_thread=True)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    tasks = ReportCache(lines(sys.stdin.fileno()))
    begun = _begin(tasks)
    if isinstance(begun, int):
        return begun
    task, lease = begun
    set_log_level(task.log_level)
    _log_limits(settings)
    service, hear = make(task, settings, stop)
    if isinstance(task, SubscribeTask | StreamTask):
        limit_worker(settings.worker_memory_mb)
    gc.freeze()  # modules and models stay for good: no collection has to look through them again
    # A start may take longer than the lease it began with: nothing is done before one holds.
    while is_over(lease):
        told = next(tasks, None)
        if told is None:
            return STOPPED
        if isinstance(told, WorkerLease):
            lease = told
        else:
            hear(told)
    arm(lease)
    threading.Thread(target=_listen, args=(tasks, hear, stop), name="tasks", daemon=True).start()
    return _run(service, Reporter(service.reports, output), stop)


def _log_limits(settings: Settings) -> None:
    """With what the process does its work, for whoever set it for the container."""
    get_logger("worker").info(
        "limits",
        memory_mb=settings.worker_memory_mb,
        batch_mb=settings.batch_mb,
        batch_records=settings.batch_records,
    )


def _begin(tasks: ReportCache) -> tuple[Task, WorkerLease] | int:
    """The first task and the lease that holds then; an exit code where none comes."""
    lease = WorkerLease(until=None)
    for told in tasks:
        if told is None:
            return CANNOT_GO_ON
        if not isinstance(told, WorkerLease):
            return told, lease
        lease = told
    return STOPPED


def _take_standard_output() -> TextIO:
    """Keep the report pipe for reports: whatever else prints goes to standard error."""
    pipe = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return pipe


def _portion(memory_mb: int, task: Task) -> int:
    """How many bytes a reader of the bus may hand out at once. Decoding, compacting and writing them takes up to four
    times as much, in each thread that does it."""
    threads = 1 + (task.load_threads if isinstance(task, SubscribeTask) else 0)
    return max((memory_mb << 20) * 3 // 16 // threads, _SMALLEST_PORTION)


def engine_service(task: Task, settings: Settings, stop: threading.Event) -> tuple[Service, Hear]:
    """The service of the engine for a task. Raises TerminalError where the task is not the engine's.

    Each is large with what it takes along, and a process needs one of them: that one is loaded.
    """
    portion = min(_portion(settings.worker_memory_mb, task), settings.batch_mb << 20)
    bus = PortionedBus(open_bus(settings.bus, settings.data_dir), portion, settings.batch_records)
    if isinstance(task, PublishTask):
        from zcbus.engine.publish.service import PublishService

        published = TaskBox(task)
        return PublishService(published, bus, stop), published.hear
    if isinstance(task, ContrastTask):
        from zcbus.engine.comparison.service import ComparisonService

        compared = TaskBox(task)
        return ComparisonService(compared, bus, stop, settings.data_dir), compared.hear
    if isinstance(task, StreamTask):
        return _stream_service(task, bus, stop, settings)
    if isinstance(task, SubscribeTask):
        from zcbus.engine.subscribe.service import SubscribeService

        subscribed = TaskBox(task)
        return SubscribeService(subscribed, bus, stop), subscribed.hear
    raise NotThisProcess(task=task.type)


def _stream_service(task: StreamTask, bus: Bus, stop: threading.Event, settings: Settings) -> tuple[Service, Hear]:
    from zcbus.engine.stream.service import StreamService

    box = TaskBox(task)
    return StreamService(box, bus, stop, settings.data_dir, settings.worker_memory_mb), box.hear


def _listen(tasks: ReportCache, hear: Callable[[Task], None], stop: threading.Event) -> None:
    try:
        for told in tasks:
            if isinstance(told, WorkerLease):
                arm(told)
            elif told is not None:
                set_log_level(told.log_level)
                hear(told)
    finally:
        stop.set()


def _run(service: Service, reporter: Reporter, stop: threading.Event) -> int:
    log = get_logger("worker")
    log.info("started", service=type(service).__name__, pid=os.getpid())
    reporter.start()
    code = STOPPED
    try:
        service.run()
    except TerminalError as error:
        log.error("cannot go on", reason=reason_of(error).code, exc_info=error)
        service.status.fail(error)
        code = CANNOT_GO_ON
    except Exception as error:
        log.error("crashed", exc_info=error)
        service.status.fail(error)
        code = CRASHED
    finally:
        stop.set()
        reporter.finish()
    log.info("ended", code=code)
    return code
