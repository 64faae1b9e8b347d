"""`python -m zcbus.cli.fork_server DESCRIPTOR`: the fork server of agents and workers.

Loading a worker's libraries takes a second of processor time. Loaded once per host, workers start in milliseconds and
share memory. Each runs the program from its first line, `zcbus worker`.
"""

import socket
import sys

from setproctitle import setproctitle

from zcbus.connectors.registry import KINDS
from zcbus.kit.forking import server
from zcbus.kit.forking.client import ForkServer
from zcbus.kit.parent import die_with_parent
from zcbus.protocol.service_kinds import SERVICE_KINDS

COMMAND = (sys.executable, "-m", "zcbus.cli.fork_server")

_SHARED = (
    "zcbus.cli.main",
    "zcbus.cli.processes",
    "zcbus.cli.joining",
    "zcbus.agent.main",
    "zcbus.worker.main",
    *dict.fromkeys(kind.worker.partition(":")[0] for kind in SERVICE_KINDS.values() if kind.preloaded),
    *(entry.module for entry in KINDS.values()),
)
"""Modules of agents and nearly all workers. Stream queries and data services load further ones themselves."""


class _State:
    loaded = False
    """Whether this process or its parent has loaded the shared modules."""


def open_server() -> ForkServer:
    """A fork server for this process. Raises OSError.

    If the shared modules are loaded, the server is a fork of this process, which must have one thread. Otherwise a
    new process loads them in the background.
    """
    forks = ForkServer(COMMAND)
    if _State.loaded:
        forks.fork(_serve)
    else:
        forks.open()
    return forks


def main() -> int:
    """Load the shared modules and serve forks; in a fork, run its command."""
    die_with_parent()
    setproctitle("zcbus fork-server")
    server.load(_SHARED)
    _State.loaded = True
    return _serve(socket.socket(fileno=int(sys.argv[-1])))


def _serve(control: socket.socket) -> int:
    setproctitle("zcbus fork-server")
    arguments = server.serve(control)
    if arguments is None:
        return 0
    setproctitle(" ".join(["zcbus", *arguments]))
    from zcbus.cli.main import main as run

    return run(arguments)


if __name__ == "__main__":
    from zcbus.cli.fork_server import main as main_of_the_module

    # `__main__` is a second copy of this module: forks read the state of the imported one.
    sys.exit(main_of_the_module())
