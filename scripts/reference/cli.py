"""The command line, from its parsers."""

import argparse
from collections.abc import Iterator
from typing import Any

from reference.markdown import code, page, table
from zcbus.cli.main import build_parser

INTRODUCTION = """Every command has `--help`. Exit codes: 0 done, 1 failed with the reason on standard error, 2 wrong
usage or setting. `--json` prints JSON."""


def pages() -> dict[str, str]:
    """File name → text."""
    return {"cli.md": page("Command line", INTRODUCTION, *_sections(build_parser()))}


def _sections(parser: argparse.ArgumentParser) -> Iterator[str]:
    for name, text, child in _children(parser):
        command = f"{parser.prog} {name}"
        yield f"## {command}" if command.count(" ") == 1 else f"### {command}"
        yield text[:1].upper() + text[1:] + "." if text else ""
        if any(_children(child)):
            yield from _sections(child)
        else:
            yield _usage(command, child)
            rows = [(code(_name(action)), _help(action)) for action in _options(child)]
            yield table(("option", ""), rows) if rows else ""


def _children(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            texts: dict[str, Any] = {choice.dest: choice.help for choice in action._choices_actions}
            for name, child in action.choices.items():
                if name in texts and texts[name] != argparse.SUPPRESS:
                    yield name, str(texts[name] or ""), child


def _usage(command: str, parser: argparse.ArgumentParser) -> str:
    positional = [_positional(action) for action in parser._actions if not action.option_strings]
    options = ["[OPTION …]"] if any(_options(parser)) else []
    return "```\n" + " ".join([command, *positional, *options]) + "\n```"


def _positional(action: argparse.Action) -> str:
    name = str(action.metavar or action.dest.upper())
    return {"*": f"[{name} …]", "+": f"{name} …", "?": f"[{name}]"}.get(str(action.nargs), name)


def _options(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:
        if action.option_strings and action.help != argparse.SUPPRESS and action.dest != "help":
            yield action


def _name(action: argparse.Action) -> str:
    value = "" if action.nargs == 0 else f" {action.metavar or action.dest.upper()}"
    return ", ".join(action.option_strings) + value


def _help(action: argparse.Action) -> str:
    return str(action.help or "")
