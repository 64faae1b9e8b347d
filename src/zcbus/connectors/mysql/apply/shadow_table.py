"""Replacing the rows of a table by those of a shadow table."""

from collections.abc import Sequence

from zcbus.connectors.mysql.apply.changes import Shape
from zcbus.connectors.mysql.apply.mapping import is_text
from zcbus.connectors.mysql.apply.stage import matches
from zcbus.connectors.mysql.connection import quote
from zcbus.connectors.mysql.connection.session import Session
from zcbus.connectors.roles import TargetTable
from zcbus.model.schema import TableName
from zcbus.model.types import Kind


def create_shadow_table(session: Session, table: TargetTable, shadow: TableName) -> None:
    """An empty table with the same columns and indexes."""
    session.execute(f"DROP TABLE IF EXISTS {quote.table(shadow)}")
    session.execute(f"CREATE TABLE {quote.table(shadow)} LIKE {quote.table(table.name)}", table=str(table.name))


def apply_shadow_table(session: Session, table: TargetTable, shadow: TableName, shape: Shape) -> None:
    """Write only what differs; texts are compared byte by byte, whatever the collation."""
    columns = [column.target for column in table.columns]
    target, source, label = quote.table(table.name), quote.table(shadow), str(table.name)
    if not table.key:
        _replace_all(session, table, target, source)
        return
    same = matches([(key, key) for key in table.key], "t", "s")
    session.execute(f"DELETE t FROM {target} t WHERE NOT EXISTS (SELECT 1 FROM {source} s WHERE {same})", table=label)
    joined = f"{source} s JOIN {target} t ON {same}"
    differs = f"NOT ({_equal(columns, shape)})"
    if set(shape.writable()) == set(columns) and not shape.triggers:
        # DELETE of all, then INSERT: rows that swap unique values do not conflict.
        session.execute(f"DELETE t FROM {joined} WHERE {differs}", table=label)
    else:
        settings = ", ".join(f"t.{quote.identifier(name)} = s.{quote.identifier(name)}" for name in columns)
        session.execute(f"UPDATE {joined} SET {settings} WHERE {differs}", table=label)
    values = ", ".join(f"s.{quote.identifier(name)}" for name in columns)
    session.execute(
        f"INSERT INTO {target} ({quote.identifiers(columns)}) SELECT {values} FROM {source} s "
        f"WHERE NOT EXISTS (SELECT 1 FROM {target} t WHERE {same})",
        table=label,
    )


def _replace_all(session: Session, table: TargetTable, target: str, source: str) -> None:
    names = quote.identifiers(column.target for column in table.columns)
    session.execute(f"DELETE FROM {target}", table=str(table.name))
    session.execute(f"INSERT INTO {target} ({names}) SELECT {names} FROM {source}", table=str(table.name))


def _equal(names: Sequence[str], shape: Shape) -> str:
    return " AND ".join(f"{_bytes('t', name, shape)} <=> {_bytes('s', name, shape)}" for name in names)


def _bytes(alias: str, name: str, shape: Shape) -> str:
    column = f"{alias}.{quote.identifier(name)}"
    kind = shape.schema.column(name).type
    return f"CAST({column} AS BINARY)" if is_text(kind) or kind.kind is Kind.JSON else column
