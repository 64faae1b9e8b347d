"""Adding and changing users. Accounts with more rights than the caller's, and the own rights, cannot be changed."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.account import passwords
from zcbus.control.features.account import service as accounts
from zcbus.control.features.account.errors import RoleUnknownError
from zcbus.control.features.account.tenants import tenant_to_use
from zcbus.control.features.department import service as departments
from zcbus.control.features.recycle_bin.service import keep
from zcbus.control.features.role import user_roles as roles
from zcbus.control.features.role.errors import RoleAboveError
from zcbus.control.features.role.service import is_within
from zcbus.control.features.second_factor import service as second_factor
from zcbus.control.features.user import repository, rules
from zcbus.control.features.user.errors import (
    OwnSecondFactorError,
    RoleNotUsableError,
    UserAboveError,
    UserBuiltInError,
    UserSelfError,
)
from zcbus.control.features.user.schemas import UserUpsert
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.services import Services
from zcbus.control.platform.sessions import revoke_sessions_of

MENU_KEY = "authority-management/user-management"

# The user type follows from the role; only these four have one of their own.
_USER_TYPES = {"super-admin": "40", "administrator": "30", "maintainer": "3", "engineer": "2"}

# Fields that identify a person: every user may change them on the own account.
_PERSONAL = ("nick_name", "document_type", "id_number", "phone", "email", "description")
_CLEARABLE = frozenset({"phone", "email", "description", "dept_id", "id_number"})


def add(connection: Connection, principal: Principal, now: datetime, form: UserUpsert, password_hash: str) -> str:
    """Add a user whose form was checked, and return its id. The password must be changed at the first sign-in.

    Raises UserNameTakenError, RoleUnknownError, RoleAboveError, RoleNotUsableError, RecordNotFoundError."""
    tenant_id = tenant_to_use(connection, principal, form.customer_id)
    role = _role_to_give(connection, principal, form.role_code or "", tenant_id)
    name = (form.user_name or "").strip()
    new = accounts.NewUser(
        user_name=name,
        nick_name=form.nick_name or name[:10],
        password_hash=password_hash,
        tenant_id=tenant_id,
        role_code=role.code,
        user_type=_user_type(role.code),
    )
    user_id = accounts.create_user(connection, now, new)
    values = _changes(form, (*_PERSONAL, "dept_id", "status", "client_remote"))
    _check_department(connection, principal, values.get("dept_id"), tenant_id)
    repository.change(connection, user_id, **values, updated_at=now)
    return user_id


def edit(connection: Connection, principal: Principal, now: datetime, row: Row[Any], form: UserUpsert) -> None:
    """Change another user. A user who is disabled, moved or given another role is signed out everywhere.

    Raises the errors of `rules.check_person`, UserBuiltInError, UserAboveError and those of `add`.
    """
    check_not_above(connection, principal, row)
    _check_built_in(connection, row, form)
    _check_person(row, form)
    tenant_id = tenant_to_use(connection, principal, form.customer_id) if form.customer_id else row.tenant_id
    values = _changes(form, (*_PERSONAL, "dept_id", "status", "client_remote"))
    if tenant_id != row.tenant_id:
        values = {"dept_id": None, **values, "tenant_id": tenant_id}
    _check_department(connection, principal, values.get("dept_id"), tenant_id)
    values |= _new_name(connection, row, form)
    is_moved = _give_role(connection, principal, row, form, tenant_id, values)
    repository.change(connection, row.id, **values, updated_at=now)
    if is_moved or values.get("status", row.status) != row.status:
        revoke_sessions_of(connection, row.id, now)


def edit_own(connection: Connection, now: datetime, row: Row[Any], form: UserUpsert) -> None:
    """Change the own personal fields. Raises the errors of `rules.check_person`, UserSelfError."""
    own_codes = {role.code for role in roles.roles_of_user(connection, row.id)}
    kept = ("user_name", "status", "dept_id", "client_remote")
    differs = any(getattr(form, name) not in (None, getattr(row, name) or "", getattr(row, name)) for name in kept)
    if differs or (form.role_code and form.role_code not in own_codes) or form.customer_id not in (None, row.tenant_id):
        raise UserSelfError(name=row.user_name)
    _check_person(row, form)
    repository.change(connection, row.id, **_changes(form, _PERSONAL), updated_at=now)


def delete(connection: Connection, services: Services, principal: Principal, row: Row[Any]) -> None:
    """Move a user into the recycle bin; sessions, tokens, keys and the password are deleted. Raises UserBuiltInError,
    UserSelfError, UserAboveError."""
    _check_other_user(principal, row)
    check_not_above(connection, principal, row)
    keep(connection, services, principal, "user", row.id)
    repository.remove(connection, row.id)


def reset_password(
    connection: Connection, principal: Principal, now: datetime, row: Row[Any], password_hash: str
) -> None:
    """Set another user's password, which must be changed at the next sign-in. Raises UserSelfError, UserAboveError."""
    if row.id == principal.user_id:
        raise UserSelfError(name=row.user_name)
    check_not_above(connection, principal, row)
    accounts.replace_password(connection, row.id, password_hash, now, must_change=True)


def remove_second_factor(connection: Connection, principal: Principal, now: datetime, row: Row[Any]) -> None:
    """Remove another user's second factor. Raises OwnSecondFactorError, UserAboveError, SecondFactorOffError."""
    if row.id == principal.user_id:
        raise OwnSecondFactorError
    check_not_above(connection, principal, row)
    second_factor.remove(connection, row, now)


def send(connection: Connection, principal: Principal, now: datetime, row: Row[Any], tenant_id: str) -> None:
    """Make a user one of another tenant, without department. Raises as `delete`, RoleNotUsableError,
    RecordNotFoundError."""
    _check_other_user(principal, row)
    check_not_above(connection, principal, row)
    tenant_id = tenant_to_use(connection, principal, tenant_id)
    for role in roles.roles_of_user(connection, row.id):
        _check_usable(role, tenant_id)
    repository.change(connection, row.id, tenant_id=tenant_id, dept_id=None, updated_at=now)
    revoke_sessions_of(connection, row.id, now)


def check_not_above(connection: Connection, principal: Principal, row: Row[Any]) -> None:
    """Raise UserAboveError for an account that may do more than the caller."""
    other = roles.principal_of(connection, row)
    if (other.spans_tenants and not principal.spans_tenants) or not principal.covers(other.permissions):
        raise UserAboveError(name=row.user_name)


def _changes(form: UserUpsert, names: tuple[str, ...]) -> dict[str, Any]:
    """The fields that were sent; an empty text clears one that may be empty and is left out otherwise."""
    sent = {name: getattr(form, name) for name in names if getattr(form, name) is not None}
    return {name: value if value != "" else None for name, value in sent.items() if value != "" or name in _CLEARABLE}


def _check_person(row: Row[Any], form: UserUpsert) -> None:
    kept = {**row._mapping, **_changes(form, _PERSONAL)}
    # A built-in account is no person: it needs no number, but a given one must be valid.
    if row.user_type != accounts.USER_TYPE_BUILT_IN or kept["id_number"]:
        rules.check_person(kept["document_type"], kept["id_number"], kept["phone"], kept["email"])


def _check_built_in(connection: Connection, row: Row[Any], form: UserUpsert) -> None:
    if row.user_type != accounts.USER_TYPE_BUILT_IN:
        return
    own_codes = {role.code for role in roles.roles_of_user(connection, row.id)}
    same = form.user_name in (None, row.user_name) and form.status in (None, row.status)
    if (
        not same
        or (form.role_code and form.role_code not in own_codes)
        or form.customer_id not in (None, row.tenant_id)
    ):
        raise UserBuiltInError(name=row.user_name)


def _check_other_user(principal: Principal, row: Row[Any]) -> None:
    if row.user_type == accounts.USER_TYPE_BUILT_IN:
        raise UserBuiltInError(name=row.user_name)
    if row.id == principal.user_id:
        raise UserSelfError(name=row.user_name)


def _check_department(connection: Connection, principal: Principal, dept_id: str | None, tenant_id: str) -> None:
    if dept_id and departments.find(connection, principal, dept_id).tenant_id != tenant_id:
        raise RecordNotFoundError(kind="department", id=dept_id)


def _new_name(connection: Connection, row: Row[Any], form: UserUpsert) -> dict[str, str]:
    name = (form.user_name or "").strip()
    if not name or name == row.user_name:
        return {}
    accounts.check_name_free(connection, name)
    return {"user_name": name}


def _give_role(
    connection: Connection,
    principal: Principal,
    row: Row[Any],
    form: UserUpsert,
    tenant_id: str,
    values: dict[str, Any],
) -> bool:
    """Assign the role of the form, or check that the present roles can be used in the tenant. Returns whether a role or
    the tenant changed."""
    roles_held = roles.roles_of_user(connection, row.id)
    is_new = bool(form.role_code) and [role.code for role in roles_held] != [form.role_code]
    if is_new:
        role = _role_to_give(connection, principal, form.role_code or "", tenant_id)
        roles.set_role_of_user(connection, row.id, role.id)
        values["user_type"] = _user_type(role.code)
    else:
        for role in roles_held:
            _check_usable(role, tenant_id)
    return is_new or tenant_id != row.tenant_id


def _role_to_give(connection: Connection, principal: Principal, code: str, tenant_id: str) -> Row[Any]:
    role = roles.find_by_code(connection, code)
    if role is None or not principal.may_see_tenant(role.tenant_id or principal.tenant_id):
        raise RoleUnknownError(code=code)
    _check_usable(role, tenant_id)
    if not is_within(principal, role, roles.permissions_of(connection, [role.id])[role.id]):
        raise RoleAboveError(name=code)
    return role


def _check_usable(role: Row[Any], tenant_id: str) -> None:
    if role.tenant_id not in (None, tenant_id):
        raise RoleNotUsableError(code=role.code, customer=tenant_id)


def _user_type(role_code: str) -> str:
    return _USER_TYPES.get(role_code, accounts.USER_TYPE_ORDINARY)


def hash_new_password(password: str, longest: int) -> str:
    """The hash of a password that keeps the rules. Slow on purpose: never inside a writing transaction."""
    passwords.check_rules(password, longest)
    return passwords.hash_password(password)
