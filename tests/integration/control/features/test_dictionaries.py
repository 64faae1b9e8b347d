"""Dictionaries: names of keys, and who changes them."""

from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.people import administrator_of
from tests.support.control_plane import ControlPlane
from zcbus.connectors.spec import GROUPS
from zcbus.control.features.dictionary.repository import Stored, insert
from zcbus.control.features.dictionary.service import adopt_stored
from zcbus.control.features.translation.use import refresh_messages
from zcbus.protocol.service_kinds import SERVICE_KINDS

pytestmark = pytest.mark.every_store

COLOURS = {
    "dictType": "colours",
    "displayName": "颜色",
    "displayEnName": "Colours",
    "busDictItems": [
        {"displayKey": "r", "displayValue": "#f00", "displayName": "红", "displayEnName": "Red"},
        {"displayKey": "g", "displayName": "绿", "displayEnName": "Green"},
    ],
}


def console_texts(plane: ControlPlane, caller: Caller) -> Any:
    """The custom texts that the English console reads."""
    return plane.get("common/texts/custom", caller.token).json()["data"]["texts"]


def test_dictionaries_have_the_names_of_keys(plane: ControlPlane, admin: Caller) -> None:
    wanted = {"dictType": "user_status", "enableBusDictItems": True}
    found = admin.call("common/findDictType", wanted)
    assert (found["displayName"], found["displayEnName"]) == ("用户状态", "User status")
    assert [item["displayKey"] for item in found["busDictItems"]] == ["0", "1", "2"]
    assert admin.call("common/findDictType", {"dictType": "sys_module_type_group"})["busDictItems"] == []
    assert admin.refused("common/findDictType", {"dictType": "nothing"})["data"]["error"] == "dictionary-unknown"
    assert [item["displayKey"] for item in admin.call("customer/getSubTypeList")] == [*SERVICE_KINDS]
    groups = admin.call("common/findDictType", {"dictType": "sys_module_type_group", "enableBusDictItems": True})
    assert [item["displayKey"] for item in groups["busDictItems"]] == [*GROUPS]
    bodiless = plane.client.post("/api/zcbus/customer/getSubTypeList", headers={"ZCBUS-TOKEN": admin.token})
    assert bodiless.json()["code"] == 200


def test_a_dictionary_is_made_changed_and_deleted(plane: ControlPlane, admin: Caller) -> None:
    admin.call("common/dictionary/add", COLOURS)
    assert admin.refused("common/dictionary/add", COLOURS)["data"]["error"] == "dictionary-type-taken"
    page = admin.call("common/dictionary/page", {"search": "colo"})
    (found,) = page["records"]
    assert (found["dictType"], found["items"], found["builtIn"]) == ("colours", 2, False)
    turned = {**COLOURS, "displayEnName": "Hues", "busDictItems": COLOURS["busDictItems"][::-1]}
    admin.call("common/dictionary/edit", turned)
    now = admin.call("common/findDictType", {"dictType": "colours", "enableBusDictItems": True})
    assert now["displayEnName"] == "Hues"
    assert [(item["displayKey"], item["displayValue"]) for item in now["busDictItems"]] == [("g", "g"), ("r", "#f00")]
    admin.call("common/dictionary/delete", {"dictType": "colours"})
    assert admin.call("common/dictionary/page", {"search": "colo"})["total"] == 0
    assert admin.refused("common/dictionary/delete", {"dictType": "colours"})["data"]["error"] == "dictionary-unknown"


def test_keys_that_the_platform_reads_stay(plane: ControlPlane, admin: Caller) -> None:
    own = admin.call("common/dictionary/get", {"dictType": "user_status"})
    own["busDictItems"][0]["displayEnName"] = "Fine"
    admin.call("common/dictionary/edit", own)
    assert admin.call("common/dictionary/get", {"dictType": "user_status"}) == own
    for items in (
        own["busDictItems"][1:],
        own["busDictItems"][::-1],
        [*own["busDictItems"], {**own["busDictItems"][0], "displayKey": "9"}],
    ):
        refused = admin.refused("common/dictionary/edit", {**own, "busDictItems": items})
        assert refused["data"]["error"] == "dictionary-built-in"
    refused = admin.refused("common/dictionary/delete", {"dictType": "user_status"})
    assert refused["data"]["error"] == "dictionary-built-in"
    assert admin.call("common/dictionary/get", {"dictType": "user_status"}) == own


def test_names_of_the_platforms_dictionaries_are_the_labels_of_lists(plane: ControlPlane, admin: Caller) -> None:
    states = admin.call("common/dictionary/get", {"dictType": "service_state"})
    line = next(item for item in states["busDictItems"] if item["displayKey"] == "abnormal")
    assert (line["displayName"], line["displayEnName"]) == ("状态异常", "Abnormal state")
    line["displayEnName"] = "Broken"
    admin.call("common/dictionary/edit", states)
    assert console_texts(plane, admin) == {"common": {"state.abnormal": "Broken"}}
    # Both languages have a name; the one that was not changed still follows the version.
    [changed] = admin.call("resource/translation/page", {"show": "custom"})["records"]
    assert (changed["key"], changed["customZh"]) == ("common:state.abnormal", None)
    admin.call("resource/translation/reset", {"key": "common:state.abnormal"})
    again = admin.call("common/findDictType", {"dictType": "service_state", "enableBusDictItems": True})
    assert "Broken" not in str(again)
    line["displayEnName"] = "<b>Broken</b>"
    assert admin.refused("common/dictionary/edit", states)["data"]["error"] == "label-fault"


def test_names_of_levels_and_groups_reach_the_servers_own_labels(plane: ControlPlane, admin: Caller) -> None:
    groups = admin.call("common/dictionary/get", {"dictType": "sys_module_type_group"})
    groups["busDictItems"][0]["displayEnName"] = "SQL databases"
    admin.call("common/dictionary/edit", groups)
    levels = admin.call("common/dictionary/get", {"dictType": "alert_level"})
    levels["busDictItems"][0]["displayEnName"] = "Minor"
    admin.call("common/dictionary/edit", levels)
    refresh_messages(plane.services)
    kinds = admin.call("common/getDBType", {})
    assert {kind["groupLabel"] for kind in kinds if kind["group"] == "relational"} == {"SQL databases"}
    assert plane.services.catalogue.text("en", "notice.level.0") == "Minor"
    assert console_texts(plane, admin) == {"alert": {"level.general": "Minor"}}


def test_dictionaries_that_an_earlier_version_stored_keep_their_changed_names(
    plane: ControlPlane, admin: Caller
) -> None:
    items = (("0", "0", "正常", "Fine"), ("1", "1", "停用", "Disabled"), ("2", "2", "注销", "Cancelled"))
    with plane.services.database.write() as store:
        insert(store, Stored("user_status", "用户状态", "User status", items), plane.clock.now())
        insert(store, Stored("link_state", "自己的", "Users' own", ()), plane.clock.now())
    adopt_stored(plane.services)
    assert console_texts(plane, admin) == {"authority": {"status.0": "Fine"}}
    listed = {line["dictType"]: line for line in admin.call("common/dictionary/page", {"size": 100})["records"]}
    assert (listed["user_status"]["builtIn"], listed["user_status"]["items"]) == (True, 3)
    # A dictionary that users made stays theirs where a later version brings one of its type.
    assert (listed["link_state"]["builtIn"], listed["link_state"]["displayEnName"]) == (False, "Users' own")
    admin.call("common/dictionary/delete", {"dictType": "link_state"})
    assert admin.call("common/findDictType", {"dictType": "link_state"})["displayEnName"] == "State of a link"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"dictType": "two words"}, 422),
        ({"displayName": " "}, 422),
        ({"busDictItems": [COLOURS["busDictItems"][0]] * 2}, 300),
    ],
    ids=["type", "name", "key-twice"],
)
def test_wrong_dictionaries_change_nothing(admin: Caller, change: dict[str, Any], code: int) -> None:
    assert admin.refused("common/dictionary/add", {**COLOURS, **change})["code"] == code
    assert admin.call("common/dictionary/page", {"search": "colo"})["total"] == 0


def test_dictionaries_are_the_whole_platforms(plane: ControlPlane, admin: Caller) -> None:
    south = administrator_of(plane, "south")
    assert south.refused("common/dictionary/add", COLOURS)["code"] == 40103
    assert south.call("common/findDictType", {"dictType": "user_status"})["dictType"] == "user_status"
