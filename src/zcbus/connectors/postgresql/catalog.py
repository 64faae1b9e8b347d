"""Table schemas from PostgreSQL's catalog, many tables in a handful of queries."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from zcbus.connectors.postgresql.session import Connection
from zcbus.connectors.postgresql.types import CatalogType, data_type, load_types
from zcbus.model.schema import Column, Dialect, TableName, TableSchema


def read_schemas(connection: Connection, names: Sequence[TableName]) -> dict[TableName, TableSchema]:
    """Schemas of those tables that exist. The session's search path must be `pg_catalog`, so that types and default
    expressions come qualified.

    Stored and virtual generated columns are left out: the log does not carry them before PostgreSQL 18, and the target
    computes them itself where its table has them.
    """
    wanted = [[name.schema for name in names], [name.table for name in names]]
    tables = connection.execute(_TABLES, wanted).fetchall()
    oids = [row[0] for row in tables]
    columns = connection.execute(_COLUMNS, [oids]).fetchall()
    keys = _by_table(connection.execute(_KEYS, [oids]).fetchall())
    types = load_types(connection, [row[2] for row in columns])
    grouped = _by_table(columns)
    schemas = (_schema(table, grouped[table[0]], keys[table[0]], types) for table in tables)
    return {schema.name: schema for schema in schemas}


def _by_table(rows: Sequence[tuple[Any, ...]]) -> defaultdict[int, list[tuple[Any, ...]]]:
    grouped: defaultdict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for row in rows:
        grouped[row[0]].append(row)
    return grouped


def _schema(
    table: tuple[Any, ...],
    columns: Sequence[tuple[Any, ...]],
    keys: Sequence[tuple[Any, ...]],
    types: Mapping[int, CatalogType],
) -> TableSchema:
    own = [(primary, tuple(names)) for _, primary, names in keys]
    return TableSchema(
        name=TableName(table[1], table[2]),
        dialect=Dialect.POSTGRESQL,
        columns=tuple(_column(row, types) for row in columns),
        primary_key=next((names for primary, names in own if primary), ()),
        unique_keys=tuple(names for primary, names in own if not primary),
        comment=table[3] or "",
    )


def _column(row: tuple[Any, ...], types: Mapping[int, CatalogType]) -> Column:
    _, name, oid, modifier, formatted, not_null, default, identity, collation, comment, number = row
    serial = default is not None and default.startswith("nextval(")
    return Column(
        name=name,
        type=data_type(types, oid, modifier, formatted),
        nullable=not not_null,
        default=None if serial or identity else default,
        identity=serial or identity,
        collation=collation,
        comment=comment or "",
        number=number,
    )


_TABLES = """
SELECT c.oid::int8, n.nspname::text, c.relname::text, pg_catalog.obj_description(c.oid, 'pg_class')
  FROM unnest(%s::text[], %s::text[]) AS wanted(schema, name)
  JOIN pg_catalog.pg_namespace n ON n.nspname = wanted.schema
  JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = wanted.name
 WHERE c.relkind IN ('r', 'p')
"""

_COLUMNS = """
SELECT a.attrelid::int8, a.attname::text, a.atttypid::int8, a.atttypmod,
       pg_catalog.format_type(a.atttypid, a.atttypmod), a.attnotnull,
       pg_catalog.pg_get_expr(d.adbin, d.adrelid), a.attidentity <> '',
       CASE WHEN a.attcollation <> t.typcollation THEN
            pg_catalog.quote_ident(cn.nspname) || '.' || pg_catalog.quote_ident(co.collname) END,
       pg_catalog.col_description(a.attrelid, a.attnum), a.attnum
  FROM pg_catalog.pg_attribute a
  JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
  LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  LEFT JOIN pg_catalog.pg_collation co ON co.oid = a.attcollation
  LEFT JOIN pg_catalog.pg_namespace cn ON cn.oid = co.collnamespace
 WHERE a.attrelid = ANY(%s::oid[]) AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
 ORDER BY a.attrelid, a.attnum
"""

_KEYS = """
SELECT i.indrelid::int8, i.indisprimary, array_agg(a.attname::text ORDER BY part.place)
  FROM pg_catalog.pg_index i
 CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS part(number, place)
  JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = part.number
 WHERE i.indrelid = ANY(%s::oid[]) AND i.indisunique AND i.indisvalid
   AND i.indpred IS NULL AND i.indexprs IS NULL AND part.place <= i.indnkeyatts
   AND (i.indisprimary OR i.indimmediate)
 GROUP BY i.indrelid, i.indexrelid, i.indisprimary
HAVING bool_and(a.attnotnull)
 ORDER BY i.indrelid, i.indexrelid
"""
