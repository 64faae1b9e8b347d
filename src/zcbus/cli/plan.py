"""`zcbus plan …`: task plans as code, by the console's API."""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from zcbus.cli.http import Api, ApiError, add_command, open_api
from zcbus.cli.output import print_json, print_table

_POLL = 1.0
_OPEN = {"queued", "running"}
_SUCCEEDED = "succeeded"


def add_commands(commands: Any) -> None:
    """`plan` and its verbs."""
    parser = commands.add_parser("plan", help="task plans: apply, list, run, backfill, pause, resume")
    verbs = parser.add_subparsers(required=True, metavar="VERB")
    add_command(
        verbs, "apply", "create a plan from a file, or change it; it then runs with your rights", _apply, "file"
    )
    add_command(verbs, "list", "all plans, with their next and their last run", _list)
    run = add_command(verbs, "run", "run a plan at once; its schedule stays", _run, "name")
    run.add_argument("--wait", action="store_true", help="wait until the run ends; exit code 1 unless it succeeded")
    run.add_argument("--timeout", metavar="S", type=float, default=3600.0, help="seconds to wait (3600)")
    backfill = add_command(
        verbs, "backfill", "run the due times of a past range that were not run, one after another", _backfill, "name"
    )
    backfill.add_argument("--from", dest="first", metavar="TIME", required=True, help="ISO 8601 with offset, or …Z")
    backfill.add_argument("--to", dest="last", metavar="TIME", required=True, help="the end of the range, included")
    backfill.add_argument("--dry-run", action="store_true", help="only show which due times these are")
    add_command(
        verbs, "cancel-backfill", "end the backfill of a plan; a run that began continues", _cancel_backfill, "name"
    )
    for verb in ("pause", "resume"):
        add_command(verbs, verb, f"{verb} a plan", _act(verb), "name")


def _apply(options: argparse.Namespace) -> int:
    document = _read(options.file)
    with open_api(options) as api:
        plan = {"name": document["plan"], **{key: value for key, value in document.items() if key != "plan"}}
        plan["job"] = _job(api, document["job"])
        if plan.get("after"):
            plan["after"] = _find(api, plan["after"])["id"]
        existing = _plans(api).get(plan["name"])
        if existing is None:
            result = api.call("task/plan/add", plan)
        else:
            result = api.call("task/plan/edit", {**plan, "id": existing["id"]})
    if options.json:
        return print_json(result)
    print(f"plan {plan['name']}: {'created' if existing is None else 'changed'}", file=sys.stderr)
    return 0


def _job(api: Api, job: dict[str, Any]) -> dict[str, Any]:
    """The job with ids in place of names. Raises ApiError."""
    found = dict(job)
    if "link" in job:
        found["link"] = api.call("sync/link/get", {"name": job["link"]})["id"]
    sql = job.get("sql")
    if isinstance(sql, dict):
        resolved = {"statement": _statement(api, sql), "database": _database(api, sql)}
        found["sql"] = {**{key: value for key, value in sql.items() if key != "use"}, **resolved}
    distribution = job.get("distribution")
    if isinstance(distribution, dict):
        found["distribution"] = {**distribution, "policy": _policy(api, distribution)}
    return found


def _statement(api: Api, sql: dict[str, Any]) -> str:
    """Id of the saved SQL with that description."""
    records = api.call("resource/sql/page", {"size": -1})["records"]
    return _only(records, "description", sql.get("statement"), "saved SQL")


def _database(api: Api, sql: dict[str, Any]) -> str:
    """Id of the database with that name; `use` (publish, subscribe, api) chooses among those of one name."""
    records = api.call("resource/sql/database/list", {})
    of_use = [one for one in records if sql.get("use") in (None, one["use"])]
    return _only(of_use, "name", sql.get("database"), "database")


def _policy(api: Api, distribution: dict[str, Any]) -> str:
    """Id of the policy with that name."""
    records = api.call("policy/define/page", {"size": -1})["records"]
    return _only(records, "productName", distribution.get("policy"), "policy")


def _only(records: list[dict[str, Any]], key: str, name: object, kind: str) -> str:
    found = {record["id"] for record in records if record[key] == name}
    if len(found) != 1:
        raise ApiError(f"there is no {kind} {name}" if not found else f"there are several of {kind} {name}")
    return str(found.pop())


def _read(path: str) -> dict[str, Any]:
    """Read the YAML document. Raises ApiError."""
    import yaml

    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text("utf-8")
        document = yaml.safe_load(text)
    except (OSError, yaml.YAMLError, UnicodeDecodeError) as error:
        raise ApiError(f"{path} cannot be read: {error}") from error
    is_plan = isinstance(document, dict) and isinstance(document.get("plan"), str)
    job = document.get("job") if is_plan else None
    if not isinstance(job, dict) or not isinstance(job.get("type"), str):
        raise ApiError(f"{path} is not a plan file: it needs `plan: NAME` and `job: {{type: …, …}}`")
    return dict(document)


def _list(options: argparse.Namespace) -> int:
    with open_api(options) as api:
        plans = list(_plans(api).values())
    if options.json:
        return print_json(plans)
    columns = ("name", "state", "job", "schedule", "next", "last", "reason")
    print_table(columns, [_line(plan) for plan in plans])
    return 0


def _line(plan: dict[str, Any]) -> list[Any]:
    last = plan["lastRun"] or {}
    reason = (last.get("reason") or {}).get("text")
    job = f"{plan['job']['type']} {_subject(plan['job'])}"
    return [plan["name"], plan["state"], job, _schedule(plan), plan["nextAt"], last.get("state"), reason]


def _subject(job: dict[str, Any]) -> str:
    return job["linkName"] or job["sqlName"] or job["policyName"] or "-"


def _schedule(plan: dict[str, Any]) -> str:
    if plan["after"]:
        return f"after {plan['afterName']}"
    return plan["onceAt"] or f"{plan['cron']} {plan['timeZone']}"


def _run(options: argparse.Namespace) -> int:
    with open_api(options) as api:
        run = api.call("task/plan/run", {"id": _find(api, options.name)["id"]})
        if options.wait:
            run = _wait(api, run["id"], options.timeout)
    if options.json:
        print_json(run)
    elif options.wait:
        print(f"{options.name}: {run['state']}" + (f": {run['reason']['text']}" if run["reason"] else ""))
    return 0 if not options.wait or run["state"] == _SUCCEEDED else 1


def _backfill(options: argparse.Namespace) -> int:
    with open_api(options) as api:
        body = {"id": _find(api, options.name)["id"], "firstAt": options.first, "lastAt": options.last}
        found = api.call("task/plan/backfill/preview", body)
        if not options.dry_run:
            api.call("task/plan/backfill/start", body)
    if options.json:
        return print_json(found)
    span = f": {found['times'][0]} to {found['last']}" if found["total"] else ""
    print(f"{options.name}: {found['total']} due times{span}")
    return 0


def _cancel_backfill(options: argparse.Namespace) -> int:
    with open_api(options) as api:
        plan = api.call("task/plan/backfill/cancel", {"id": _find(api, options.name)["id"]})
    return print_json(plan) if options.json else 0


def _wait(api: Api, run_id: str, timeout: float) -> dict[str, Any]:
    """The run once it has ended, or its state at the timeout."""
    deadline = time.monotonic() + timeout
    while True:
        run: dict[str, Any] = api.call("task/run/get", {"id": run_id})
        if run["state"] not in _OPEN or time.monotonic() > deadline:
            return run
        time.sleep(_POLL)


def _act(verb: str) -> Callable[[argparse.Namespace], int]:
    def run(options: argparse.Namespace) -> int:
        with open_api(options) as api:
            plan = api.call(f"task/plan/{verb}", {"id": _find(api, options.name)["id"]})
        return print_json(plan) if options.json else 0

    return run


def _find(api: Api, name: str) -> dict[str, Any]:
    """The id of a task plan. Raises ApiError."""
    plan = _plans(api).get(name)
    if plan is None:
        raise ApiError(f"there is no task plan {name}")
    return plan


def _plans(api: Api) -> dict[str, dict[str, Any]]:
    """Name → plan, of all that the caller may see."""
    records = api.call("task/plan/page", {"size": -1, "sort": "name", "order": "desc"})["records"]
    return {plan["name"]: plan for plan in reversed(records)}
