"""`zcbus serve | agent | worker | gateway | migrate`: the platform's processes, imported lazily."""

import argparse
import asyncio
import gc
from dataclasses import replace
from typing import Any

from zcbus.bus.open import check_bus
from zcbus.kit.data_folder import keep_private
from zcbus.kit.log_file import RotatingLog
from zcbus.kit.logging import configure_logging
from zcbus.kit.parent import die_with_parent
from zcbus.kit.settings import Settings, load_settings


def add_commands(commands: Any) -> None:
    """Add the process commands."""
    serve = commands.add_parser("serve", help="the control plane with an embedded agent")
    serve.add_argument("--no-agent", action="store_true", help="the control plane alone; agents run elsewhere")
    serve.set_defaults(run=_serve)
    agent = commands.add_parser("agent", help="keep this host's services running")
    agent.add_argument("--url", help="address of the control plane (ZCBUS_URL; default: as joined, or this host's)")
    agent.add_argument("--join", metavar="TOKEN", help="become a host of a container; needed once, harmless again")
    agent.add_argument("--token", help="agent token (ZCBUS_TOKEN; default: as joined, or the data folder's)")
    agent.add_argument("--container", help="container this host belongs to (default: as joined, or `default`)")
    agent.set_defaults(run=_agent)
    worker = commands.add_parser("worker", help="run one service; started by the agent")
    worker.set_defaults(run=_worker)
    gateway = commands.add_parser("gateway", help="answer callers of a data service; started by the agent")
    gateway.set_defaults(run=_gateway)
    migrate = commands.add_parser("migrate", help="bring the metadata store to this version")
    migrate.set_defaults(run=_migrate)


def _serve(options: argparse.Namespace) -> int:
    settings = load_settings()
    keep_private(settings.data_dir)
    configure_logging()
    if not options.no_agent:
        check_bus(settings.bus)
        from zcbus.cli.launcher import launch

        return asyncio.run(launch(settings))
    die_with_parent()
    gc.disable()  # Nothing that is loaded is ever freed; the server enables it again.
    from zcbus.control.server import run

    run(settings)
    return 0


def _agent(options: argparse.Namespace) -> int:
    die_with_parent()
    settings = load_settings()
    keep_private(settings.data_dir)
    from zcbus.cli.fork_server import open_server

    # This comes first: only a process with one thread may fork.
    forks = open_server()
    from zcbus.agent.logs import log_path
    from zcbus.protocol.requests import AGENT_LOG

    configure_logging(file=RotatingLog(log_path(settings.data_dir, AGENT_LOG)))
    check_bus(settings.bus)
    from zcbus.agent.main import run_agent
    from zcbus.cli.joining import agent_options

    asyncio.run(run_agent(agent_options(options, settings), forks))
    return 0


def _worker(_options: argparse.Namespace) -> int:
    die_with_parent()
    configure_logging()
    from zcbus.worker.main import main

    return main()


def _gateway(_options: argparse.Namespace) -> int:
    die_with_parent()
    configure_logging()
    from zcbus.worker.main import main

    return main("gateway")


def _migrate(_options: argparse.Namespace) -> int:
    from zcbus.control.store.engine import Database
    from zcbus.control.store.migrate import migrate

    settings: Settings = replace(load_settings(), demo=False)
    keep_private(settings.data_dir)
    database = Database(settings.database_url)
    try:
        migrate(database)
    finally:
        database.close()
    return 0
