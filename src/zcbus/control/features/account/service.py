"""The rules of tenants, users and their passwords."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.account import passwords, repository, tenants
from zcbus.control.features.account.errors import RoleUnknownError, UserNameTakenError, UserUnknownError
from zcbus.control.features.account.schemas import TenantRecord, UserRecord
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.services import Services
from zcbus.control.platform.sessions import revoke_sessions_of

STATUS_NORMAL = "0"
USER_TYPE_ORDINARY = "1"
USER_TYPE_BUILT_IN = "-1"


@dataclass(frozen=True, slots=True)
class NewUser:
    """Fields of a new user; the password is hashed before any transaction begins."""

    user_name: str
    nick_name: str
    password_hash: str
    tenant_id: str
    role_code: str
    user_type: str = USER_TYPE_ORDINARY
    must_change_password: bool = True


def ensure_tenant(connection: Connection, now: datetime, tenant_id: str, display_name: str) -> None:
    """Make a tenant unless it is there. The id is its lasting name."""
    if tenants.find_tenant(connection, tenant_id) is None:
        tenants.insert_tenant(connection, id=tenant_id, name=tenant_id, display_name=display_name, created_at=now)


def create_user(connection: Connection, now: datetime, new: NewUser) -> str:
    """Make a user with one role and return its id. Raises UserNameTakenError, RoleUnknownError."""
    check_name_free(connection, new.user_name)
    role = repository.find_role(connection, new.role_code)
    if role is None:
        raise RoleUnknownError(code=new.role_code)
    user_id = repository.insert_user(
        connection,
        tenant_id=new.tenant_id,
        user_name=new.user_name,
        nick_name=new.nick_name,
        password_hash=new.password_hash,
        status=STATUS_NORMAL,
        user_type=new.user_type,
        must_change_password=new.must_change_password,
        created_at=now,
        updated_at=now,
    )
    repository.give_role(connection, user_id, role.id)
    return user_id


def check_name_free(connection: Connection, user_name: str) -> None:
    """Raise UserNameTakenError where there is a user of that name."""
    if repository.find_user_by_name(connection, user_name) is not None:
        raise UserNameTakenError(name=user_name)


def may_sign_in(connection: Connection, user: Row[Any]) -> bool:
    """Whether neither the user nor the user's tenant is disabled."""
    tenant = tenants.find_tenant(connection, user.tenant_id)
    return user.status == STATUS_NORMAL and tenant is not None and tenant.status == STATUS_NORMAL


def find_credentials(connection: Connection, user_name: str) -> Row[Any] | None:
    """The user's row with id, user_name, password_hash, status, must_change_password; None when there is none."""
    return repository.find_user_by_name(connection, user_name)


def get_user(connection: Connection, user_id: str) -> Row[Any]:
    """The row of a user that is there, as `find_credentials`. Raises UserUnknownError."""
    user = repository.find_user(connection, user_id)
    if user is None:
        raise UserUnknownError(name=user_id)
    return user


def set_password(services: Services, user_name: str, password: str, *, must_change: bool) -> None:
    """Set a user's password and end the user's sessions (`zcbus user`). Raises UserUnknownError and the errors of
    `passwords.check_rules`."""
    passwords.check_rules(password, services.settings.password_longest)
    hashed = passwords.hash_password(password)
    with services.database.write() as connection:
        user = repository.find_user_by_name(connection, user_name)
        if user is None:
            raise UserUnknownError(name=user_name)
        replace_password(connection, user.id, hashed, services.clock.now(), must_change=must_change)


def replace_password(
    connection: Connection, user_id: str, password_hash: str, now: datetime, *, must_change: bool
) -> None:
    """Store a new hash and end the user's sessions on every device."""
    repository.update_password(connection, user_id, password_hash, must_change, now)
    revoke_sessions_of(connection, user_id, now)


def tenants_of(connection: Connection, principal: Principal) -> list[TenantRecord]:
    """The tenants whose data the caller may see."""
    rows = repository.select_tenants(connection, None if principal.spans_tenants else principal.tenant_id)
    return [TenantRecord(customerid=row.id, name=row.display_name) for row in rows]


def tenant_names(connection: Connection) -> dict[str, str]:
    """The name that is shown of every tenant, by id."""
    return {row.id: row.display_name for row in repository.select_tenants(connection, None)}


def describe(connection: Connection, principal: Principal) -> UserRecord:
    """A caller, or a user as a caller, as the console shows it. A program with the local token has no account and only
    a name."""
    row = repository.find_user(connection, principal.user_id)
    return UserRecord(
        user_id=principal.user_id,
        user_name=principal.user_name,
        nick_name=row.nick_name if row else principal.user_name,
        document_type=row.document_type if row else None,
        id_number=row.id_number if row else None,
        status=row.status if row else STATUS_NORMAL,
        user_type=row.user_type if row else USER_TYPE_ORDINARY,
        phone=row.phone if row else None,
        email=row.email if row else None,
        description=row.description if row else None,
        dept_id=row.dept_id if row else None,
        customer_id=principal.tenant_id,
        client_remote=bool(row and row.client_remote),
        role_codes=list(principal.roles),
        menu_permission=principal.menu_keys,
    )
