"""The menu: a caller's entries, and changes by administrators."""

from typing import Any

import pytest
import sqlalchemy as sa

from tests.integration.control.features.conftest import Caller
from tests.integration.control.platform.test_session import add_user
from tests.support.control_plane import ControlPlane
from zcbus.control.platform.menus import ENTRIES
from zcbus.control.store.tables.audit import audit_record

GROUP = "authority-management"
PAGE = "authority-management/menu-management"


def keys(nodes: list[dict[str, Any]]) -> list[Any]:
    return [(node["menuKey"], keys(node["children"])) if node["children"] else node["menuKey"] for node in nodes]


def test_groups_are_shown_with_what_is_granted_in_them(plane: ControlPlane, admin: Caller) -> None:
    shown = admin.call("account/role/menu/list")
    assert shown[:4] == ["home", "container", "sync-link", "sync-task"]
    assert shown.index(GROUP) + 1 == shown.index(PAGE) or PAGE in shown[shown.index(GROUP) :]
    add_user(plane, "watcher", "ordinary")
    watcher = Caller(plane, plane.sign_in("watcher"))
    seen = watcher.call("account/role/menu/list")
    assert seen[:3] == ["home", "sync-link", "sync-task"]
    assert not {key for key in seen if ENTRIES[key].administrative}
    assert GROUP not in seen
    tree = watcher.call("account/role/menu/tree")
    assert keys(tree)[:3] == ["home", "sync-link", "sync-task"]
    assert tree[1]["operations"] == ["view"]


def test_administrators_of_a_tenant_may_not_change_the_menu(plane: ControlPlane) -> None:
    add_user(plane, "south", "administrator", "south")
    south = Caller(plane, plane.sign_in("south"))
    assert PAGE not in south.call("account/role/menu/list")
    for path, body in (
        ("account/menu/tree", {}),
        ("account/menu/edit", {"menuKey": "home", "hidden": True}),
        ("account/menu/group/add", {"titleZh": "组", "titleEn": "Group"}),
    ):
        assert south.refused(path, body)["code"] == 40103


def test_order_titles_and_hiding(admin: Caller) -> None:
    admin.call("account/menu/move", {"menuKey": "sync-task", "beforeKey": "home"})
    assert admin.call("account/role/menu/list")[:4] == ["sync-task", "home", "container", "sync-link"]
    admin.call("account/menu/edit", {"menuKey": "home", "titleZh": "总览", "titleEn": "Overview"})
    assert [node["titleZh"] for node in admin.call("account/role/menu/tree")][:2] == ["同步任务", "总览"]
    admin.call("account/menu/edit", {"menuKey": "home", "hidden": True})
    assert "home" not in admin.call("account/role/menu/list")
    admin.call("account/menu/edit", {"menuKey": "home"})
    tree = {node["menuKey"]: node for node in admin.call("account/menu/tree")}
    assert (tree["home"]["titleZh"], tree["home"]["hidden"]) == ("首页", False)
    admin.call("account/menu/move", {"menuKey": "sync-task", "beforeKey": None})
    assert admin.call("account/role/menu/list")[-1] == "sync-task"


def test_groups_are_made_filled_and_removed(admin: Caller) -> None:
    key = admin.call("account/menu/group/add", {"titleZh": "同步", "titleEn": "Sync"})["menuKey"]
    assert key not in admin.call("account/role/menu/list")
    admin.call("account/menu/move", {"menuKey": "sync-task", "parentKey": key})
    admin.call("account/menu/move", {"menuKey": "sync-link", "parentKey": key, "beforeKey": "sync-task"})
    tree = admin.call("account/role/menu/tree")
    assert keys(tree)[-1] == (key, ["sync-link", "sync-task"])
    assert tree[-1]["titleEn"] == "Sync"
    assert admin.refused("account/menu/move", {"menuKey": GROUP, "parentKey": key})["data"]["error"] == "menu-nested"
    assert admin.refused("account/menu/move", {"menuKey": "home", "parentKey": "sync-link"})["code"] == 300
    admin.call("account/menu/group/delete", {"menuKey": key})
    assert keys(admin.call("account/role/menu/tree"))[-2:] == ["sync-link", "sync-task"]


@pytest.mark.parametrize(
    ("path", "body", "error"),
    [
        ("account/menu/edit", {"menuKey": "nothing"}, "menu-unknown"),
        ("account/menu/move", {"menuKey": "home", "beforeKey": "nothing"}, "menu-unknown"),
        ("account/menu/edit", {"menuKey": PAGE, "hidden": True}, "menu-needed"),
        ("account/menu/edit", {"menuKey": GROUP, "hidden": True}, "menu-needed"),
        ("account/menu/group/delete", {"menuKey": "home"}, "menu-shipped"),
    ],
)
def test_refused_changes_of_menus_change_nothing(admin: Caller, path: str, body: dict[str, object], error: str) -> None:
    before = admin.call("account/menu/tree")
    assert admin.refused(path, body)["data"]["error"] == error
    assert admin.call("account/menu/tree") == before


def test_changes_are_in_the_operation_log(plane: ControlPlane, admin: Caller) -> None:
    admin.call("account/menu/edit", {"menuKey": "home", "titleZh": "总览"})
    with plane.services.database.read() as connection:
        record = connection.execute(sa.select(audit_record).order_by(audit_record.c.id.desc())).first()
    assert record is not None
    assert (record.action, record.subject, record.user_name) == ("menu_edit", "home", "admin")
    assert (record.before["titleZh"], record.after["titleZh"]) == ("首页", "总览")
