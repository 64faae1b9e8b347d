"""Letting people in without a password, and sending them back to where they came from."""

import shutil
from pathlib import Path

import pytest

from tests.integration.control.features.conftest import Caller
from tests.integration.control.platform.test_session import add_user
from tests.support.control_plane import ADMIN_PASSWORD, ControlPlane, control_plane

FREE = "sys/authentication/login/free"
PORTAL = "https://portal.example/zcbus"
SOURCES = {
    PORTAL: True,
    PORTAL + "/in?x=1": True,
    "https://portal.example/zcbusted": False,
    "https://portal.example/zcbus/../other": False,
    "https://portal.example@evil.example/zcbus": False,
    "https://evil.example/zcbus": False,
    "http://portal.example/zcbus": False,
    "javascript:alert(1)": False,
    "": False,
}


def test_the_console_opens_with_the_account_that_the_operator_named(prepared_store: str, tmp_path: Path) -> None:
    with control_plane(tmp_path, prepared_store, login_free="guest") as plane:
        assert plane.get("sys/authentication/methods").json()["data"]["loginFree"] is True
        assert plane.post(FREE).json()["data"]["error"] == "login-free-account"
        add_user(plane, "guest")
        answer = plane.post(FREE).json()["data"]
        assert (answer["loginFree"], answer["user"]["userName"]) == (True, "guest")
        assert plane.get("auth/info", answer["token"]).json()["data"]["user"]["roleCodes"] == ["ordinary"]


@pytest.mark.parametrize("name", ["admin", "agent-default", "nobody"])
def test_built_in_accounts_never_sign_in_without_a_password(prepared_sqlite: Path, tmp_path: Path, name: str) -> None:
    shutil.copytree(prepared_sqlite, tmp_path, dirs_exist_ok=True)
    with control_plane(tmp_path, f"sqlite:///{tmp_path}/store.db", login_free=name) as plane:
        assert plane.post(FREE).json()["data"]["error"] == "login-free-account"


def test_sign_in_is_required_unless_switched_off(plane: ControlPlane) -> None:
    assert plane.get("sys/authentication/methods").json()["data"]["loginFree"] is False
    assert plane.post(FREE).json()["data"]["error"] == "login-free-absent"


def test_only_known_portals_get_their_people_back(plane: ControlPlane, admin: Caller) -> None:
    admin.call("bus-sys-parameter/update", {"variableName": "source_addresses", "value": [PORTAL]})
    credentials = {"userName": "admin", "password": ADMIN_PASSWORD}
    for source, known in SOURCES.items():
        answer = plane.post("sys/authentication/login", {**credentials, "sourceUrl": source}).json()["data"]
        assert answer["sourceUrl"] == (source if known else None), source
