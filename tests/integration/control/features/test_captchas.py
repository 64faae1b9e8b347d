"""Captchas before something is deleted: good once, in time, and asked for as the system is configured."""

import base64
from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent
from tests.support.captchas import digits_of, other_than
from tests.support.control_plane import ControlPlane
from zcbus.control.features.captcha.pictures import LIFETIME, remove_expired
from zcbus.control.store.tables.identity import captcha
from zcbus.control.store.tables.parameter import parameter

CHECK = "common/captcha/check"
DELETE = "sync/link/delete"


def picture(admin: Caller, path: str = "common/captcha/code") -> str:
    data: dict[str, str] = admin.plane.get(path, admin.token).json()["data"]
    kind, _, content = data["img"].partition(",")
    assert kind == "data:image/png;base64"
    assert base64.b64decode(content).startswith(b"\x89PNG")
    return data["uuid"]


def answer(plane: ControlPlane, uuid: str) -> dict[str, str]:
    return {"uuid": uuid, "code": digits_of(plane, uuid)}


def ask_before_deleting(plane: ControlPlane, value: object) -> None:
    with plane.services.database.write() as connection:
        connection.execute(
            parameter.update()
            .where(parameter.c.variable_name == "sys_config")
            .values(value={"isDeleteCode": value, "leftLowerText": "", "countdown": 10})
        )


@pytest.mark.parametrize("path", ["common/captcha/code", "common/verify/get"])
def test_a_picture_is_read_once(admin: Caller, path: str) -> None:
    right = answer(admin.plane, picture(admin, path))
    assert admin.call(CHECK, right) is True
    assert admin.call(CHECK, right) is False


def test_a_wrong_answer_uses_the_picture_up(admin: Caller) -> None:
    right = answer(admin.plane, picture(admin))
    assert admin.call(CHECK, {**right, "code": other_than(right["code"])}) is False
    assert admin.call(CHECK, right) is False
    assert admin.call(CHECK, {}) is False


def test_a_picture_is_good_for_three_minutes_and_then_removed(admin: Caller) -> None:
    right = answer(admin.plane, picture(admin))
    admin.plane.clock.advance(LIFETIME)
    remove_expired(admin.plane.services)
    with admin.plane.services.database.read() as connection:
        assert connection.execute(captcha.select()).all() == []
    assert admin.call(CHECK, right) is False


@pytest.fixture
def link(admin: Caller, agent: FakeAgent) -> dict[str, Any]:
    applied: dict[str, Any] = admin.call("sync/link/apply", {"document": document()})
    return applied


def test_deletion_needs_the_digits_when_configured(admin: Caller, link: dict[str, Any]) -> None:
    name = {"name": "shop"}
    ask_before_deleting(admin.plane, True)
    assert admin.refused(DELETE, name)["code"] == 40105
    right = answer(admin.plane, picture(admin))
    wrong = {**right, "code": other_than(right["code"])}
    assert admin.refused(DELETE, {**name, **wrong})["code"] == 40105
    assert admin.refused(DELETE, {**name, **right})["code"] == 40104
    assert admin.call("sync/link/get", name)["name"] == "shop"
    assert admin.call(DELETE, {**name, **answer(admin.plane, picture(admin))})["name"] == "shop"


def test_a_deletion_that_fails_for_another_reason_uses_the_picture_up(admin: Caller, link: dict[str, Any]) -> None:
    ask_before_deleting(admin.plane, True)
    right = answer(admin.plane, picture(admin))
    assert admin.refused(DELETE, {"name": "other", **right})["code"] == 404
    assert admin.refused(DELETE, {"name": "shop", **right})["code"] == 40104


@pytest.mark.parametrize("value", [False, None, "true"])
def test_deletion_needs_no_digits_when_the_flag_is_false_or_unset(
    admin: Caller, link: dict[str, Any], value: object
) -> None:
    ask_before_deleting(admin.plane, value)
    assert admin.call(DELETE, {"name": "shop"})["name"] == "shop"


def test_programs_delete_without_reading_pictures(admin: Caller, link: dict[str, Any]) -> None:
    ask_before_deleting(admin.plane, True)
    program = Caller(admin.plane, admin.plane.local_token())
    assert program.call(DELETE, {"name": "shop"})["name"] == "shop"
