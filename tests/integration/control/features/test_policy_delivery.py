"""What deliveries of policies do to subscriptions, reported by an agent without databases."""

from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.test_channel_transfer import channels_of
from tests.integration.control.features.test_policies import error_of
from tests.integration.control.features.test_publish import LINES, ORDERS, added, new_node
from tests.integration.control.features.test_subscribe import new_customer, new_master, sheet, subscribe
from tests.integration.control.platform.test_session import add_user
from zcbus.control.features.policy import rollout
from zcbus.model.states import SyncState
from zcbus.protocol.answers import Finding, Findings, StartPosition
from zcbus.protocol.base import Reason


class Policy:
    """A policy of both tables, with a version of each draft."""

    def __init__(self, admin: Caller, name: str = "retail", **document: Any) -> None:
        self.admin, self.name = admin, name
        self.release(**document)

    def release(self, *tables: dict[str, Any], **document: Any) -> int:
        """A further version; returns its number."""
        given = list(tables) or [{"source": "public.orders"}, {"source": "public.lines"}]
        asked = {"policy": self.name, "node": "shop", "tables": given, **document}
        answer = self.admin.call("policy/document/apply", {"document": asked, "release": True})
        self.id = answer["policy"]["id"]
        number: int = answer["version"]
        return number

    def actions(self, version: int, master: str) -> dict[str, str]:
        """What a delivery would do."""
        asked = {"id": self.id, "version": version, "targets": [{"controlId": master}]}
        [seen] = self.admin.call("policy/distribute/preview", asked)
        assert seen["ok"], seen["findings"]
        return {one["source"].removeprefix("public."): one["action"] for one in seen["tables"]}

    def give(self, version: int, *masters: str, **target: Any) -> list[str]:
        """Distribute; returns the code of each customer's error, empty where there is none."""
        targets = [{"controlId": master, **target} for master in masters]
        asked = {"id": self.id, "version": version, "targets": targets}
        return [one["code"] for one in self.admin.call("policy/distribute/apply", asked)]

    def delivery(self, **wanted: Any) -> dict[str, Any]:
        asked = {"policy": self.id, **wanted}
        [one] = self.admin.call("policy/distribute/page", asked)["records"]
        return dict(one)


def somebody_with(admin: Caller, permissions: dict[str, list[str]]) -> Caller:
    """A user with this right and no other."""
    wanted = [{"menuKey": key, "operations": operations} for key, operations in permissions.items()]
    names = {"code": "own", "nameZh": "own", "nameEn": "own"}
    admin.call("account/role/add", {**names, "permissions": wanted})
    add_user(admin.plane, "somebody", "own")
    return Caller(admin.plane, admin.plane.sign_in("somebody"))


def rows_of(admin: Caller, master: str) -> dict[str, dict[str, Any]]:
    return {one["source"].removeprefix("public."): one for one in sheet(admin, controlId=master)}


def test_a_customer_that_fails_stops_alone_whatever_happens_meanwhile(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    ids = added(admin, node, ORDERS, LINES)
    first, second = (new_master(admin, new_customer(admin, name), node) for name in ("a", "b"))
    foreign = new_master(admin, new_customer(admin, "c"), new_node(admin, "other"))
    policy = Policy(admin)
    chosen = {"id": policy.id, "version": 1, "targets": [{"controlId": one} for one in (foreign, first)]}
    # A preview shows the failure of one customer, and the changes of all others.
    refused, fine = admin.call("policy/distribute/preview", chosen)
    assert [one["code"] for one in refused["findings"]] == ["policy-master-of-another-node"]
    assert (refused["ok"], refused["customerName"], fine["ok"], len(fine["tables"])) == (False, "c", True, 2)
    twice = {**chosen, "targets": [{"controlId": first}, {"controlId": first}]}
    assert admin.refused("policy/distribute/apply", twice)["code"] == 422
    # A table that is withdrawn while the agent checks.
    precheck = agent.handlers["precheck"]

    def withdraw(_: Any) -> Findings:
        agent.handlers["precheck"] = precheck
        admin.call("publish/table/withdraw", {"nodeMaster": node, "tables": [ids["public.lines"]]})
        return Findings(findings=())

    agent.handlers["precheck"] = withdraw
    assert policy.give(1, first, second) == ["policy-delivery-overtaken", "policy-delivery-refused"]
    assert rows_of(admin, first) == {}
    lines = admin.call("policy/distribute/page", {"sort": "customerName", "order": "desc"})
    assert [(one["customerName"], one["state"], one["tables"]) for one in lines["records"]] == [
        ("b", "failed", 0),
        ("a", "failed", 0),
    ]
    # What was suspended meanwhile stays so.
    added(admin, node, LINES)
    assert policy.give(1, first, second) == ["", ""]
    agent.run_services()
    agent.report_tables(SyncState.INCREMENTAL_RUNNING, load_finished_at=agent.plane.clock.now())
    orders = rows_of(admin, first)["orders"]["id"]

    def suspend(_: Any) -> Findings:
        agent.handlers["precheck"] = precheck
        admin.call("subscribe/table/suspend", {"tables": [orders]})
        return Findings(findings=())

    agent.handlers["precheck"] = suspend
    second_version = policy.release({"source": "public.orders", "where": "total > 1"}, {"source": "public.lines"})
    assert policy.give(second_version, first) == ["policy-delivery-overtaken"]
    assert rows_of(admin, first)["orders"]["suspended"]
    # The list sorts, narrows and pages by what is stored.
    agent.database.findings = (Finding(level="error", reason=Reason(code="no-key", facts={"table": "public.lines"})),)
    third = new_master(admin, new_customer(admin, "d"), node)
    assert policy.give(1, third) == ["policy-delivery-refused"]
    page = admin.call("policy/distribute/page", {"sort": "state", "order": "desc", "size": 1})
    assert (page["total"], [one["state"] for one in page["records"]]) == (3, ["failed"])
    everything = admin.call("policy/distribute/page", {"size": -1})["records"]
    assert [(one["state"], one["tables"]) for one in everything] == [("active", 2), ("active", 2), ("failed", 0)]
    assert everything[1]["tablesByState"] == {"incremental-running": 2}
    narrowed = admin.call("policy/distribute/page", {"state": ["active"], "search": "B"})
    assert (narrowed["total"], narrowed["records"][0]["customerName"]) == (1, "b")


@pytest.mark.wide
def test_a_wave_begins_when_the_one_before_has_succeeded(
    agent: FakeAgent, admin: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rollout, "SETTLE_SECONDS", 0.1)
    node = new_node(admin)
    added(admin, node, ORDERS, LINES)
    masters = {name: new_master(admin, new_customer(admin, name), node) for name in ("n1", "n2", "p1")}
    policy = Policy(admin)

    def roll_out(version: int) -> dict[str, str]:
        # Named out of order: waves begin as they are first named.
        waves = [
            {"controlId": masters[name], "wave": wave} for name, wave in (("p1", "pilot"), ("n1", "all"), ("n2", "all"))
        ]
        asked = {"id": policy.id, "version": version, "targets": waves}
        return {one["customerName"]: one["code"] for one in admin.call("policy/distribute/apply", asked)}

    # Its tables are not loaded in time: those that follow keep what they have, and their lines say why.
    stopped = "policy-wave-stopped"
    assert roll_out(1) == {"p1": "", "n1": stopped, "n2": stopped}
    assert policy.delivery(search="n1")["reason"]["text"] == "Wave all was not begun: wave pilot did not succeed"
    assert (policy.delivery(search="n1")["version"], policy.delivery(search="p1")["version"]) == (None, 1)
    # They are loaded: the same again reaches all.
    agent.run_services()
    agent.report_tables(SyncState.INCREMENTAL_RUNNING, load_finished_at=agent.plane.clock.now())
    assert roll_out(1) == {"p1": "", "n1": "", "n2": ""}
    # A customer that fails stops the waves behind its own.
    agent.report_tables(SyncState.INCREMENTAL_RUNNING, load_finished_at=agent.plane.clock.now())
    number = policy.release({"source": "public.orders", "where": "total > 1"}, {"source": "public.lines"})
    agent.database.findings = (Finding(level="error", reason=Reason(code="no-key", facts={"table": "public.lines"})),)
    assert roll_out(number) == {"p1": "policy-delivery-refused", "n1": stopped, "n2": stopped}
    assert {one["version"] for one in admin.call("policy/distribute/page", {})["records"]} == {1}


def test_a_table_that_is_never_loaded_keeps_its_position(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    added(admin, node, ORDERS, LINES)
    master = new_master(admin, new_customer(admin), node)
    now = StartPosition(offset=7, record_time=5, first_offset=0, next_offset=7, counted_to=7, tables=())
    agent.handlers["resolve-start"] = lambda _: now
    policy = Policy(admin, load="incremental")
    assert policy.give(1, master) == [""]
    agent.run_services()
    agent.report_tables(SyncState.INCREMENTAL_RUNNING)
    before = rows_of(admin, master)
    # Other rows from here on: a new generation would begin behind what is not applied yet.
    filtered = [{"source": "public.orders", "where": "total > 1"}, {"source": "public.lines"}]
    number = policy.release(*filtered, load="incremental")
    assert policy.actions(number, master) == {"orders": "change", "lines": "keep"}
    assert policy.give(number, master) == [""]
    after = rows_of(admin, master)
    assert (after["orders"]["where"], after["orders"]["version"]) == ("total > 1", before["orders"]["version"])
    # Elsewhere it would need its rows.
    filtered[0]["targetTable"] = "elsewhere"
    number = policy.release(*filtered, load="incremental")
    assert policy.give(number, master) == ["policy-delivery-refused"]
    assert "Its target or its key changes" in policy.delivery()["reason"]["text"]
    # Taken out and back with other rows, it resumes where it stood.
    number = policy.release(filtered[1], load="incremental")
    assert policy.give(number, master) == [""]
    number = policy.release({"source": "public.orders", "where": "total > 2"}, filtered[1], load="incremental")
    assert policy.actions(number, master) == {"orders": "resume", "lines": "keep"}
    assert policy.give(number, master) == [""]
    resumed = rows_of(admin, master)["orders"]
    assert (resumed["id"], resumed["where"], resumed["version"]) == (before["orders"]["id"], "total > 2", 1)
    # A table that followed changes and shall no longer is loaded once more, and is then finished.
    number = policy.release(*filtered, load="full")
    assert set(policy.actions(number, master).values()) == {"reload"}


@pytest.mark.wide
def test_tables_of_several_channels_of_others_and_of_one_s_own(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    ids = added(admin, node, ORDERS, LINES)
    master = new_master(admin, new_customer(admin), node, channelCount=2)
    one, two = channels_of(admin, master).values()
    subscribe(admin, master, [ids["public.orders"]], channelId=one)
    own = rows_of(admin, master)["orders"]["id"]
    policy = Policy(admin)
    # What was subscribed by hand is taken over as it is; what is new goes to the channel that is asked for.
    asked = {"id": policy.id, "version": 1, "targets": [{"controlId": master, "channelId": two}]}
    [seen] = admin.call("policy/distribute/preview", asked)
    adopted = {line["source"]: (line["action"], line["adopted"]) for line in seen["tables"]}
    assert adopted == {"public.orders": ("keep", True), "public.lines": ("add", False)}
    assert policy.give(1, master, channelId=two) == [""]
    found = rows_of(admin, master)
    assert (found["orders"]["id"], found["orders"]["channelId"], found["lines"]["channelId"]) == (own, one, two)
    # A roll back resumes a table at the channel where its place is, whatever channel takes further tables.
    agent.run_services()
    agent.report_tables(SyncState.INCREMENTAL_RUNNING, load_finished_at=agent.plane.clock.now())
    number = policy.release({"source": "public.lines"})
    assert policy.give(number, master) == [""]
    assert rows_of(admin, master).keys() == {"lines"}
    delivery = policy.delivery()
    assert (delivery["channelId"], delivery["tables"]) == (two, 1)
    [back] = admin.call("policy/distribute/rollback", {"deliveries": [delivery["id"]]})
    assert (back["done"], back["tables"]) == (True, {"resume": 1, "keep": 1})
    assert rows_of(admin, master)["orders"]["channelId"] == one
    # Another policy does not take what belongs to this one.
    rival = Policy(admin, "rival")
    assert rival.give(1, master) == ["policy-delivery-refused"]
    assert "belongs to the delivery of another policy" in rival.delivery()["reason"]["text"]
    # Who does not reach the customer takes nothing from him.
    change = ["view", "create", "edit", "delete"]
    stranger = somebody_with(admin, {"databus": change, "policy/distribute": ["view", "delete"]})
    kept = {"deliveries": [delivery["id"]], "keepTables": True}
    assert error_of(stranger.refused("policy/distribute/revoke", kept)) == "record-not-found"
    # Revoked so that the tables stay, they are the customer's own, and the other policy may take them over.
    admin.call("policy/distribute/revoke", kept)
    assert {name: line["id"] for name, line in rows_of(admin, master).items()} == {
        "orders": own,
        "lines": found["lines"]["id"],
    }
    assert rival.give(1, master) == [""]
    admin.call("policy/distribute/revoke", {"deliveries": [rival.delivery()["id"]]})
    assert rows_of(admin, master) == {}


def test_a_file_is_no_way_around_rights_and_names(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    new_node(admin, "other")
    added(admin, node, ORDERS, LINES)
    Policy(admin)
    document = {"policy": "retail", "node": "shop", "tables": [{"source": "public.orders"}]}
    editor = somebody_with(admin, {"policy/define": ["view", "edit"]})
    assert error_of(editor.refused("policy/document/apply", {"document": document, "release": True})) == "forbidden"
    assert editor.call("policy/document/apply", {"document": document})["released"] is False
    new = {**document, "policy": "fresh"}
    assert error_of(editor.refused("policy/document/apply", {"document": new})) == "forbidden"
    other = {**document, "node": "other"}
    for path, body in (("apply", {"document": other}), ("diff", other)):
        assert error_of(admin.refused(f"policy/document/{path}", body)) == "policy-document-node"
    unknown = {**document, "tables": [{"source": "public.ordres"}]}
    refused = admin.refused("policy/document/apply", {"document": unknown})
    assert (error_of(refused), "public.ordres" in refused["message"]) == ("policy-tables-unknown", True)
