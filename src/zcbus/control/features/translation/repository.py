"""Queries over custom texts."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, delete, func, select, tuple_

from zcbus.control.platform.language import Language
from zcbus.control.store.tables.custom_text import custom_text

_AT_ONCE = 400


def select_all(connection: Connection, language: Language | None = None) -> Sequence[Row[Any]]:
    """Every custom text, or those of one language, by key."""
    statement = select(custom_text).order_by(custom_text.c.text_key)
    if language is not None:
        statement = statement.where(custom_text.c.language == language)
    return connection.execute(statement).all()


def select_key(connection: Connection, text_key: str) -> Sequence[Row[Any]]:
    """The custom texts of one key."""
    return connection.execute(select(custom_text).where(custom_text.c.text_key == text_key)).all()


def select_keys(connection: Connection, text_keys: Iterable[str]) -> Sequence[Row[Any]]:
    """The custom texts of several keys, a few hundred at most."""
    return connection.execute(select(custom_text).where(custom_text.c.text_key.in_(list(text_keys)))).all()


def version(connection: Connection) -> tuple[Any, ...]:
    """Changes whenever a custom text is written or removed."""
    found = connection.execute(select(func.count(), func.max(custom_text.c.updated_at)).select_from(custom_text)).one()
    return tuple(found)


def insert(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Store custom texts whose key and language have none."""
    if rows:
        connection.execute(custom_text.insert(), list(rows))


def remove(connection: Connection, keys: Iterable[tuple[str, str]]) -> None:
    """Remove custom texts by key and language."""
    found = list(keys)
    pair = tuple_(custom_text.c.text_key, custom_text.c.language)
    for begin in range(0, len(found), _AT_ONCE):
        connection.execute(delete(custom_text).where(pair.in_(found[begin : begin + _AT_ONCE])))
