"""`zcbus user …`: mending accounts on the platform's own host, with direct access to the metadata store."""

import argparse
import getpass
import os
import sys
from typing import Any

from zcbus.kit.settings import load_settings


def add_commands(commands: Any) -> None:
    """Add `user` and its verbs."""
    user = commands.add_parser("user", help="accounts, on the platform's own host")
    verbs = user.add_subparsers(required=True, metavar="VERB")
    reset = verbs.add_parser(
        "set-password",
        help="give a user a new password, to be changed at the next sign-in",
        description="The password comes from ZCBUS_NEW_PASSWORD, or is asked for, or is read from standard input.",
    )
    reset.add_argument("name", metavar="NAME")
    reset.set_defaults(run=_set_password)


def _set_password(options: argparse.Namespace) -> int:
    from zcbus.control.bootstrap import build_services
    from zcbus.control.features.account.service import set_password

    services = build_services(load_settings())
    try:
        set_password(services, options.name, _new_password(), must_change=True)
    finally:
        services.database.close()
    return 0


def _new_password() -> str:
    given = os.environ.get("ZCBUS_NEW_PASSWORD")
    if given:
        return given
    return getpass.getpass("new password: ") if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
