"""`zcbus link errors …`: rows that a link's target rejected."""

import argparse
import json
from collections.abc import Callable
from typing import Any

from zcbus.cli.http import open_api
from zcbus.cli.output import print_json, print_results, print_table

_OPEN = ["not-processed", "processing", "auto-recovery"]


def add_verbs(verbs: Any, add: Callable[..., argparse.ArgumentParser]) -> None:
    """`errors`, `retry-errors`, `skip-errors`, `error-limit`."""
    listing = add(verbs, "errors", "rows that the target refused and that are open", _list, "name")
    listing.add_argument("--all", action="store_true", help="also those that are over")
    for verb, text in (("retry", "try refused rows again"), ("skip", "give refused rows up")):
        parser = add(verbs, f"{verb}-errors", text, _decide(verb), "name")
        chosen = parser.add_mutually_exclusive_group(required=True)
        chosen.add_argument("--id", action="append", metavar="ID", help="which one; may be repeated")
        chosen.add_argument("--all", action="store_true", help="all that are open")
    limit = add(verbs, "error-limit", "how many refused rows a table may have before it stops", _limit, "name", "table")
    limit.add_argument("--errors", type=int, default=100, metavar="N", help="open ones at a time (100); 0: none")
    limit.add_argument("--dml-skip", type=int, default=0, metavar="N", help="skip the next N failing changes of rows")
    limit.add_argument("--ddl-skip", type=int, default=0, metavar="N", help="the same for changes of structure")


def _list(options: argparse.Namespace) -> int:
    request = {"name": options.name, "size": -1, "status": None if options.all else _OPEN}
    with open_api(options) as api:
        records = api.call("sync/link/error/page", request)["records"]
    if options.json:
        return print_json(records)
    columns = ("id", "target", "operation", "key", "status", "detail")
    print_table(columns, [[_cell(record[column]) for column in columns] for record in records])
    return 0


def _cell(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value


def _decide(verb: str) -> Callable[[argparse.Namespace], int]:
    def run(options: argparse.Namespace) -> int:
        with open_api(options) as api:
            count = api.call(f"sync/link/error/{verb}", {"name": options.name, "errors": options.id or []})
        return print_json(count) if options.json else 0

    return run


def _limit(options: argparse.Namespace) -> int:
    request = {
        "name": options.name,
        "tables": [options.table],
        "errorLimit": options.errors,
        "dmlSkip": options.dml_skip,
        "ddlSkip": options.ddl_skip,
    }
    with open_api(options) as api:
        results = api.call("sync/link/error/limit", request)
    return print_results(results, "error-limit", options.json)
