"""`zcbus demo run | reset`."""

import argparse
import signal
import sys
import threading
import time
from typing import Any

from zcbus.cli.http import ApiError, add_connection_options, open_api
from zcbus.kit.logging import configure_logging
from zcbus.kit.parent import die_with_parent
from zcbus.kit.settings import load_settings

_RESET_TIMEOUT = 120.0


def add_commands(commands: Any) -> None:
    """Add `demo` and its verbs."""
    demo = commands.add_parser("demo", help="the sample shop with its link")
    verbs = demo.add_subparsers(required=True, metavar="VERB")
    run = verbs.add_parser("run", help="run the shop; started by `zcbus serve` when ZCBUS_DEMO=1")
    add_connection_options(run)
    run.set_defaults(run=_run)
    reset = verbs.add_parser("reset", help="start the demo afresh: link, databases and rows")
    reset.set_defaults(run=_reset)


def _run(options: argparse.Namespace) -> int:
    die_with_parent()
    configure_logging()
    from zcbus.demo.files import DemoFiles
    from zcbus.demo.run import run_demo

    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    with open_api(options) as api:
        return run_demo(DemoFiles.below(load_settings().data_dir), api, stop)


def _reset(_options: argparse.Namespace) -> int:
    """Ask the running demo for a reset and wait for it; without one, the next start resets."""
    from zcbus.demo.files import DemoFiles

    files = DemoFiles.below(load_settings().data_dir)
    files.reset_request.touch()
    deadline = time.monotonic() + _RESET_TIMEOUT
    while files.reset_request.exists():
        if time.monotonic() > deadline:
            raise ApiError("the demo did not start afresh in time: is it running (ZCBUS_DEMO=1 zcbus serve)?")
        time.sleep(0.2)
    print("the demo has started afresh", file=sys.stderr)
    return 0
