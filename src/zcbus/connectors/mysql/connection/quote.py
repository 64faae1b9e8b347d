"""Identifiers and literals in the server's spelling."""

from collections.abc import Iterable

from zcbus.model.schema import TableName


def identifier(name: str) -> str:
    """A quoted identifier."""
    return "`" + name.replace("`", "``") + "`"


def identifiers(names: Iterable[str]) -> str:
    """Quoted identifiers, separated by commas."""
    return ", ".join(identifier(name) for name in names)


def table(name: TableName) -> str:
    """A quoted, qualified table."""
    return f"{identifier(name.schema)}.{identifier(name.table)}"


def text(value: str) -> str:
    """A text literal, for statements without parameters (DDL)."""
    return "'" + value.replace("\\", "\\\\").replace("'", "''") + "'"
