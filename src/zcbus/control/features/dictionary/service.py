"""Reading and changing dictionaries.

Built-in ones are views of texts (`built_in`). Those that users made are stored whole. A stored one hides a built-in
one of its type: a later version may bring a type that is in use.
"""

from contextlib import suppress
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.dictionary import repository
from zcbus.control.features.dictionary.built_in import BUILT_IN, BuiltIn
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
    DictionaryPageRequest,
    DictionaryRecord,
)
from zcbus.control.features.translation.errors import LabelFaultError
from zcbus.control.features.translation.labels import Label, Labels, read_labels, write_labels
from zcbus.control.platform.call import Call
from zcbus.control.platform.messages import Catalogue
from zcbus.control.platform.paging import Page, page_of
from zcbus.control.platform.services import Services

MENU_KEY = "system/bus-sys-parameter"

# Earlier versions stored these as they were made, so that they did not follow later versions.
_ONCE_STORED = ("user_status", "document_type", "alert_level", "customer_sub_type", "sys_module_type_group")
_PLATFORM = "zcbus"


def adopt_stored(services: Services) -> None:
    """Turn built-in dictionaries that earlier versions stored into custom texts where their names were changed."""
    with services.database.write_alone() as connection:
        for dict_type in _ONCE_STORED:
            row = repository.find(connection, dict_type)
            if row is not None:
                form = _form(_stored_record(connection, row, with_items=True))
                labels = _labels(BUILT_IN[dict_type], form)
                # One with a name that no list can show stays as it is.
                with suppress(LabelFaultError):
                    write_labels(connection, services.catalogue, labels, _PLATFORM, services.clock.now())
                    repository.remove(connection, dict_type)


def get(connection: Connection, catalogue: Catalogue, dict_type: str, *, with_items: bool) -> DictionaryRecord:
    """One dictionary. Raises DictionaryUnknownError."""
    row = repository.find(connection, dict_type)
    if row is not None:
        return _stored_record(connection, row, with_items=with_items)
    built_in = BUILT_IN.get(dict_type)
    if built_in is None:
        raise DictionaryUnknownError(type=dict_type)
    record = _built_in_record(built_in, read_labels(connection, catalogue, built_in.text_keys))
    return record if with_items else record.model_copy(update={"bus_dict_items": []})


def page(call: Call, request: DictionaryPageRequest) -> Page[DictionaryListRecord]:
    """A page of the dictionaries whose type or name contains the text searched for."""
    text = request.search.strip().casefold()
    listed = sorted(_listed(call), key=lambda one: one.dict_type)
    found = (one for one in listed if text in f"{one.dict_type}\n{one.display_name}\n{one.display_en_name}".casefold())
    return page_of(found, request, DICTIONARY_LIST)


def add(call: Call, form: DictionaryForm) -> None:
    """Make a dictionary. Raises DictionaryTypeTakenError, DictionaryKeyTwiceError."""
    if form.dict_type in BUILT_IN or repository.find(call.connection, form.dict_type) is not None:
        raise DictionaryTypeTakenError(type=form.dict_type)
    repository.insert(call.connection, _checked(form), call.services.clock.now())


def edit(call: Call, form: DictionaryForm) -> None:
    """Replace names and items. Raises DictionaryUnknownError, DictionaryBuiltInError, DictionaryKeyTwiceError, and
    LabelFaultError where a name of a built-in one cannot be used."""
    before = get(call.connection, call.services.catalogue, form.dict_type, with_items=True)
    after = _checked(form)
    now = call.services.clock.now()
    if not _is_built_in(call.connection, form.dict_type):
        repository.replace(call.connection, after, now)
        return
    if _pairs(before) != [(key, value) for key, value, _, _ in after.items]:
        raise DictionaryBuiltInError(type=form.dict_type)
    labels = _labels(BUILT_IN[form.dict_type], form)
    write_labels(call.connection, call.services.catalogue, labels, call.principal.user_name, now)


def delete(connection: Connection, dict_type: str) -> None:
    """Remove a dictionary with its items. Raises DictionaryBuiltInError."""
    if _is_built_in(connection, dict_type):
        raise DictionaryBuiltInError(type=dict_type)
    repository.remove(connection, dict_type)


def plain(call: Call, dict_type: str) -> dict[str, Any]:
    """A dictionary for the operation log. Raises DictionaryUnknownError."""
    found = get(call.connection, call.services.catalogue, dict_type, with_items=True)
    return found.model_dump(mode="json", by_alias=True)


def _is_built_in(connection: Connection, dict_type: str) -> bool:
    return dict_type in BUILT_IN and repository.find(connection, dict_type) is None


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


def _pairs(record: DictionaryRecord) -> list[tuple[str, str]]:
    return [(item.display_key, item.display_value) for item in record.bus_dict_items]


def _labels(built_in: BuiltIn, form: DictionaryForm) -> dict[str, Label]:
    """The names of a dictionary and its items by text key; items that it does not have are left out."""
    named: list[tuple[tuple[str, ...], Label]] = [
        ((built_in.name_key,), Label(form.display_name, form.display_en_name))
    ]
    for item in form.bus_dict_items:
        label = Label(item.display_name, item.display_en_name)
        named.append((built_in.items.get(item.display_key, ()), label))
    return {key: label for keys, label in named for key in keys}


def _form(record: DictionaryRecord) -> DictionaryForm:
    return DictionaryForm.model_validate(record.model_dump(by_alias=True))


def _stored_record(connection: Connection, row: Row[Any], *, with_items: bool) -> DictionaryRecord:
    items = repository.select_items(connection, row.dict_type) if with_items else ()
    return DictionaryRecord(
        dict_type=row.dict_type,
        display_name=row.display_name,
        display_en_name=row.display_en_name,
        bus_dict_items=[DictionaryItem.of_row(item) for item in items],
    )


def _built_in_record(built_in: BuiltIn, labels: Labels) -> DictionaryRecord:
    name = labels.texts[built_in.name_key]
    return DictionaryRecord(
        dict_type=built_in.dict_type,
        display_name=name.zh,
        display_en_name=name.en,
        bus_dict_items=[_item(key, labels.texts[keys[0]]) for key, keys in built_in.items.items()],
    )


def _item(key: str, label: Label) -> DictionaryItem:
    return DictionaryItem(display_key=key, display_value=key, display_name=label.zh, display_en_name=label.en)


def _listed(call: Call) -> list[DictionaryListRecord]:
    stored = [_stored_line(row) for row in repository.select_all(call.connection)]
    hidden = {line.dict_type for line in stored}
    shown = [dictionary for dict_type, dictionary in BUILT_IN.items() if dict_type not in hidden]
    keys = {key for dictionary in shown for key in dictionary.text_keys}
    labels = read_labels(call.connection, call.services.catalogue, keys)
    return [*stored, *(_built_in_line(dictionary, labels) for dictionary in shown)]


def _stored_line(row: Row[Any]) -> DictionaryListRecord:
    return DictionaryListRecord(
        dict_type=row.dict_type,
        display_name=row.display_name,
        display_en_name=row.display_en_name,
        items=row.items,
        built_in=False,
        updated_at=row.updated_at,
    )


def _built_in_line(built_in: BuiltIn, labels: Labels) -> DictionaryListRecord:
    changes = (labels.updated_at[key] for key in built_in.text_keys if key in labels.updated_at)
    return DictionaryListRecord(
        dict_type=built_in.dict_type,
        display_name=labels.texts[built_in.name_key].zh,
        display_en_name=labels.texts[built_in.name_key].en,
        items=len(built_in.items),
        built_in=True,
        updated_at=max(changes, default=None),
    )
