"""Limits on what callers without a session make the platform read, store and show."""

from pathlib import Path

import pytest
from sqlalchemy import Table, func, select

from tests.support.control_plane import ControlPlane, control_plane
from zcbus.control.platform.anonymous_quota import PER_ADDRESS, AnonymousQuota
from zcbus.control.platform.errors import TooManyRequestsError
from zcbus.control.platform.middleware import MAX_ANONYMOUS_BYTES
from zcbus.control.store.tables.audit import audit_record
from zcbus.control.store.tables.identity import captcha, login_failure

LOGIN = "sys/authentication/login"


def rows(plane: ControlPlane, table: Table) -> int:
    with plane.services.database.read() as connection:
        return connection.execute(select(func.count()).select_from(table)).scalar_one()


@pytest.mark.parametrize("token", [None, "no-token-of-ours"])
@pytest.mark.parametrize("declared", [True, False], ids=["declared", "chunked"])
def test_little_is_read_before_it_is_known_who_sends_it(plane: ControlPlane, token: str | None, declared: bool) -> None:
    body = b'{"userName": "' + b"a" * (MAX_ANONYMOUS_BYTES + 1) + b'"}'
    headers = {"content-type": "application/json", **({"zcbus-token": token} if token else {})}
    for path, status in ((LOGIN, 413), ("sync/link/page", 401)):
        content = body if declared else iter([body])
        answer = plane.client.post(f"/api/zcbus/{path}", content=content, headers=headers)
        assert answer.status_code == status


def test_signed_in_users_may_send_larger_bodies(plane: ControlPlane) -> None:
    body = b'{"search": "' + b"a" * (MAX_ANONYMOUS_BYTES + 1) + b'"}'
    headers = {"content-type": "application/json", "zcbus-token": plane.sign_in()}
    answer = plane.client.post("/api/zcbus/sync/link/page", content=body, headers=headers)
    assert answer.status_code != 413
    assert answer.status_code != 401


def test_deep_nesting_is_the_callers_mistake(plane: ControlPlane) -> None:
    for body in (b"[" * 30_000, b'{"a":' * 10_000, b'{"kid": ' + b"[" * 30_000):
        for kind in ("application/json", "application/zcbus+json"):
            answer = plane.client.post(f"/api/zcbus/{LOGIN}", content=body, headers={"content-type": kind})
            assert answer.status_code < 500


def test_pictures_are_made_so_often_a_minute(plane: ControlPlane) -> None:
    paths = ("sys/authentication/code", "sys/authentication/slide")
    made = [plane.post(paths[number % 2]).status_code for number in range(PER_ADDRESS + 5)]
    assert made.count(429) == 5
    assert rows(plane, captcha) == PER_ADDRESS


def test_refused_calls_are_not_kept(tmp_path: Path) -> None:
    with control_plane(tmp_path, login_captcha="on") as plane:
        before = rows(plane, audit_record)
        for number in range(PER_ADDRESS + 30):
            answer = plane.post(LOGIN, {"userName": f"name-{number}", "password": "x", "code": "1", "uuid": "u"})
            assert answer.json()["code"] != 200
        assert rows(plane, audit_record) - before == PER_ADDRESS
        assert rows(plane, login_failure) == 0


def test_attempts_beyond_the_limit_are_not_kept(plane: ControlPlane) -> None:
    before = rows(plane, audit_record)
    for _ in range(20):
        plane.post(LOGIN, {"userName": "admin", "password": "wrong"})
    assert rows(plane, audit_record) - before == rows(plane, login_failure) == 5


def test_addresses_of_an_ipv6_network_share_a_quota() -> None:
    quota = AnonymousQuota()
    for number in range(PER_ADDRESS):
        quota.spend(f"2001:db8::{number:x}")
    with pytest.raises(TooManyRequestsError):
        quota.spend("2001:db8::ffff")
    quota.spend("2001:db8:0:1::1")


@pytest.mark.parametrize(("shown", "expected"), [("local", 200), ("off", 404)])
def test_other_hosts_see_the_metrics_with_the_token_only(tmp_path: Path, shown: str, expected: int) -> None:
    with control_plane(tmp_path, metrics=shown, metrics_token="0123456789abcdef") as plane:
        elsewhere = {"x-forwarded-for": "192.0.2.1"}
        for presented, status in (("Bearer 0123456789abcdef", expected), ("Bearer 0123456789abcdeX", 404), ("", 404)):
            given = {**elsewhere, "authorization": presented}
            assert plane.client.get("/metrics", headers=given).status_code == status
            assert plane.client.get("/openapi.json", headers=given).status_code == 404
    with control_plane(tmp_path / "none") as plane:
        assert plane.client.get("/metrics", headers={**elsewhere, "authorization": "Bearer"}).status_code == 404


@pytest.mark.wide
@pytest.mark.parametrize(
    ("shown", "own", "passed_on"),
    [("off", 404, 404), ("local", 200, 404), ("open", 200, 200)],
    ids=lambda one: str(one),
)
def test_pages_for_machines(tmp_path: Path, shown: str, own: int, passed_on: int) -> None:
    with control_plane(tmp_path, metrics=shown, openapi=shown) as plane:
        for path in ("/metrics", "/openapi.json", "/swagger-ui.html", "/druid/index.html", "/druid/index.js"):
            assert plane.client.get(path).status_code == own
            assert plane.client.get(path, headers={"x-forwarded-for": "192.0.2.1"}).status_code == passed_on
        assert plane.client.get("/healthz", headers={"x-forwarded-for": "192.0.2.1"}).status_code == 200
