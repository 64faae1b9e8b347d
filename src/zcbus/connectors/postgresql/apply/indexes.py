"""Secondary indexes of a target table: created, renamed and dropped.

Index names belong to the schema in PostgreSQL. If another table has the name, or if the source's names belong to their
tables (MySQL), the table's name is prefixed.
"""

from collections.abc import Iterable, Sequence

import psycopg

from zcbus.connectors.postgresql.catalog.tables import read_indexes
from zcbus.connectors.postgresql.connection import quote
from zcbus.connectors.postgresql.connection.session import Connection
from zcbus.connectors.roles import MappedColumn, TargetTable
from zcbus.kit.logging import get_logger
from zcbus.model.schema import Index, IndexPart
from zcbus.model.types import Kind

_MAX_NAME_LENGTH = 63
_MAX_BYTES = 2700
"""Of an entry in a B-tree: longer rows would be refused for the sake of the index."""
_CHARACTER_BYTES = 4


def carry_over(connection: Connection, table: TargetTable, desired: Iterable[Index]) -> None:
    """Create the indexes that are missing or differ, within the open transaction if there is one.

    Indexes that the server refuses are skipped.
    """
    for index in desired:
        if _fits(table, index):
            _attempt(connection, table, index.name, _statements(connection, table, index))


def rename(connection: Connection, table: TargetTable, pairs: Iterable[tuple[str, str]]) -> None:
    """Rename those that exist, within the open transaction."""
    for old, new in pairs:
        found = _of_table(connection, table, old)
        if found is not None:
            name = _free_name(connection, table, new)
            place = f"{quote.identifier(table.name.schema)}.{quote.identifier(found.name)}"
            _attempt(connection, table, new, [f"ALTER INDEX {place} RENAME TO {quote.identifier(name)}"])


def drop(connection: Connection, table: TargetTable, names: Iterable[str]) -> None:
    """Drop those that exist, within the open transaction."""
    for name in names:
        found = _of_table(connection, table, name)
        if found is not None:
            _attempt(connection, table, name, [_drop(table, found)])


def _attempt(connection: Connection, table: TargetTable, name: str, statements: Sequence[str]) -> None:
    try:
        with connection.transaction():
            for statement in statements:
                connection.execute(statement)
    except (psycopg.ProgrammingError, psycopg.DataError, psycopg.IntegrityError, psycopg.NotSupportedError) as error:
        get_logger("target").warning("index-refused", table=str(table.name), index=name, detail=str(error))


def _statements(connection: Connection, table: TargetTable, index: Index) -> list[str]:
    existing = _of_table(connection, table, index.name)
    if existing is not None and (existing.parts, existing.unique) == (index.parts, index.unique):
        return []
    unique = "UNIQUE " if index.unique else ""
    parts = ", ".join(quote.identifier(part.column) + (" DESC" if part.descending else "") for part in index.parts)
    old = [] if existing is None else [_drop(table, existing)]
    name = existing.name if existing is not None else _free_name(connection, table, index.name)
    return [*old, f"CREATE {unique}INDEX {quote.identifier(name)} ON {quote.table(table.name)} ({parts})"]


def _drop(table: TargetTable, found: Index) -> str:
    place = f"{quote.identifier(table.name.schema)}.{quote.identifier(found.name)}"
    return f"DROP INDEX {place}"


def _of_table(connection: Connection, table: TargetTable, name: str) -> Index | None:
    existing = {index.name: index for index in read_indexes(connection, table.name)}
    return next((existing[one] for one in _names(table, name) if one in existing), None)


def _free_name(connection: Connection, table: TargetTable, name: str) -> str:
    plain, with_table = _names(table, name)
    if table.source_schema.dialect == "mysql":
        return with_table
    place = f"{quote.identifier(table.name.schema)}.{quote.identifier(plain)}"
    row = connection.execute("SELECT pg_catalog.to_regclass(%s) IS NULL", [place]).fetchone()
    return plain if row is not None and row[0] else with_table


def _names(table: TargetTable, name: str) -> tuple[str, str]:
    return _short(name), _short(f"{table.name.table}_{name}")


def _short(name: str) -> str:
    return name.encode()[:_MAX_NAME_LENGTH].decode(errors="ignore")


def _fits(table: TargetTable, index: Index) -> bool:
    """Whether PostgreSQL can index these parts. Prefixes, long texts and JSON of other databases are not indexable
    here."""
    if table.source_schema.dialect == "postgresql":
        return True
    columns = {column.target: column for column in table.columns}
    sizes = [_bytes(columns[part.column], part) for part in index.parts]
    return None not in sizes and sum(size or 0 for size in sizes) <= _MAX_BYTES


def _bytes(column: MappedColumn, part: IndexPart) -> int | None:
    """The largest size of a value; None: unknown, or the type has no order."""
    data_type = column.type
    if part.length is not None or data_type.kind in (Kind.JSON, Kind.OTHER):
        return None
    if data_type.kind is Kind.TEXT:
        return None if data_type.length is None else data_type.length * _CHARACTER_BYTES
    return data_type.length if data_type.kind is Kind.BINARY else 16
