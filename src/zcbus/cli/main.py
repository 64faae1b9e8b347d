"""Reads the command line and turns errors into one clear sentence and an exit code."""

import argparse
import sys
from collections.abc import Callable, Sequence

from zcbus import __version__
from zcbus.cli import accounts, demo, link, processes, registration
from zcbus.cli.http import ApiError, language
from zcbus.kit.errors import ZcbusError
from zcbus.kit.settings import SettingsError

EXIT_OK, EXIT_FAILED, EXIT_USAGE = 0, 1, 2

Run = Callable[[argparse.Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. 0: done; 1: it failed, the reason is on standard error; 2: wrong usage or setting."""
    options = build_parser().parse_args(arguments)
    run: Run = options.run
    try:
        return run(options)
    except SettingsError as error:
        return _complain(str(error), EXIT_USAGE)
    except ApiError as error:
        return _complain(error.message, EXIT_FAILED)
    except ZcbusError as error:
        return _complain(_in_words(error), EXIT_FAILED)
    except KeyboardInterrupt:
        return _complain("interrupted", 130)


def build_parser() -> argparse.ArgumentParser:
    """The whole command line."""
    parser = argparse.ArgumentParser(prog="zcbus", description="Data replication and data exchange platform.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for module in (processes, link, accounts, registration, demo):
        module.add_commands(commands)
    return parser


def _in_words(error: ZcbusError) -> str:
    """The same text as the console shows."""
    from zcbus.control.bootstrap import build_catalogue

    return build_catalogue().error_text(language(), error)


def _complain(message: str, code: int) -> int:
    print(f"zcbus: {message}", file=sys.stderr)
    return code
