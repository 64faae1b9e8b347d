"""Whose tenant requires a second factor."""

from typing import Any, Literal

from sqlalchemy import Connection, Row

from zcbus.control.features.account.tenants import find_tenant
from zcbus.control.features.role.user_roles import principal_of

Requirement = Literal["optional", "administrators", "everybody"]


def is_required(connection: Connection, user: Row[Any]) -> bool:
    """Whether a user who signs in with a password needs two steps."""
    tenant = find_tenant(connection, user.tenant_id)
    requirement: Requirement = tenant.second_factor if tenant else "optional"
    if requirement == "administrators":
        return principal_of(connection, user).is_administrator
    return requirement == "everybody"
