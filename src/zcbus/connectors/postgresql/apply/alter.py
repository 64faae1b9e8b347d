"""Statements that alter an existing table after its source."""

from collections.abc import Iterator, Sequence

from zcbus.connectors.postgresql.apply import ddl
from zcbus.connectors.postgresql.connection import quote
from zcbus.connectors.postgresql.connection.session import Connection
from zcbus.connectors.roles import MappedColumn, TargetTable
from zcbus.connectors.roles.alteration import AddedColumn, Alteration
from zcbus.model.schema import TableSchema


def statements(connection: Connection, table: TargetTable, change: Alteration, present: TableSchema) -> Iterator[str]:
    """The remaining statements, in order, to be run in one transaction."""
    alter = f"ALTER TABLE {quote.table(table.name)}"
    have = set(present.names)
    yield from ddl.type_statements(connection, table)
    yield from _drop_unique(connection, table, change, alter)
    yield from (f"{alter} DROP COLUMN IF EXISTS {quote.identifier(name)}" for name in change.drop)
    for old, column in change.rename:
        if old in have and column.target not in have:
            yield f"{alter} RENAME COLUMN {quote.identifier(old)} TO {quote.identifier(column.target)}"
    for column in change.redefine:
        yield from _redefine(connection, table, column, alter)
    for added in change.add:
        yield from _add(connection, table, added, alter)
    for key in change.add_unique:
        if not _unique_indexes(connection, table, key):
            yield f"CREATE UNIQUE INDEX ON {quote.table(table.name)} ({quote.identifiers(key)})"
    if change.comment is not None:
        yield f"COMMENT ON TABLE {quote.table(table.name)} IS {quote.literal(change.comment)}"


def _drop_unique(connection: Connection, table: TargetTable, change: Alteration, alter: str) -> Iterator[str]:
    for key in change.drop_unique:
        for index, constraint in _unique_indexes(connection, table, key):
            yield f"{alter} DROP CONSTRAINT {constraint}" if constraint else f"DROP INDEX {index}"


def _redefine(connection: Connection, table: TargetTable, column: MappedColumn, alter: str) -> Iterator[str]:
    name, source = quote.identifier(column.target), table.source_schema.column(column.source)
    declared = ddl.column_type(connection, table, column)
    yield f"{alter} ALTER COLUMN {name} TYPE {declared} USING {name}::{declared}"
    default = ddl.default_clause(table, column)
    yield f"{alter} ALTER COLUMN {name} " + (f"SET DEFAULT {default}" if default else "DROP DEFAULT")
    if column.target not in table.key and (column.nullable or not _has_null(connection, table, name)):
        yield f"{alter} ALTER COLUMN {name} {'DROP' if column.nullable else 'SET'} NOT NULL"
    yield _comment(table, column, source.comment)


def _has_null(connection: Connection, table: TargetTable, name: str) -> bool:
    """Where the source's catalog is ahead of its log, rows that lose their last NULLs are still to come: the column
    stays without NOT NULL."""
    query = f"SELECT 1 FROM {quote.table(table.name)} WHERE {name} IS NULL LIMIT 1"
    return connection.execute(query).fetchone() is not None


def _add(connection: Connection, table: TargetTable, added: AddedColumn, alter: str) -> Iterator[str]:
    column = added.column
    name, source = quote.identifier(column.target), table.source_schema.column(column.source)
    declared = f"{name} {ddl.column_type(connection, table, column)}"
    if added.value is not None:
        declared += f" DEFAULT {quote.literal(added.value)}" + ("" if column.nullable else " NOT NULL")
    yield f"{alter} ADD COLUMN IF NOT EXISTS {declared}"
    default = ddl.default_clause(table, column)
    yield f"{alter} ALTER COLUMN {name} " + (f"SET DEFAULT {default}" if default else "DROP DEFAULT")
    if source.comment:
        yield _comment(table, column, source.comment)


def _comment(table: TargetTable, column: MappedColumn, text: str) -> str:
    place = f"{quote.table(table.name)}.{quote.identifier(column.target)}"
    return f"COMMENT ON COLUMN {place} IS {quote.literal(text) if text else 'NULL'}"


def _unique_indexes(connection: Connection, table: TargetTable, key: Sequence[str]) -> list[tuple[str, str]]:
    """Plain unique indexes over just these columns: (quoted name, quoted constraint or empty)."""
    rows = connection.execute(_UNIQUE, [table.name.schema, table.name.table]).fetchall()
    return [(index, constraint) for index, constraint, names in rows if set(names) == set(key)]


_UNIQUE = """
SELECT pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(x.relname),
       coalesce(pg_catalog.quote_ident(k.conname), ''),
       (SELECT array_agg(a.attname::text) FROM pg_catalog.pg_attribute a
         WHERE a.attrelid = c.oid AND a.attnum = ANY(i.indkey))
  FROM pg_catalog.pg_index i
  JOIN pg_catalog.pg_class c ON c.oid = i.indrelid
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid
  LEFT JOIN pg_catalog.pg_constraint k ON k.conindid = i.indexrelid AND k.contype = 'u'
 WHERE n.nspname = %s AND c.relname = %s AND i.indisunique AND NOT i.indisprimary
   AND i.indpred IS NULL AND i.indexprs IS NULL
"""
