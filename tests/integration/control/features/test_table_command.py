"""One order gives one answer and one record, wherever it comes from."""

from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent
from zcbus.model.states import ServiceState, SyncState
from zcbus.model.table_verbs import SUBSCRIBED, LinkTables, TableVerb
from zcbus.protocol.base import Reason

NAME = {"name": "shop"}
AWAY = Reason(code="target-unavailable", facts={"kind": "mysql", "address": "h:1", "detail": "refused"})
BY_LINK, BY_SHEET = "public.orders", "public.lines"

WAYS: dict[TableVerb, tuple[str, str, dict[str, Any]]] = {
    TableVerb.RELOAD: ("table/reload", "start-full", {}),
    TableVerb.SUSPEND: ("table/suspend", "suspend", {}),
    TableVerb.RESUME: ("table/resume", "resume", {}),
    TableVerb.RESET: ("table/reset", "reset", {}),
    TableVerb.RESET_START: ("table/reset-start", "reset-start", {}),
    TableVerb.ACCEPT_GAP: ("table/accept-gap", "accept-gap", {}),
    TableVerb.LIMIT: ("error/limit", "limit", {"errorLimit": 7}),
}
"""Path below `sync/link` and below `subscribe/table`, and parameters besides the tables."""

STATES = {
    "running": (SyncState.INCREMENTAL_RUNNING, None),
    "failed": (SyncState.INCREMENTAL_ERROR, AWAY),
    "held": (SyncState.INCREMENTAL_RUNNING, None),
}


def records(admin: Caller) -> int:
    return int(admin.call("monitor/operation-log/page", {"size": 20})["total"])


@pytest.mark.wide
@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("verb", WAYS, ids=lambda verb: verb.value)
def test_a_link_and_a_sheet_answer_alike(admin: Caller, agent: FakeAgent, verb: TableVerb, state: str) -> None:
    admin.call("sync/link/apply", {"document": document()})
    agent.rest()
    agent.run_services(ServiceState.STARTED)
    reported, reason = STATES[state]
    agent.report_tables(reported, rows_total=10, rows_loaded=10, reason=reason)
    if state == "held":
        admin.call("sync/link/table/suspend", {**NAME, "tables": [BY_LINK, BY_SHEET]})
    rows = {row["source"]: row["id"] for row in admin.call("subscribe/table/page", {})["records"]}
    of_link, of_sheet, more = WAYS[verb]
    before = records(admin)
    (linked,) = admin.call(f"sync/link/{of_link}", {**NAME, "tables": [BY_LINK], **more})
    assert records(admin) == before + 1
    (sheeted,) = admin.call(f"subscribe/table/{of_sheet}", {"tables": [rows[BY_SHEET]], **more})
    assert records(admin) == before + 2
    results = [(one["done"], one["code"], one["reason"].replace(one["table"], "T")) for one in (linked, sheeted)]
    assert results[0] == results[1]
    left = {table["source"]: table["state"] for table in admin.call("sync/link/status", NAME)["tables"]}
    assert left[BY_LINK] == left[BY_SHEET]


def test_commands_against_the_links_document_are_refused_everywhere(admin: Caller, agent: FakeAgent) -> None:
    admin.call("sync/link/apply", {"document": document()})
    ids = [row["id"] for row in admin.call("subscribe/table/page", {})["records"]]
    for path, more in (("unbind", {}), ("clean", {"ddl": "stop"})):
        answers = admin.call(f"subscribe/table/{path}", {"tables": ids, **more})
        assert {(one["done"], one["code"]) for one in answers} == {(False, "table-of-link")}
    assert [verb for verb, rule in SUBSCRIBED.items() if rule.link_tables is LinkTables.DOCUMENT] == [
        TableVerb.CLEAN,
        TableVerb.EDIT,
        TableVerb.TRANSFER,
        TableVerb.REBALANCE,
        TableVerb.UNBIND,
    ]
