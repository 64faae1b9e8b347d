"""`python -m zcbus.cli.fork_server DESCRIPTOR`: the process from which agents and their workers are forked.

A worker takes a second of processor time to load its libraries. Where they are loaded once for all of a host, it starts
in milliseconds, and shares their memory with the others. Each runs the program from its first line, `zcbus worker`.
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
"""What agents and nearly all workers need. Computations and data services load the rest of theirs themselves."""


class _State:
    loaded = False
    """Whether this process, or the one that it is a fork of, has loaded what is shared."""


def open_server() -> ForkServer:
    """A fork server for this process. Where what is shared is loaded already it works at once, as a fork of this
    process, which must have one thread; else it loads it while this process goes on. Raises OSError."""
    forks = ForkServer(COMMAND)
    if _State.loaded:
        forks.fork(_serve)
    else:
        forks.open()
    return forks


def main() -> int:
    """Load what is shared, and fork until nobody asks any more; in what is forked: run its command."""
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

    # As a module that is run it would have a state of its own, which what is forked does not see.
    sys.exit(main_of_the_module())
