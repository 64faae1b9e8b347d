"""Queries over security keys."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, or_, select, update

from zcbus.control.platform.token_hash import token_hash
from zcbus.control.store.tables.identity import security_key
from zcbus.kit.ids import new_id


def insert(connection: Connection, user_id: str, credential_id: str, now: datetime, **values: Any) -> None:
    """Add a key of a user whose two-step verification is on."""
    own = {"id": new_id(), "user_id": user_id, "created_at": now}
    given = {"credential_id": credential_id, "credential_hash": token_hash(credential_id), **values}
    connection.execute(security_key.insert().values(**own, **given))


def is_known(connection: Connection, credential_id: str) -> bool:
    """Whether any user has it."""
    of = select(security_key.c.id).where(security_key.c.credential_hash == token_hash(credential_id))
    return connection.execute(of).first() is not None


def keys_of(connection: Connection, user_id: str) -> list[Row[Any]]:
    """A user's keys, the oldest first."""
    own = select(security_key).where(security_key.c.user_id == user_id)
    return list(connection.execute(own.order_by(security_key.c.created_at, security_key.c.id)).all())


def find(connection: Connection, user_id: str, key_id: str) -> Row[Any] | None:
    own = (security_key.c.user_id == user_id) & (security_key.c.id == key_id)
    return connection.execute(select(security_key).where(own)).one_or_none()


def find_usable(connection: Connection, user_id: str, rp_id: str, credential_id: str) -> Row[Any] | None:
    """A user's key by the id that it calls itself, if it was registered under this name of the platform."""
    own = (security_key.c.user_id == user_id) & (security_key.c.rp_id == rp_id)
    of = security_key.c.credential_hash == token_hash(credential_id)
    return connection.execute(select(security_key).where(own, of)).one_or_none()


def count(connection: Connection, user_id: str) -> int:
    own = select(func.count()).where(security_key.c.user_id == user_id)
    return connection.execute(own).scalar_one()


def take_use(connection: Connection, key_id: str, sign_count: int, now: datetime) -> bool:
    """Store a use; False where the key counted this signature or a later one before, also in a call at the same moment.
    Keys that do not count say 0 always."""
    goes_on = security_key.c.sign_count < sign_count
    counts_not = (security_key.c.sign_count == 0) & (sign_count == 0)
    next_one = update(security_key).where(security_key.c.id == key_id, or_(goes_on, counts_not))
    return connection.execute(next_one.values(sign_count=sign_count, used_at=now)).rowcount > 0


def rename(connection: Connection, key_id: str, name: str) -> None:
    connection.execute(update(security_key).where(security_key.c.id == key_id).values(name=name))


def remove(connection: Connection, key_id: str) -> None:
    connection.execute(delete(security_key).where(security_key.c.id == key_id))
