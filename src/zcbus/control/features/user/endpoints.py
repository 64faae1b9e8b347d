"""Calls of users."""

from fastapi import Query

from zcbus.control.features.account.schemas import UserRecord
from zcbus.control.features.captcha.deletion import confirm_deletion
from zcbus.control.features.user import reading, rules, service
from zcbus.control.features.user.schemas import (
    USERS,
    AccountSend,
    PasswordReset,
    UserChoice,
    UserDeletion,
    UserListRecord,
    UserPageRequest,
    UserUpsert,
)
from zcbus.control.platform.authorisation import authorise, own_or
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.paging import Page, answer_page
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api

api = Api("user")

_VIEW = authorise(service.MENU_KEY, Operation.VIEW)
_VIEW_OTHERS = own_or(service.MENU_KEY, Operation.VIEW)
_EDIT = authorise(service.MENU_KEY, Operation.EDIT)
_EDIT_OTHERS = own_or(service.MENU_KEY, Operation.EDIT)
_CREATE = own_or(service.MENU_KEY, Operation.CREATE)


@api.read("/api/zcbus/account/user/page", _VIEW, lists=USERS)
def page(call: Call, body: UserPageRequest) -> Page[UserListRecord]:
    """Users by page."""
    return answer_page(call, body, reading.listing(call, body))


@api.read("/api/zcbus/account/user/query/userInfo/by/userId", _VIEW_OTHERS)
def get(call: Call, body: UserChoice) -> UserRecord:
    """All fields of a user; every user may see the own account."""
    if body.user_id != call.principal.user_id:
        _VIEW_OTHERS.check_foreign(call.principal)
    return reading.describe(call.connection, reading.find(call.connection, call.principal, body.user_id))


@api.read("/api/zcbus/account/role/get-user-role-codes", _VIEW_OTHERS, method="GET")
def get_role_codes(call: Call, user_id: str = Query(alias="userId", max_length=32)) -> list[str]:
    """The codes of a user's roles; the console uses the first."""
    return get(call, UserChoice(user_id=user_id)).role_codes


@api.change("/api/zcbus/account/user/upsert", _EDIT_OTHERS, unit=Unit.OWN)
def upsert(call: Call, body: UserUpsert) -> UserChoice:
    """Add a user, change one, or change the own personal fields."""
    call.audit.subject = body.user_name
    if body.user_id is None:
        return UserChoice(user_id=_add(call, body))
    with call.services.database.write() as connection:
        row = reading.find(connection, call.principal, body.user_id)
        call.audit.subject, call.audit.before = row.user_name, reading.plain(connection, row)
        if row.id == call.principal.user_id:
            service.edit_own(connection, call.services.clock.now(), row, body)
        else:
            _EDIT_OTHERS.check_foreign(call.principal)
            service.edit(connection, call.principal, call.services.clock.now(), row, body)
    return UserChoice(user_id=body.user_id)


@api.change("/api/zcbus/account/user/delete", authorise(service.MENU_KEY, Operation.DELETE))
def delete(call: Call, body: UserDeletion) -> None:
    """Delete a user, who can be restored from the recycle bin, disabled and without password. Codes 40104 and
    40105 speak of the captcha."""
    confirm_deletion(call, body)
    row = reading.find(call.connection, call.principal, body.user_id)
    call.audit.subject, call.audit.before, call.audit.after = row.user_name, reading.plain(call.connection, row), None
    service.delete(call.connection, call.services, call.principal, row)


@api.change("/api/zcbus/account/user/password/reset", _EDIT, unit=Unit.OWN)
def reset_password(call: Call, body: PasswordReset) -> None:
    """Set a user's password, which must be changed at the next sign-in; ends the user's sessions."""
    hashed = service.hash_new_password(body.password, call.services.settings.password_longest)
    with call.services.database.write() as connection:
        row = reading.find(connection, call.principal, body.user_id)
        call.audit.subject = row.user_name
        service.reset_password(connection, call.principal, call.services.clock.now(), row, hashed)


@api.change("/api/zcbus/account/user/second-factor/remove", _EDIT)
def remove_second_factor(call: Call, body: UserChoice) -> None:
    """Remove the second factor of a user who lost it; ends the user's sessions."""
    row = reading.find(call.connection, call.principal, body.user_id)
    call.audit.subject = row.user_name
    service.remove_second_factor(call.connection, call.principal, call.services.clock.now(), row)


@api.change("/api/zcbus/account/user/user-account-send", _EDIT)
def send(call: Call, body: AccountSend) -> None:
    """Move an account to another tenant: the user belongs to it from now on, and must sign in again."""
    row = reading.find(call.connection, call.principal, body.id)
    call.audit.subject, call.audit.before = row.user_name, {"customerId": row.tenant_id, "deptId": row.dept_id}
    service.send(call.connection, call.principal, call.services.clock.now(), row, body.customer_id)


def _add(call: Call, form: UserUpsert) -> str:
    _CREATE.check_foreign(call.principal)
    longest = call.services.settings.password_longest
    rules.check_new(form, longest)
    hashed = service.hash_new_password(form.password or "", longest)
    with call.services.database.write() as connection:
        return service.add(connection, call.principal, call.services.clock.now(), form, hashed)
