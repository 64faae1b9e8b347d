"""Changed settings of a table have the same consequence from its data sheet, its link's document and a policy."""

from collections.abc import Callable

import pytest

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.test_policy_delivery import Policy
from tests.integration.control.features.test_publish import LINES, ORDERS, added, new_node
from tests.integration.control.features.test_subscribe import new_customer, new_master, sheet, tasks
from zcbus.model.states import SyncState
from zcbus.protocol.answers import StartPosition
from zcbus.protocol.base import Reason
from zcbus.protocol.tasks import SubscribedTable

WHERE = "total > 1"
AWAY = Reason(code="target-unavailable", facts={"kind": "mysql", "address": "h:1", "detail": "refused"})
Change = Callable[..., str]
"""Change the table's settings (names as a sheet has them); returns the code of the refusal, empty if there is none."""


def of_sheet(agent: FakeAgent, admin: Caller, **settings: str) -> Change:
    """`public.orders`, subscribed without link or policy."""
    master = new_master(admin, new_customer(admin), new_node(admin))
    ids = added(admin, admin.call("publish/buspushstatustb/page", {})["records"][0]["id"], ORDERS, LINES)
    choice = {"controlId": master, "tables": [ids["public.orders"]]}
    admin.call("subscribe/table/add", choice)
    row = sheet(admin)[0]
    kept = {"targetSchema": "", "targetTable": "", "columns": "", "clean": row["clean"], "ddl": row["ddl"]}
    edit = {"table": row["id"], "load": row["load"], **kept}
    admin.call("subscribe/table/edit", {**edit, **settings})

    def change(**changes: str) -> str:
        answer = admin.plane.post("subscribe/table/edit", {**edit, **settings, **changes}, admin.token).json()
        return answer["data"]["error"] if answer["code"] != 200 else ""

    return change


def of_link(agent: FakeAgent, admin: Caller, **settings: str) -> Change:
    """`public.orders` of a sync link."""

    def apply(**modes: str) -> str:
        target, where = modes.pop("targetTable", "orders"), modes.pop("where", "")
        table = {"source": "public.orders", "target": f"public.{target}", **({"where": where} if where else {})}
        asked = document(tables=[table], **{**settings, **modes})
        answer = admin.plane.post("sync/link/apply", {"document": asked}, admin.token).json()
        if answer["code"] == 200:
            return ""
        return "table-needs-load" if "its key changes" in answer["message"] else answer["data"]["error"]

    assert apply() == ""
    return apply


def of_policy(agent: FakeAgent, admin: Caller, **settings: str) -> Change:
    """`public.orders`, delivered by a policy."""
    node = new_node(admin)
    added(admin, node, ORDERS, LINES)
    master = new_master(admin, new_customer(admin), node)
    policy = Policy(admin, **settings)

    def give(**changes: str) -> str:
        modes = settings | {name: changes.pop(name) for name in ("load", "clean") if name in changes}
        number = policy.release({"source": "public.orders", **changes}, **modes)
        (code,) = policy.give(number, master)
        if code != "policy-delivery-refused":
            return code
        return "table-needs-load" if "its key changes" in policy.delivery()["reason"]["text"] else code

    assert give() == ""
    return give


WAYS = {"sheet": of_sheet, "link": of_link, "policy": of_policy}

STATES: dict[str, tuple[SyncState, Reason | None]] = {
    "loading": (SyncState.FULL_RUNNING, None),
    "running": (SyncState.INCREMENTAL_RUNNING, None),
    "failed": (SyncState.INCREMENTAL_ERROR, AWAY),
    "suspended": (SyncState.INCREMENTAL_RUNNING, None),
}


def ordered(agent: FakeAgent) -> SubscribedTable:
    (table,) = [one for task in tasks(agent) for one in task.tables]
    return table


def begun(agent: FakeAgent, admin: Caller, way: str, state: str, **settings: str) -> Change:
    """A table in a state, and how to change it."""
    now = StartPosition(offset=7, record_time=5, first_offset=0, next_offset=7, counted_to=7, tables=())
    agent.handlers["resolve-start"] = lambda _: now
    change = WAYS[way](agent, admin, **settings)
    agent.rest()
    agent.run_services()
    reported, reason = STATES[state]
    agent.report_tables(reported, rows_total=10, rows_loaded=10, reason=reason)
    if state == "suspended":
        admin.call("subscribe/table/suspend", {"tables": [sheet(admin)[0]["id"]]})
    agent.deaf = False
    return change


_QUICK = [("sheet", "running"), ("link", "suspended"), ("policy", "failed")]
CASES = [
    *_QUICK,
    *(
        pytest.param(way, state, marks=pytest.mark.wide)
        for way in WAYS
        for state in STATES
        if (way, state) not in _QUICK
    ),
]


@pytest.mark.parametrize(("way", "state"), CASES)
def test_another_condition_loads_the_table_again(agent: FakeAgent, admin: Caller, state: str, way: str) -> None:
    change = begun(agent, admin, way, state, clean="none")
    before = ordered(agent)
    assert change(where=WHERE, clean="none") == ""
    after = ordered(agent)
    assert (after.transform.where, after.generation) == (WHERE, before.generation + 1)
    # Without cleaning, rows that no longer belong to it would stay in the target.
    assert after.begin is not None
    assert (after.begin.mode, after.begin.beside) == ("full", True)
    assert after.suspended is (state == "suspended")
    # The same again is nothing to do.
    assert change(where=WHERE, clean="none") == ""
    assert ordered(agent) == after


@pytest.mark.parametrize("way", WAYS)
def test_a_table_that_is_never_loaded_continues_at_its_position(agent: FakeAgent, admin: Caller, way: str) -> None:
    change = begun(agent, admin, way, "running", load="incremental")
    before = ordered(agent)
    assert change(where=WHERE, load="incremental") == ""
    after = ordered(agent)
    assert (after.transform.where, after.generation, after.begin) == (WHERE, before.generation, before.begin)
    # In another target its rows would be missing.
    assert change(targetTable="elsewhere", where=WHERE, load="incremental") == "table-needs-load"
    assert ordered(agent) == after
    # Now its rows are loaded, so its snapshot is ordered.
    assert change(where=WHERE, load="full+incremental") == ""
    assert ordered(agent).generation == before.generation + 1
    assert ordered(agent).load.value == "full+incremental"
