"""Columns in statements: how they are selected, compared and ordered in a dialect."""

import re

from zcbus.connectors.jdbc.dialect import Dialect
from zcbus.connectors.jdbc.quote import identifier
from zcbus.model.schema import Column, TableSchema

_SIZE = re.compile(r"\([^)]*\)")


def bare_name(native: str) -> str:
    """A type's name without sizes, in lower case: `timestamp with time zone`. SQL Server's driver adds `identity`."""
    return _SIZE.sub("", native).lower().removesuffix(" identity").strip()


def selected(dialect: Dialect, column: Column) -> str:
    """The expression whose text a reader takes."""
    return _filled(dialect, dialect.selects.get(bare_name(column.type.native), "{column}"), column)


def selected_all(dialect: Dialect, schema: TableSchema) -> str:
    """Of all columns of a table, divided by commas."""
    return ", ".join(selected(dialect, column) for column in schema.columns)


def ordered(dialect: Dialect, column: Column) -> str:
    """The expression by which rows are put in the order of their keys' canonical texts."""
    return _filled(dialect, dialect.orders.get(bare_name(column.type.native), "{column}"), column)


def compared(dialect: Dialect, column: Column) -> str:
    """The placeholder of a value that is compared with the column."""
    return dialect.compared.get(bare_name(column.type.native), "?")


def _filled(dialect: Dialect, form: str, column: Column) -> str:
    return form.replace("{column}", identifier(column.name, dialect.quote))
