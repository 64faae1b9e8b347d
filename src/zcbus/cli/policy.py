"""`zcbus policy …`: policies as code and their distribution, over the same API as the console."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from zcbus.cli.http import Api, ApiError, add_command, open_api
from zcbus.cli.output import print_findings, print_json, print_table

_SIDES = "before", "after"


def add_commands(commands: Any) -> None:
    """`policy` and its verbs."""
    parser = commands.add_parser("policy", help="policies: apply, diff, export, list, distribute, deliveries")
    verbs = parser.add_subparsers(required=True, metavar="VERB")
    apply = add_command(verbs, "apply", "create a policy from a file, or change its draft", _apply, "file")
    apply.add_argument("--release", action="store_true", help="make a version where the draft differs from the newest")
    apply.add_argument("--note", default="", help="what is new in the version")
    diff = "what applying a file would change of the draft; exit code 1 where it would change something"
    add_command(verbs, "diff", diff, _diff, "file")
    export = add_command(verbs, "export", "a policy's draft as a file", _export, "name")
    export.add_argument("--version", metavar="N", type=int, dest="number", help="a version instead of the draft")
    add_command(verbs, "list", "all policies, with their newest version", _list)
    distribute = "give a version to subscribers; exit code 1 where one of them keeps what it has"
    giving = add_command(verbs, "distribute", distribute, _distribute, "name")
    giving.add_argument("--version", metavar="N", type=int, dest="number", help="the version (the newest)")
    giving.add_argument(
        "--to",
        metavar="SUBSCRIBER[/MASTER]",
        action="append",
        default=[],
        help="a subscriber, by its master where several receive the policy's node; may be repeated; left out: all "
        "subscribers that have the policy",
    )
    giving.add_argument(
        "--then",
        dest="to",
        action="append_const",
        const=None,
        help="those after it are the next wave, which begins when the tables of the one before are loaded",
    )
    giving.add_argument("--dry-run", action="store_true", help="check and show what would change; change nothing")
    add_command(verbs, "deliveries", "what subscribers have of a policy", _deliveries, "name")


def _apply(options: argparse.Namespace) -> int:
    document = _read(options.file)
    asked = {"document": document, "release": options.release, "note": options.note}
    with open_api(options) as api:
        result = api.call("policy/document/apply", asked)
    if options.json:
        return print_json(result)
    _print_difference(result["difference"])
    made = "created" if result["created"] else "up to date"
    version = f", version {result['version']} {'released' if result['released'] else 'is the newest'}"
    print(f"policy {document['policy']}: {made}{version if result['version'] else ''}", file=sys.stderr)
    return 0


def _diff(options: argparse.Namespace) -> int:
    with open_api(options) as api:
        difference = api.call("policy/document/diff", _read(options.file))
    if options.json:
        print_json(difference)
    else:
        _print_difference(difference)
    return 1 if any(difference.values()) else 0


def _print_difference(difference: Mapping[str, Any]) -> None:
    """A line for each table and for each setting that differs."""
    for one in difference["settings"]:
        print(f"~ {_change(one)}")
    for table in difference["added"]:
        print(f"+ {table}")
    for table in difference["removed"]:
        print(f"- {table}")
    for table in difference["changed"]:
        print(f"~ {table['table']}: {', '.join(map(_change, table['fields']))}")


def _change(field: Mapping[str, Any]) -> str:
    before, after = (json.dumps(field[side], ensure_ascii=False) for side in _SIDES)
    return f"{field['name']} {before} -> {after}"


def _export(options: argparse.Namespace) -> int:
    with open_api(options) as api:
        asked = {"id": _find(api, options.name)["id"], "version": options.number}
        document = api.call("policy/document/export", asked)["document"]
    if options.json:
        return print_json(document)
    import yaml

    print(yaml.safe_dump(document, allow_unicode=True, sort_keys=False), end="")
    return 0


def _list(options: argparse.Namespace) -> int:
    with open_api(options) as api:
        records = _policies(api)
    if options.json:
        return print_json(records)
    columns = ("productName", "nodeName", "state", "tables", "newest", "customers")
    header = ("name", "node", "state", "tables", "newest", "customers")
    print_table(header, [[one[column] for column in columns] for one in records])
    return 0


def _distribute(options: argparse.Namespace) -> int:
    with open_api(options) as api:
        policy = _find(api, options.name)
        number = options.number or policy["newest"]
        if number is None:
            raise ApiError(f"policy {options.name} has no version: release one first")
        asked = {"id": policy["id"], "version": number, "targets": _targets(api, policy, options.to)}
        if options.dry_run:
            return _show_preview(api.call("policy/distribute/preview", asked), options.json)
        results = api.call("policy/distribute/apply", asked)
    if options.json:
        print_json(results)
    else:
        print_table(("customer", "version", "tables"), [_line(one) for one in results if one["done"]])
    return _print_failed(results)


def _line(result: Mapping[str, Any]) -> list[Any]:
    return [result["customerName"], result["version"], _counts(result["tables"])]


def _counts(tables: Mapping[str, int]) -> str:
    return " ".join(f"{action}={count}" for action, count in tables.items())


def _print_failed(results: Sequence[Mapping[str, Any]]) -> int:
    failed = [one for one in results if not one["done"]]
    for one in failed:
        print(f"zcbus: {one['customerName']}: {one['reason']}", file=sys.stderr)
    return 1 if failed else 0


def _show_preview(previews: Sequence[Mapping[str, Any]], as_json: bool) -> int:
    if as_json:
        print_json(previews)
    else:
        columns = ("source", "target", "action")
        lines = [
            [one["customerName"], *(table[name] for name in columns)] for one in previews for table in one["tables"]
        ]
        print_table(("customer", *columns), lines)
    for one in previews:
        print_findings(one["findings"])
    return 0 if all(one["ok"] for one in previews) else 1


def _deliveries(options: argparse.Namespace) -> int:
    with open_api(options) as api:
        records = _deliveries_of(api, _find(api, options.name))
    if options.json:
        return print_json(records)
    columns = ("customerName", "controlName", "version", "state")
    lines = [[*(one[name] for name in columns), _counts(one["tablesByState"]), _reason(one)] for one in records]
    print_table(("customer", "master", "version", "state", "tables", "reason"), lines)
    return 0


def _reason(delivery: Mapping[str, Any]) -> str:
    reason = delivery["reason"]
    return f"version {delivery['failedVersion']}: {reason['text']}" if reason else ""


def _targets(api: Api, policy: Mapping[str, Any], wanted: Sequence[str | None]) -> list[dict[str, Any]]:
    """The masters that are named; none: those that have the policy. None: the next wave begins. Raises ApiError."""
    if not any(wanted):
        found = [one["controlId"] for one in _deliveries_of(api, policy)]
        if not found:
            raise ApiError(f"no subscriber has policy {policy['productName']}: name them with --to")
        return [{"controlId": one} for one in found]
    asked = {"nodeMaster": policy["nodeMaster"] or "", "size": -1}
    masters = api.call("subscribe/control/page", asked)["records"]
    targets, wave = dict[str, dict[str, Any]](), 1
    for name in wanted:
        if name is None:
            wave += 1
        else:
            target = _master(masters, name)
            targets.setdefault(target, {"controlId": target, "wave": str(wave)})
    return list(targets.values())


def _master(masters: Sequence[Mapping[str, Any]], wanted: str) -> str:
    matching = [one for one in masters if wanted in (one["customerName"], f"{one['customerName']}/{one['name']}")]
    if len(matching) > 1:
        names = ", ".join(f"{one['customerName']}/{one['name']}" for one in matching)
        raise ApiError(f"{wanted} has several masters: name one of {names}")
    if not matching:
        raise ApiError(f"no master of a subscriber {wanted} receives the policy's node")
    return str(matching[0]["id"])


def _deliveries_of(api: Api, policy: Mapping[str, Any]) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = api.call("policy/distribute/page", {"policy": policy["id"], "size": -1})["records"]
    return records


def _find(api: Api, name: str) -> dict[str, Any]:
    """Raises ApiError."""
    for one in _policies(api, search=name):
        if one["productName"] == name:
            return one
    raise ApiError(f"there is no policy {name}")


def _policies(api: Api, **wanted: Any) -> list[dict[str, Any]]:
    """By name."""
    records: list[dict[str, Any]] = api.call("policy/define/page", {"size": -1, **wanted})["records"]
    return records


def _read(path: str) -> dict[str, Any]:
    """The YAML document. Raises ApiError."""
    import yaml

    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text("utf-8")
        document = yaml.safe_load(text)
    except (OSError, yaml.YAMLError, UnicodeDecodeError) as error:
        raise ApiError(f"{path} cannot be read: {error}") from error
    if not isinstance(document, dict) or not isinstance(document.get("policy"), str):
        raise ApiError(f"{path} is not a policy file: it needs `policy: NAME` at the top")
    return document
