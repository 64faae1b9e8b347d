"""Service accounts: their scope, the ends of their tokens, rotation, separation of tenants."""

from datetime import timedelta
from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.people import administrator_of
from tests.integration.control.platform.test_session import add_user
from tests.support.control_plane import ControlPlane
from zcbus.control.features.alert.repository import select_open
from zcbus.control.features.alert.watch import evaluate

PATH = "account/service-account"
MENUS = "authority-management/menu-management"
READ_ONLY = [{"menuKey": "*", "operations": ["view"]}]
OPERATE_LINKS = [{"menuKey": "sync-link", "operations": ["operate"]}]


def account(name: str = "deploy", **changes: Any) -> dict[str, Any]:
    return {"name": name, "permissions": READ_ONLY, **changes}


def made(plane: ControlPlane, owner: Caller, **changes: Any) -> Caller:
    """A program with the token of a new account."""
    return Caller(plane, owner.call(f"{PATH}/add", account(**changes))["token"])


def only(caller: Caller, **request: Any) -> dict[str, Any]:
    (record,) = caller.call(f"{PATH}/page", request)["records"]
    return dict(record)


def test_a_read_only_account_reads_and_changes_nothing(plane: ControlPlane, admin: Caller) -> None:
    program = made(plane, admin)
    for path in ("sync/link/page", "publish/buspushstatustb/page", "sys/alarmmsg/page"):
        program.call(path)
    body = {"id": "x"}
    for path in ("sync/link/delete", "sync/link/pause", "sys/alarmmsg/setstatus", "account/second-factor/off"):
        assert program.refused(path, body)["code"] == 40103, path
    # Administrative pages are opened by name only.
    for path in ("account/user/page", "monitor/operation-log/page", "account/role/page", f"{PATH}/page"):
        assert program.refused(path)["code"] == 40103, path


def test_an_account_for_chosen_operations_may_do_nothing_else(plane: ControlPlane, admin: Caller) -> None:
    program = made(plane, admin, permissions=OPERATE_LINKS)
    program.call("sync/link/page")
    assert program.refused("sync/link/pause", {"id": "x"})["code"] != 40103
    own = ("sys/alarmmsg/page", "sys/session/page", "sys/session/end/all")
    for path in ("sync/link/delete", "publish/buspushstatustb/page", *own):
        assert program.refused(path, {"id": "x"})["code"] == 40103, path
    admin.call(f"{PATH}/edit", {"id": only(admin)["id"], "permissions": READ_ONLY})
    assert program.refused("sync/link/pause", {"id": "x"})["code"] == 40103


def test_an_account_may_never_do_more_than_its_owner(plane: ControlPlane, admin: Caller) -> None:
    add_user(plane, "olga", "administrator")
    olga = Caller(plane, plane.sign_in("olga"))
    program = made(
        plane, olga, permissions=[{"menuKey": "authority-management/user-management", "operations": ["view"]}]
    )
    program.call("account/user/page")
    (user,) = admin.call("account/user/page", {"search": "olga"})["records"]
    edited = {"userId": user["userId"], "idNumber": "11010519491231002X"}
    admin.call("account/user/upsert", {**edited, "roleCode": "ordinary"})
    assert program.refused("account/user/page")["code"] == 40103
    admin.call("account/user/upsert", {**edited, "status": "1"})
    assert program.refused("account/user/page")["data"]["error"] == "token-revoked"


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"permissions": []}, "service-account-scope"),
        ({"permissions": [{"menuKey": "*", "operations": ["*"]}]}, "service-account-scope"),
        ({"permissions": [{"menuKey": MENUS, "operations": ["view"]}]}, "service-account-scope"),
        ({"permissions": [{"menuKey": "nothing", "operations": ["view"]}]}, "permission-unknown"),
        ({"days": 366}, "service-account-lifetime"),
        ({"days": 0}, "request-malformed"),
        ({"name": " "}, "request-malformed"),
    ],
)  # fmt: skip
def test_what_an_account_cannot_be(plane: ControlPlane, changes: dict[str, Any], error: str) -> None:
    south = administrator_of(plane, "south")
    assert south.refused(f"{PATH}/add", account(**changes))["data"]["error"] == error


def test_a_rotated_token_stays_good_for_the_grace_period(plane: ControlPlane, admin: Caller) -> None:
    first = made(plane, admin)
    row = only(admin)
    plane.clock.advance(timedelta(minutes=1))
    second = Caller(plane, admin.call(f"{PATH}/rotate", {"id": row["id"], "graceHours": 2})["token"])
    assert only(admin)["previousUntil"] == _text(plane, hours=2)
    plane.clock.advance(timedelta(minutes=1))
    third = Caller(plane, admin.call(f"{PATH}/rotate", {"id": row["id"], "graceHours": 2, "days": 10})["token"])
    assert first.refused("sync/link/page")["data"]["error"] == "token-expired"
    second.call("sync/link/page")
    plane.clock.advance(timedelta(hours=2))
    assert second.refused("sync/link/page")["data"]["error"] == "token-expired"
    third.call("sync/link/page")
    shown = only(admin)
    assert (shown["previousUntil"], shown["state"], shown["usedFrom"]) == (None, "expiring", "127.0.0.1")


def test_a_revoked_account_is_refused_at_once_and_its_name_is_free(plane: ControlPlane, admin: Caller) -> None:
    program = made(plane, admin)
    assert admin.refused(f"{PATH}/add", account())["data"]["error"] == "service-account-name-taken"
    row = only(admin)
    admin.call(f"{PATH}/revoke", {"id": row["id"]})
    assert program.refused("sync/link/page")["data"]["error"] == "token-revoked"
    assert admin.call(f"{PATH}/page")["records"] == []
    assert only(admin, state="revoked")["state"] == "revoked"
    assert admin.refused(f"{PATH}/rotate", {"id": row["id"]})["code"] == 404
    made(plane, admin)


def test_a_tenants_accounts_are_its_own(plane: ControlPlane, admin: Caller) -> None:
    south, north = administrator_of(plane, "south"), administrator_of(plane, "north")
    program = made(plane, south)
    row = only(south)
    assert north.call(f"{PATH}/page")["records"] == []
    for act in ("edit", "rotate", "revoke"):
        body = {"id": row["id"], "permissions": READ_ONLY} if act == "edit" else {"id": row["id"]}
        assert north.refused(f"{PATH}/{act}", body)["code"] == 404, act
    assert admin.refused(f"{PATH}/rotate", {"id": row["id"]})["data"]["error"] == "service-account-foreign"
    program.call("sync/link/page")
    admin.call(f"{PATH}/revoke", {"id": row["id"]})
    assert program.refused("sync/link/page")["data"]["error"] == "token-revoked"


def test_an_account_is_confined_to_its_tenant_unless_it_was_asked_for(plane: ControlPlane, admin: Caller) -> None:
    administrator_of(plane, "south")
    tenants = [{"menuKey": "authority-management/user-management", "operations": ["view"]}]
    confined = made(plane, admin, permissions=tenants)
    spanning = made(plane, admin, name="all", permissions=tenants, spansTenants=True)
    seen = [
        {one["customerId"] for one in caller.call("account/user/page")["records"]} for caller in (confined, spanning)
    ]
    assert (len(seen[0]), len(seen[1])) == (1, 2)
    south = administrator_of(plane, "west")
    asked = made(plane, south, permissions=tenants, spansTenants=True)
    assert len({one["customerId"] for one in asked.call("account/user/page")["records"]}) == 1
    assert only(south)["spansTenants"] is False


def test_a_token_makes_no_token(plane: ControlPlane, admin: Caller) -> None:
    own = [{"menuKey": "authority-management/service-accounts", "operations": ["create", "edit"]}]
    program = made(plane, admin, permissions=own)
    row = only(program)
    for act, body in (
        ("add", account("other")),
        ("rotate", {"id": row["id"]}),
        ("edit", {"id": row["id"], "permissions": READ_ONLY}),
    ):
        assert program.refused(f"{PATH}/{act}", body)["data"]["error"] == "service-account-session-needed", act


def test_the_operation_log_names_account_and_owner(plane: ControlPlane, admin: Caller) -> None:
    program = made(plane, admin, permissions=OPERATE_LINKS)
    program.refused("sync/link/pause", {"id": "x"})
    records = admin.call("monitor/operation-log/page", {"user": "admin"})["records"]
    assert [(one["userName"], one["action"]) for one in records[:2]] == [
        ("admin (deploy)", "sync-link_pause"),
        ("admin", "service-account_add"),
    ]
    detail = admin.call("monitor/operation-log/get", {"id": records[1]["id"]})
    assert "token" not in str(detail["after"]).lower().replace("tokens", "")


def test_the_list_is_searched_sorted_and_paged(plane: ControlPlane, admin: Caller) -> None:
    for number in range(3):
        made(plane, admin, name=f"job-{number}", days=40 + number)
    made(plane, admin, name="other", description="nightly report")
    page = admin.call(f"{PATH}/page", {"search": "job", "size": 2, "sort": "expiresAt", "order": "desc"})
    assert ([one["name"] for one in page["records"]], page["total"]) == (["job-2", "job-1"], 3)
    assert only(admin, search="nightly")["name"] == "other"
    plane.clock.advance(timedelta(days=11))
    admin = Caller(plane, plane.sign_in())
    found = admin.call(f"{PATH}/page", {"state": "expiring"})["records"]
    assert [one["name"] for one in found] == ["job-0", "job-1"]
    plane.clock.advance(timedelta(days=30))
    admin = Caller(plane, plane.sign_in())
    assert [one["name"] for one in admin.call(f"{PATH}/page", {"state": "expired"})["records"]] == ["job-0", "job-1"]


def _text(plane: ControlPlane, hours: int) -> str:
    return (plane.clock.now() + timedelta(hours=hours)).isoformat().replace("+00:00", "Z")


def test_the_end_of_a_token_is_an_alert_until_it_is_rotated(plane: ControlPlane, admin: Caller) -> None:
    program = made(plane, admin, days=60)
    made(plane, admin, name="unused", days=60)
    program.call("sync/link/page")
    (row,) = [one for one in admin.call(f"{PATH}/page")["records"] if one["name"] == "deploy"]
    for days, expected in ((45, []), (2, ["token-ending", "token-ending"]), (14, ["token-ended"])):
        plane.clock.advance(timedelta(days=days))
        admin = Caller(plane, plane.sign_in())
        open_now = _open(plane)
        assert [kind for kind, _ in open_now] == expected
    assert [facts["account"] for _, facts in open_now] == ["deploy"]
    south = administrator_of(plane, "south")
    for who, count in ((admin, 1), (south, 0)):
        shown = who.call("sys/alarmmsg/page", {"current": 1, "size": 20})["records"]
        assert sum("service account deploy (owner admin) ended" in one["content"] for one in shown) == count
    admin.call(f"{PATH}/rotate", {"id": row["id"], "graceHours": 0, "days": 10})
    # One that was made for a few days only is no news on its first day.
    assert _open(plane) == []
    plane.clock.advance(timedelta(days=6))
    assert [kind for kind, _ in _open(plane)] == ["token-ending"]
    admin = Caller(plane, plane.sign_in())
    admin.call(f"{PATH}/revoke", {"id": row["id"]})
    assert _open(plane) == []


def _open(plane: ControlPlane) -> list[tuple[str, dict[str, str]]]:
    """Kind and facts of the open alerts about tokens, after a check of the platform."""
    evaluate(plane.services)
    with plane.services.database.read() as connection:
        return [(row.kind, row.facts) for row in select_open(connection) if row.kind.startswith("token")]
