"""Plans that distribute a policy: each customer after its pre-check, with a result of its own."""

from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.test_plan_jobs import add
from tests.integration.control.features.test_policy_delivery import Policy
from tests.integration.control.features.test_publish import LINES, ORDERS, added, new_node
from tests.integration.control.features.test_subscribe import new_customer, new_master
from tests.integration.control.features.test_task_plans import later, newest, tables
from zcbus.control.features.task_plan.policy_deliverer import deliver_policies
from zcbus.model.states import SyncState
from zcbus.protocol.answers import Finding, Findings
from zcbus.protocol.base import Reason


def distribution(policy: Policy, **choice: Any) -> dict[str, Any]:
    return {"type": "distribute", "distribution": {"policy": policy.id, **choice}}


@pytest.fixture
def masters(agent: FakeAgent, admin: Caller) -> tuple[str, str]:
    node = new_node(admin)
    added(admin, node, ORDERS, LINES)
    first, second = (new_master(admin, new_customer(admin, name), node) for name in ("a", "b"))
    return first, second


def test_the_newest_version_goes_to_all_that_have_the_policy_and_waits_for_their_tables(
    agent: FakeAgent, admin: Caller, masters: tuple[str, str]
) -> None:
    policy, plane = Policy(admin), admin.plane
    assert policy.give(1, *masters) == ["", ""]
    policy.release({"source": "public.orders"})
    add(admin, "upgrade", distribution(policy))
    later(plane, hours=1)
    assert newest(admin)["job"]["policyName"] == "retail"
    assert set(tables(admin).values()) == {(None, "Waits for version 2")}
    deliver_policies(plane.services)
    assert {one["version"] for one in admin.call("policy/distribute/page", {"policy": policy.id})["records"]} == {2}
    later(plane, seconds=3)
    assert newest(admin)["state"] == "running"
    agent.run_services()
    agent.report_tables(SyncState.INCREMENTAL_RUNNING, load_finished_at=plane.clock.now())
    later(plane, seconds=3)
    run = newest(admin)
    assert (run["state"], run["reason"]["text"]) == ("succeeded", "2 of 2 customers have the version")
    assert set(tables(admin).values()) == {(True, "Has version 2")}


def test_a_customer_whose_precheck_finds_an_error_stays_as_it_was_and_stops_no_other(
    agent: FakeAgent, admin: Caller, masters: tuple[str, str]
) -> None:
    policy, plane = Policy(admin), admin.plane
    add(admin, "first", distribution(policy, version=1, masters=list(masters)))
    later(plane, hours=1)
    precheck = agent.handlers["precheck"]

    def refuse(_: Any) -> Findings:
        agent.handlers["precheck"] = precheck
        return Findings(findings=(Finding(level="error", table="public.orders", reason=Reason(code="target-exists")),))

    agent.handlers["precheck"] = refuse
    deliver_policies(plane.services)
    agent.run_services()
    agent.report_tables(SyncState.INCREMENTAL_RUNNING, load_finished_at=plane.clock.now())
    later(plane, seconds=3)
    run = newest(admin)
    assert (run["state"], run["reason"]["code"]) == ("partial", "plan-customers-undone")
    shown = tables(admin)
    assert sorted(done for done, _ in shown.values()) == [False, True]
    versions = {one["version"] for one in admin.call("policy/distribute/page", {"policy": policy.id})["records"]}
    assert versions == {None, 1}


def test_a_plan_names_a_policy_that_is_there_and_runs_once(
    agent: FakeAgent, admin: Caller, masters: tuple[str, str]
) -> None:
    policy, plane = Policy(admin), admin.plane
    unknown = admin.refused("task/plan/add", {"name": "x", **_hourly(), "job": distribution(policy, version=9)})
    assert unknown["data"]["error"] == "record-not-found"
    incomplete = admin.refused("task/plan/add", {"name": "x", **_hourly(), "job": {"type": "distribute"}})
    assert incomplete["code"] == 422
    # No customer has the policy: there is nothing to upgrade.
    add(admin, "none", distribution(policy))
    later(plane, hours=1)
    deliver_policies(plane.services)
    assert (newest(admin)["state"], newest(admin)["reason"]["code"]) == ("failed", "plan-policy-no-customers")


def _hourly() -> dict[str, Any]:
    return {"trigger": "cron", "cron": "0 * * * *", "timeZone": "UTC"}
