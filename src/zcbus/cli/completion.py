"""`zcbus completion SHELL`: completion of commands, options and file names."""

import argparse
from typing import Any

SHELLS = ("bash", "zsh", "fish")


def add_commands(commands: Any) -> None:
    """Add `completion`."""
    parser = commands.add_parser(
        "completion",
        help="print the completion of a shell",
        description="Print the completion of a shell: source <(zcbus completion bash).",
    )
    parser.add_argument("shell", choices=SHELLS)
    parser.set_defaults(run=_print)


def _print(options: argparse.Namespace) -> int:
    import shtab

    from zcbus.cli.main import build_parser

    parser = build_parser()
    for action in _arguments(parser):
        if action.metavar == "FILE":
            # shtab reads the type of an argument from this attribute.
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    print(shtab.complete(parser, options.shell))
    return 0


def _arguments(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """All parsers: the given one and those of its commands."""
    found: list[argparse.Action] = []
    for action in parser._actions:
        found.append(action)
        if isinstance(action, argparse._SubParsersAction):
            for below in dict.fromkeys(action.choices.values()):
                found += _arguments(below)
    return found
