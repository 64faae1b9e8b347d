"""Verification is ordered with the tasks of subscribe services; its findings show in everything above the table."""

from datetime import datetime, timedelta
from typing import Any

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.test_alerts import alerts
from tests.integration.control.features.test_reported_states import NAME
from tests.integration.control.features.test_subscribe import outcome
from zcbus.model.comparison import Difference, DifferenceKind
from zcbus.model.states import SyncState
from zcbus.protocol.comparison_requests import DifferenceLines, ListDifferences
from zcbus.protocol.reports import SyncTableReport, Verification
from zcbus.protocol.tasks import SubscribeTask, VerificationOrder

ORDERS, BOTH = ["public.orders"], ["public.orders", "public.lines"]
FIRST = datetime.fromisoformat("2026-01-01T10:00:00+00:00")


PERCENT = {"variableName": "verification_percent", "value": 1}


def ordered(agent: FakeAgent) -> VerificationOrder | None:
    agent.sync()
    task = agent.order(SubscribeTask).task
    assert isinstance(task, SubscribeTask)
    return task.verification


def report(agent: FakeAgent, tables: list[str], **reported: Any) -> None:
    values = {"verification": Verification(**{"rows_total": 10, **reported})}
    agent.report_tables(SyncState.INCREMENTAL_RUNNING, tables, **values)


def shown(admin: Caller) -> dict[str, dict[str, Any]]:
    """The states of the link's tables, by name."""
    task = admin.call("sync/task/page")["records"][0]["id"]
    return {row["source"]: row for row in admin.call("sync/task/table/page", {"id": task})["records"]}


def test_verification_is_configured_by_a_system_parameter(running: FakeAgent, admin: Caller) -> None:
    order = ordered(running)
    assert order is not None
    assert (order.percent, order.source.kind, order.requests) == (1, "postgresql", ())
    change = {**PERCENT, "value": 0.5}
    admin.call("bus-sys-parameter/update", change)
    half = ordered(running)
    assert half is not None
    assert half.percent == 0.5
    assert admin.refused("bus-sys-parameter/update", {**change, "value": -1})
    admin.call("bus-sys-parameter/update", {**change, "value": 0})
    assert ordered(running) is None
    off = outcome(admin.call("subscribe/table/verify", {"tables": [shown(admin)["public.orders"]["id"]]}))
    assert off == {"public.orders": (False, "Verification is off (system parameter verification_percent is 0)")}


def test_kinds_that_read_whole_tables_are_not_verified(agent: FakeAgent, admin: Caller) -> None:
    target = {"kind": "redis", "host": "db.example", "user": "u", "password": "secret-1"}
    admin.call("sync/link/apply", {"document": document(target=target)})
    agent.rest()
    agent.run_services()
    agent.report_tables(SyncState.INCREMENTAL_RUNNING, BOTH)
    assert ordered(agent) is None
    refused = outcome(admin.call("subscribe/table/verify", {"tables": [shown(admin)["public.orders"]["id"]]}))
    reason = "Tables of this source or target kind are not verified continuously: use a comparison"
    assert refused == {"public.orders": (False, reason)}


def test_differences_show_in_everything_above_their_table_until_they_are_gone(
    running: FakeAgent, admin: Caller
) -> None:
    assert shown(admin)["public.orders"]["verification"] is None
    report(running, BOTH, verified_until=FIRST)
    assert alerts(admin) == []
    since = admin.plane.clock.now()
    report(running, ORDERS, verified_until=FIRST, missing=2, different=5)
    admin.plane.clock.advance(timedelta(seconds=5))
    report(running, ORDERS, verified_until=FIRST, missing=3, different=5)
    reported = shown(admin)["public.orders"]["verification"]
    assert (reported["differences"], reported["missing"], reported["different"], reported["capped"]) == (8, 3, 5, False)
    assert datetime.fromisoformat(reported["differencesSince"]) == since
    for path in ("sync/link/page", "sync/task/page", "subscribe/customer/page"):
        assert [record["tables"]["differing"] for record in admin.call(path)["records"]] == [1]
    home = admin.call("home/overview")
    assert home["links"] == [{"state": "incremental-running", "links": 1, "heldUp": 0, "withErrors": 1}]
    assert home["tables"] == [{"state": "incremental-running", "tables": 2, "withErrors": 1}]
    (problem,) = home["problems"]
    assert (problem["kind"], problem["subject"], problem["differences"]) == ("differences", "public.orders", 8)
    status = {table["source"]: table for table in admin.call("sync/link/status", NAME)["tables"]}
    assert status["public.orders"]["reason"] == "8 rows differ from their source"
    assert status["public.lines"]["reason"] is None
    (alert,) = alerts(admin)
    assert alert["content"] == "8 rows of link shop differ from their source: public.orders"
    report(running, ORDERS, verified_until=FIRST + timedelta(hours=1))
    assert alerts(admin)[0]["recoveredTime"] is not None
    home = admin.call("home/overview")
    assert (home["problems"], home["links"][0]["withErrors"]) == ([], 0)


def test_a_link_is_verified_until_its_least_verified_table(running: FakeAgent, admin: Caller) -> None:
    def link() -> tuple[str | None, int]:
        (record,) = admin.call("sync/link/page")["records"]
        return record["verifiedUntil"], record["unverified"]

    report(running, BOTH)
    assert link() == (None, 2)
    report(running, ORDERS, verified_until=FIRST)
    assert link() == (None, 1)
    report(running, ["public.lines"], verified_until=FIRST + timedelta(hours=1))
    until, unverified = link()
    assert (until and datetime.fromisoformat(until), unverified) == (FIRST, 0)


def test_another_host_begins_without_what_was_known_and_that_holds_on(running: FakeAgent, admin: Caller) -> None:
    report(running, ORDERS, verified_until=FIRST, different=3)
    report(running, ORDERS, rows_total=None)
    reported = shown(admin)["public.orders"]["verification"]
    assert (reported["differences"], datetime.fromisoformat(reported["verifiedUntil"])) == (3, FIRST)
    report(running, ORDERS)
    reported = shown(admin)["public.orders"]["verification"]
    assert (reported["differences"], datetime.fromisoformat(reported["verifiedUntil"])) == (0, FIRST)


def test_a_load_again_forgets_what_was_known_of_the_rows_before(running: FakeAgent, admin: Caller) -> None:
    report(running, ORDERS, verified_until=FIRST, different=3)
    admin.call("sync/link/table/reload", {**NAME, "tables": ORDERS})
    reported = shown(admin)["public.orders"]["verification"]
    assert (reported["differences"], reported["verifiedUntil"]) == (0, None)
    assert admin.call("home/overview")["problems"] == []


def test_a_table_is_verified_at_once_and_what_differs_repaired(running: FakeAgent, admin: Caller) -> None:
    table = shown(admin)["public.orders"]["id"]
    choice = {"tables": [table]}
    nothing = {"public.orders": (False, "No row is known to differ")}
    assert outcome(admin.call("subscribe/table/verify/repair", choice)) == nothing
    assert outcome(admin.call("subscribe/table/verify", choice)) == {"public.orders": (True, "")}
    order = ordered(running)
    assert order is not None
    assert [(one.table, one.number, one.repair) for one in order.requests] == [(table, 1, 0)]
    assert shown(admin)["public.orders"]["verification"]["asked"]
    report(running, ORDERS, asked=1, different=3)
    assert not shown(admin)["public.orders"]["verification"]["asked"]

    def ask(request: ListDifferences) -> DifferenceLines:
        assert request.comparison == table
        line = Difference(DifferenceKind.DIFFERENT, ("7",), {"id": "7", "v": "a"}, {"id": "7", "v": None}, ("v",))
        return DifferenceLines(columns=("id", "v"), key=("id",), lines=(line,), total=3)

    running.handlers["list-differences"] = ask
    running.deaf = False
    page = admin.call("subscribe/table/verify/difference/page", {"table": table, "kind": [], "search": ""})
    running.rest()
    assert (page["total"], page["records"][0]["differing"]) == (3, ["v"])
    assert outcome(admin.call("subscribe/table/verify/repair", choice)) == {"public.orders": (True, "")}
    again = {"public.orders": (False, "A repair is under way: wait until it is over")}
    assert outcome(admin.call("subscribe/table/verify/repair", choice)) == again
    order = ordered(running)
    assert order is not None
    assert [(one.number, one.repair) for one in order.requests] == [(1, 1)]
    report(running, ORDERS, asked=1, repair=1, repaired=3)
    reported = shown(admin)["public.orders"]["verification"]
    assert (reported["repairing"], reported["repaired"], reported["differences"]) == (False, 3, 0)


def test_a_table_that_does_not_run_is_not_verified(running: FakeAgent, admin: Caller) -> None:
    running.report_tables(SyncState.INCREMENTAL_ERROR, ORDERS)
    choice = {"tables": [shown(admin)["public.orders"]["id"]]}
    refused = {"public.orders": (False, "The table is not incremental running, so it cannot be verified")}
    assert outcome(admin.call("subscribe/table/verify", choice)) == refused


def test_reports_of_older_agents_say_nothing_of_it(running: FakeAgent, admin: Caller) -> None:
    assert SyncTableReport.model_fields["verification"].default is None
    running.report_tables(SyncState.INCREMENTAL_RUNNING)
    assert {row["verification"] for row in shown(admin).values()} == {None}
