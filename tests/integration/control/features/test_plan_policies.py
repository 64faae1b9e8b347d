"""Plans that distribute a policy: each customer after its pre-check, with a result of its own."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.test_plan_jobs import add
from tests.integration.control.features.test_policy_delivery import Policy
from tests.integration.control.features.test_publish import LINES, ORDERS, added, new_node
from tests.integration.control.features.test_subscribe import new_customer, new_master
from tests.integration.control.features.test_task_plans import later, newest, tables
from zcbus.control.features.master_key import holders
from zcbus.control.features.task_plan import policy_deliverer
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


@pytest.mark.wide
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


def test_the_customer_of_a_control_plane_that_died_is_taken_up(
    agent: FakeAgent, admin: Caller, masters: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    policy, plane = Policy(admin), admin.plane
    add(admin, "first", distribution(policy, version=1, masters=list(masters)))
    later(plane, hours=1)
    dying, other = (replace(plane.services, process_id=name) for name in ("dying", "other"))
    holders.report(dying)

    class Killed(BaseException):
        pass

    def die(*_: Any) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(policy_deliverer, "_deliver", die)
        with pytest.raises(Killed):
            deliver_policies(dying)
    # While it may be working, another one delivers to the other customer only.
    deliver_policies(other)
    waiting = {True: 0, False: 0}
    for _, text in tables(admin).values():
        waiting[text == "Waits for version 1"] += 1
    assert waiting == {True: 1, False: 1}
    plane.clock.advance(holders.LIVE + timedelta(seconds=1))
    holders.report(other)
    deliver_policies(other)
    admin = Caller(plane, plane.sign_in())
    assert not any(text == "Waits for version 1" for _, text in tables(admin).values())
    versions = [one["version"] for one in admin.call("policy/distribute/page", {"policy": policy.id})["records"]]
    assert versions == [1, 1]


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
