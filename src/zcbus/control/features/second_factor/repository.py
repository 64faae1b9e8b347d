"""Queries over second factors."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, select, update

from zcbus.control.platform.token_hash import token_hash
from zcbus.control.store.tables.identity import recovery_code, second_factor


def find(connection: Connection, user_id: str) -> Row[Any] | None:
    return connection.execute(select(second_factor).where(second_factor.c.user_id == user_id)).one_or_none()


def insert(connection: Connection, user_id: str, now: datetime, sealed_secret: str = "", step: int = 0) -> None:
    """Turn two-step verification on; without a secret there is no authenticator."""
    values = {"user_id": user_id, "sealed_secret": sealed_secret, "last_step": step, "turned_on_at": now}
    connection.execute(second_factor.insert().values(**values))


def set_authenticator(connection: Connection, user_id: str, sealed_secret: str, step: int) -> None:
    """Keep another authenticator, or none (an empty secret), of a user whose two-step verification is on."""
    own = update(second_factor).where(second_factor.c.user_id == user_id)
    connection.execute(own.values(sealed_secret=sealed_secret, last_step=step))


def remove(connection: Connection, user_id: str) -> bool:
    """Remove all second factors with their recovery codes; whether there was one."""
    return connection.execute(delete(second_factor).where(second_factor.c.user_id == user_id)).rowcount > 0


def take_step(connection: Connection, user_id: str, step: int) -> bool:
    """Use up a time step and all before it; False when that was done before, also by a call at the same moment."""
    unused = (second_factor.c.user_id == user_id) & (second_factor.c.last_step < step)
    return connection.execute(update(second_factor).where(unused).values(last_step=step)).rowcount > 0


def replace_recovery_codes(connection: Connection, user_id: str, codes: Iterable[str]) -> None:
    connection.execute(delete(recovery_code).where(recovery_code.c.user_id == user_id))
    connection.execute(recovery_code.insert(), [{"user_id": user_id, "code_hash": token_hash(code)} for code in codes])


def take_recovery_code(connection: Connection, user_id: str, code: str) -> bool:
    """Use a code up; False when it is none, or was used before."""
    own = (recovery_code.c.user_id == user_id) & (recovery_code.c.code_hash == token_hash(code))
    return connection.execute(delete(recovery_code).where(own)).rowcount > 0


def count_recovery_codes(connection: Connection, user_id: str) -> int:
    count = select(func.count()).where(recovery_code.c.user_id == user_id)
    return connection.execute(count).scalar_one()
