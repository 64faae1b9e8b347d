"""Records have the fields that the specification's chapter 3 names, and requests take those of chapter 7."""

from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.test_publish import ORDERS, added, new_node
from tests.integration.control.features.test_subscribe import new_customer, new_master, sheet, subscribe
from tests.support.control_plane import ADMIN_PASSWORD
from zcbus.control.features.alert.watch import evaluate
from zcbus.model.states import SyncState

CLUSTER = "container/cluster"


def lacking(record: dict[str, Any], names: str) -> set[str]:
    """Names that a record does not have."""
    return set(names.split()) - record.keys()


def test_records_have_the_specified_fields(admin: Caller, running: FakeAgent) -> None:
    (container,) = admin.call(f"{CLUSTER}/getAll", {})["records"]
    assert lacking(container, "id containerName displayName status") == set()
    for service in admin.call(f"{CLUSTER}/customer/page", {})["records"]:
        assert lacking(service, "id containerid type customerid logLevel parentId nodeId subType") == set()
        assert lacking(service, "subtypes status nodeids") == set()
        assert (service["subtypes"], service["status"]) == (service["subType"], service["state"])
        assert service["nodeids"] == [service["nodeId"]]
    configuration = admin.plane.get("bus-sys-parameter/getByVariableName?variableName=sys_config", admin.token)
    value = configuration.json()["data"]["value"]
    assert lacking(value, "isDeleteCode leftLowerText homeLogo homeHeaderText countdown footerTxt caseNumber") == set()
    assert (value["serviceUrl"], value["websocketUrl"]) == ("", "")
    user = admin.plane.get("auth/info", admin.token).json()["data"]["user"]
    person = "userId userName nickName documentType idNumber phone email status description userType"
    assert lacking(user, f"{person} deptId customerId clientRemote menuPermission") == set()
    for role in admin.call("account/role/get-all", {"deptId": None}):
        assert lacking(role, "code name") == set()
    running.report_tables(SyncState.FULL_ERROR)
    evaluate(admin.plane.services)
    (alert, *_) = admin.call("sys/alarmmsg/page", {})["records"]
    assert lacking(alert, "id customerId customerName content updateTime recordTime status level") == set()


def test_tables_have_the_specified_fields(admin: Caller, agent: FakeAgent) -> None:
    node = new_node(admin)
    ids = added(admin, node, ORDERS)
    subscribe(admin, new_master(admin, new_customer(admin), node), list(ids.values()))
    agent.run_services()
    agent.report_tables(
        SyncState.INCREMENTAL_RUNNING, rows_total=10, rows_loaded=10, inserts=3, updates=2, deletes=1, lag_ms=40
    )
    (table,) = sheet(admin)
    load = "loadThreads loadSizeBytes loadSizeTotalBytes rowsTotal rowsLoaded percent totalTimeMs loadStartedAt"
    changes = "offsetTime updateTime inserts updates deletes ddlSeen ddlFollowed ddlSkipped lastDdlAt lagMs"
    settings = "version policyNames customerId fullTopic columns applyByKey ddlSkip dmlSkip where targetWhere"
    assert lacking(table, f"source target queueName nodeMaster {load} {changes} {settings}") == set()
    assert lacking(table, "errors errorRate comparison") == set()
    assert (table["source"], table["rowsLoaded"], table["lagMs"]) == ("public.orders", 10, 40)
    assert (table["inserts"], table["updates"], table["deletes"], table["errorRate"]) == (3, 2, 1, 0.0)
    (counted,) = admin.call("publish/buspushstatustb/page", {})["records"]
    assert counted["tables"]["total"] == 1


def test_a_login_takes_the_specified_fields(admin: Caller) -> None:
    payload = {"userName": "admin", "password": ADMIN_PASSWORD, "code": "", "uuid": "", "serviceId": "portal"}
    answer = admin.plane.post("sys/authentication/login", payload).json()
    assert answer["code"] == 200
    assert lacking(answer["data"], "token customerList user frontAddress") == set()
    assert [set(one) for one in answer["data"]["customerList"]] == [{"customerid", "name"}]


@pytest.mark.parametrize(
    ("language", "names"),
    [("displayName", ["一般", "关注", "重要"]), ("displayEnName", ["General", "Attention", "Important"])],
)
def test_alert_levels_have_their_names(admin: Caller, language: str, names: list[str]) -> None:
    levels = admin.call("common/findDictType", {"dictType": "alert_level", "enableBusDictItems": True})
    assert [item["displayKey"] for item in levels["busDictItems"]] == ["0", "1", "3"]
    assert [item[language] for item in levels["busDictItems"]] == names


def test_required_choices_are_named_where_they_are_missing(admin: Caller) -> None:
    """A strategy, and an API's service, must be selected before the action."""
    for path, body, field in (
        ("policy/distribute/preview", {"targets": []}, "id"),
        ("policy/distribute/apply", {"targets": []}, "targets"),
        ("data-service/group/add", {"name": "orders", "path": "orders"}, "dataServiceId"),
    ):
        refused = admin.refused(path, body)
        assert refused["code"] == 422
        assert field in {fault["field"] for fault in refused["data"]["fields"]}, (path, refused)
