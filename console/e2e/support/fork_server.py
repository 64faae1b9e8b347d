"""The fork server of `programs.py`: like the product's, with the control plane loaded as well."""

import os
import signal
import socket
import sys
from collections.abc import Sequence
from unittest.mock import patch

from console.e2e.support import store
from setproctitle import setproctitle

from zcbus.cli import fork_server, launcher
from zcbus.cli.main import main as zcbus
from zcbus.kit.forking import server
from zcbus.kit.parent import die_with_parent

_TOO = ("zcbus.control.server", "zcbus.cli.link", "zcbus.cli.output")


def main() -> int:
    """Load everything and serve forks; in a fork, run its program."""
    setproctitle("zcbus fork-server of the browser tests")
    server.load((*fork_server._SHARED, *_TOO))
    fork_server._State.loaded = True
    arguments = server.serve(socket.socket(fileno=int(sys.argv[-1])))
    if arguments is None:
        return 0
    setproctitle(" ".join(arguments))
    program, *rest = arguments
    if program == "store":
        return store.main(rest)
    return _platform(rest) if rest == ["serve"] else zcbus(rest)


def _platform(arguments: Sequence[str]) -> int:
    """Its control plane is a fork too. It ends with what started it, however that ends."""
    die_with_parent(signal.SIGTERM)
    forks = fork_server.open_server()
    with (
        patch.object(launcher, "ForkServer", lambda _command: forks),
        patch.object(launcher, "start_program", forks.start_attached),
    ):
        return zcbus(arguments)


if __name__ == "__main__":
    from console.e2e.support.fork_server import main as main_of_the_module

    # As in the product's: `__main__` is a second copy of this module.
    code = main_of_the_module()
    sys.stdout.flush()
    # An orderly end would write what DuckDB's library thinks of it.
    os._exit(code)
