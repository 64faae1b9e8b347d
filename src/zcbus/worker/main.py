"""The worker process: `zcbus worker`.

Standard input brings a task, then changes of it and leases, one JSON line each. Standard output carries reports only,
standard error the log. End of input or SIGTERM stops the service cleanly.
"""

import gc
import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Protocol, TextIO

from zcbus.engine import tracing
from zcbus.engine.reasons import reason_of
from zcbus.engine.status import ServiceStatus
from zcbus.engine.transform.confinement import limit_worker
from zcbus.kit.errors import TerminalError
from zcbus.kit.logging import configure_logging, get_logger, set_log_level
from zcbus.kit.network import use, watch_sockets
from zcbus.kit.nonblocking_output import NonBlockingOutput
from zcbus.kit.parent import die_with_parent
from zcbus.kit.settings import Settings, load_settings
from zcbus.protocol.reports import Report
from zcbus.protocol.service_kinds import SERVICE_KINDS, Program, ServiceKind, function
from zcbus.protocol.tasks import Task
from zcbus.protocol.worker_input import WorkerLease
from zcbus.worker.lease import arm, is_over
from zcbus.worker.lines import lines
from zcbus.worker.reporter import Reporter
from zcbus.worker.task_input import TaskInput

STOPPED = 0
CRASHED = 1
CANNOT_CONTINUE = 3


class Service(Protocol):
    """Interface of an engine service."""

    @property
    def status(self) -> ServiceStatus: ...

    def run(self) -> None: ...
    def reports(self) -> list[Report]: ...


TaskReceiver = Callable[[Task], None]
"""Receives changed tasks."""


class NotThisProcess(TerminalError):
    """The task belongs to another program of `zcbus`. Facts: task."""

    code = "task-invalid"


def main(program: Program = "worker") -> int:
    """Run the task on standard input, which must be one of this program's; returns the exit code."""
    die_with_parent()
    output, log = _take_standard_output(), NonBlockingOutput(sys.stderr.fileno())
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
    tasks = TaskInput(lines(sys.stdin.fileno()))
    begun = _begin(tasks)
    if isinstance(begun, int):
        return begun
    task, lease = begun
    set_log_level(task.log_level)
    _log_limits(settings)
    tracing.begin(settings, task.service)
    kind = _kind_of(task, program)
    service, receive = _start(kind, task, settings, stop)
    if kind.evaluates:
        limit_worker(settings.worker_memory_mb)
    gc.freeze()  # Modules and models stay loaded: later collections skip them.
    # A start may outlast the lease it began with: the service waits for a valid one.
    while is_over(lease):
        received = next(tasks, None)
        if received is None:
            return STOPPED
        if isinstance(received, WorkerLease):
            lease = received
        else:
            receive(received)
    arm(lease)
    threading.Thread(target=_listen, args=(tasks, receive, stop), name="tasks", daemon=True).start()
    return _run(service, Reporter(service.reports, output), stop)


def _log_limits(settings: Settings) -> None:
    """Log the limits that are set for the process."""
    get_logger("worker").info(
        "limits",
        memory_mb=settings.worker_memory_mb,
        batch_mb=settings.batch_mb,
        batch_records=settings.batch_records,
    )


def _begin(tasks: TaskInput) -> tuple[Task, WorkerLease] | int:
    """The first task and the current lease, or an exit code if no task arrives."""
    lease = WorkerLease(until=None)
    for received in tasks:
        if received is None:
            return CANNOT_CONTINUE
        if not isinstance(received, WorkerLease):
            return received, lease
        lease = received
    return STOPPED


def _take_standard_output() -> TextIO:
    """Keep the report pipe for reports; other prints go to standard error."""
    pipe = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return pipe


def _kind_of(task: Task, program: Program) -> ServiceKind:
    """Raises NotThisProcess."""
    kind = SERVICE_KINDS[task.type]
    if kind.program != program:
        raise NotThisProcess(task=task.type)
    return kind


def _start(kind: ServiceKind, task: Task, settings: Settings, stop: threading.Event) -> tuple[Service, TaskReceiver]:
    """The service for a task, which ends once `stop` is set.

    Only the kind that the process runs is imported: each loads large libraries.
    """
    service, receive = function(kind.worker)(task, settings, stop)
    return service, receive


def _listen(tasks: TaskInput, receive: Callable[[Task], None], stop: threading.Event) -> None:
    try:
        for received in tasks:
            if isinstance(received, WorkerLease):
                arm(received)
            elif received is not None:
                set_log_level(received.log_level)
                receive(received)
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
        log.error("cannot continue", reason=reason_of(error).code, exc_info=error)
        service.status.fail(error)
        code = CANNOT_CONTINUE
    except Exception as error:
        log.error("crashed", exc_info=error)
        service.status.fail(error)
        code = CRASHED
    finally:
        stop.set()
        reporter.finish()
        tracing.end()
    log.info("ended", code=code)
    return code
