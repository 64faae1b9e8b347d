"""Dictionaries: names of keys, and who changes them."""

from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.people import administrator_of
from tests.support.control_plane import ControlPlane

COLOURS = {
    "dictType": "colours",
    "displayName": "颜色",
    "displayEnName": "Colours",
    "busDictItems": [
        {"displayKey": "r", "displayValue": "#f00", "displayName": "红", "displayEnName": "Red"},
        {"displayKey": "g", "displayName": "绿", "displayEnName": "Green"},
    ],
}


def test_dictionaries_have_the_names_of_keys(plane: ControlPlane, admin: Caller) -> None:
    wanted = {"dictType": "user_status", "enableBusDictItems": True}
    found = admin.call("common/findDictType", wanted)
    assert (found["displayName"], found["displayEnName"]) == ("用户状态", "User status")
    assert [item["displayKey"] for item in found["busDictItems"]] == ["0", "1", "2"]
    assert admin.call("common/findDictType", {"dictType": "sys_module_type_group"})["busDictItems"] == []
    assert admin.refused("common/findDictType", {"dictType": "nothing"})["data"]["error"] == "dictionary-unknown"
    assert [item["displayKey"] for item in admin.call("customer/getSubTypeList")] == [
        "publish",
        "subscribe",
        "process",
        "contrast",
    ]
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
    for items in (own["busDictItems"][1:], [*own["busDictItems"], {**own["busDictItems"][0], "displayKey": "9"}]):
        refused = admin.refused("common/dictionary/edit", {**own, "busDictItems": items})
        assert refused["data"]["error"] == "dictionary-built-in"
    refused = admin.refused("common/dictionary/delete", {"dictType": "user_status"})
    assert refused["data"]["error"] == "dictionary-built-in"
    assert admin.call("common/dictionary/get", {"dictType": "user_status"}) == own


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
