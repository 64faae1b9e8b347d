"""Departments and tenants: trees, counts, refused removals, separation of tenants."""

from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.people import administrator_of, first_sign_in, form
from tests.support.control_plane import ControlPlane

ADD, EDIT, DELETE, TREE = (f"account/dept/{verb}" for verb in ("add", "edit", "delete", "tree"))


def shape(records: list[dict[str, Any]]) -> list[Any]:
    return [(record["name"], shape(record["children"])) for record in records]


def test_departments_are_a_tree_in_their_order(admin: Caller) -> None:
    head = admin.call(ADD, {"name": "总部"})["id"]
    second = admin.call(ADD, {"name": "二部", "parentId": head, "position": 2})["id"]
    admin.call(ADD, {"name": "一部", "parentId": head, "position": 1})
    admin.call("account/user/upsert", form("li", deptId=second))
    tree = admin.call(TREE, {})
    assert shape(tree) == [("总部", [("一部", []), ("二部", [])])]
    assert tree[0]["children"][1]["users"] == 1
    admin.call(EDIT, {"id": second, "name": "二部", "parentId": None, "position": 0})
    assert shape(admin.call(TREE, {})) == [("二部", []), ("总部", [("一部", [])])]


def test_refused_changes_of_departments_change_nothing(admin: Caller) -> None:
    head = admin.call(ADD, {"name": "总部"})["id"]
    below = admin.call(ADD, {"name": "一部", "parentId": head})["id"]
    admin.call("account/user/upsert", form("li", deptId=below))
    before = admin.call(TREE, {})
    for path, body, error in (
        (ADD, {"name": "一部", "parentId": head}, "department-name-taken"),
        (ADD, {"name": " "}, "request-malformed"),
        (ADD, {"name": "x", "parentId": "nothing"}, "record-not-found"),
        (EDIT, {"id": head, "name": "总部", "parentId": below}, "department-in-itself"),
        (EDIT, {"id": head, "name": "总部", "parentId": head}, "department-in-itself"),
        (DELETE, {"id": head}, "department-in-use"),
        (DELETE, {"id": below}, "department-in-use"),
    ):
        assert admin.refused(path, body)["data"]["error"] == error
    assert admin.call(TREE, {}) == before


def test_tenants_have_departments_of_their_own(plane: ControlPlane, admin: Caller) -> None:
    south, north = administrator_of(plane, "south"), administrator_of(plane, "north")
    own = south.call(ADD, {"name": "部"})["id"]
    foreign = north.call(ADD, {"name": "部"})["id"]
    assert [record["id"] for record in south.call(TREE, {})] == [own]
    assert south.call(TREE, {"customerId": "north"}) == []
    for path, body in (
        (EDIT, {"id": foreign, "name": "x"}),
        (DELETE, {"id": foreign}),
        (ADD, {"name": "x", "parentId": foreign}),
        (ADD, {"name": "x", "customerId": "north"}),
        ("account/user/upsert", form("li", deptId=foreign)),
        ("account/user/page", {"deptId": foreign}),
        ("account/role/get-all", {"deptId": foreign}),
    ):
        assert south.refused(path, body)["code"] == 404, path
    assert len(admin.call(TREE, {})) == 2
    assert admin.refused("account/user/upsert", form("li", customerId="south", deptId=foreign))["code"] == 404


def customer(code: str, **changes: Any) -> dict[str, Any]:
    return {"code": code, "name": f"租户 {code}", "contact": "王", **changes}


def test_tenants_are_kept(plane: ControlPlane, admin: Caller) -> None:
    tenant = admin.call("customer/add", customer("east"))["customerid"]
    admin.call("account/user/upsert", form("dong", customerId=tenant, roleCode="administrator"))
    records = {record["code"]: record for record in admin.call("customer/page")["records"]}
    assert (records["east"]["users"], records["east"]["links"], records["east"]["builtIn"]) == (1, 0, False)
    assert records["default"]["builtIn"] is True
    assert [r["code"] for r in admin.call("customer/page", {"search": "EAS"})["records"]] == ["east"]
    dong = first_sign_in(plane, "dong")
    assert dong.refused("customer/page")["code"] == 40103
    assert "customer" not in dong.call("account/role/menu/list")


def test_users_of_a_disabled_tenant_cannot_sign_in(plane: ControlPlane, admin: Caller) -> None:
    tenant = admin.call("customer/add", customer("east"))["customerid"]
    admin.call("account/user/upsert", form("dong", customerId=tenant))
    dong = first_sign_in(plane, "dong")
    admin.call("customer/edit", customer("east", customerid=tenant, status="1"))
    assert plane.get("auth/info", dong.token).json()["code"] == 40102
    login = plane.post("sys/authentication/login", {"userName": "dong", "password": "Chosen.1234"}).json()
    assert login["data"]["error"] == "account-disabled"
    admin.call("customer/edit", customer("east", customerid=tenant, status="0"))
    plane.sign_in("dong", "Chosen.1234")


@pytest.mark.parametrize(
    ("path", "body", "error"),
    [
        ("customer/add", customer("default"), "tenant-code-taken"),
        ("customer/add", customer("Not A Code"), "request-malformed"),
        ("customer/edit", {"customerid": "default", "name": "x", "status": "1"}, "tenant-needed"),
        ("customer/edit", {"customerid": "nothing", "name": "x"}, "record-not-found"),
        ("customer/delete", {"customerid": "default"}, "tenant-needed"),
    ],
)
def test_wrong_changes_of_tenants_are_refused(admin: Caller, path: str, body: dict[str, Any], error: str) -> None:
    before = admin.call("customer/page")
    assert admin.refused(path, body)["data"]["error"] == error
    assert admin.call("customer/page") == before


def test_only_an_empty_tenant_is_removed(admin: Caller) -> None:
    tenant = admin.call("customer/add", customer("east"))["customerid"]
    department = admin.call("account/dept/add", {"name": "部", "customerId": tenant})["id"]
    refused = admin.refused("customer/delete", {"customerid": tenant})
    assert (refused["data"]["error"], refused["data"]["facts"]["records"]) == ("tenant-in-use", 1)
    admin.call("account/dept/delete", {"id": department})
    admin.call("customer/delete", {"customerid": tenant})
    assert [record["code"] for record in admin.call("customer/page")["records"]] == ["default"]
