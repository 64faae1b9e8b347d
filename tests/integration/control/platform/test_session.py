"""Signing in and out, captcha, limits, the first administrator's password."""

import base64
import hashlib
import stat
from collections.abc import Iterator
from datetime import timedelta
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from tests.support.control_plane import ADMIN_PASSWORD, ControlPlane, control_plane
from zcbus.control.features.account import passwords
from zcbus.control.features.account import service as accounts
from zcbus.control.features.captcha import pictures as captcha
from zcbus.control.features.captcha import slide
from zcbus.control.features.session.housekeeping import remove_expired
from zcbus.control.platform.attempts import PER_ACCOUNT, PER_ACCOUNT_AND_ORIGIN, PER_ADDRESS
from zcbus.control.platform.known_devices import REMEMBERED
from zcbus.control.platform.sessions import SESSION_LIFETIME
from zcbus.control.store.tables import identity
from zcbus.control.store.tables.audit import audit_record
from zcbus.kit.ids import new_id

LOGIN = "sys/authentication/login"
LOGOUT = "sys/authentication/logout"
CHANGE = "account/user/change/password"
SLIDE = "sys/authentication/slide"


def login(plane: ControlPlane, password: str, **more: str) -> dict[str, object]:
    answer: dict[str, object] = plane.post(LOGIN, {"userName": "admin", "password": password, **more}).json()
    return answer


def add_user(plane: ControlPlane, name: str, role: str = "ordinary", tenant: str = "default") -> None:
    hashed = passwords.hash_password(ADMIN_PASSWORD)
    with plane.services.database.write() as connection:
        accounts.ensure_tenant(connection, plane.clock.now(), tenant, tenant)
        accounts.create_user(
            connection,
            plane.clock.now(),
            accounts.NewUser(name, name[:10], hashed, tenant, role, must_change_password=False),
        )


def test_a_session_opens_and_ends(plane: ControlPlane) -> None:
    token = plane.sign_in()
    assert plane.get("auth/info", token).json()["data"]["user"]["userName"] == "admin"
    assert plane.post("account/role/menu/list", token=token).json()["data"][:3] == ["home", "container", "sync-link"]
    assert plane.post(LOGOUT, {"token": token}).json()["code"] == 200
    ended = plane.get("auth/info", token)
    assert (ended.status_code, ended.json()["code"]) == (401, 40102)
    assert plane.post(LOGOUT, {"token": token}).json()["code"] == 200


def test_the_operation_log_knows_who_signed_out(plane: ControlPlane) -> None:
    plane.post(LOGOUT, {"token": plane.sign_in()})
    with plane.services.database.read() as connection:
        record = connection.execute(audit_record.select().order_by(audit_record.c.id.desc())).first()
    assert record is not None
    assert (record.action, record.user_name, record.result) == ("session_logout", "admin", "done")


def test_names_that_no_account_has_are_kept_hashed(plane: ControlPlane) -> None:
    for name in ("My-own-passw0rd", "My-own-passw0rd", "admin"):
        assert plane.post(LOGIN, {"userName": name, "password": "wrong"}).json()["code"] != 200
    with plane.services.database.read() as connection:
        records = connection.execute(audit_record.select().order_by(audit_record.c.id)).all()
    first, second, known = records[-3:]
    assert first.user_name.startswith("unknown:")
    assert second.user_name == first.user_name
    assert (known.user_name, known.tenant_id, first.tenant_id) == ("admin", "default", None)
    assert "passw0rd" not in str(records)


def test_a_session_expires_after_a_day(plane: ControlPlane) -> None:
    token = plane.sign_in()
    plane.clock.advance(SESSION_LIFETIME - timedelta(seconds=1))
    assert plane.get("auth/info", token).status_code == 200
    plane.clock.advance(timedelta(seconds=1))
    expired = plane.get("auth/info", token)
    assert (expired.status_code, expired.json()["code"]) == (401, 40101)
    plane.clock.advance(timedelta(days=8))
    remove_expired(plane.services)
    assert plane.get("auth/info", token).json()["code"] == 401


def test_an_idle_session_ends(tmp_path: Path) -> None:
    with control_plane(tmp_path, session_idle_minutes="30") as plane:
        token = plane.sign_in()
        headers = {"ZCBUS-TOKEN": token, "ZCBUS-UNATTENDED": "1"}
        for _ in range(3):
            plane.clock.advance(timedelta(minutes=29))
            assert plane.get("auth/info", token).status_code == 200
        for _ in range(2):
            plane.clock.advance(timedelta(minutes=14))
            assert plane.client.get("/api/zcbus/auth/info", headers=headers).status_code == 200
        plane.clock.advance(timedelta(minutes=2))
        assert plane.get("auth/info", token).json()["code"] == 40101
        assert plane.post("sys/session/page", token=plane.sign_in()).json()["data"]["total"] == 1


def test_a_user_sees_and_ends_the_own_sessions(plane: ControlPlane) -> None:
    add_user(plane, "clerk")
    here, there, other = plane.sign_in("clerk"), plane.sign_in("clerk"), plane.sign_in()
    page = plane.post("sys/session/page", {"sort": "usedAt", "order": "asc"}, token=here).json()["data"]
    assert page["total"] == 2
    assert [row["address"] for row in page["records"]] == ["127.0.0.1"] * 2
    [elsewhere] = [row["id"] for row in page["records"] if not row["isCurrent"]]
    refused = plane.post("sys/session/end", {"id": elsewhere}, token=other).json()
    assert (refused["code"], refused["data"]["error"]) == (300, "session-gone")
    assert plane.post("sys/session/end", {"id": elsewhere}, token=here).json()["code"] == 200
    assert [plane.get("auth/info", token).json()["code"] for token in (here, there)] == [200, 40102]
    assert plane.post("sys/session/end", {"id": elsewhere}, token=here).json()["code"] == 300


def test_signing_out_everywhere_ends_all_sessions_and_forgets_devices(plane: ControlPlane) -> None:
    add_user(plane, "clerk")
    device = signed_in_device(plane, "clerk")
    tokens = [plane.sign_in("clerk") for _ in range(3)]
    assert plane.post("sys/session/end/all", {"keepThis": True}, token=tokens[0]).json()["code"] == 200
    assert [plane.get("auth/info", token).json()["code"] for token in tokens] == [200, 40102, 40102]
    assert plane.post("sys/session/end/all", {"keepThis": False}, token=tokens[0]).json()["code"] == 200
    assert [plane.get("auth/info", token).json()["code"] for token in tokens] == [40102] * 3
    assert signed_in_device(plane, "clerk", device) != device
    plane.sign_in()


def test_passphrases_are_taken_where_the_setting_allows_them(tmp_path: Path) -> None:
    phrase = "Correct.Horse.Battery.Staple.1"
    for longest, code in (("16", 300), ("64", 200)):
        with control_plane(tmp_path / longest, password_longest=longest) as plane:
            assert plane.get("sys/authentication/methods").json()["data"]["longestPassword"] == int(longest)
            change = {"currentPassword": ADMIN_PASSWORD, "newPassword": phrase, "confirmPassword": phrase}
            answer = plane.post(CHANGE, change, token=plane.sign_in()).json()
            assert answer["code"] == code
            assert code == 200 or "8-16" in answer["message"]


def test_tokens_are_not_in_the_store(plane: ControlPlane) -> None:
    token = plane.sign_in()
    with plane.services.database.read() as connection:
        for table in (identity.session, identity.user):
            for row in connection.execute(table.select()).all():
                assert token not in row
                assert ADMIN_PASSWORD not in row


def test_wrong_name_and_wrong_password_get_the_same_answer(plane: ControlPlane) -> None:
    wrong_password = login(plane, "Wrong-1-password")
    wrong_name = plane.post(LOGIN, {"userName": "nobody", "password": ADMIN_PASSWORD}).json()
    assert wrong_password == wrong_name
    assert wrong_name["code"] == 40106
    assert wrong_name["message"] == "No corresponding user"
    chinese = plane.post(LOGIN, {"userName": "nobody", "password": "x"}, language="zh").json()
    assert chinese["message"] == "用户名或密码错误"


def test_guessing_is_slowed_per_account_and_address(plane: ControlPlane) -> None:
    for _ in range(5):
        assert login(plane, "wrong")["code"] == 40106
    for seconds in (10, 20, 40):
        refused = plane.post(LOGIN, {"userName": "admin", "password": ADMIN_PASSWORD})
        assert (refused.status_code, int(refused.headers["Retry-After"])) == (429, seconds)
        plane.clock.advance(timedelta(seconds=seconds))
        assert login(plane, "wrong")["code"] == 40106
    add_user(plane, "other")
    plane.sign_in("other")
    plane.clock.advance(timedelta(seconds=80))
    plane.sign_in()


def test_guesses_from_the_same_office_or_everywhere_delay_no_known_device(plane: ControlPlane) -> None:
    add_user(plane, "clerk")
    device = signed_in_device(plane, "clerk")
    other = signed_in_device(plane, "admin")
    fail(plane, "clerk", PER_ACCOUNT_AND_ORIGIN.free + 3)
    fail(plane, "clerk", PER_ACCOUNT.free, spread=True)
    fail(plane, "nobody", PER_ADDRESS.free, names=True)
    body = {"userName": "clerk", "password": ADMIN_PASSWORD}
    for stranger in ("", "made-up", other):
        assert plane.post(LOGIN, {**body, "device": stranger}).status_code == 429
    answer = plane.post(LOGIN, {**body, "device": device}).json()
    assert (answer["code"], answer["data"]["device"]) == (200, device)
    for _ in range(PER_ACCOUNT_AND_ORIGIN.free):
        assert plane.post(LOGIN, {**body, "password": "wrong", "device": device}).json()["code"] == 40106
    assert plane.post(LOGIN, {**body, "device": device}).status_code == 429


def test_a_browser_has_one_device_for_all_who_sign_in_with_it(plane: ControlPlane) -> None:
    add_user(plane, "clerk")
    device = signed_in_device(plane, "clerk", "made-up")
    assert device != "made-up"
    assert signed_in_device(plane, "admin", device) == device
    plane.clock.advance(REMEMBERED)
    remove_expired(plane.services)
    assert signed_in_device(plane, "admin", device) != device


def test_strangers_are_slowed_and_never_shut_out(plane: ControlPlane) -> None:
    add_user(plane, "clerk")
    fail(plane, "clerk", 100, spread=True)
    refused = plane.post(LOGIN, {"userName": "clerk", "password": ADMIN_PASSWORD})
    assert (refused.status_code, int(refused.headers["Retry-After"])) == (429, 60)
    plane.clock.advance(timedelta(seconds=60))
    plane.sign_in("clerk")


def signed_in_device(plane: ControlPlane, name: str, device: str = "") -> str:
    body = {"userName": name, "password": ADMIN_PASSWORD, "device": device}
    made: str = plane.post(LOGIN, body).json()["data"]["device"]
    return made


def fail(plane: ControlPlane, name: str, times: int, *, spread: bool = False, names: bool = False) -> None:
    """Failures as the calls leave them, of one account or many, from this address or from all over the world."""
    with plane.services.database.write() as connection:
        for number in range(times):
            account = hashlib.sha256((f"{name}-{number}" if names else name).encode()).hexdigest()
            values: dict[str, object] = {"account": account, "place": f"198.51.100.{number}" if spread else "127.0.0.1"}
            values |= {"id": new_id(), "is_known": False, "failed_at": plane.clock.now()}
            connection.execute(identity.login_failure.insert().values(**values))


def test_a_success_forgets_earlier_failures(plane: ControlPlane) -> None:
    for _ in range(3):
        for _ in range(4):
            login(plane, "wrong")
        plane.sign_in()


def test_a_disabled_user_is_out_at_once(plane: ControlPlane) -> None:
    add_user(plane, "leaver")
    token = plane.sign_in("leaver")
    with plane.services.database.write() as connection:
        connection.execute(identity.user.update().where(identity.user.c.user_name == "leaver").values(status="1"))
    assert plane.get("auth/info", token).json()["code"] == 40102
    answer = plane.post(LOGIN, {"userName": "leaver", "password": ADMIN_PASSWORD}).json()
    assert (answer["code"], answer["data"]["error"]) == (300, "account-disabled")


@pytest.fixture
def guarded(prepared_store: str, tmp_path: Path) -> Iterator[ControlPlane]:
    """A control plane that asks for the captcha."""
    with control_plane(tmp_path, prepared_store, login_captcha="on") as running:
        yield running


def slid(plane: ControlPlane) -> str:
    """The ticket of a solved slide puzzle."""
    slide.store_position(plane.services, "puzzle", 117)
    ticket: str = plane.post(f"{SLIDE}/check", {"uuid": "puzzle", "x": 117}).json()["data"]
    return ticket


def signed_in_with(plane: ControlPlane, ticket: str) -> tuple[object, object]:
    """Code and error of a login whose picture is read rightly."""
    uuid = new_id()
    captcha.store_answer(plane.services, uuid, "4711")
    answer = login(plane, ADMIN_PASSWORD, code="4711", uuid=uuid, ticket=ticket)
    data = answer["data"]
    assert isinstance(data, dict)
    return answer["code"], data.get("error")


def test_the_slide_puzzle_is_two_pictures(guarded: ControlPlane) -> None:
    data = guarded.post(SLIDE).json()["data"]
    sizes = [
        Image.open(BytesIO(base64.b64decode(data[name].partition(",")[2]))).size for name in ("background", "piece")
    ]
    assert sizes == [(350, 155), (50, 50)]
    assert 0 < data["y"] <= 155 - 50
    assert guarded.post(f"{SLIDE}/state", {"uuid": data["uuid"]}).json()["data"] == {
        "isOpen": True,
        "remainingMs": 120_000,
    }


@pytest.mark.parametrize(
    ("off", "error"), [(0, None), (4, None), (-4, None), (5, "slide-missed"), (-5, "slide-missed")]
)
def test_the_piece_must_be_in_the_right_position(guarded: ControlPlane, off: int, error: str | None) -> None:
    slide.store_position(guarded.services, "puzzle", 117)
    answer = guarded.post(f"{SLIDE}/check", {"uuid": "puzzle", "x": 117 + off}).json()
    assert answer["code"] == (40105 if error else 200)
    assert error is None or answer["data"]["error"] == error


def test_a_puzzle_is_good_once_whether_solved_or_missed(guarded: ControlPlane) -> None:
    for x in (117, 300):
        slide.store_position(guarded.services, "puzzle", 117)
        guarded.post(f"{SLIDE}/check", {"uuid": "puzzle", "x": x})
        again = guarded.post(f"{SLIDE}/check", {"uuid": "puzzle", "x": 117}).json()
        assert (again["code"], again["data"]["error"]) == (40104, "slide-expired")
        state = guarded.post(f"{SLIDE}/state", {"uuid": "puzzle"}).json()["data"]
        assert state == {"isOpen": False, "remainingMs": 0}


def test_puzzle_and_ticket_are_good_for_two_minutes(guarded: ControlPlane) -> None:
    slide.store_position(guarded.services, "late", 117)
    ticket = slid(guarded)
    guarded.clock.advance(slide.LIFETIME)
    assert guarded.post(f"{SLIDE}/check", {"uuid": "late", "x": 117}).json()["code"] == 40104
    assert guarded.post(f"{SLIDE}/state", {"uuid": "late"}).json()["data"]["isOpen"] is False
    assert signed_in_with(guarded, ticket) == (40104, "slide-expired")


def test_a_ticket_opens_one_session(guarded: ControlPlane) -> None:
    ticket = slid(guarded)
    assert signed_in_with(guarded, ticket) == (200, None)
    assert signed_in_with(guarded, ticket) == (40104, "slide-expired")
    assert signed_in_with(guarded, "") == (40105, "slide-needed")
    assert signed_in_with(guarded, "made.up") == (40104, "slide-expired")


def test_a_picture_with_digits_is_no_ticket(guarded: ControlPlane) -> None:
    captcha.store_answer(guarded.services, "picture", "4711")
    assert signed_in_with(guarded, "picture.4711") == (40104, "slide-expired")


def test_the_captcha_is_a_picture(guarded: ControlPlane) -> None:
    data = guarded.post("sys/authentication/code").json()["data"]
    kind, _, content = data["img"].partition(",")
    assert kind == "data:image/png;base64"
    assert base64.b64decode(content).startswith(b"\x89PNG")
    assert login(guarded, ADMIN_PASSWORD, code="not digits", uuid=data["uuid"])["code"] == 40105


def test_the_captcha_is_good_once(guarded: ControlPlane) -> None:
    captcha.store_answer(guarded.services, "picture", "4711")
    assert login(guarded, ADMIN_PASSWORD, code="4711", uuid="picture", ticket=slid(guarded))["code"] == 200
    assert login(guarded, ADMIN_PASSWORD, code="4711", uuid="picture")["code"] == 40104


def test_a_wrong_answer_uses_the_captcha_up(guarded: ControlPlane) -> None:
    captcha.store_answer(guarded.services, "picture", "4711")
    assert login(guarded, ADMIN_PASSWORD, code="4712", uuid="picture")["code"] == 40105
    assert login(guarded, ADMIN_PASSWORD, code="4711", uuid="picture")["code"] == 40104


def test_the_captcha_expires(guarded: ControlPlane) -> None:
    captcha.store_answer(guarded.services, "picture", "4711")
    guarded.clock.advance(captcha.LIFETIME)
    assert login(guarded, ADMIN_PASSWORD, code="4711", uuid="picture")["code"] == 40104


def test_without_captcha_no_sign_in_succeeds(guarded: ControlPlane) -> None:
    assert login(guarded, ADMIN_PASSWORD)["code"] == 40105


@pytest.fixture
def fresh(store_url: str, tmp_path: Path) -> Iterator[ControlPlane]:
    """A first start without a password given."""
    with control_plane(tmp_path, store_url, admin_password="") as running:
        yield running


def initial_password(plane: ControlPlane) -> str:
    return (plane.data_dir / "initial-password").read_text().strip()


def test_the_generated_password_is_shown_once_and_kept_private(fresh: ControlPlane) -> None:
    password = initial_password(fresh)
    passwords.check_rules(password, 16)
    assert any(password in line for line in fresh.lines)
    assert stat.S_IMODE((fresh.data_dir / "initial-password").stat().st_mode) == 0o600


def test_the_first_login_demands_another_password(fresh: ControlPlane) -> None:
    answer = login(fresh, initial_password(fresh))
    assert answer["code"] == 40200
    data = answer["data"]
    assert isinstance(data, dict)
    reset = data["token"]
    assert fresh.get("auth/info", reset).status_code == 401
    change = {"newPassword": "Better-1", "confirmPassword": "Better-1", "token": reset}
    assert fresh.post(CHANGE, change).json()["data"]["error"] == "password-too-simple"
    change = {"newPassword": "Better_1", "confirmPassword": "Better_1", "token": reset}
    assert fresh.post(CHANGE, change).json()["code"] == 200
    assert not (fresh.data_dir / "initial-password").exists()
    fresh.sign_in(password="Better_1")
    assert fresh.post(CHANGE, change).status_code == 401


def test_a_given_password_needs_no_change(plane: ControlPlane) -> None:
    assert plane.lines == []
    assert not (plane.data_dir / "initial-password").exists()
    plane.sign_in()


@pytest.mark.parametrize(
    ("new", "again", "error"),
    [
        ("Short1.", "Short1.", "password-length"),
        ("Sixteen1Sixteen1x", "Sixteen1Sixteen1x", "password-length"),
        ("alllower1", "alllower1", "password-too-simple"),
        ("ALLUPPER1", "ALLUPPER1", "password-too-simple"),
        ("NoDigits", "NoDigits", "password-too-simple"),
        ("Blank 12", "Blank 12", "password-too-simple"),
        ("Correct12", "Correct13", "passwords-differ"),
    ],
)
def test_rules_for_new_passwords(plane: ControlPlane, new: str, again: str, error: str) -> None:
    token = plane.sign_in()
    body = {"currentPassword": ADMIN_PASSWORD, "newPassword": new, "confirmPassword": again, "token": token}
    assert plane.post(CHANGE, body).json()["data"]["error"] == error


def test_changing_the_password_ends_every_session(plane: ControlPlane) -> None:
    other_device, token = plane.sign_in(), plane.sign_in()
    body = {"newPassword": "Correct12", "confirmPassword": "Correct12"}
    wrong = plane.post(CHANGE, {**body, "currentPassword": "Wrong123"}, token)
    assert wrong.json()["data"]["error"] == "current-password-wrong"
    assert plane.post(CHANGE, {**body, "currentPassword": ADMIN_PASSWORD}, token).json()["code"] == 200
    assert plane.get("auth/info", other_device).json()["code"] == 40102
    assert plane.get("auth/info", token).json()["code"] == 40102
    plane.sign_in(password="Correct12")


def test_the_current_password_cannot_be_guessed_with_a_stolen_session(plane: ControlPlane) -> None:
    token = plane.sign_in()
    body = {"newPassword": "Correct12", "confirmPassword": "Correct12", "currentPassword": "Wrong123"}
    answers = [plane.post(CHANGE, body, token).status_code for _ in range(6)]
    assert answers == [200] * 5 + [429]


def test_a_second_start_keeps_the_administrator(store_url: str, tmp_path: Path) -> None:
    with control_plane(tmp_path, store_url):
        pass
    with control_plane(tmp_path, store_url, admin_password="Another-one-2") as second:
        second.sign_in(password=ADMIN_PASSWORD)
