"""Reading and changing dictionaries, and their defaults."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.dictionary import repository
from zcbus.control.features.dictionary.defaults import DICTIONARIES
from zcbus.control.features.dictionary.errors import (
    DictionaryBuiltInError,
    DictionaryKeyTwiceError,
    DictionaryTypeTakenError,
    DictionaryUnknownError,
)
from zcbus.control.features.dictionary.schemas import (
    DICTIONARY_LIST,
    DictionaryForm,
    DictionaryItem,
    DictionaryListRecord,
    DictionaryRecord,
)
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.services import Services

MENU_KEY = "system/bus-sys-parameter"

_BUILT_IN = frozenset(dictionary.dict_type for dictionary in DICTIONARIES)


def store_defaults(services: Services) -> None:
    """Store the dictionaries that are missing."""
    with services.database.write_alone() as connection:
        for dictionary in DICTIONARIES:
            if repository.find(connection, dictionary.dict_type) is None:
                repository.insert(connection, dictionary, services.clock.now())


def get(connection: Connection, dict_type: str, *, with_items: bool) -> DictionaryRecord:
    """One dictionary. Raises DictionaryUnknownError."""
    row = repository.find(connection, dict_type)
    if row is None:
        raise DictionaryUnknownError(type=dict_type)
    return DictionaryRecord(
        dict_type=row.dict_type,
        display_name=row.display_name,
        display_en_name=row.display_en_name,
        bus_dict_items=items(connection, dict_type) if with_items else [],
    )


def items(connection: Connection, dict_type: str) -> list[DictionaryItem]:
    """The items of a dictionary in their order."""
    return [DictionaryItem.of_row(row) for row in repository.select_items(connection, dict_type)]


def listing(search: str) -> Listing[DictionaryListRecord]:
    """How the list of dictionaries is read."""
    return Listing(DICTIONARY_LIST, repository.found(search), repository.USUAL_ORDER, _list_record)


def add(connection: Connection, now: datetime, form: DictionaryForm) -> None:
    """Make a dictionary. Raises DictionaryTypeTakenError, DictionaryKeyTwiceError."""
    if repository.find(connection, form.dict_type) is not None:
        raise DictionaryTypeTakenError(type=form.dict_type)
    repository.insert(connection, _checked(form), now)


def edit(connection: Connection, now: datetime, form: DictionaryForm) -> None:
    """Replace names and items. Raises DictionaryUnknownError, DictionaryBuiltInError, DictionaryKeyTwiceError."""
    before = get(connection, form.dict_type, with_items=True)
    after = _checked(form)
    if form.dict_type in _BUILT_IN and _pairs(before.bus_dict_items) != {(item[0], item[1]) for item in after.items}:
        raise DictionaryBuiltInError(type=form.dict_type)
    repository.replace(connection, after, now)


def delete(connection: Connection, dict_type: str) -> None:
    """Remove a dictionary with its items. Raises DictionaryBuiltInError."""
    if dict_type in _BUILT_IN:
        raise DictionaryBuiltInError(type=dict_type)
    repository.remove(connection, dict_type)


def plain(connection: Connection, dict_type: str) -> dict[str, Any]:
    """A dictionary for the operation log. Raises DictionaryUnknownError."""
    return get(connection, dict_type, with_items=True).model_dump(mode="json", by_alias=True)


def _checked(form: DictionaryForm) -> repository.Stored:
    keys = [item.display_key for item in form.bus_dict_items]
    for key in keys:
        if keys.count(key) > 1:
            raise DictionaryKeyTwiceError(key=key)
    return repository.Stored(
        form.dict_type,
        form.display_name,
        form.display_en_name,
        tuple(
            (item.display_key, item.display_value or item.display_key, item.display_name, item.display_en_name)
            for item in form.bus_dict_items
        ),
    )


def _pairs(items_before: list[DictionaryItem]) -> set[tuple[str, str]]:
    return {(item.display_key, item.display_value) for item in items_before}


def _list_record(row: Row[Any]) -> DictionaryListRecord:
    return DictionaryListRecord(
        dict_type=row.dict_type,
        display_name=row.display_name,
        display_en_name=row.display_en_name,
        items=row.items,
        built_in=row.dict_type in _BUILT_IN,
        updated_at=row.updated_at,
    )
