"""The registration's state, and the use of its limits."""

from datetime import timedelta
from pathlib import Path

import pytest

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent, fake_agent
from tests.support.control_plane import control_plane
from zcbus.control.features.alert.watch import evaluate
from zcbus.control.features.registration.code import Registration, RegistrationCodeInvalidError, new_key, read, sign


def test_an_installation_without_key_and_code_is_the_communitys_and_unlimited(admin: Caller, agent: FakeAgent) -> None:
    info = admin.plane.get("sys/regist/info", admin.token).json()["data"]
    assert info == {"status": 1, "edition": "community", "endTime": None, "holder": None}
    assert admin.call("common/get/tables/used/count") == {"usedCount": 0, "maxLimit": None}
    admin.call("sync/link/apply", {"document": document()})
    assert admin.call("common/get/tables/used/count") == {"usedCount": 2, "maxLimit": None}
    assert admin.call("common/get/control/used/count") == {"usedCount": 1, "maxLimit": None}


def test_a_code_that_cannot_be_checked_does_not_pass_for_none(admin: Caller) -> None:
    (admin.plane.data_dir / "registration").write_text("a.b", "utf-8")
    info = admin.plane.get("sys/regist/info", admin.token).json()["data"]
    assert (info["status"], info["edition"]) == (2, None)


def test_a_key_alone_asks_for_a_code(tmp_path: Path) -> None:
    with control_plane(tmp_path, registration_key=new_key()[1]) as plane:
        info = plane.get("sys/regist/info", plane.sign_in()).json()["data"]
        assert (info["status"], info["edition"]) == (2, None)


@pytest.mark.parametrize(("days", "status"), [(31, 1), (30, 6), (1, 6), (0, 3), (-5, 3)])
def test_the_code_says_until_when(tmp_path: Path, days: int, status: int) -> None:
    private, public = new_key()
    with control_plane(tmp_path, registration_key=public) as plane, fake_agent(plane):
        end = plane.clock.now() + timedelta(days=days)
        code = sign(Registration(holder="Shop", end_time=end, max_tables=9, max_controls=3), private)
        (plane.data_dir / "registration").write_text(code + "\n", "utf-8")
        caller = Caller(plane, plane.sign_in())
        info = plane.get("sys/regist/info", caller.token).json()["data"]
        assert (info["status"], info["edition"], info["holder"]) == (status, "licensed", "Shop")
        assert caller.call("common/get/tables/used/count")["maxLimit"] == 9
        assert caller.call("common/get/control/used/count")["maxLimit"] == 3


def test_an_alert_announces_the_end_until_the_code_is_replaced(tmp_path: Path) -> None:
    private, public = new_key()
    with control_plane(tmp_path, registration_key=public) as plane:
        caller, file = Caller(plane, plane.sign_in()), plane.data_dir / "registration"
        for days, over in ((20, False), (200, True)):
            end = plane.clock.now() + timedelta(days=days)
            file.write_text(sign(Registration(holder="Shop", end_time=end), private), "utf-8")
            evaluate(plane.services)
            (raised,) = caller.call("sys/alarmmsg/page")["records"]
            assert raised["content"].startswith("The registration of Shop ends at 2026-02-20")
            assert (raised["recoveredTime"] is not None) is over


def test_a_code_of_another_issuer_registers_nothing(tmp_path: Path) -> None:
    (private, _), (_, public) = new_key(), new_key()
    with control_plane(tmp_path, registration_key=public) as plane:
        code = sign(Registration(holder="Shop", end_time=plane.clock.now() + timedelta(days=99)), private)
        (plane.data_dir / "registration").write_text(code, "utf-8")
        assert plane.get("sys/regist/info", plane.sign_in()).json()["data"]["status"] == 2
        for wrong in (code, "", "x", "a.b.c", "é.é"):
            with pytest.raises(RegistrationCodeInvalidError):
                read(wrong, public)


def test_a_code_is_taken_and_what_is_not_valid_changes_nothing(tmp_path: Path) -> None:
    (private, public), (other, _) = new_key(), new_key()
    with control_plane(tmp_path, registration_key=public) as plane:
        caller, now = Caller(plane, plane.sign_in()), plane.clock.now()
        longer = Registration(holder="Shop", end_time=now + timedelta(days=99), max_tables=9)
        assert caller.call("sys/regist/register", {"code": sign(longer, private)})["status"] == 1
        detail = caller.call("sys/regist/detail")
        assert (detail["holder"], detail["tables"], detail["checksCodes"]) == (
            "Shop",
            {"usedCount": 0, "maxLimit": 9},
            True,
        )
        assert "holder: Shop\n" in detail["requestText"]
        over = Registration(holder="Old", end_time=now - timedelta(days=1))
        for code, reason in (
            (sign(longer, other), "registration-code-foreign"),
            ("x", "registration-code-unreadable"),
            (sign(over, private), "registration-code-over"),
        ):
            answer = plane.post("sys/regist/register", {"code": code}, caller.token).json()
            assert (answer["code"], answer["data"]["error"]) == (300, reason)
        assert caller.call("sys/regist/detail")["holder"] == "Shop"


def test_without_a_key_no_code_is_taken(admin: Caller) -> None:
    answer = admin.plane.post("sys/regist/register", {"code": "x.y"}, admin.token).json()
    assert (answer["code"], answer["data"]["error"]) == (300, "registration-key-missing")
    assert admin.call("sys/regist/detail")["edition"] == "community"
