"""Messages of named fields: a column for each, or all of them as one JSON object."""

from collections.abc import Mapping, Sequence

import orjson
import pyarrow as pa

from zcbus.connectors.consuming.consumer import Message
from zcbus.connectors.formats import BadRecord
from zcbus.connectors.formats.declared import canonical
from zcbus.model.arrow import ArrowArray
from zcbus.model.schema import Column

Header = tuple[str, bytes | None]


def field_columns(columns: Sequence[Column], messages: Sequence[Message]) -> dict[str, ArrowArray]:
    """The columns' values; null where a message has no field of that name, or an empty one that is no text. Raises
    BadRecord."""
    names = {column.name for column in columns}
    found = [
        _by_name(number, [header for header in one.headers if header[0] in names])
        for number, one in enumerate(messages, 1)
    ]
    return {column.name: _values(column, found) for column in columns}


def other_fields(columns: Sequence[Column], message: Message) -> Sequence[Header]:
    """The fields without a column, in the message's order."""
    names = {column.name for column in columns}
    return [header for header in message.headers if header[0] not in names]


def objects(messages: Sequence[Message]) -> ArrowArray:
    """All fields of each message as a JSON object, in their order. Raises BadRecord."""
    return pa.array([_object(_by_name(number, one.headers), number) for number, one in enumerate(messages, 1)])


def _by_name(number: int, headers: Sequence[Header]) -> Mapping[str, bytes | None]:
    found = dict(headers)
    if len(found) < len(headers):
        names = [name for name, _ in headers]
        raise BadRecord(number, f"field twice: {next(name for name in names if names.count(name) > 1)}")
    return found


def _values(column: Column, found: Sequence[Mapping[str, bytes | None]]) -> ArrowArray:
    texts = [_text(number, column.name, one.get(column.name)) for number, one in enumerate(found, 1)]
    return canonical(pa.array(texts, pa.string()), column.type, column.name, 0)


def _text(number: int, name: str, value: bytes | None) -> str | None:
    try:
        return None if value is None else value.decode()
    except UnicodeDecodeError as error:
        raise BadRecord(number, f"{name}: {error}") from error


def _object(fields: Mapping[str, bytes | None], number: int) -> str:
    return orjson.dumps({name: _text(number, name, value) for name, value in fields.items()}).decode()
