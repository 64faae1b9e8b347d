"""Names and texts in statements."""

from collections.abc import Iterable

from zcbus.model.schema import TableName


def identifier(name: str, mark: str = '"') -> str:
    return mark + name.replace(mark, mark * 2) + mark


def identifiers(names: Iterable[str]) -> str:
    return ", ".join(map(identifier, names))


def table(name: TableName, mark: str = '"') -> str:
    return f"{identifier(name.schema, mark)}.{identifier(name.table, mark)}"


def literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
