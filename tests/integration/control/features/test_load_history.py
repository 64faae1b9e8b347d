"""The history of full loads: what is recorded of them, what becomes of those that do not end, and the list of them."""

from datetime import timedelta
from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.people import administrator_of
from tests.support.control_plane import ControlPlane
from zcbus.control.features.load_history.upkeep import remove_old, watch_open_loads
from zcbus.model.states import ServiceState, SyncState
from zcbus.protocol.base import Reason
from zcbus.protocol.reports import Verification

PAGE, SUMMARY = "monitor/load-statistics/page", "monitor/load-statistics/summary"
AWAY = Reason(code="target-unavailable", facts={"kind": "mysql", "address": "h:1", "detail": "refused"})
pytestmark = pytest.mark.every_store


def loads(admin: Caller, **request: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = admin.call(PAGE, {"sort": "source", "order": "asc", **request})["records"]
    return found


def test_a_load_is_recorded_from_its_order_to_its_last_row(
    agent: FakeAgent, admin: Caller, plane: ControlPlane
) -> None:
    admin.call("sync/link/apply", {"document": document()})
    agent.rest()
    agent.run_services()
    assert loads(admin) == []
    agent.report_tables(SyncState.FULL_ALLOWED)
    assert [one["state"] for one in loads(admin)] == ["waiting", "waiting"]
    plane.clock.advance(timedelta(seconds=4))
    began = plane.clock.now()
    orders = ["public.orders"]
    agent.run_services()
    agent.report_tables(SyncState.FULL_RUNNING, orders, load_started_at=began, rows_loaded=1, rows_per_second=7.0)
    plane.clock.advance(timedelta(seconds=2))
    # Figures of a load that runs are those of the newest report.
    figures = {"load_started_at": began, "rows_loaded": 30, "bytes_loaded": 900, "rows_total": 100}
    agent.run_services()
    agent.report_tables(SyncState.FULL_RUNNING, orders, **figures, rows_per_second=15.0)
    [lines, running] = loads(admin)
    assert (lines["source"], lines["state"], lines["startedAt"]) == ("public.lines", "waiting", None)
    assert (running["state"], running["rowsLoaded"], running["rowsTotal"]) == ("running", 30, 100)
    assert (running["rowsPerSecond"], running["waitingMs"], running["loadingMs"]) == (15.0, 4000, None)
    # It fails, waits for its next attempt, and ends.
    agent.report_tables(SyncState.FULL_ERROR, orders, **figures, reason=AWAY, errors=2)
    failed = loads(admin)[1]
    assert (failed["state"], failed["reason"]["code"], failed["failures"]) == ("failed", "target-unavailable", 2)
    plane.clock.advance(timedelta(seconds=3))
    agent.run_services()
    agent.report_tables(SyncState.FULL_RUNNING, orders, **figures, errors=2)
    plane.clock.advance(timedelta(seconds=5))
    ended = {**figures, "rows_loaded": 100, "bytes_loaded": 3000, "load_finished_at": plane.clock.now(), "errors": 2}
    agent.run_services()
    agent.report_tables(SyncState.INCREMENTAL_ALLOWED, orders, **ended)
    plane.clock.advance(timedelta(seconds=6))
    agent.run_services()
    agent.report_tables(SyncState.INCREMENTAL_RUNNING, orders, **ended)
    finished = loads(admin)[1]
    stages = {name: finished[name] for name in ("waitingMs", "loadingMs", "pausedMs", "catchUpMs")}
    assert stages == {"waitingMs": 4000, "loadingMs": 10_000, "pausedMs": 3000, "catchUpMs": 6000}
    assert (finished["rowsLoaded"], finished["bytesLoaded"], finished["failures"]) == (100, 3000, 2)
    # 100 rows in the seven seconds in which it ran.
    assert (finished["state"], finished["rowsPerSecond"], finished["reason"]) == ("finished", 14.3, None)
    assert (finished["linkName"], finished["sourceKind"], finished["targetKind"]) == (
        "shop",
        "PostgreSQL",
        "MySQL / MariaDB",
    )
    assert finished["target"] == "copy.orders"
    # What happens to the table afterwards is not the load's.
    agent.report_tables(SyncState.INCREMENTAL_ERROR, orders, **{**ended, "errors": 9}, reason=AWAY)
    assert loads(admin)[1] == finished
    counted = admin.call(SUMMARY, {})
    assert (counted["loads"], counted["finished"], counted["waiting"], counted["rowsPerSecond"]) == (2, 1, 1, 14.3)


def test_a_finished_load_is_checked_by_what_verification_finds_afterwards(running: FakeAgent, admin: Caller) -> None:
    def report(name: str, **reported: Any) -> None:
        found = Verification(**{"rows_total": 10, **reported})
        running.report_tables(SyncState.INCREMENTAL_RUNNING, [name], verification=found)

    assert [one["check"] for one in loads(admin)] == [None, None]
    before = running.plane.clock.now() - timedelta(hours=1)
    # A pass that began before the load's last row proves nothing of it.
    report("public.lines", verified_until=before)
    report("public.orders", verified_until=before, missing=1)
    checks = {one["source"]: one["check"] for one in loads(admin)}
    assert checks == {"public.lines": "checking", "public.orders": "differences"}
    running.plane.clock.advance(timedelta(minutes=1))
    report("public.lines", verified_until=running.plane.clock.now())
    report("public.orders", verified_until=running.plane.clock.now())
    assert [one["check"] for one in loads(admin, check="complete")] == ["complete", "complete"]
    assert loads(admin, check="differences") == []


def test_a_reload_is_a_load_of_its_own_and_ends_one_that_runs(running: FakeAgent, admin: Caller) -> None:
    assert [one["state"] for one in loads(admin)] == ["finished", "finished"]
    reload = {"name": "shop", "tables": ["public.orders"]}
    admin.call("sync/link/table/reload", reload)
    assert [one["state"] for one in loads(admin, search="orders", sort="queuedAt", order="desc")] == [
        "waiting",
        "finished",
    ]
    began = running.plane.clock.now()
    running.report_tables(SyncState.FULL_RUNNING, ["public.orders"], load_started_at=began, rows_loaded=5)
    admin.call("sync/link/table/reload", reload)
    newest, before, first = loads(admin, search="orders", sort="queuedAt", order="desc")
    assert [one["state"] for one in (newest, before, first)] == ["waiting", "superseded", "finished"]
    assert (before["rowsLoaded"], before["reason"]["code"]) == (5, "load-superseded")


@pytest.mark.wide
def test_a_load_whose_agent_falls_silent_or_whose_link_stops_does_not_run_for_ever(
    running: FakeAgent, admin: Caller, plane: ControlPlane
) -> None:
    admin.call("sync/link/table/reload", {"name": "shop", "tables": ["public.orders"]})
    began = plane.clock.now()
    orders = ["public.orders"]
    running.report_tables(SyncState.FULL_RUNNING, orders, load_started_at=began, rows_loaded=5)
    assert len(loads(admin, state="running")) == 1
    plane.clock.advance(timedelta(seconds=600))
    watch_open_loads(plane.services)
    [silent] = loads(admin, state="interrupted")
    assert (silent["interruptions"], silent["reason"]["code"]) == (1, "load-agent-silent")
    # It is the same load when the agent is back, and it ran all the time; a process that is away does not run.
    running.sync()
    watch_open_loads(plane.services)
    [back] = loads(admin, state="running")
    assert (back["id"], back["pausedMs"], back["reason"]) == (silent["id"], 0, None)
    running.run_services(ServiceState.RESTARTING, AWAY)
    [away] = loads(admin, state="interrupted")
    assert (away["id"], away["reason"]["code"]) == (silent["id"], AWAY.code)
    plane.clock.advance(timedelta(seconds=2))
    running.run_services()
    running.report_tables(SyncState.FULL_RUNNING, orders, load_started_at=began, rows_loaded=6)
    assert [one["pausedMs"] for one in loads(admin, state="running")] == [2000]
    admin.call("sync/link/stop", {"name": "shop"})
    running.run_services()
    running.sync()
    [stopped] = loads(admin, state="interrupted")
    assert (stopped["id"], stopped["reason"]["code"]) == (silent["id"], "load-suspended")
    admin.call("sync/link/delete", {"name": "shop"})
    watch_open_loads(plane.services)
    [cancelled] = loads(admin, state="cancelled")
    assert (cancelled["id"], cancelled["rowsLoaded"], cancelled["pausedMs"] > 0) == (silent["id"], 6, True)
    # The history of the deleted link stays for as long as the parameter says, in its tenant.
    assert len(loads(admin)) == 3
    assert loads(administrator_of(plane, "other")) == []
    plane.clock.advance(timedelta(days=91))
    remove_old(plane.services)
    assert Caller(plane, plane.sign_in()).call(PAGE, {})["total"] == 0


def test_a_load_that_only_applies_changes_is_none(agent: FakeAgent, admin: Caller) -> None:
    admin.call("sync/link/apply", {"document": document(load="incremental")})
    agent.rest()
    agent.run_services()
    agent.report_tables(SyncState.INCREMENTAL_RUNNING)
    agent.report_tables(SyncState.FULL_ERROR, reason=AWAY)
    assert admin.call(PAGE, {})["total"] == 0
