"""Queries over dictionaries."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select

from zcbus.control.features.dictionary.defaults import Dictionary
from zcbus.control.store.tables.dictionary import dictionary, dictionary_item
from zcbus.kit.ids import new_id


def find(connection: Connection, dict_type: str) -> Row[Any] | None:
    return connection.execute(select(dictionary).where(dictionary.c.dict_type == dict_type)).one_or_none()


def select_items(connection: Connection, dict_type: str) -> Sequence[Row[Any]]:
    statement = select(dictionary_item).where(dictionary_item.c.dict_type == dict_type)
    return connection.execute(statement.order_by(dictionary_item.c.position)).all()


def insert(connection: Connection, new: Dictionary, now: datetime) -> None:
    connection.execute(
        dictionary.insert().values(
            dict_type=new.dict_type, display_name=new.name_zh, display_en_name=new.name_en, updated_at=now
        )
    )
    items = [
        {
            "id": new_id(),
            "dict_type": new.dict_type,
            "display_key": key,
            "display_value": key,
            "display_name": chinese,
            "display_en_name": english,
            "position": position,
        }
        for position, (key, chinese, english) in enumerate(new.items)
    ]
    connection.execute(dictionary_item.insert(), items)
