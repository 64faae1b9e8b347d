"""Queries over changes of the menu."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, select, update

from zcbus.control.store.tables.menu import menu_entry


def select_all(connection: Connection) -> Sequence[Row[Any]]:
    return connection.execute(select(menu_entry)).all()


def store(connection: Connection, menu_key: str, now: datetime, **values: Any) -> None:
    """Store an entry's present state, whether or not it was changed before."""
    values = {**values, "updated_at": now}
    changed = connection.execute(update(menu_entry).where(menu_entry.c.menu_key == menu_key).values(values)).rowcount
    if not changed:
        connection.execute(menu_entry.insert().values(menu_key=menu_key, **values))


def remove(connection: Connection, menu_key: str) -> None:
    connection.execute(delete(menu_entry).where(menu_entry.c.menu_key == menu_key))
