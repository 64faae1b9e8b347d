"""Detection of replica identities that are changed while a table is captured.

Without one, the owner's updates and deletes fail as long as the table is published. With another index, the log lacks
old keys: rows of the log prove theirs (see SchemaTracker), and scans find what no row shows.
"""

from collections.abc import Sequence

from zcbus.connectors.errors import TableRefused
from zcbus.connectors.postgresql.capture.publication import identity_refusal
from zcbus.connectors.postgresql.connection.session import Connection
from zcbus.connectors.roles import CapturedTable


class IdentityWatch:
    """The replica identities of one stream's captured tables and their partitions. Not for several threads."""

    def __init__(self, connection: Connection, name: str, tables: Sequence[CapturedTable]) -> None:
        """`name`: of the publication. The tables were checked before."""
        self._name = name
        self._tables = {(table.name.schema, table.name.table): table for table in tables}
        self._known = self._read(connection)

    def scan(self, connection: Connection) -> TableRefused | None:
        """The refusal of the first table whose rows can no longer be identified."""
        today = self._read(connection)
        others = [table for name, table in self._tables.items() if today.get(name) != self._known.get(name)]
        refused = identity_refusal(connection, self._name, others) if others else None
        if refused is None:
            self._known = today
        return refused

    def _read(self, connection: Connection) -> dict[tuple[str, str], str]:
        """By table; each text is another one when an identity is."""
        names = list(self._tables)
        wanted = [[schema for schema, _ in names], [table for _, table in names]]
        return {(schema, table): text for schema, table, text in connection.execute(_IDENTITIES, wanted)}


_IDENTITIES = """
SELECT n.nspname::text, c.relname::text,
       pg_catalog.md5(pg_catalog.string_agg(
           part.oid || part.relreplident::text || COALESCE(i.indexrelid::text || i.indkey::text, ''), ','
           ORDER BY part.oid, i.indexrelid))
  FROM unnest(%s::text[], %s::text[]) AS wanted(schema, name)
  JOIN pg_catalog.pg_namespace n ON n.nspname = wanted.schema
  JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = wanted.name
  LEFT JOIN LATERAL (
        SELECT tree.relid FROM pg_catalog.pg_partition_tree(c.oid) tree WHERE c.relkind = 'p') AS tree ON true
  JOIN pg_catalog.pg_class part ON part.oid = COALESCE(tree.relid::oid, c.oid)
  LEFT JOIN pg_catalog.pg_index i ON i.indrelid = part.oid AND (i.indisprimary OR i.indisreplident)
 GROUP BY 1, 2
"""
