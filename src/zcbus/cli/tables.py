"""`zcbus link table …`: single tables of a link."""

import argparse
from collections.abc import Callable
from datetime import datetime
from typing import Any, Literal

from zcbus.cli.http import ApiError, add_connection_options, open_api
from zcbus.cli.output import print_json, print_results, print_table

_TEXTS = {
    "reload": "load tables again (start full) while the others run on",
    "suspend": "suspend tables while the others run on",
    "resume": "resume tables at their positions",
    "reset": "discard the positions of stopped tables, and suspend them",
    "reset-start": "discard the positions of stopped tables, and start again",
}


def add_commands(verbs: Any) -> None:
    """`table` and its verbs."""
    parser = verbs.add_parser("table", help="single tables: reload, suspend, resume, reset, start-incremental, …")
    actions = parser.add_subparsers(required=True, metavar="VERB")
    for verb, text in _TEXTS.items():
        command = _add(actions, verb, text, _act(verb))
        if verb == "reload":
            group = command.add_mutually_exclusive_group()
            group.add_argument("--beside", action="store_true", default=None, help="readers never miss rows")
            group.add_argument("--clean", dest="beside", action="store_false", help="clean first, as the link says")
    _add(
        actions,
        "accept-gap",
        "resume tables without the changes that are lost (no table named: all)",
        _act("accept-gap"),
        fewest="*",
    )
    _add(actions, "find-new", "tables of the source that the link does not carry", _find_new, fewest="")
    _add(actions, "take-in", "let the link carry further tables of its source", _take_in)
    _add_position(_add(actions, "find-incremental", "what waits after a time or a record number", _find))
    _add_position(_add(actions, "start-incremental", "resume at a time or record", _start(hold=False)))
    _add_position(_add(actions, "set-incremental", "only set where stopped tables will resume", _start(hold=True)))


def _add(
    actions: Any, verb: str, text: str, run: Callable[..., int], fewest: Literal["", "*", "+"] = "+"
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = actions.add_parser(verb, help=text, description=text)
    parser.add_argument("name", metavar="NAME")
    if fewest:
        parser.add_argument("tables", metavar="TABLE", nargs=fewest, help="schema.table, as the source calls it")
    add_connection_options(parser)
    parser.set_defaults(run=run)
    return parser


def _add_position(parser: argparse.ArgumentParser) -> None:
    position = parser.add_mutually_exclusive_group(required=True)
    position.add_argument("--time", help="ISO 8601 (2026-11-21T10:00:00+08:00); without zone: this host's")
    position.add_argument("--offset", type=int, help="number of a record")


def _act(verb: str) -> Callable[[argparse.Namespace], int]:
    def run(options: argparse.Namespace) -> int:
        body = _choice(options)
        if getattr(options, "beside", None) is not None:
            body["beside"] = options.beside
        with open_api(options) as api:
            return print_results(api.call(f"sync/link/table/{verb}", body), verb, options.json)

    return run


def _start(*, hold: bool) -> Callable[[argparse.Namespace], int]:
    def run(options: argparse.Namespace) -> int:
        with open_api(options) as api:
            results = api.call("sync/link/table/start-incremental", {**_position(options), "hold": hold})
        return print_results(results, "start-incremental", options.json)

    return run


def _find(options: argparse.Namespace) -> int:
    with open_api(options) as api:
        found = api.call("sync/link/table/find-incremental", _position(options))
    if options.json:
        return print_json(found)
    print(f"record {found['offset']} (there are {found['firstOffset']} to {found['nextOffset']})")
    more = "" if found["complete"] else "+"
    rows = [[table["source"], f"{table['changes']}{more}", table["firstChangeAt"]] for table in found["tables"]]
    print_table(("source", "changes", "first change"), rows)
    return 0


def _find_new(options: argparse.Namespace) -> int:
    with open_api(options) as api:
        found = api.call("sync/link/table/find-new", {"name": options.name})
    if options.json:
        return print_json(found)
    print_table(("source", "target"), [[table["source"], table["target"]] for table in found["tables"]])
    return 0


def _take_in(options: argparse.Namespace) -> int:
    with open_api(options) as api:
        done = api.call("sync/link/table/take-in", _choice(options))
    if options.json:
        return print_json(done)
    print(f"take-in: {len(done['added'])} table(s)")
    return 0


def _choice(options: argparse.Namespace) -> dict[str, Any]:
    return {"name": options.name, "tables": options.tables or None}


def _position(options: argparse.Namespace) -> dict[str, Any]:
    if options.offset is not None:
        return {**_choice(options), "offset": options.offset}
    try:
        moment = datetime.fromisoformat(options.time)
    except ValueError as error:
        raise ApiError(f"{options.time} is not a time: {error}") from error
    return {**_choice(options), "time": moment.astimezone().isoformat()}
