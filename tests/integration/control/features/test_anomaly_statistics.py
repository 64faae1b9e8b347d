"""What went wrong, counted from the alerts of scripted reports."""

from datetime import timedelta
from typing import Any

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.people import administrator_of
from zcbus.control.features.alert.watch import evaluate
from zcbus.model.states import SyncState
from zcbus.protocol.base import Reason
from zcbus.protocol.tasks import SubscribeTask

PAGE = "monitor/anomaly-statistics/page"
AWAY = Reason(code="target-unavailable", facts={"kind": "mysql", "address": "h:1", "detail": "refused"})
LOCKED = Reason(code="table-without-key", facts={"table": "public.lines"})


def test_occurrences_are_counted_by_class_cause_and_object(admin: Caller, running: FakeAgent) -> None:
    plane = running.plane

    def counted(caller: Caller = admin, **asked: Any) -> list[tuple[Any, ...]]:
        names = ("kind", "causeText", "object", "occurrences", "open", "rows")
        return [tuple(one[name] for name in names) for one in caller.call(PAGE, asked)["records"]]

    def report(state: SyncState, tables: list[str] | None = None, **values: Any) -> None:
        running.report_tables(state, tables, **values)
        evaluate(plane.services)

    assert counted() == []
    # Table orders fails twice, lines once and stays so.
    report(SyncState.INCREMENTAL_ERROR, ["public.orders"], reason=AWAY)
    report(SyncState.INCREMENTAL_RUNNING)
    plane.clock.advance(timedelta(seconds=5))
    running.run_services()
    later = plane.clock.now()
    report(SyncState.INCREMENTAL_ERROR, ["public.orders"], reason=AWAY)
    report(SyncState.INCREMENTAL_RUNNING)
    report(SyncState.INCREMENTAL_ERROR, ["public.lines"], reason=LOCKED)
    running.attempt(SubscribeTask, "signal 9")
    evaluate(plane.services)
    # Rows that the target refused are an anomaly after a minute.
    report(SyncState.INCREMENTAL_RUNNING, ["public.orders"], row_errors=4)
    plane.clock.advance(timedelta(seconds=61))
    running.run_services()
    report(SyncState.INCREMENTAL_RUNNING, ["public.orders"], row_errors=7)
    assert counted() == [
        ("table-failed", "", "", 3, 1, None),
        ("row-errors", "", "", 1, 1, 7),
        ("service-crashed", "", "", 1, 1, None),
    ]
    causes = counted(by="cause", kind="table-failed")
    assert [(one[1].split(" ")[0] != "", *one[2:]) for one in causes] == [
        (True, "", 2, 0, None),
        (True, "", 1, 1, None),
    ]
    assert counted(by="object", cause=AWAY.code)[0][2:] == ("public.orders", 2, 0, None)
    objects = admin.call(PAGE, {"by": "object", "sort": "object", "order": "asc", "search": "public."})["records"]
    assert [one["object"] for one in objects] == ["public.lines", "public.orders", "public.orders"]
    assert {one["linkName"] for one in objects} == {"shop"}
    assert all(one["taskId"] for one in objects)
    # A range counts what began in it.
    assert counted(kind="table-failed", since=later.isoformat())[0][3] == 2
    assert counted(kind="table-failed", until=later.isoformat())[0][3] == 1
    assert counted(administrator_of(plane, "other")) == []
    assert counted(kind="lag") == []
