"""How a target table really is, as far as writing into it depends on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from zcbus.connectors.errors import TableMissing
from zcbus.connectors.postgresql.connection import quote
from zcbus.connectors.postgresql.connection.session import Connection
from zcbus.model.schema import TableName


@dataclass(frozen=True, slots=True)
class Layout:
    """Of one existing table."""

    types: Mapping[str, str]
    """Type of each writable column without its modifier, for casts: a cast to the declared type would truncate
    values."""
    referenced: bool
    """Foreign keys point at it."""
    cascading: bool
    """Deleting a row would change other tables."""
    triggers: bool
    """It has triggers of its owner's."""
    unique: tuple[frozenset[str], ...]
    """Columns of each unique index that the server checks on insert."""

    def is_unique(self, key: Sequence[str]) -> bool:
        """Whether adding a second row with the same key would be an error."""
        return any(columns.issubset(key) for columns in self.unique)


def read_layout(connection: Connection, name: TableName) -> Layout | None:
    """The table's layout; None if the table does not exist."""
    row = connection.execute(_TABLE, [name.schema, name.table]).fetchone()
    if row is None:
        return None
    columns = connection.execute(_COLUMNS, [row[0]]).fetchall()
    types = {column: _cast_name(*rest) for column, *rest in columns}
    unique = tuple(frozenset(names) for (names,) in connection.execute(_UNIQUE, [row[0]]).fetchall())
    _, referenced, cascading, triggers = row
    return Layout(types, referenced, cascading, triggers, unique)


def supports_parallel_keys(connection: Connection, name: TableName, key: Sequence[str]) -> bool:
    """See TargetSession."""
    row = connection.execute(
        _PARALLEL_KEYS, {"schema": name.schema, "table": name.table, "key": sorted(key)}
    ).fetchone()
    if row is None:
        raise TableMissing(table=str(name), side="target")
    return bool(row[0])


def _cast_name(schema: str, name: str, is_array: bool, element_schema: str, element: str) -> str:
    if is_array:
        return f"{_cast_name(element_schema, element, False, '', '')}[]"
    if schema == "pg_catalog" and name in _SPELT:
        return _SPELT[name]
    return f"{quote.identifier(schema)}.{quote.identifier(name)}"


# Without modifier `character` would mean one character: such types use their catalog names.
_SPELT = {
    "int2": "smallint",
    "int4": "integer",
    "int8": "bigint",
    "numeric": "numeric",
    "text": "text",
    "varchar": "character varying",
    "bytea": "bytea",
    "bool": "boolean",
}

_TABLE = """
SELECT c.oid::pg_catalog.int8,
       EXISTS (SELECT FROM pg_catalog.pg_constraint f WHERE f.confrelid = c.oid AND f.contype = 'f'),
       EXISTS (SELECT FROM pg_catalog.pg_constraint f
                WHERE f.confrelid = c.oid AND f.contype = 'f' AND f.confdeltype NOT IN ('a', 'r')),
       EXISTS (SELECT FROM pg_catalog.pg_trigger g
                WHERE g.tgrelid = c.oid AND NOT g.tgisinternal AND g.tgenabled <> 'D')
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
 WHERE n.nspname = %s AND c.relname = %s AND c.relkind IN ('r', 'p')
"""

_COLUMNS = """
SELECT a.attname::text, n.nspname::text, t.typname::text, t.typcategory = 'A' AND t.typelem <> 0 AND t.typlen = -1,
       en.nspname::text, e.typname::text
  FROM pg_catalog.pg_attribute a
  JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
  JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
  LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem
  LEFT JOIN pg_catalog.pg_namespace en ON en.oid = e.typnamespace
 WHERE a.attrelid = %s::pg_catalog.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
 ORDER BY a.attnum
"""

_UNIQUE = """
SELECT (SELECT array_agg(a.attname::text) FROM pg_catalog.pg_attribute a
         WHERE a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey::pg_catalog.int2[]))
  FROM pg_catalog.pg_index i
 WHERE i.indrelid = %s::pg_catalog.oid AND i.indisunique AND i.indimmediate AND i.indisvalid
   AND i.indpred IS NULL AND i.indexprs IS NULL AND i.indnkeyatts = i.indnatts
"""

_PARALLEL_KEYS = """
WITH kept AS (
  SELECT i.indisunique AS is_unique,
         ARRAY(SELECT a.attname::text COLLATE "C" FROM pg_catalog.pg_attribute a
                WHERE a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey::pg_catalog.int2[]) ORDER BY 1) AS names,
         i.indpred IS NULL AND i.indexprs IS NULL AND i.indnkeyatts = i.indnatts AS is_plain
    FROM pg_catalog.pg_index i
   WHERE (i.indisunique OR i.indisexclusion)
     AND i.indrelid = (SELECT c.oid FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                        WHERE n.nspname = %(schema)s AND c.relname = %(table)s)
)
SELECT EXISTS (SELECT FROM kept)
   AND NOT EXISTS (SELECT FROM kept WHERE NOT (is_unique AND is_plain AND names = %(key)s::text[]))
   AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint f WHERE f.contype = 'f' AND c.oid IN (f.conrelid, f.confrelid))
   AND NOT EXISTS (SELECT FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_collation o ON o.oid = a.attcollation
                    WHERE a.attrelid = c.oid AND a.attname = ANY (%(key)s::text[]) AND NOT o.collisdeterministic)
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
 WHERE n.nspname = %(schema)s AND c.relname = %(table)s AND c.relkind IN ('r', 'p')
"""
