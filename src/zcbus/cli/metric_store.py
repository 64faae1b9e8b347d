"""`zcbus metric-store …`: the server that metrics are stored on, with direct access to the metadata store."""

import argparse
from typing import Any

from zcbus.cli.accounts import open_services
from zcbus.cli.http import language


def add_commands(commands: Any) -> None:
    """Add `metric-store` with its verb."""
    store = commands.add_parser("metric-store", help="the server that metrics are stored on")
    verbs = store.add_subparsers(required=True, metavar="VERB")
    check = verbs.add_parser(
        "check",
        help="write a sample to the server of ZCBUS_METRIC_STORE and read it",
        description="Exit code 1 if the server does not take it, or does not find it; says why.",
    )
    check.set_defaults(run=_check)


def _check(_: argparse.Namespace) -> int:
    from zcbus.control.features.metric.forwarding import check

    with open_services() as services:
        state = check(services)
        if state is None:
            print(services.catalogue.text(language(), "metric-store.embedded"))
            return 0
        facts = {"server": state.server, "seconds": round(state.waiting_seconds)}
        print(services.catalogue.text(language(), "metric-store.well", **facts))
    return 0
