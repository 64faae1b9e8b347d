"""Columns with encrypted content. A column's type says that it is one, and where each of its texts belongs: that is how
a rotation of the master key finds every text, and why a text copied to another place does not open there."""

from collections.abc import Callable, Iterator
from typing import Any, cast

from sqlalchemy import Column, Dialect, String, Table, Text, TypeDecorator

from zcbus.control.store.columns import JsonDocument, metadata

Reseal = Callable[[str, str], str]
"""From a text and its place (`place`) to the text to be stored instead."""


class Sealed(TypeDecorator[str]):
    """One encrypted text; None or empty: there is none. `context` says where it belongs, with {key} for the row's
    primary key."""

    impl = Text
    cache_ok = True

    def __init__(self, context: str, length: int | None = None) -> None:
        super().__init__()
        self.context, self.length = context, length

    def load_dialect_impl(self, dialect: Dialect) -> Any:
        return Text() if self.length is None else String(self.length)


class SealedByName(JsonDocument):
    """Encrypted texts by name. `context` as of `Sealed`, with {name} as well."""

    cache_ok = True

    def __init__(self, context: str) -> None:
        super().__init__()
        self.context = context


def place(column: Column[Any], key: str, name: str = "") -> str:
    """Where a text of this column belongs: the `context` for `SecretBox`. `key`: the row's primary key."""
    return cast("Sealed | SealedByName", column.type).context.format(key=key, name=name)


def sealed_columns(table: Table) -> tuple[Column[Any], ...]:
    """The table's columns with encrypted content."""
    return tuple(column for column in table.columns if isinstance(column.type, Sealed | SealedByName))


def sealed_tables() -> Iterator[Table]:
    """The tables that have such columns."""
    return (table for table in metadata.sorted_tables if sealed_columns(table))


def key_column(table: Table) -> Column[Any]:
    """The primary key of a table with encrypted content: such tables have one column for it."""
    [column] = table.primary_key.columns
    return column


def texts(column: Column[Any], key: str, value: Any) -> Iterator[tuple[str, str]]:
    """The encrypted texts in a value of this column, each with its place."""
    if isinstance(value, dict):
        yield from ((text, place(column, key, name)) for name, text in value.items())
    elif value:
        yield value, place(column, key)


def replaced(column: Column[Any], key: str, value: Any, reseal: Reseal) -> Any:
    """A value of this column with each of its texts replaced."""
    if isinstance(value, dict):
        return {name: reseal(text, place(column, key, name)) for name, text in value.items()}
    return reseal(value, place(column, key)) if value else value
