"""Reading the operation log and the login log."""

from datetime import timedelta

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.platform.test_session import LOGIN, add_user
from tests.support.control_plane import ControlPlane
from zcbus.control.features.operation_log.retention import remove_old

PAGE, GET = "monitor/operation-log/page", "monitor/operation-log/get"
SIGN_INS = "system/login-log/page"


def test_operations_are_found_with_their_values_before_and_after(agent: FakeAgent, admin: Caller) -> None:
    admin.call("sync/link/apply", {"document": document()})
    admin.refused("sync/link/delete", {"id": "nobody"})
    newest = admin.call(PAGE, {})
    assert [record["result"] for record in newest["records"][:2]] == ["failed", "done"]
    applied = admin.call(PAGE, {"search": "SYNC-LINK_APPLY"})["records"][0]
    assert (applied["userName"], applied["result"]) == ("admin", "done")
    detail = admin.call(GET, {"id": applied["id"]})
    assert "password" not in detail["after"]["document"]["source"]
    assert "secret-1" not in str(detail)
    assert detail["requestId"]
    assert (applied["title"], detail["title"], detail["reason"]) == (
        "Create or change link",
        "Create or change link",
        None,
    )
    assert {record["action"] for record in admin.call(PAGE, {"search": "创建或修改链路"})["records"]} == {
        "sync-link_apply_document"
    }
    failed = admin.call(PAGE, {"kind": "link", "action": "sync-link_delete", "user": "admin"})["records"]
    assert [record["result"] for record in failed] == ["failed"]
    assert admin.call(GET, {"id": failed[0]["id"]})["reason"]
    assert admin.call(PAGE, {"kind": "sql"})["total"] == 0
    assert admin.call(PAGE, {"kind": "link", "user": "adm"})["total"] == 0
    kinds = {one["kind"]: one["actions"] for one in admin.call("monitor/operation-log/actions", {})}
    assert {"action": "sync-link_delete", "title": "Delete link"} in kinds["link"]
    assert admin.refused(GET, {"id": "nobody"})["data"]["error"] == "record-not-found"


def test_a_failure_is_recorded_whatever_was_sent(admin: Caller) -> None:
    admin.refused("bus-sys-parameter/update", {"variableName": "nothing", "value": [2**70]})
    newest = admin.call(PAGE, {})["records"][0]
    assert (newest["action"], newest["result"]) == ("parameter_update", "failed")
    assert admin.call(GET, {"id": newest["id"]})["after"] == {"variableName": "nothing", "value": [str(2**70)]}


def test_records_of_changed_and_deleted_objects_stay_in_the_log(agent: FakeAgent, admin: Caller) -> None:
    admin.call("sync/link/apply", {"document": document()})
    admin.call("sync/link/apply", {"document": document(load="full")})
    limits = {"name": "shop", "tables": ["public.orders"], "errorLimit": 7, "dmlSkip": 1, "ddlSkip": 0}
    admin.call("sync/link/error/limit", limits)
    admin.call("sync/link/delete", {"name": "shop"})
    before = {
        record["action"]: admin.call(GET, {"id": record["id"]})["before"]
        for record in admin.call(PAGE, {"size": 4})["records"][:3]
    }
    assert before["sync-link_apply_document"]["document"]["load"] == "full+incremental"
    assert before["row-error_limit"] == {
        "public.orders": {"state": "uninitialized", "errorLimit": 100, "dmlSkip": 0, "ddlSkip": 0}
    }
    assert before["sync-link_delete"]["name"] == "shop"


def test_pages_sorts_searches_and_streams_everything(admin: Caller) -> None:
    for number in range(25):
        admin.refused("sync/link/delete", {"id": f"link-{number}"})
    failed = admin.call(PAGE, {"result": "failed", "size": 20})
    assert (failed["total"], len(failed["records"])) == (25, 20)
    assert len(admin.call(PAGE, {"result": "failed", "size": -1})["records"]) == 25
    oldest = admin.call(PAGE, {"sort": "recordedAt", "order": "asc", "size": 20})["records"]
    assert oldest == sorted(oldest, key=lambda record: str(record["recordedAt"]))
    assert admin.call(PAGE, {"search": "100%"})["total"] == 0
    # Every record says from where the call came, and is found by it.
    address = failed["records"][0]["address"]
    assert address
    assert admin.call(PAGE, {"search": address, "result": "failed"})["total"] == 25
    assert admin.call(PAGE, {"search": "203.0.113.77"})["total"] == 0
    later = admin.call(PAGE, {"since": failed["records"][0]["recordedAt"], "result": "failed"})
    assert later["total"] >= 1
    assert admin.plane.post(PAGE, {"since": "2026-01-01T00:00:00"}, admin.token).status_code == 422
    assert admin.plane.post(PAGE, {"sort": "password"}, admin.token).json()["code"] != 200


def test_is_for_administrators_and_shows_their_tenant_only(admin: Caller, plane: ControlPlane) -> None:
    admin.refused("sync/link/delete", {"id": "nobody"})
    add_user(plane, "stranger", "administrator", "south")
    stranger = Caller(plane, plane.sign_in("stranger"))
    assert {record["userName"] for record in stranger.call(PAGE, {"size": -1})["records"]} == {"stranger"}
    [mine] = admin.call(PAGE, {"search": "sync-link_delete"})["records"]
    assert stranger.refused(GET, {"id": mine["id"]})["data"]["error"] == "record-not-found"
    add_user(plane, "looker", "ordinary", "default")
    assert plane.post(PAGE, {}, plane.sign_in("looker")).status_code == 403


def test_a_tenant_sees_its_sign_ins_also_those_that_failed(admin: Caller, plane: ControlPlane) -> None:
    add_user(plane, "stranger", "administrator", "south")
    for name in ("stranger", "typed-passw0rd"):
        assert plane.post(LOGIN, {"userName": name, "password": "wrong"}).json()["code"] != 200
    stranger = Caller(plane, plane.sign_in("stranger"))
    seen = stranger.call(SIGN_INS, {})["records"]
    assert [(one["userName"], one["title"], one["result"]) for one in seen] == [
        ("stranger", "Sign in with password", "done"),
        ("stranger", "Sign in with password", "failed"),
    ]
    assert [one["reason"] for one in seen] == [None, "No corresponding user"]
    assert seen[0]["address"]
    # Of all tenants and of names that no account has only those know who see all tenants.
    failed = admin.call(SIGN_INS, {"result": "failed"})["records"]
    assert [one["userName"][:8] for one in failed] == ["unknown:", "stranger"]
    assert admin.call(SIGN_INS, {"search": "STRANGER", "until": seen[1]["recordedAt"]})["total"] == 0
    admin.call("bus-sys-parameter/update", {"variableName": "operation_log_days", "value": 31})
    titles = {one["title"] for one in admin.call(SIGN_INS, {"size": -1})["records"]}
    assert titles == {"Sign in with password"}


def test_old_records_are_removed(admin: Caller, plane: ControlPlane) -> None:
    short = {"variableName": "operation_log_days", "value": 29}
    assert admin.refused("bus-sys-parameter/update", short)["data"]["error"] == "parameter-value"
    admin.call("bus-sys-parameter/update", {**short, "value": 30})
    plane.clock.advance(timedelta(days=20))
    again = Caller(plane, plane.sign_in())
    again.refused("sync/link/delete", {"id": "later"})
    plane.clock.advance(timedelta(days=10, seconds=1))
    remove_old(plane.services)
    left = Caller(plane, plane.sign_in()).call(PAGE, {"size": -1})["records"]
    assert [one["action"] for one in left] == ["session_login", "sync-link_delete", "session_login"]
