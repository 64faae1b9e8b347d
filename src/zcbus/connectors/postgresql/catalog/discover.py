"""Lists a database's schemas and tables."""

from collections.abc import Sequence

from zcbus.connectors.errors import TableMissing
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql.catalog.tables import read_schemas
from zcbus.connectors.postgresql.connection.errors import translated
from zcbus.connectors.postgresql.connection.session import connect
from zcbus.model.schema import TableName, TableSchema, TableSummary


class PostgreSQLDiscoverer:
    """See roles.Discoverer."""

    def __init__(self, options: ConnectionOptions) -> None:
        self._options = options
        self._connection = connect(options, "source")

    def schemas(self) -> list[str]:
        with translated(self._options, "source"):
            return [row[0] for row in self._connection.execute(_SCHEMAS)]

    def tables(self, schema: str | None = None) -> list[TableSummary]:
        with translated(self._options, "source"):
            rows = self._connection.execute(_TABLES, {"schema": schema}).fetchall()
        return [TableSummary(TableName(row[0], row[1]), *row[2:]) for row in rows]

    def describe(self, names: Sequence[TableName]) -> list[TableSchema]:
        with translated(self._options, "source"):
            found = read_schemas(self._connection, names)
        for name in names:
            if name not in found:
                raise TableMissing(table=str(name), side="source")
        return [found[name] for name in names]

    def __enter__(self) -> "PostgreSQLDiscoverer":
        return self

    def __exit__(self, *details: object) -> None:
        self._connection.close()


_SCHEMAS = """
SELECT nspname::text FROM pg_catalog.pg_namespace n
 WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
   AND has_schema_privilege(oid, 'USAGE')
   -- Where nothing but what we keep in targets is in it, the schema is ours.
   AND NOT (nspname = 'zcbus' AND NOT EXISTS (
       SELECT FROM pg_catalog.pg_class c
        WHERE c.relnamespace = n.oid AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
          AND c.relname NOT IN ('zcbus_lane', 'zcbus_row_error')))
 ORDER BY nspname
"""

# A partitioned table has no rows of its own: its size and rows are those of its partitions.
_TABLES = """
SELECT n.nspname::text, c.relname::text,
       CASE WHEN c.relkind = 'p' THEN parts.rows
            WHEN c.reltuples < 0 OR (c.reltuples = 0 AND c.relpages = 0) THEN NULL
            ELSE c.reltuples::int8 END,
       CASE WHEN c.relkind = 'p' THEN parts.bytes ELSE pg_total_relation_size(c.oid) END,
       EXISTS (SELECT FROM pg_catalog.pg_index i WHERE i.indrelid = c.oid AND i.indisprimary AND i.indimmediate),
       EXISTS (SELECT FROM pg_catalog.pg_index i
                WHERE i.indrelid = c.oid AND i.indisunique AND i.indisvalid AND i.indimmediate
                  AND i.indpred IS NULL AND i.indexprs IS NULL
                  AND NOT EXISTS (SELECT FROM pg_catalog.pg_attribute a
                                   WHERE a.attrelid = c.oid AND a.attnum = ANY(i.indkey) AND NOT a.attnotnull)),
       coalesce(obj_description(c.oid, 'pg_class'), ''),
       CASE WHEN c.relpersistence = 'u' THEN 'unlogged-table' ELSE '' END
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  LEFT JOIN LATERAL (
       SELECT sum(pg_total_relation_size(p.oid))::int8 AS bytes,
              CASE WHEN bool_and(p.reltuples >= 0 AND p.relpages + p.reltuples > 0)
                   THEN sum(p.reltuples)::int8 END AS rows
         FROM pg_partition_tree(c.oid) tree
         JOIN pg_catalog.pg_class p ON p.oid = tree.relid
        WHERE tree.isleaf) parts ON c.relkind = 'p'
 WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relpersistence <> 't'
   AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
   AND has_schema_privilege(n.oid, 'USAGE')
   AND c.relname NOT IN ('zcbus_lane', 'zcbus_row_error')
   AND (%(schema)s::text IS NULL OR n.nspname = %(schema)s)
 ORDER BY n.nspname, c.relname
"""
