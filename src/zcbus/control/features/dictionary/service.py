"""How dictionaries are read, and what they are at first."""

from sqlalchemy import Connection

from zcbus.control.features.dictionary import repository
from zcbus.control.features.dictionary.defaults import DICTIONARIES
from zcbus.control.features.dictionary.errors import DictionaryUnknownError
from zcbus.control.features.dictionary.schemas import DictionaryItem, DictionaryRecord
from zcbus.control.platform.services import Services


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
