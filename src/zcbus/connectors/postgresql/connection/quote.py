"""Quoting for statements whose names can't be bound as parameters."""

from collections.abc import Iterable

from zcbus.model.schema import TableName


def identifier(name: str) -> str:
    """A quoted identifier. Raises ValueError for a name PostgreSQL cannot have."""
    if not name or "\0" in name:
        raise ValueError(f"not an identifier: {name!r}")
    return '"' + name.replace('"', '""') + '"'


def identifiers(names: Iterable[str]) -> str:
    """Quoted identifiers, separated by commas."""
    return ", ".join(identifier(name) for name in names)


def table(name: TableName) -> str:
    """A quoted, qualified table name."""
    return f"{identifier(name.schema)}.{identifier(name.table)}"


def literal(text: str) -> str:
    """A string literal with the same meaning under any standard_conforming_strings."""
    if "\0" in text:
        raise ValueError("PostgreSQL text cannot hold the NUL character")
    quoted = "'" + text.replace("'", "''") + "'"
    return " E" + quoted.replace("\\", "\\\\") if "\\" in text else quoted
