"""Table schemas from PostgreSQL's catalog, many tables in a handful of queries."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from zcbus.connectors.postgresql.catalog.types import CatalogType, data_type, load_types
from zcbus.connectors.postgresql.connection.session import Connection
from zcbus.model.schema import Column, Index, IndexPart, TableName, TableSchema


class Key(NamedTuple):
    """Columns that identify a row at any time."""

    primary: bool
    columns: tuple[str, ...]


def read_schemas(connection: Connection, names: Sequence[TableName]) -> dict[TableName, TableSchema]:
    """Schemas of those tables that exist.

    The session's search path must be `pg_catalog`, so that types and default expressions come qualified. Generated
    columns are left out: the log does not carry them before PostgreSQL 18, and the target computes them itself if its
    table has them.
    """
    requested = [[name.schema for name in names], [name.table for name in names]]
    tables = connection.execute(_TABLES, requested).fetchall()
    oids = [row[0] for row in tables]
    columns = connection.execute(_COLUMNS, [oids]).fetchall()
    indexes = _by_table(connection.execute(_INDEXES, [oids]).fetchall())
    types = load_types(connection, [row[2] for row in columns])
    grouped = _by_table(columns)
    schemas = (_schema(table, grouped[table[0]], indexes[table[0]], types) for table in tables)
    return {schema.name: schema for schema in schemas}


def read_keys(connection: Connection, name: TableName) -> list[Key] | None:
    """Indexes of a table, and its primary key even if that is deferrable; None if the table does not exist."""
    oids = [row[0] for row in connection.execute(_TABLES, [[name.schema], [name.table]]).fetchall()]
    rows = connection.execute(_INDEXES, [oids]).fetchall()
    return [Key(primary, tuple(names)) for _, _, primary, key, _, names, _ in rows if key or primary] if oids else None


def read_indexes(connection: Connection, name: TableName) -> tuple[Index, ...]:
    """Those of a table that are no keys."""
    rows = connection.execute(_TABLES, [[name.schema], [name.table]]).fetchall()
    found = connection.execute(_INDEXES, [[row[0] for row in rows]]).fetchall()
    return _no_keys(found, None)


def _by_table(rows: Sequence[tuple[Any, ...]]) -> defaultdict[int, list[tuple[Any, ...]]]:
    grouped: defaultdict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for row in rows:
        grouped[row[0]].append(row)
    return grouped


def _schema(
    table: tuple[Any, ...],
    columns: Sequence[tuple[Any, ...]],
    indexes: Sequence[tuple[Any, ...]],
    types: Mapping[int, CatalogType],
) -> TableSchema:
    keys = _keys(indexes)
    return TableSchema(
        name=TableName(table[1], table[2]),
        dialect="postgresql",
        columns=tuple(_column(row, types) for row in columns),
        primary_key=next((names for primary, names in keys if primary), ()),
        unique_keys=tuple(names for primary, names in keys if not primary),
        comment=table[3] or "",
        indexes=_no_keys(indexes, {row[1] for row in columns}),
    )


def _keys(rows: Sequence[tuple[Any, ...]]) -> list[Key]:
    return [Key(primary, tuple(names)) for _, _, primary, is_key, _, names, _ in rows if is_key]


def _no_keys(rows: Sequence[tuple[Any, ...]], columns: set[str] | None) -> tuple[Index, ...]:
    """`columns`: only over these; None: all."""
    found = (
        Index(name, tuple(IndexPart(n, None, down) for n, down in zip(names, descending, strict=True)), unique)
        for _, name, _, is_key, unique, names, descending in rows
        if not is_key and (columns is None or columns.issuperset(names))
    )
    return tuple(sorted(found, key=lambda index: index.name))


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

# A key identifies rows at any time. Within a transaction, rows may share the values of a deferrable one.
# Methods other than B-tree answer questions that other databases don't know.
_INDEXES = """
SELECT i.indrelid::int8, c.relname::text, i.indisprimary,
       i.indisunique AND i.indimmediate AND bool_and(a.attnotnull),
       i.indisunique AND i.indimmediate,
       array_agg(a.attname::text ORDER BY part.place),
       array_agg(i.indoption[part.place::int4 - 1] & 1 = 1 ORDER BY part.place)
  FROM pg_catalog.pg_index i
  JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
  JOIN pg_catalog.pg_am m ON m.oid = c.relam
 CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS part(number, place)
  JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = part.number
 WHERE i.indrelid = ANY(%s::oid[]) AND i.indisvalid AND m.amname = 'btree'
   AND i.indpred IS NULL AND i.indexprs IS NULL AND part.place <= i.indnkeyatts
 GROUP BY i.indrelid, i.indexrelid, i.indisprimary, i.indisunique, i.indimmediate, c.relname
 ORDER BY i.indrelid, i.indexrelid
"""
