"""Replacing the rows of a table by those of a shadow table."""

from collections.abc import Sequence

from zcbus.connectors.postgresql.apply.layout import Layout
from zcbus.connectors.postgresql.connection import quote
from zcbus.connectors.postgresql.connection.session import Connection
from zcbus.connectors.roles import TargetTable
from zcbus.model.schema import TableName


def create_shadow_table(connection: Connection, table: TargetTable, shadow: TableName) -> None:
    """An empty table with the same columns, defaults and indexes."""
    with connection.transaction():
        connection.execute(f"DROP TABLE IF EXISTS {quote.table(shadow)}")
        connection.execute(
            f"CREATE TABLE {quote.table(shadow)} "
            f"(LIKE {quote.table(table.name)} INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING INDEXES)"
        )


def apply_shadow_table(
    connection: Connection, table: TargetTable, shadow: TableName, layout: Layout, is_replica: bool
) -> None:
    """Write only what differs. Values are compared as text, because not every type has an equality operator."""
    columns = [column.target for column in table.columns]
    target, source, same = quote.table(table.name), quote.table(shadow), _equal(table.key)
    if not table.key:
        _replace_all(connection, columns, target, source)
        return
    connection.execute(f"ANALYZE {source}")
    connection.execute(f"DELETE FROM {target} t WHERE NOT EXISTS (SELECT FROM {source} s WHERE {same})")
    if len(layout.types) == len(columns) and (is_replica or not (layout.referenced or layout.triggers)):
        # DELETE of all, then INSERT: rows that swap unique values do not conflict.
        connection.execute(f"DELETE FROM {target} t USING {source} s WHERE {same} AND {_differs(columns)}")
    else:
        settings = ", ".join(f"{quote.identifier(name)} = s.{quote.identifier(name)}" for name in columns)
        connection.execute(f"UPDATE {target} t SET {settings} FROM {source} s WHERE {same} AND {_differs(columns)}")
    names = quote.identifiers(columns)
    values = ", ".join(f"s.{quote.identifier(name)}" for name in columns)
    connection.execute(
        f"INSERT INTO {target} ({names}) OVERRIDING SYSTEM VALUE SELECT {values} FROM {source} s "
        f"WHERE NOT EXISTS (SELECT FROM {target} t WHERE {same})"
    )


def _replace_all(connection: Connection, columns: Sequence[str], target: str, source: str) -> None:
    names = quote.identifiers(columns)
    connection.execute(f"DELETE FROM {target}")
    connection.execute(f"INSERT INTO {target} ({names}) OVERRIDING SYSTEM VALUE SELECT {names} FROM {source}")


def _equal(names: Sequence[str]) -> str:
    return " AND ".join(f"t.{quote.identifier(name)} = s.{quote.identifier(name)}" for name in names)


def _differs(names: Sequence[str]) -> str:
    mine = ", ".join(f"t.{quote.identifier(name)}::text" for name in names)
    theirs = ", ".join(f"s.{quote.identifier(name)}::text" for name in names)
    return f"ROW({mine}) IS DISTINCT FROM ROW({theirs})"
