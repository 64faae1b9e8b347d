"""Queries over dictionaries."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, select, update

from zcbus.control.store.tables.dictionary import dictionary, dictionary_item
from zcbus.kit.ids import new_id

_ITEM_COUNT = (
    select(func.count())
    .where(dictionary_item.c.dict_type == dictionary.c.dict_type)
    .correlate(dictionary)
    .scalar_subquery()
    .label("items")
)


@dataclass(frozen=True, slots=True)
class Stored:
    """A dictionary as it is written; an item: key, value, Chinese name, English name."""

    dict_type: str
    name_zh: str
    name_en: str
    items: tuple[tuple[str, str, str, str], ...]


def find(connection: Connection, dict_type: str) -> Row[Any] | None:
    return connection.execute(select(dictionary).where(dictionary.c.dict_type == dict_type)).one_or_none()


def select_all(connection: Connection) -> Sequence[Row[Any]]:
    """Every stored dictionary with its number of items."""
    return connection.execute(select(dictionary, _ITEM_COUNT)).all()


def select_items(connection: Connection, dict_type: str) -> Sequence[Row[Any]]:
    statement = select(dictionary_item).where(dictionary_item.c.dict_type == dict_type)
    return connection.execute(statement.order_by(dictionary_item.c.position)).all()


def insert(connection: Connection, new: Stored, now: datetime) -> None:
    connection.execute(
        dictionary.insert().values(
            dict_type=new.dict_type, display_name=new.name_zh, display_en_name=new.name_en, updated_at=now
        )
    )
    _insert_items(connection, new)


def replace(connection: Connection, new: Stored, now: datetime) -> None:
    """Names and items of a dictionary that is there."""
    connection.execute(
        update(dictionary)
        .where(dictionary.c.dict_type == new.dict_type)
        .values(display_name=new.name_zh, display_en_name=new.name_en, updated_at=now)
    )
    connection.execute(delete(dictionary_item).where(dictionary_item.c.dict_type == new.dict_type))
    _insert_items(connection, new)


def remove(connection: Connection, dict_type: str) -> None:
    connection.execute(delete(dictionary).where(dictionary.c.dict_type == dict_type))


def _insert_items(connection: Connection, new: Stored) -> None:
    items = [
        {
            "id": new_id(),
            "dict_type": new.dict_type,
            "display_key": key,
            "display_value": value,
            "display_name": chinese,
            "display_en_name": english,
            "position": position,
        }
        for position, (key, value, chinese, english) in enumerate(new.items)
    ]
    if items:
        connection.execute(dictionary_item.insert(), items)
