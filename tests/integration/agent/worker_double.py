"""A worker of the tests' own: does what the first word of the command line says, speaking the real protocol. As the
real ones are, it is forked, by a server that loads this file alone."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime

from zcbus.kit.forking import server
from zcbus.kit.parent import die_with_parent
from zcbus.protocol.tasks import PublishTask
from zcbus.worker.task_input import TaskInput


def report(state: str, progress: int, **more: object) -> None:
    line = {"type": "service", "state": state, "progress": progress, "at": datetime.now(UTC).isoformat(), **more}
    print(json.dumps(line), flush=True)


def echo_tasks() -> None:
    """Every task that comes is answered with a report that names its number of tables as the position."""
    tasks = TaskInput(line.encode() for line in sys.stdin)
    for count, task in enumerate(tasks):
        assert isinstance(task, PublishTask)
        report("running", count + 1, position=str(len(task.tables)))


def work_until_stopped() -> None:
    stopped = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stopped.set())
    threading.Thread(target=echo_tasks, daemon=True).start()
    stopped.wait()
    report("stopping", 1_000)
    sys.exit(0)


def report_settings() -> None:
    """Report the container's properties that reached the worker, as the position."""
    report("running", 1, position=os.environ.get("ZCBUS_BATCH_RECORDS", ""))
    for _ in range(3000):
        print("x" * 999, file=sys.stderr)
    work_until_stopped()


def fail() -> None:
    report("running", 1)
    report("failed", 2, reason={"code": "log-position-lost", "facts": {"wanted": "0/1"}})
    sys.exit(3)


def say_only() -> None:
    """Alive, and nothing else."""
    while True:
        report("running", 1)
        time.sleep(0.1)


def be_stuck() -> None:
    report("running", 1)
    time.sleep(600)


def crash() -> None:
    report("running", 1)
    os.kill(os.getpid(), signal.SIGKILL)


def be_stubborn() -> None:
    """Leaves a process of its own behind, too."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    report("running", 1, position=str(child.pid))
    while True:
        time.sleep(600)


BEHAVIOURS: dict[str, Callable[[], None]] = {
    "tells": report_settings,
    "works": work_until_stopped,
    "crashes": crash,
    "cannot-start": lambda: sys.exit(1),
    "cannot-go-on": fail,
    "stuck": be_stuck,
    "says-only": say_only,
    "stubborn": be_stubborn,
}


def main() -> None:
    die_with_parent()
    if server.serve(socket.socket(fileno=int(sys.argv[-1]))) is not None:
        die_with_parent()
        BEHAVIOURS[sys.argv[1]]()


main()
