"""Queries over users' settings."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, select

from zcbus.control.store.tables.identity import user, user_setting


def is_user(connection: Connection, user_id: str) -> bool:
    return connection.execute(select(user.c.id).where(user.c.id == user_id)).first() is not None


def select_settings(connection: Connection, user_id: str, prefix: str) -> Sequence[Row[Any]]:
    own = select(user_setting).where(user_setting.c.user_id == user_id).order_by(user_setting.c.name)
    return connection.execute(own.where(user_setting.c.name.startswith(prefix, autoescape=True))).all()


def count_settings(connection: Connection, user_id: str) -> int:
    count = select(func.count()).select_from(user_setting).where(user_setting.c.user_id == user_id)
    return connection.execute(count).scalar_one()


def delete_setting(connection: Connection, user_id: str, name: str) -> None:
    connection.execute(delete(user_setting).where(user_setting.c.user_id == user_id, user_setting.c.name == name))


def insert_setting(connection: Connection, user_id: str, name: str, value: dict[str, Any], now: datetime) -> None:
    values = {"user_id": user_id, "name": name, "value": value, "updated_at": now}
    connection.execute(user_setting.insert().values(**values))
