"""Two-step verification over HTTP: turned on, asked for, used once, lost and removed."""

from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from sqlalchemy import select

from tests.integration.control.platform.test_session import add_user
from tests.support.authenticator import code_of
from tests.support.control_plane import ADMIN_PASSWORD, ControlPlane
from zcbus.cli import accounts as cli
from zcbus.cli.main import main
from zcbus.control.features.second_factor.codes import STEP_SECONDS
from zcbus.control.features.second_factor.set_up import LIFETIME as SET_UP_LIFETIME
from zcbus.control.features.session import pending
from zcbus.control.features.session.housekeeping import remove_expired
from zcbus.control.platform.attempts import CODES_PER_ACCOUNT, PER_ACCOUNT_AND_ORIGIN
from zcbus.control.store.tables import identity
from zcbus.control.store.tables.audit import audit_record

LOGIN = "sys/authentication/login"
CODE = "sys/authentication/login/second-factor"
OWN = "account/second-factor"
REMOVE = "account/user/second-factor/remove"

Answer = dict[str, Any]


class Person:
    """A user with an account, a password and, once it is turned on, an authenticator."""

    def __init__(self, plane: ControlPlane, name: str) -> None:
        self.plane, self.name, self.secret, self.codes = plane, name, "", [""]
        add_user(plane, name)
        self.token = plane.sign_in(name)

    def code(self, step: int = 0) -> str:
        return code_of(self.secret, self.plane.clock.now() + timedelta(seconds=step * STEP_SECONDS))

    def own(self, path: str, **body: str) -> Answer:
        given = {"currentPassword": ADMIN_PASSWORD, **body}
        answer: Answer = self.plane.post(f"{OWN}/{path}", given, self.token).json()
        return answer

    def turn_on(self) -> None:
        begun = self.own("begin")["data"]
        self.secret = begun["secret"]
        answer = self.own("on", handle=begun["handle"], code=self.code())
        assert answer["code"] == 200, answer
        self.codes = answer["data"]["codes"]
        # The code that turned it on is used up.
        self.plane.clock.advance(timedelta(seconds=STEP_SECONDS))

    def password(self, device: str = "") -> Answer:
        body = {"userName": self.name, "password": ADMIN_PASSWORD, "device": device}
        answer: Answer = self.plane.post(LOGIN, body).json()
        return answer

    def pending(self) -> str:
        answer = self.password()
        assert answer["code"] == 40201, answer
        token: str = answer["data"]["token"]
        return token

    def give(self, token: str, code: str, device: str = "") -> Answer:
        answer: Answer = self.plane.post(CODE, {"token": token, "code": code, "device": device}).json()
        return answer


@pytest.fixture
def olga(plane: ControlPlane) -> Person:
    return Person(plane, "olga")


def records(plane: ControlPlane, action: str) -> list[Any]:
    with plane.services.database.read() as connection:
        own = select(audit_record).where(audit_record.c.action == action).order_by(audit_record.c.id)
        return list(connection.execute(own).all())


def test_signing_in_takes_password_and_code_once_it_is_on(plane: ControlPlane, olga: Person) -> None:
    elsewhere = plane.sign_in("olga")
    state = olga.own("state")["data"]
    assert (state["isOn"], state["turnedOnAt"], state["recoveryCodesLeft"]) == (False, None, 0)
    olga.turn_on()
    assert [plane.get("auth/info", token).status_code for token in (olga.token, elsewhere)] == [200, 401]
    state = olga.own("state")["data"]
    assert (state["isOn"], state["recoveryCodesLeft"]) == (True, 10)
    assert olga.own("begin")["data"]["error"] == "second-factor-on"

    asked = olga.password()
    assert (asked["code"], asked["message"]) == (40201, "Finish the two-step verification")
    assert (asked["data"]["user"], asked["data"]["device"]) == (None, None)
    token = asked["data"]["token"]
    assert plane.get("auth/info", token).json()["code"] == 401
    change = {"newPassword": "Better_12", "confirmPassword": "Better_12", "token": token}
    assert plane.post("account/user/change/password", change).status_code == 401
    code = olga.code()
    answer = olga.give(token, f"{code[:3]} {code[3:]}")
    assert (answer["code"], answer["data"]["user"]["userName"]) == (200, "olga")
    assert plane.get("auth/info", answer["data"]["token"]).status_code == 200
    assert olga.give(token, olga.code(1))["code"] == 40107
    kinds = [
        (record.action, record.user_name, record.after) for record in records(plane, "session_login_second_factor")
    ]
    assert kinds[0] == ("session_login_second_factor", "olga", {"userName": "olga", "secondFactor": "authenticator"})


def test_a_code_counts_once(olga: Person) -> None:
    olga.turn_on()
    code, earlier = olga.code(), olga.code(-1)
    first, second = olga.pending(), olga.pending()
    assert olga.give(first, code)["code"] == 200
    for used in (code, earlier):
        assert olga.give(second, used)["data"]["error"] == "second-factor-wrong"
    assert olga.give(second, olga.code(1))["code"] == 200


def test_a_pending_sign_in_ends_after_five_attempts_or_five_minutes(plane: ControlPlane, olga: Person) -> None:
    olga.turn_on()
    token = olga.pending()
    for _ in range(pending.ATTEMPTS):
        assert olga.give(token, "000000")["data"]["error"] == "second-factor-wrong"
    plane.clock.advance(timedelta(seconds=10))
    assert olga.give(token, olga.code())["code"] == 40107
    plane.clock.advance(timedelta(minutes=5))
    late = olga.pending()
    plane.clock.advance(pending.LIFETIME)
    assert olga.give(late, olga.code())["code"] == 40107
    remove_expired(plane.services)
    with plane.services.database.read() as connection:
        assert connection.execute(select(identity.pending_sign_in)).all() == []


def test_guessing_codes_is_slowed_and_the_right_password_makes_no_room(plane: ControlPlane, olga: Person) -> None:
    olga.turn_on()
    for _ in range(PER_ACCOUNT_AND_ORIGIN.free):
        assert olga.give(olga.pending(), "000000")["code"] == 300
    refused = plane.post(CODE, {"token": olga.pending(), "code": olga.code()})
    assert (refused.status_code, int(refused.headers["Retry-After"])) == (429, 10)
    assert CODES_PER_ACCOUNT.longest == timedelta(minutes=15)
    plane.clock.advance(timedelta(seconds=10))
    assert olga.give(olga.pending(), olga.code())["code"] == 200


def test_a_browser_is_known_only_after_the_code(olga: Person) -> None:
    olga.turn_on()
    device = olga.give(olga.pending(), olga.code())["data"]["device"]
    assert device
    assert olga.password(device)["data"]["device"] is None
    olga.plane.clock.advance(timedelta(seconds=STEP_SECONDS))
    assert olga.give(olga.pending(), olga.code(), device)["data"]["device"] == device


def test_a_recovery_code_counts_once_and_is_recorded(plane: ControlPlane, olga: Person) -> None:
    olga.turn_on()
    code = olga.codes[3]
    assert olga.give(olga.pending(), code.upper())["code"] == 200
    assert olga.give(olga.pending(), code)["data"]["error"] == "second-factor-wrong"
    assert olga.own("state")["data"]["recoveryCodesLeft"] == 9
    used = records(plane, "session_login_second_factor")[0]
    assert used.after == {"userName": "olga", "secondFactor": "recovery-code"}
    renewed = olga.own("recovery-codes", code=olga.codes[0])["data"]["codes"]
    assert olga.give(olga.pending(), olga.codes[1])["code"] == 300
    assert olga.give(olga.pending(), renewed[0])["code"] == 200


def test_turning_on_and_off_takes_the_password_and_a_code(plane: ControlPlane, olga: Person) -> None:
    begun = olga.own("begin")["data"]
    olga.secret = begun["secret"]
    assert begun["secret"] in begun["address"]
    for changed, error in (
        ({"currentPassword": "Wrong123"}, "current-password-wrong"),
        ({"code": "000000"}, "second-factor-wrong"),
        ({"handle": "v1:made:up"}, "set-up-over"),
        ({"handle": "made up"}, "set-up-over"),
        ({"handle": Person(plane, "ivan").own("begin")["data"]["handle"]}, "set-up-over"),
    ):
        body = {"handle": begun["handle"], "code": olga.code(), **changed}
        assert olga.own("on", **body)["data"]["error"] == error
    assert olga.own("off", code="000000")["data"]["error"] == "second-factor-off"
    plane.clock.advance(SET_UP_LIFETIME)
    assert olga.own("on", handle=begun["handle"], code=olga.code())["data"]["error"] == "set-up-over"
    olga.turn_on()
    assert olga.own("off", code=olga.code(), currentPassword="Wrong123")["data"]["error"] == "current-password-wrong"
    assert olga.own("off", code="000000")["data"]["error"] == "second-factor-wrong"
    assert olga.own("off", code=olga.code())["code"] == 200
    assert olga.password()["code"] == 200
    assert [record.result for record in records(plane, "second-factor_turn_off")][-1] == "done"


def test_codes_cannot_be_guessed_with_a_stolen_session(olga: Person) -> None:
    olga.turn_on()
    answers = [olga.own("off", code="000000")["code"] for _ in range(PER_ACCOUNT_AND_ORIGIN.free + 1)]
    assert answers == [300] * PER_ACCOUNT_AND_ORIGIN.free + [429]


def test_programs_have_no_second_factor(plane: ControlPlane) -> None:
    assert plane.post(f"{OWN}/begin", token=plane.local_token()).status_code == 403


def test_secrets_of_a_second_factor_are_not_readable_in_the_store(plane: ControlPlane, olga: Person) -> None:
    olga.turn_on()
    with plane.services.database.read() as connection:
        tables = (identity.second_factor, identity.recovery_code, audit_record)
        kept = repr([connection.execute(select(table)).all() for table in tables])
    assert olga.secret not in kept
    assert not any(code in kept or code.replace("-", "") in kept for code in olga.codes)


def test_an_administrator_removes_it_for_others_only(plane: ControlPlane, olga: Person) -> None:
    olga.turn_on()
    admin = plane.sign_in()
    listed = plane.post("account/user/page", {"sort": "secondFactor", "order": "desc"}, admin).json()["data"]["records"]
    assert [(user["userName"], user["secondFactor"]) for user in listed] == [("olga", True), ("admin", False)]
    own = plane.get("auth/info", admin).json()["data"]["user"]["userId"]
    waiting = olga.pending()
    for user_id, token, error in (
        (own, admin, "own-second-factor"),
        (listed[0]["userId"], olga.token, "forbidden"),
        (listed[0]["userId"], admin, None),
        (listed[0]["userId"], admin, "second-factor-off"),
    ):
        answer = plane.post(REMOVE, {"userId": user_id}, token).json()
        assert (answer.get("data") or {}).get("error") == error
    assert plane.get("auth/info", olga.token).json()["code"] == 40102
    assert olga.give(waiting, olga.code())["code"] == 40107
    assert olga.password()["code"] == 200
    removed = [record for record in records(plane, "user_remove_second_factor") if record.result == "done"]
    assert [(record.user_name, record.subject) for record in removed] == [("admin", "olga")]


def test_the_operator_of_the_host_removes_it(plane: ControlPlane, olga: Person) -> None:
    olga.turn_on()
    with patch.object(cli, "load_settings", lambda: plane.services.settings):
        assert [main(["user", "remove-second-factor", name]) for name in ("olga", "olga", "nobody")] == [0, 1, 1]
    assert olga.password()["code"] == 200
    [record] = records(plane, "user_remove_second_factor")
    assert (record.user_name, record.subject, record.path) == ("local", "olga", "zcbus user remove-second-factor")
    assert plane.get("auth/info", olga.token).json()["code"] == 40102


def test_a_demanded_change_of_password_comes_after_the_code(plane: ControlPlane, olga: Person) -> None:
    olga.turn_on()
    demand_password(plane)
    answer = olga.give(olga.pending(), olga.code())
    assert answer["code"] == 40200
    change = {"newPassword": "Better_12", "confirmPassword": "Better_12", "token": answer["data"]["token"]}
    assert plane.post("account/user/change/password", change).json()["code"] == 200


def require(plane: ControlPlane, who: str) -> None:
    edit = {"customerid": "default", "name": "默认租户", "secondFactor": who}
    assert plane.post("customer/edit", edit, plane.local_token()).json()["code"] == 200


def test_a_required_second_factor_is_set_up_right_after_the_password(plane: ControlPlane, olga: Person) -> None:
    require(plane, "everybody")
    asked = olga.password()
    assert asked["code"] == 40202
    token = asked["data"]["token"]
    assert plane.get("auth/info", token).status_code == 401
    assert olga.give(token, "000000")["data"]["error"] == "second-factor-wrong"
    begun = plane.post(f"{CODE}/begin", {"token": token}).json()["data"]
    olga.secret = begun["secret"]
    body = {"token": token, "handle": begun["handle"]}
    assert plane.post(f"{CODE}/on", {**body, "code": "000000"}).json()["data"]["error"] == "second-factor-wrong"
    answer = plane.post(f"{CODE}/on", {**body, "code": olga.code()}).json()
    assert (answer["code"], len(answer["data"]["recoveryCodes"])) == (200, 10)
    assert plane.get("auth/info", olga.token).json()["code"] == 40102
    olga.token = answer["data"]["token"]
    assert plane.get("auth/info", olga.token).status_code == 200
    assert plane.post(f"{CODE}/on", {**body, "code": olga.code()}).json()["code"] == 40107
    plane.clock.advance(timedelta(seconds=STEP_SECONDS))
    assert olga.own("off", code=olga.code())["data"]["error"] == "second-factor-required-here"
    again = olga.pending()
    assert plane.post(f"{CODE}/begin", {"token": again}).json()["data"]["error"] == "second-factor-on"
    answer = plane.post(f"{CODE}/on", {"token": again, "handle": begun["handle"], "code": olga.code(1)}).json()
    assert answer["data"]["error"] == "second-factor-on"
    require(plane, "optional")
    assert olga.own("off", code=olga.code(1))["code"] == 200


def test_a_second_factor_may_be_required_of_administrators_only(plane: ControlPlane, olga: Person) -> None:
    require(plane, "administrators")
    assert olga.password()["code"] == 200
    add_user(plane, "anna", "administrator")
    for name in ("anna", "admin"):
        assert plane.post(LOGIN, {"userName": name, "password": ADMIN_PASSWORD}).json()["code"] == 40202


def test_a_demanded_change_of_password_comes_before_the_set_up(plane: ControlPlane, olga: Person) -> None:
    require(plane, "everybody")
    demand_password(plane)
    answer = olga.password()
    assert answer["code"] == 40200
    change = {"newPassword": "Better_12", "confirmPassword": "Better_12", "token": answer["data"]["token"]}
    assert plane.post("account/user/change/password", change).json()["code"] == 200
    assert plane.post(LOGIN, {"userName": "olga", "password": "Better_12"}).json()["code"] == 40202


def demand_password(plane: ControlPlane) -> None:
    own = identity.user.c.user_name == "olga"
    with plane.services.database.write() as connection:
        connection.execute(identity.user.update().where(own).values(must_change_password=True))
