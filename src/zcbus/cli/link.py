"""`zcbus link …`: links as code, by the console's API."""

import argparse
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from zcbus.cli import link_errors, tables
from zcbus.cli.http import Api, ApiError, add_command, open_api
from zcbus.cli.output import ProgressLine, print_findings, print_json, print_refused, print_table
from zcbus.model.states import ERROR_STATES

_POLL = 0.1


def add_commands(commands: Any) -> None:
    """`link` and its verbs."""
    parser = commands.add_parser("link", help="sync links: apply, list, status, export, pause, …")
    verbs = parser.add_subparsers(required=True, metavar="VERB")
    _add_apply(verbs)
    add_command(verbs, "list", "all links", _list)
    add_command(verbs, "status", "state of a link and its tables", _status, "name")
    add_command(verbs, "export", "a link as a file, without secrets", _export, "name")
    for verb in ("start", "pause", "resume", "stop"):
        waiting = add_command(verbs, verb, f"{verb} a link", _act(verb), "name")
        _add_waiting(waiting)
    delete = add_command(verbs, "delete", "delete a link; the target's data stays", _act("delete"), "name")
    delete.set_defaults(wait=None)
    reload_table = add_command(
        verbs, "reload", "load one table again while the others run on", _reload, "name", "table"
    )
    _add_waiting(reload_table)
    link_errors.add_verbs(verbs, add_command)
    tables.add_commands(verbs)


def _add_apply(verbs: Any) -> None:
    parser = add_command(verbs, "apply", "create a link from a file, or change it", _apply, "file")
    _add_waiting(parser)


def _add_waiting(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--wait", metavar="STATE", help="wait until the link and its tables are in this state")
    parser.add_argument("--timeout", metavar="S", type=float, default=300.0, help="seconds to wait (300)")


def _apply(options: argparse.Namespace) -> int:
    document = read_link_file(options.file)
    with open_api(options) as api:
        try:
            result = api.call("sync/link/apply", {"document": document})
        except ApiError as error:
            print_findings(error.facts.get("findings", ()))
            raise
        print_findings(result["findings"])
        name = document["link"]
        if not options.json or options.wait:
            print(f"link {name}: {'created' if result.get('created') else 'up to date'}", file=sys.stderr)
        return _finish(api, name, options, result)


def _list(options: argparse.Namespace) -> int:
    with open_api(options) as api:
        records = api.call("sync/link/page", {"current": 1, "size": -1})["records"]
    if options.json:
        return print_json(records)
    columns = ("name", "state", "pace", "source", "target", "tables", "notes")
    print_table(columns, [[_cell(record, column) for column in columns] for record in records])
    return 0


def _cell(record: dict[str, Any], column: str) -> Any:
    if column == "notes":
        return "; ".join(notes_of(record))
    value = record.get(column, "")
    if isinstance(value, dict):
        if "place" in value:
            located = value["place"]
            return f"{value['kind']} {'/'.join(part for part in (located['address'], located['title']) if part)}"
        return " ".join(f"{key}={count}" for key, count in value.items())
    return value


def notes_of(record: dict[str, Any]) -> list[str]:
    """Why a link is not simply in its state, as the console shows it."""
    reason = record.get("reason")
    return [
        *(["its agent is silent"] if record.get("stale") else []),
        *([reason["text"]] if reason else []),
        *(one["text"] for one in record.get("warnings", ())),
    ]


def _status(options: argparse.Namespace) -> int:
    with open_api(options) as api:
        status = api.call("sync/link/status", {"name": options.name})
    return show_status(status, options)


def show_status(status: dict[str, Any], options: argparse.Namespace) -> int:
    """Print a link's status: its state, what colours it in the console, and its tables."""
    if options.json:
        return print_json(status)
    errors = sum(table["errors"] for table in status["tables"])
    silent = ", as of the last report: its agent is silent" if status.get("stale") else ""
    pace = f" ({status['pace']})" if status.get("pace") else ""
    print(f"{status['name']}: {status['state']}{pace}" + (f", {errors} open errors" if errors else "") + silent)
    for text in (status.get("reason"), *status.get("warnings", ())):
        if text:
            print(f"! {text}")
    columns = (
        "source",
        "target",
        "state",
        "pace",
        "rowsLoaded",
        "inserts",
        "updates",
        "deletes",
        "lagMs",
        "errors",
        "reason",
    )
    print_table(columns, [[table.get(column) for column in columns] for table in status["tables"]])
    return 0


def _export(options: argparse.Namespace) -> int:
    with open_api(options) as api:
        document = api.call("sync/link/export", {"name": options.name})["document"]
    if options.json:
        return print_json(document)
    import yaml

    print(yaml.safe_dump(document, allow_unicode=True, sort_keys=False), end="")
    return 0


def _act(verb: str) -> Callable[[argparse.Namespace], int]:
    def run(options: argparse.Namespace) -> int:
        with open_api(options) as api:
            result = api.call(f"sync/link/{verb}", {"name": options.name})
            if options.wait:
                return _finish(api, options.name, options, result)
        return print_json(result) if options.json else 0

    return run


def _reload(options: argparse.Namespace) -> int:
    with open_api(options) as api:
        results = api.call("sync/link/table/reload", {"name": options.name, "tables": [options.table]})
        return print_refused(results) or _finish(api, options.name, options, results)


def _finish(api: Api, name: str, options: argparse.Namespace, result: Any) -> int:
    """Wait if requested; print the link's state then, else the answer of the call."""
    if not options.wait:
        return print_json(result) if options.json else 0
    status, reached = wait_for_state(api, name, options.wait, options.timeout)
    show_status(status, options)
    if not reached:
        print(f"zcbus: {name} did not reach {options.wait} (it is {status['state']})", file=sys.stderr)
    return 0 if reached else 1


def wait_for_state(api: Api, name: str, state: str, timeout: float) -> tuple[dict[str, Any], bool]:
    """Poll until the link and all its tables are in `state`, or a table failed for good.

    The last state of a link whose agent is silent does not count.
    """
    deadline = time.monotonic() + timeout
    with ProgressLine() as line:
        while True:
            status = api.call("sync/link/status", {"name": name})
            if _is_in(status, state) and not status.get("stale"):
                return status, True
            failed = state not in ERROR_STATES and any(table["state"] in ERROR_STATES for table in status["tables"])
            if failed or time.monotonic() > deadline:
                return status, False
            line.show(_progress(name, status, state))
            time.sleep(_POLL)


def _progress(name: str, status: dict[str, Any], state: str) -> str:
    tables = status["tables"]
    there, rows = (
        sum(table["state"] == state for table in tables),
        sum(table.get("rowsLoaded") or 0 for table in tables),
    )
    return f"{name}: {status['state']}, {there:,} of {len(tables):,} tables {state}, {rows:,} rows loaded"


def _is_in(status: dict[str, Any], state: str) -> bool:
    tables = status["tables"]
    if state in ("stopped", "suspended", "error"):
        return bool(status["state"] == state)
    return bool(tables) and all(table["state"] == state for table in tables)


def read_link_file(path: str) -> dict[str, Any]:
    """The YAML document, with passwords from their sources. Raises ApiError."""
    import yaml

    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text("utf-8")
        document = yaml.safe_load(text)
    except (OSError, yaml.YAMLError, UnicodeDecodeError) as error:
        raise ApiError(f"{path} cannot be read: {error}") from error
    if not isinstance(document, dict) or not isinstance(document.get("link"), str):
        raise ApiError(f"{path} is not a link file: it needs `link: NAME` at the top")
    for side in ("source", "target"):
        if isinstance(document.get(side), dict):
            _resolve_secrets(document[side], f"{path}: {side}")
    return document


def _resolve_secrets(side: dict[str, Any], location: str) -> None:
    for option, value in side.items():
        if not isinstance(value, dict):
            continue
        name = value.get("env")
        if not isinstance(name, str) or set(value) != {"env"}:
            raise ApiError(f"{location}: {option} is a value or {{env: NAME}}")
        if name not in os.environ:
            raise ApiError(f"{location}: the environment has no variable {name}")
        side[option] = os.environ[name]
