"""`zcbus user …` and `zcbus token …`: accounts, with direct access to the metadata store."""

import argparse
import getpass
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

from zcbus.cli.output import print_json, print_table
from zcbus.kit.settings import load_settings

if TYPE_CHECKING:
    from zcbus.control.platform.services import Services


def add_commands(commands: Any) -> None:
    """Add `user` and `token` with their verbs."""
    _add_user(commands)
    _add_token(commands)


def _add_user(commands: Any) -> None:
    user = commands.add_parser("user", help="accounts, on the platform's own host")
    verbs = user.add_subparsers(required=True, metavar="VERB")
    reset = verbs.add_parser(
        "set-password",
        help="give a user a new password, to be changed at the next sign-in",
        description="The password comes from ZCBUS_NEW_PASSWORD, or is asked for, or is read from standard input.",
    )
    reset.add_argument("name", metavar="NAME")
    reset.set_defaults(run=_set_password)
    remove = verbs.add_parser(
        "remove-second-factor",
        help="let a user who lost the second factor sign in with the password alone",
        description="Ends the user's sessions. The operation log keeps a record.",
    )
    remove.add_argument("name", metavar="NAME")
    remove.set_defaults(run=_remove_second_factor)


def _add_token(commands: Any) -> None:
    token = commands.add_parser("token", help="API tokens for programs, on the platform's own host")
    verbs = token.add_subparsers(required=True, metavar="VERB")
    create = verbs.add_parser("create", help="make a token and print it once")
    create.add_argument("name", metavar="NAME", help="what it is for")
    create.add_argument("--user", default="admin", help="whose rights it has (admin)")
    create.add_argument(
        "--days", type=int, help="days until it ends; without: the system parameter api_token_days, usually 365"
    )
    create.add_argument("--read-only", action="store_true", help="no changes, and no administrative pages")
    create.set_defaults(run=_create_token)
    listing = verbs.add_parser("list", help="all tokens, their ends and last uses, without their secrets")
    listing.add_argument("--json", action="store_true", help="print JSON")
    listing.set_defaults(run=_list_tokens)
    revoke = verbs.add_parser("revoke", help="end a token at once, with its service account")
    revoke.add_argument("id", metavar="ID")
    revoke.set_defaults(run=_revoke_token)


def _set_password(options: argparse.Namespace) -> int:
    from zcbus.control.features.account.service import set_password

    with open_services() as services:
        set_password(services, options.name, _new_password(), must_change=True)
    return 0


def _remove_second_factor(options: argparse.Namespace) -> int:
    from zcbus.control.features.second_factor.service import remove_by_name

    with open_services() as services:
        remove_by_name(services, options.name)
    return 0


def _new_password() -> str:
    given = os.environ.get("ZCBUS_NEW_PASSWORD")
    if given:
        return given
    return getpass.getpass("new password: ") if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")


@contextmanager
def open_services() -> Iterator["Services"]:
    """The services of a command on the host of the platform. Raises what `check_store` raises."""
    from zcbus.control.bootstrap import build_services, check_store

    services = build_services(load_settings())
    try:
        check_store(services)
        yield services
    finally:
        services.close()


def _create_token(options: argparse.Namespace) -> int:
    from zcbus.control.features.service_account.tokens import create_api_token

    with open_services() as services:
        token = create_api_token(
            services, name=options.name, user_name=options.user, days=options.days, read_only=options.read_only
        )
    print(token.token)
    return 0


def _list_tokens(options: argparse.Namespace) -> int:
    from zcbus.control.features.service_account.tokens import list_api_tokens

    with open_services() as services, services.database.read() as connection:
        records = list_api_tokens(connection)
    if options.json:
        return print_json([asdict(record) for record in records])
    columns = ("id", "name", "user_name", "scope", "created_at", "expires_at", "used_at", "used_from")
    print_table(columns, [[_shown(record, column) for column in columns] for record in records])
    return 0


def _revoke_token(options: argparse.Namespace) -> int:
    from zcbus.control.features.service_account.tokens import revoke_api_token

    with open_services() as services:
        revoke_api_token(services, options.id)
    return 0


def _shown(record: object, column: str) -> object:
    value = getattr(record, column)
    if value is None:
        return {"expires_at": "no end", "used_at": "not yet"}.get(column, "")
    return value.strftime("%Y-%m-%d %H:%M UTC") if isinstance(value, datetime) else value
