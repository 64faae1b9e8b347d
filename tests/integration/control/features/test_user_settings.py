"""A user's settings of the console: private, the same in every browser, limited."""

import pytest

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.people import administrator_of
from tests.support.control_plane import ControlPlane
from zcbus.control.features.user_setting import endpoints
from zcbus.control.features.user_setting.schemas import LARGEST

LIST, SAVE = "sys/user-setting/list", "sys/user-setting/save"


def test_settings_are_kept_for_their_user_alone(plane: ControlPlane, admin: Caller) -> None:
    south = administrator_of(plane, "south")
    layout = {"order": ["b", "a"], "widths": {"a": 120}}
    admin.call(SAVE, {"name": "table.links", "value": {"order": ["a"]}})
    admin.call(SAVE, {"name": "table.links", "value": layout})
    admin.call(SAVE, {"name": "home", "value": {"wide": True}})
    assert admin.call(LIST, {"prefix": "table."}) == [{"name": "table.links", "value": layout}]
    again = Caller(plane, plane.sign_in())
    assert [item["name"] for item in again.call(LIST, {})] == ["home", "table.links"]
    assert south.call(LIST, {}) == []
    south.call(SAVE, {"name": "table.links", "value": {"order": ["c"]}})
    assert admin.call(LIST, {"prefix": "table."})[0]["value"] == layout


def test_an_empty_value_forgets(admin: Caller) -> None:
    admin.call(SAVE, {"name": "table.links", "value": {"order": ["a"]}})
    admin.call(SAVE, {"name": "table.links", "value": {}})
    assert admin.call(LIST, {}) == []


def test_settings_have_a_limit(plane: ControlPlane, admin: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoints, "MOST", 3)
    for value in ({"text": "x" * LARGEST}, {"number": 2**70}):
        answer = plane.post(SAVE, {"name": "large", "value": value}, admin.token)
        assert answer.status_code == 422
    for number in range(3):
        admin.call(SAVE, {"name": f"n{number}", "value": {"a": 1}})
    assert admin.refused(SAVE, {"name": "more", "value": {"a": 1}})["data"]["error"] == "too-many-settings"
    admin.call(SAVE, {"name": "n2", "value": {"a": 2}})
    assert len(admin.call(LIST, {})) == 3
