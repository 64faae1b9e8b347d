"""Roles: their permissions, who may change them, separation of tenants."""

from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.people import administrator_of, first_sign_in, form
from tests.support.control_plane import ControlPlane

USERS = "authority-management/user-management"


def role(code: str = "night", **changes: Any) -> dict[str, Any]:
    return {
        "code": code,
        "nameZh": "夜班",
        "nameEn": "Night shift",
        "permissions": [{"menuKey": "sync-link", "operations": ["operate"]}],
        **changes,
    }


def by_code(caller: Caller, code: str) -> dict[str, Any]:
    records = caller.call("account/role/page", {"search": code})["records"]
    return next(record for record in records if record["code"] == code)


def test_five_named_roles_are_ready(admin: Caller) -> None:
    records = admin.call("account/role/page")["records"]
    assert [record["code"] for record in records] == [
        "super-admin",
        "administrator",
        "engineer",
        "maintainer",
        "ordinary",
    ]
    assert {record["named"] for record in records} == {True}
    assert [record["changeable"] for record in records] == [False, True, True, True, True]
    assert records[0]["name"] == "Super admin"


def test_a_role_opens_what_was_chosen_and_nothing_else(plane: ControlPlane, admin: Caller) -> None:
    role_id = admin.call("account/role/add", role())["id"]
    detail = admin.call("account/role/get", {"id": role_id})
    assert detail["permissions"] == [{"menuKey": "sync-link", "operations": ["view", "operate"]}]
    admin.call("account/user/upsert", form("night", roleCode="night"))
    night = first_sign_in(plane, "night")
    assert night.call("account/role/menu/list") == ["sync-link"]
    night.call("sync/link/page")
    for path in ("home/overview", "sync/task/page", "account/user/page", "sync/link/delete"):
        assert night.refused(path, {"id": "x"})["code"] == 40103, path
    admin.call("account/role/edit", role(permissions=[{"menuKey": "publish", "operations": ["create"]}], id=role_id))
    assert night.call("common/getDBType", {"type": "publish"})
    assert night.refused("dynamic/datasource/test-db-parameter", {"kind": "mysql"})["code"] != 40103
    assert night.refused("dynamic/datasource/test-db-parameter", {"linkId": "x"})["code"] == 40103
    assert night.refused("dynamic/datasource/subscribe/test-db-parameter", {"kind": "mysql"})["code"] == 40103
    edited = role(permissions=[{"menuKey": USERS, "operations": ["view"]}], id=role_id)
    admin.call("account/role/edit", edited)
    assert night.call("account/role/menu/list") == ["authority-management", USERS]
    assert night.refused("sync/link/page")["code"] == 40103


def test_named_roles_keep_their_names(admin: Caller) -> None:
    engineer = by_code(admin, "engineer")
    admin.call("account/role/edit", role(id=engineer["id"], nameEn="Other", description="changed"))
    changed = by_code(admin, "engineer")
    assert (changed["nameEn"], changed["description"]) == ("Engineer", "changed")
    assert admin.refused("account/role/delete", {"id": engineer["id"]})["data"]["error"] == "role-named"
    locked = by_code(admin, "super-admin")["id"]
    assert admin.refused("account/role/edit", role(id=locked))["data"]["error"] == "role-locked"


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"code": "engineer"}, "role-code-taken"),
        ({"code": "Not a code"}, "request-malformed"),
        ({"nameZh": " "}, "request-malformed"),
        ({"permissions": [{"menuKey": "nothing", "operations": ["view"]}]}, "permission-unknown"),
        ({"permissions": [{"menuKey": "home", "operations": ["delete"]}]}, "permission-unknown"),
    ],
)
def test_a_wrong_role_is_not_made(admin: Caller, changes: dict[str, Any], error: str) -> None:
    assert admin.refused("account/role/add", role(**changes))["data"]["error"] == error
    assert len(admin.call("account/role/page")["records"]) == 5


def test_a_role_in_use_stays(admin: Caller) -> None:
    role_id = admin.call("account/role/add", role())["id"]
    user_id = admin.call("account/user/upsert", form("night", roleCode="night"))["userId"]
    assert admin.refused("account/role/delete", {"id": role_id})["data"]["error"] == "role-in-use"
    admin.call("account/user/delete", {"userId": user_id})
    admin.call("account/role/delete", {"id": role_id})
    assert len(admin.call("account/role/page")["records"]) == 5


def test_a_tenants_roles_are_its_own(plane: ControlPlane, admin: Caller) -> None:
    south, north = administrator_of(plane, "south"), administrator_of(plane, "north")
    role_id = south.call("account/role/add", role())["id"]
    assert by_code(south, "night")["customerId"] == "south"
    assert "night" in [option["code"] for option in south.call("account/role/get-all", {})]
    assert "night" not in [option["code"] for option in north.call("account/role/get-all", {})]
    assert [record["code"] for record in north.call("account/role/page", {"search": "night"})["records"]] == []
    assert north.refused("account/role/get", {"id": role_id})["code"] == 404
    assert north.refused("account/role/edit", role(id=role_id))["code"] == 404
    assert north.refused("account/role/delete", {"id": role_id})["code"] == 404
    assert north.refused("account/user/upsert", form("x", roleCode="night"))["data"]["error"] == "role-unknown"
    everybodys = by_code(south, "ordinary")
    assert everybodys["changeable"] is False
    assert south.refused("account/role/edit", role(id=everybodys["id"]))["data"]["error"] == "role-foreign"
    assert by_code(admin, "night")["customerName"] == "south"


def test_permissions_beyond_the_own_cannot_be_granted(plane: ControlPlane, admin: Caller) -> None:
    south = administrator_of(plane, "south")
    assert south.refused("account/role/add", role(spansTenants=True))["data"]["error"] == "role-above"
    keeper = [
        {"menuKey": key, "operations": ["view", "create", "edit"]} for key in (USERS, USERS[:21] + "role-management")
    ]
    admin.call("account/role/add", role("keeper", permissions=keeper))
    admin.call("account/user/upsert", form("keeper", roleCode="keeper"))
    limited = first_sign_in(plane, "keeper")
    everything = [{"menuKey": "*", "operations": ["*"]}]
    assert limited.refused("account/role/add", role(permissions=everything))["data"]["error"] == "role-above"
    assert limited.refused("account/role/add", role())["data"]["error"] == "role-above"
    assert [option["code"] for option in limited.call("account/role/get-all", {})] == ["keeper"]
    assert limited.refused("account/user/upsert", form("y", roleCode="ordinary"))["data"]["error"] == "role-above"
