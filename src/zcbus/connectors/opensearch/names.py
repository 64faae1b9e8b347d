"""Names of indexes, fields and documents."""

import re
from collections.abc import Iterable
from urllib.parse import unquote_to_bytes

from zcbus.connectors.roles.writer import Key
from zcbus.model.schema import TableSchema
from zcbus.model.types import Kind

MAX_ID_BYTES = 512
"""Bytes of a document's id."""
_ESCAPED_IN_INDEX = re.compile(r'[\x00-\x20"#*+,/:<=>?\\|\x7f]|^[-_.]')
_ESCAPED_IN_ID = re.compile(r"[\x00-\x1f%:\x7f]")

_EMPTY = "%"
"""In place of an empty value; no other value has it alone."""


def own_index(prefix: str) -> str:
    """The index of what the platform stores; no table's has a bare `=`."""
    return f"{prefix}zcbus=state"


def index_of(prefix: str, table: str) -> str:
    """The index of a table. Names that differ in case alone have the same."""
    return prefix + _ESCAPED_IN_INDEX.sub(_hexadecimal, table.lower())


def field_of(column: str) -> str:
    """The field of a column: a dot would make it an object, and names of the server's own begin with an underscore."""
    spelled = column.replace("=", "=3d").replace(".", "=2e")
    return f"=5f{spelled[1:]}" if spelled.startswith("_") else spelled


def ids_of(keys: Iterable[Key]) -> list[str]:
    """Ids of documents: the values of the key, with a colon between them; bytes as hexadecimal digits."""
    return [":".join(_part(one) for one in key) for key in keys]


def key_of(table: TableSchema, document: str) -> Key | None:
    """Inverse of `ids_of`; None: no row of the table has it."""
    parts = document.split(":")
    if len(parts) != len(table.primary_key):
        return None
    binary = (table.column(name).type.kind is Kind.BINARY for name in table.primary_key)
    try:
        key = tuple(
            bytes.fromhex(part.strip(_EMPTY)) if is_binary else _text(part)
            for part, is_binary in zip(parts, binary, strict=True)
        )
    except ValueError:
        return None
    return key if ids_of([key]) == [document] else None


def _part(value: str | bytes) -> str:
    if isinstance(value, bytes):
        return value.hex() or _EMPTY
    return _ESCAPED_IN_ID.sub(lambda found: f"%{ord(found[0]):02X}", value) or _EMPTY


def _text(part: str) -> str:
    return "" if part == _EMPTY else unquote_to_bytes(part).decode()


def _hexadecimal(found: re.Match[str]) -> str:
    return f"={ord(found[0]):02x}"
