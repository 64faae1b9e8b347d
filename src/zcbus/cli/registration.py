"""`zcbus registration …`: keys and codes for vendors. No command needs a platform."""

import argparse
import sys
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any


def add_commands(commands: Any) -> None:
    """Add `registration` with its verbs."""
    registration = commands.add_parser("registration", help="issue registration codes")
    verbs = registration.add_subparsers(required=True, metavar="VERB")
    new_key = verbs.add_parser(
        "new-key", help="make a key pair: the private key into FILE, the public one on the screen"
    )
    new_key.add_argument("file", metavar="FILE", type=Path)
    new_key.set_defaults(run=_new_key)
    issue = verbs.add_parser("issue", help="print a registration code")
    issue.add_argument("file", metavar="FILE", type=Path, help="the private key")
    issue.add_argument("--holder", required=True, help="whose installation it is")
    issue.add_argument("--until", required=True, type=_day, metavar="YYYY-MM-DD", help="its last day (UTC)")
    issue.add_argument("--tables", type=int, help="most subscribed tables; without: no limit")
    issue.add_argument("--controls", type=int, help="most masters; without: no limit")
    issue.set_defaults(run=_issue)


def _day(text: str) -> datetime:
    return datetime.combine(date.fromisoformat(text), datetime.max.time(), UTC)


def _new_key(options: argparse.Namespace) -> int:
    from zcbus.control.features.registration.code import new_key
    from zcbus.kit.files import write_private_file

    private, public = new_key()
    try:
        write_private_file(options.file, private + "\n")
    except OSError as error:
        return _print_error(f"{options.file}: {error.strerror}")
    print(public)
    return 0


def _issue(options: argparse.Namespace) -> int:
    from zcbus.control.features.registration.code import Registration, sign

    try:
        registration = Registration(
            holder=options.holder,
            end_time=options.until,
            max_tables=options.tables,
            max_controls=options.controls,
        )
        print(sign(registration, options.file.read_text("utf-8").strip()))
    except OSError as error:
        return _print_error(f"{options.file}: {error.strerror}")
    except ValueError as error:
        return _print_error(str(error))
    return 0


def _print_error(message: str) -> int:
    print(f"zcbus: {message}", file=sys.stderr)
    return 1
