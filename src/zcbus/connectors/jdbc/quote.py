"""Names and texts in statements."""

from collections.abc import Iterable

from zcbus.model.schema import TableName


def identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def identifiers(names: Iterable[str]) -> str:
    return ", ".join(map(identifier, names))


def table(name: TableName) -> str:
    return f"{identifier(name.schema)}.{identifier(name.table)}"


def literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
