"""Users: the form's rules, who may change whom, ends of sessions, separation of tenants."""

from typing import Any

import pytest
import sqlalchemy as sa

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.people import NEW_PASSWORD, administrator_of, first_sign_in, form
from tests.integration.control.platform.test_session import add_user
from tests.support.control_plane import ControlPlane
from zcbus.control.store.tables.audit import audit_record

UPSERT = "account/user/upsert"
INFO = "account/user/query/userInfo/by/userId"


def add(caller: Caller, name: str, **changes: Any) -> str:
    user_id: str = caller.call(UPSERT, form(name, **changes))["userId"]
    return user_id


def names(caller: Caller, **request: Any) -> list[str]:
    return [user["userName"] for user in caller.call("account/user/page", request)["records"]]


def test_a_user_is_added_and_signs_in(plane: ControlPlane, admin: Caller) -> None:
    department = admin.call("account/dept/add", {"name": "运维部"})["id"]
    user_id = add(admin, "wang", deptId=department, roleCode="maintainer", clientRemote=True)
    user = admin.call(INFO, {"userId": user_id})
    assert (user["userName"], user["roleCodes"], user["deptId"]) == ("wang", ["maintainer"], department)
    assert (user["idNumber"], user["userType"], user["clientRemote"]) == ("11010519491231002X", "3", True)
    wang = first_sign_in(plane, "wang")
    shown = wang.call("account/role/menu/list")
    assert shown == ["home", "index", "resource", "resource/article", "disclaimers"]
    assert "authority-management" not in shown
    assert wang.refused("account/user/page")["code"] == 40103
    codes = plane.get(f"account/role/get-user-role-codes?userId={user_id}", wang.token).json()["data"]
    assert codes == ["maintainer"]


@pytest.mark.wide
@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"userName": " "}, "user-name-empty"),
        ({"userName": "admin"}, "user-name-taken"),
        ({"password": "Short1a"}, "password-length"),
        ({"password": "alllowercase1"}, "password-too-simple"),
        ({"password": None}, "password-length"),
        ({"documentType": None}, "document-type-missing"),
        ({"roleCode": None}, "role-missing"),
        ({"roleCode": "nothing"}, "role-unknown"),
        ({"idNumber": ""}, "id-number-missing"),
        ({"idNumber": "1101051949123100"}, "id-number-length"),
        ({"idNumber": "11010519491231002Y"}, "id-number-invalid"),
        ({"phone": "12345678901"}, "phone-invalid"),
        ({"email": "nobody"}, "email-invalid"),
        ({"status": "2"}, "new-user-cancelled"),
        ({"userName": "x" * 51}, "request-malformed"),
        ({"nickName": "x" * 11}, "request-malformed"),
        ({"documentType": "1", "idNumber": "1" * 19}, "request-malformed"),
        ({"phone": "1" * 14}, "request-malformed"),
        ({"email": f"{'x' * 96}@x.cn"}, "request-malformed"),
        ({"description": "x" * 201}, "request-malformed"),
        ({"deptId": "nothing"}, "record-not-found"),
        ({"customerId": "nothing"}, "record-not-found"),
    ],
)
def test_an_invalid_form_adds_no_user(admin: Caller, changes: dict[str, Any], error: str) -> None:
    before = names(admin)
    refused = admin.refused(UPSERT, form("li", **changes))
    assert refused["data"]["error"] == error
    assert names(admin) == before


def test_texts_of_the_form_are_in_both_languages_and_name_the_field(admin: Caller) -> None:
    wrong = form("li", idNumber="1101051949123100")
    assert admin.refused(UPSERT, wrong, "zh")["message"] == "身份证号码应为 15 位或 18 位"
    english = admin.refused(UPSERT, wrong, "en")
    assert english["message"] == "ID number should be 15 or 18 digits"
    assert english["data"]["fields"] == [{"field": "idNumber", "reason": english["message"]}]


def test_an_hr_number_needs_no_pattern(admin: Caller) -> None:
    add(admin, "li", documentType="1", idNumber="HR-7")


@pytest.mark.parametrize("status", ["1", "2"])
def test_disabling_ends_every_session(plane: ControlPlane, admin: Caller, status: str) -> None:
    user_id = add(admin, "zhao")
    zhao = first_sign_in(plane, "zhao")
    admin.call(UPSERT, {"userId": user_id, "status": status})
    ended = plane.get("auth/info", zhao.token)
    assert (ended.status_code, ended.json()["code"]) == (401, 40102)
    login = plane.post("sys/authentication/login", {"userName": "zhao", "password": "Chosen.1234"}).json()
    assert login["data"]["error"] == "account-disabled"
    admin.call(UPSERT, {"userId": user_id, "status": "0"})
    assert plane.get("auth/info", zhao.token).status_code == 401
    plane.sign_in("zhao", "Chosen.1234")


def test_another_role_signs_the_user_out(plane: ControlPlane, admin: Caller) -> None:
    user_id = add(admin, "qian")
    qian = first_sign_in(plane, "qian")
    admin.call(UPSERT, {"userId": user_id, "roleCode": "engineer"})
    assert plane.get("auth/info", qian.token).status_code == 401
    assert admin.call(INFO, {"userId": user_id})["userType"] == "2"


def test_null_keeps_a_field_and_empty_text_clears_it(admin: Caller) -> None:
    user_id = add(admin, "sun", description="works at night")
    admin.call(UPSERT, {"userId": user_id, "phone": ""})
    user = admin.call(INFO, {"userId": user_id})
    assert (user["phone"], user["description"], user["email"]) == (None, "works at night", "sun@example.com")


def test_a_person_keeps_the_own_fields_and_nothing_else(plane: ControlPlane, admin: Caller) -> None:
    user_id = add(admin, "zhou")
    zhou = first_sign_in(plane, "zhou")
    zhou.call(UPSERT, {"userId": user_id, "nickName": "周", "phone": "15900001111"})
    assert zhou.call(INFO, {"userId": user_id})["nickName"] == "周"
    for change in ({"roleCode": "super-admin"}, {"status": "1"}, {"userName": "root"}, {"customerId": "south"}):
        assert zhou.refused(UPSERT, {"userId": user_id, **change})["data"]["error"] == "user-self"
    other = add(admin, "wu")
    for path, body in (
        (INFO, {"userId": other}),
        (UPSERT, {"userId": other, "nickName": "x"}),
        (UPSERT, form("zheng")),
        ("account/user/delete", {"userId": other}),
        ("account/user/password/reset", {"userId": other, "password": NEW_PASSWORD}),
    ):
        assert zhou.refused(path, body)["code"] == 40103, path


def test_built_in_accounts_are_locked(plane: ControlPlane, admin: Caller) -> None:
    add_user(plane, "second", "super-admin")
    second = Caller(plane, plane.sign_in("second"))
    records = second.call("account/user/page", {"search": "admin"})["records"]
    admin_id = next(user["userId"] for user in records if user["userName"] == "admin")
    for change in ({"userName": "root"}, {"roleCode": "ordinary"}, {"status": "1"}):
        assert second.refused(UPSERT, {"userId": admin_id, **change})["data"]["error"] == "user-built-in"
    assert second.refused("account/user/delete", {"userId": admin_id})["data"]["error"] == "user-built-in"
    second.call(UPSERT, {"userId": admin_id, "nickName": "总管"})
    assert plane.get("auth/info", admin.token).json()["data"]["user"]["nickName"] == "总管"


def test_no_user_gains_rights_beyond_the_own(plane: ControlPlane, admin: Caller) -> None:
    boss = administrator_of(plane, "default")
    assert boss.refused(UPSERT, form("root", roleCode="super-admin"))["data"]["error"] == "role-above"
    assert "super-admin" not in [role["code"] for role in boss.call("account/role/get-all", {})]
    add_user(plane, "chief", "super-admin")
    chief = next(user["userId"] for user in boss.call("account/user/page", {"search": "chief"})["records"])
    for path, body in (
        (UPSERT, {"userId": chief, "nickName": "x"}),
        ("account/user/password/reset", {"userId": chief, "password": NEW_PASSWORD}),
        ("account/user/delete", {"userId": chief}),
    ):
        assert boss.refused(path, body)["data"]["error"] == "user-above", path
    own = plane.get("auth/info", boss.token).json()["data"]["user"]["userId"]
    assert boss.refused("account/user/delete", {"userId": own})["data"]["error"] == "user-self"


def test_a_password_that_was_reset_must_be_changed(plane: ControlPlane, admin: Caller) -> None:
    user_id = add(admin, "feng")
    feng = first_sign_in(plane, "feng")
    assert admin.refused("account/user/password/reset", {"userId": user_id, "password": "weak"})["code"] == 300
    admin.call("account/user/password/reset", {"userId": user_id, "password": "Another99a"})
    assert plane.get("auth/info", feng.token).status_code == 401
    first_sign_in(plane, "feng", "Another99a")


def test_tenants_do_not_see_each_others_users(plane: ControlPlane, admin: Caller) -> None:
    south, north = administrator_of(plane, "south"), administrator_of(plane, "north")
    user_id = add(south, "nan")
    assert names(south) == ["boss-south", "nan"]
    assert names(north) == ["boss-north"]
    assert names(admin, customerId="south") == ["boss-south", "nan"]
    for path, body in (
        (INFO, {"userId": user_id}),
        (UPSERT, {"userId": user_id, "status": "1"}),
        ("account/user/delete", {"userId": user_id}),
        ("account/user/password/reset", {"userId": user_id, "password": NEW_PASSWORD}),
        ("account/user/user-account-send", {"id": user_id, "customerId": "north"}),
        (UPSERT, form("bei", customerId="south")),
        (UPSERT, {"userId": user_id, "customerId": "north"}),
    ):
        assert north.refused(path, body)["code"] == 404, path
    assert south.refused("account/user/user-account-send", {"id": user_id, "customerId": "north"})["code"] == 404
    assert plane.get(f"account/role/get-user-role-codes?userId={user_id}", north.token).status_code == 404


def test_an_account_is_sent_to_another_tenant(plane: ControlPlane, admin: Caller) -> None:
    south, north = administrator_of(plane, "south"), administrator_of(plane, "north")
    user_id = add(south, "nan", deptId=south.call("account/dept/add", {"name": "部"})["id"])
    nan = first_sign_in(plane, "nan")
    admin.call("account/user/user-account-send", {"id": user_id, "customerId": "north"})
    assert plane.get("auth/info", nan.token).status_code == 401
    assert "nan" in names(north)
    assert admin.call(INFO, {"userId": user_id})["deptId"] is None
    own = south.call("account/role/add", {"code": "own", "nameZh": "自", "nameEn": "Own", "permissions": []})
    assert own
    held = add(south, "holder", roleCode="own")
    sent = admin.refused("account/user/user-account-send", {"id": held, "customerId": "north"})
    assert sent["data"]["error"] == "role-not-usable"


def test_the_list_is_searched_filtered_and_sorted(admin: Caller) -> None:
    above = admin.call("account/dept/add", {"name": "总部"})["id"]
    below = admin.call("account/dept/add", {"name": "分部", "parentId": above})["id"]
    add(admin, "aaa", deptId=above, nickName="Alpha")
    add(admin, "bbb", deptId=below, roleCode="engineer", status="1")
    assert names(admin, deptId=above) == ["aaa", "bbb"]
    assert names(admin, deptId=below) == ["bbb"]
    assert names(admin, search="alph") == ["aaa"]
    assert names(admin, roleCode="engineer") == ["bbb"]
    assert names(admin, status="1") == ["bbb"]
    assert names(admin, sort="userName", order="desc", size=2, search="example.com") == ["bbb", "aaa"]
    record = admin.call("account/user/page", {"search": "bbb"})["records"][0]
    assert (record["deptName"], record["roleName"], record["customerName"]) == ("分部", "Engineer", "默认租户")


def test_the_operation_log_has_no_password(plane: ControlPlane, admin: Caller) -> None:
    user_id = add(admin, "jiang")
    admin.call(UPSERT, {"userId": user_id, "nickName": "江"})
    admin.call("account/user/password/reset", {"userId": user_id, "password": "Another99a"})
    admin.call("account/user/delete", {"userId": user_id})
    with plane.services.database.read() as connection:
        records = connection.execute(
            sa.select(audit_record).where(audit_record.c.subject == "jiang").order_by(audit_record.c.id)
        ).all()
    done = [(record.action, record.result, record.user_name) for record in records]
    assert done == [
        ("user_upsert", "done", "admin"),
        ("user_upsert", "done", "admin"),
        ("user_reset_password", "done", "admin"),
        ("user_delete", "done", "admin"),
    ]
    assert (records[1].before["nickName"], records[1].after["nickName"]) == ("jiang", "江")
    assert records[3].before["userName"] == "jiang"
    assert all(secret not in repr(records) for secret in (NEW_PASSWORD, "Another99a", "argon2"))
