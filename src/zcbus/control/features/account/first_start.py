"""Data of a fresh platform: the default tenant, the named roles, and one administrator."""

import contextlib
from pathlib import Path

from sqlalchemy import Connection

from zcbus.control.features.account import passwords, repository, service
from zcbus.control.platform.principal import ANY, DEFAULT_TENANT, Operation
from zcbus.control.platform.services import Services
from zcbus.kit.files import write_private_file
from zcbus.kit.setting_source import SettingsError

ADMINISTRATOR = "admin"
SUPER_ADMINISTRATOR_ROLE = "super-admin"
INITIAL_PASSWORD_FILE = "initial-password"  # noqa: S105  a file's name

_MIN_GIVEN = 8

_VIEW = ((ANY, Operation.VIEW.value),)
_WORK = (*_VIEW, *((ANY, operation.value) for operation in (Operation.CREATE, Operation.EDIT, Operation.OPERATE)))

# Code, Chinese name, English name, whether it spans tenants, permissions.
_ROLES = (
    (SUPER_ADMINISTRATOR_ROLE, "超级管理员", "Super admin", True, ((ANY, ANY),)),
    ("administrator", "管理员", "Administrator", False, ((ANY, ANY),)),
    ("engineer", "工程师", "Engineer", False, _WORK),
    ("maintainer", "运维人员", "Maintainer", False, (*_VIEW, (ANY, Operation.OPERATE.value))),
    ("ordinary", "普通账户", "Ordinary account", False, _VIEW),
)

NAMED_ROLES = tuple(role[0] for role in _ROLES)


def prepare(services: Services) -> str | None:
    """Create what is missing. Returns a line with the generated password of the first administrator, if any."""
    with services.database.write_alone() as connection:
        _ensure_roles(connection, services)
        service.ensure_tenant(connection, services.clock.now(), DEFAULT_TENANT, "默认租户")
        if repository.has_users(connection):
            return None
        return _create_administrator(connection, services)


def forget_initial_password(data_dir: Path) -> None:
    """Remove the file with the generated password; called when the administrator has chosen another."""
    with contextlib.suppress(FileNotFoundError):
        (data_dir / INITIAL_PASSWORD_FILE).unlink()


def _ensure_roles(connection: Connection, services: Services) -> None:
    for code, chinese, english, spans_tenants, permissions in _ROLES:
        if repository.find_role(connection, code) is None:
            repository.insert_role(
                connection,
                permissions,
                code=code,
                name_zh=chinese,
                name_en=english,
                spans_tenants=spans_tenants,
                created_at=services.clock.now(),
            )


def _create_administrator(connection: Connection, services: Services) -> str | None:
    given = _given_password(services)
    password = given or passwords.generate()
    service.create_user(
        connection,
        services.clock.now(),
        service.NewUser(
            user_name=ADMINISTRATOR,
            nick_name="admin",
            password_hash=passwords.hash_password(password),
            tenant_id=DEFAULT_TENANT,
            role_code=SUPER_ADMINISTRATOR_ROLE,
            user_type=service.USER_TYPE_BUILT_IN,
            # A password the operator chose is theirs already; a generated one has been printed and must go.
            must_change_password=given is None,
        ),
    )
    if given:
        return None
    path = services.settings.data_dir / INITIAL_PASSWORD_FILE
    forget_initial_password(services.settings.data_dir)
    write_private_file(path, password + "\n")
    return (
        f"First administrator: {ADMINISTRATOR}, password: {password} "
        f"(kept in {path} until it is changed at the first login)"
    )


def _given_password(services: Services) -> str | None:
    given = services.settings.admin_password
    if given is not None and len(given) < _MIN_GIVEN:
        raise SettingsError(name="ZCBUS_ADMIN_PASSWORD", value="***", expected=f"at least {_MIN_GIVEN} characters")
    return given
