"""Parses the command line and turns errors into a sentence and an exit code."""

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from zcbus.cli.http import ApiError, language
from zcbus.kit.errors import ZcbusError
from zcbus.kit.setting_source import SettingsError

EXIT_OK, EXIT_FAILED, EXIT_USAGE = 0, 1, 2

Run = Callable[[argparse.Namespace], int]

_MODULES = {
    **dict.fromkeys(("serve", "agent", "worker", "gateway", "migrate"), "processes"),
    "link": "link",
    "plan": "plan",
    "policy": "policy",
    **dict.fromkeys(("user", "token"), "accounts"),
    "audit": "audit",
    "metric-store": "metric_store",
    "key": "keys",
    "registration": "registration",
    "restore": "restore",
    "demo": "demo",
    "completion": "completion",
}
"""Command → its module in `zcbus.cli`."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. 0: success; 1: failure, with the reason on standard error; 2: wrong usage or setting."""
    given = sys.argv[1:] if arguments is None else arguments
    options = build_parser(given[0] if given else None).parse_args(given)
    run: Run = options.run
    try:
        return run(options)
    except SettingsError as error:
        return _print_error(str(error), EXIT_USAGE)
    except ApiError as error:
        return _print_error(error.message, EXIT_FAILED)
    except ZcbusError as error:
        return _print_error(_message_of(error), EXIT_FAILED)
    except KeyboardInterrupt:
        return _print_error("interrupted", 130)


def build_parser(command: str | None = None) -> argparse.ArgumentParser:
    """The parser of all commands, or of one: loading the others would delay a worker."""
    parser = argparse.ArgumentParser(prog="zcbus", description="Data replication and data exchange platform.")
    if command not in _MODULES:
        parser.add_argument("--version", action="version", version=_version())
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    names = [_MODULES[command]] if command in _MODULES else dict.fromkeys(_MODULES.values())
    for name in names:
        import_module(f"zcbus.cli.{name}").add_commands(commands)
    return parser


def _version() -> str:
    from importlib.metadata import version

    return version("zcbus")


def _message_of(error: ZcbusError) -> str:
    """The message of an error, as in the console."""
    from zcbus.control.bootstrap import build_catalogue

    return build_catalogue().error_text(language(), error)


def _print_error(message: str, code: int) -> int:
    print(f"zcbus: {message}", file=sys.stderr)
    return code
