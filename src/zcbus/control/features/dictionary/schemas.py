"""Requests and answers of dictionaries."""

from pydantic import Field

from zcbus.control.platform.schema import Schema


class DictionaryItem(Schema):
    """A key of a field, what it stands for, and what it is called."""

    display_key: str
    display_value: str
    display_name: str
    display_en_name: str


class DictionaryRecord(Schema):
    """A dictionary; its items only where they were asked for."""

    dict_type: str
    display_name: str
    display_en_name: str
    bus_dict_items: list[DictionaryItem]


class DictionaryRequest(Schema):
    """Which dictionary, and whether with its items."""

    dict_type: str = Field(min_length=1, max_length=100)
    enable_bus_dict_items: bool = False
