"""Key columns that compare less exactly than the source's: by citext, nondeterministic collations, or CHAR(n)."""

from typing import Any

from psycopg import Connection

from zcbus.connectors.postgresql.connection import quote
from zcbus.connectors.roles import InexactKey, TargetTable
from zcbus.model.schema import Column
from zcbus.model.types import Kind

_TEXTUAL = frozenset({Kind.TEXT, Kind.OTHER, Kind.XML, Kind.ENUM, Kind.SET, Kind.INTERVAL, Kind.TIME_TZ})

_COLUMNS = """
SELECT a.attname::text, t.typname::text, pg_catalog.format_type(a.atttypid, a.atttypmod), o.collisdeterministic,
       pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(o.collname)
  FROM pg_catalog.pg_attribute a
  JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
  JOIN pg_catalog.pg_namespace s ON s.oid = c.relnamespace
  JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
  JOIN pg_catalog.pg_collation o ON o.oid = a.attcollation
  JOIN pg_catalog.pg_namespace n ON n.oid = o.collnamespace
 WHERE s.nspname = %s AND c.relname = %s AND a.attname = ANY (%s::text[]) AND NOT a.attisdropped
 ORDER BY a.attnum
"""


def inexact_keys(connection: Connection, table: TargetTable) -> list[InexactKey]:
    """See TargetSession."""
    schema = table.source_schema
    sources = {column.target: schema.column(column.source) for column in table.columns}
    if all(sources[name].type.kind not in _TEXTUAL for name in table.key):
        return []  # no query necessary: thousands of tables are checked together
    unique = schema.has_key(tuple(sources[name].name for name in table.key))
    own = schema.dialect == "postgresql" and unique
    rows = connection.execute(_COLUMNS, [table.name.schema, table.name.table, list(table.key)]).fetchall()
    found = [_inexact(table, sources[name], own, name, *rest) for name, *rest in rows]
    return [one for one in found if one is not None]


def _inexact(
    table: TargetTable, source: Column, own: bool, name: str, kind: str, declared: str, deterministic: Any, by: str
) -> InexactKey | None:
    """`own`: the source compares its key by the rules of PostgreSQL."""
    if source.type.kind not in _TEXTUAL:
        return None
    if kind == "citext":
        same = own and source.type.native.rpartition(".")[2] == "citext"
        return None if same else InexactKey(name, "citext", _remedy(table, name, "text"))
    if kind == "bpchar" and not source.type.fixed and not (own and source.type.native == "bpchar"):
        return InexactKey(name, declared, _remedy(table, name, "text"))
    if deterministic or (own and source.collation == by):
        return None
    return InexactKey(name, by, _remedy(table, name, declared))


def _remedy(table: TargetTable, name: str, declared: str) -> str:
    column = quote.identifier(name)
    return f'ALTER TABLE {quote.table(table.name)} ALTER COLUMN {column} TYPE {declared} COLLATE "default";'
