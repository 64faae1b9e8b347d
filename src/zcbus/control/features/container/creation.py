"""Making a container, with the account that its hosts sign in as."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from zcbus.control.features.account import passwords
from zcbus.control.features.account.service import USER_TYPE_BUILT_IN, NewUser, create_user
from zcbus.control.features.container import repository
from zcbus.control.platform.principal import DEFAULT_TENANT

_MACHINE_ROLE = "ordinary"


def create_container(connection: Connection, now: datetime, name: str, **values: Any) -> str:
    """A container without hosts; returns its id. The name must be free. `values`: further columns."""
    account_id = create_user(
        connection,
        now,
        NewUser(
            user_name=f"agent-{name}",
            nick_name="agent",
            password_hash=passwords.UNUSABLE,
            tenant_id=DEFAULT_TENANT,
            role_code=_MACHINE_ROLE,
            user_type=USER_TYPE_BUILT_IN,
            must_change_password=False,
        ),
    )
    return repository.insert_container(connection, name=name, account_id=account_id, created_at=now, **values)
