"""Requests and answers of dictionaries."""

from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from zcbus.control.features.captcha.deletion import DeletionProof
from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.schema import Schema

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]
DictType = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.\-]{1,100}$")]


class DictionaryItem(Schema):
    """A key of a field, its value, and its names."""

    display_key: str
    display_value: str
    display_name: str
    display_en_name: str


class DictionaryRecord(Schema):
    """A dictionary; its items only if requested."""

    dict_type: str
    display_name: str
    display_en_name: str
    bus_dict_items: list[DictionaryItem]


class DictionaryRequest(Schema):
    """Which dictionary, and whether with its items."""

    dict_type: str = Field(min_length=1, max_length=100)
    enable_bus_dict_items: bool = False


class DictionaryChoice(Schema):
    """One dictionary."""

    dict_type: str = Field(min_length=1, max_length=100)


class DictionaryDeletion(DictionaryChoice, DeletionProof):
    """The dictionary to delete."""


class ItemForm(Schema):
    """An item of a dictionary that is written; the value left empty is the key."""

    display_key: Name
    display_value: str = Field(default="", max_length=200)
    display_name: Name
    display_en_name: Name


class DictionaryForm(Schema):
    """A dictionary as a whole: names, and items in their order."""

    dict_type: DictType
    display_name: Name
    display_en_name: Name
    bus_dict_items: list[ItemForm] = Field(default_factory=list, max_length=1000)


class DictionaryPageRequest(PageRequest):
    """`search`: a part of type or name."""

    search: str = Field(default="", max_length=100)


class DictionaryListRecord(Schema):
    """A dictionary in the list. `builtIn`: its keys are the platform's own and stay. Without
    `updatedAt` its names are as shipped."""

    dict_type: str
    display_name: str
    display_en_name: str
    items: int
    built_in: bool
    updated_at: datetime | None


DICTIONARY_LIST = ListDefinition[DictionaryListRecord](
    DictionaryListRecord,
    sort_keys={
        "dictType": lambda one: one.dict_type,
        "displayName": lambda one: one.display_name,
        "displayEnName": lambda one: one.display_en_name,
        "items": lambda one: one.items,
        "updatedAt": lambda one: one.updated_at.timestamp() if one.updated_at else 0.0,
    },
)
