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

from zcbus.engine.reasons import reason_of
from zcbus.engine.status import ServiceStatus
from zcbus.engine.transform.confinement import limit_worker
from zcbus.kit.errors import TerminalError
from zcbus.kit.logging import configure_logging, get_logger, set_log_level
from zcbus.kit.network import use, watch_sockets
from zcbus.kit.parent import die_with_parent
from zcbus.kit.patient_output import PatientOutput
from zcbus.kit.settings import Settings, load_settings
from zcbus.protocol.reports import Report
from zcbus.protocol.service_kinds import SERVICE_KINDS, Program, ServiceKind, function
from zcbus.protocol.tasks import Task
from zcbus.protocol.worker_input import WorkerLease
from zcbus.worker.lease import arm, is_over
from zcbus.worker.lines import lines
from zcbus.worker.reporter import Reporter
from zcbus.worker.told import ReportCache

STOPPED = 0
CRASHED = 1
CANNOT_GO_ON = 3


class Service(Protocol):
    """What an engine service is to the worker."""

    @property
    def status(self) -> ServiceStatus: ...

    def run(self) -> None: ...
    def reports(self) -> list[Report]: ...


Hear = Callable[[Task], None]
"""What takes changed tasks."""


class NotThisProcess(TerminalError):
    """The task is for another program of `zcbus` than this one. Facts: task."""

    code = "task-invalid"


def main(program: Program = "worker") -> int:
    """Run the task that standard input brings, which must be one of this program's; returns the exit code."""
    die_with_parent()
    output, log = _take_standard_output(), PatientOutput(sys.stderr.fileno())
    configure_logging(output=log)
    try:
        return _work(output, program)
    finally:
        log.close()


def _work(output: TextIO, program: Program) -> int:
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
    kind = _kind_of(task, program)
    service, hear = _start(kind, task, settings, stop)
    if kind.evaluates:
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


def _kind_of(task: Task, program: Program) -> ServiceKind:
    """Raises NotThisProcess."""
    kind = SERVICE_KINDS[task.type]
    if kind.program != program:
        raise NotThisProcess(task=task.type)
    return kind


def _start(kind: ServiceKind, task: Task, settings: Settings, stop: threading.Event) -> tuple[Service, Hear]:
    """The service for a task, which ends once the event is set. Each is large with what it takes along, and a process
    needs one of them: that one is loaded."""
    service, hear = function(kind.worker)(task, settings, stop)
    return service, hear


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
