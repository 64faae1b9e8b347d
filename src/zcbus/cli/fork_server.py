"""`python -m zcbus.cli.fork_server DESCRIPTOR`: the process from which an agent's workers are forked.

A worker takes a second of processor time to load its libraries. Where they are loaded once for all of a host, it starts
in milliseconds, and shares their memory with the others. Each runs the program from its first line, `zcbus worker`.
"""

import sys

from setproctitle import setproctitle

from zcbus.kit.forking import server
from zcbus.kit.parent import die_with_parent

COMMAND = (sys.executable, "-m", "zcbus.cli.fork_server")

_SHARED = (
    "zcbus.cli.main",
    "zcbus.cli.processes",
    "zcbus.worker.main",
    "zcbus.engine.publish.service",
    "zcbus.engine.subscribe.service",
    "zcbus.engine.contrast.service",
    "zcbus.connectors.postgresql.connector",
    "zcbus.connectors.mysql.connector",
)
"""What nearly every worker needs. Computations and data services load the rest of theirs themselves."""


def main() -> int:
    """Fork until nobody asks any more; in what is forked: run its command."""
    die_with_parent()
    setproctitle("zcbus fork-server")
    arguments = server.main(_SHARED)
    if arguments is None:
        return 0
    setproctitle(" ".join(["zcbus", *arguments]))
    from zcbus.cli.main import main as run

    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
