"""A consistent image of a database at one position of its log; see roles.SnapshotReader."""

import secrets

from zcbus.connectors.errors import SourceUnavailable
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql.capture import standby
from zcbus.connectors.postgresql.capture.slots import create_slot, slot_refused
from zcbus.connectors.postgresql.catalog.size import rows_of
from zcbus.connectors.postgresql.connection import quote
from zcbus.connectors.postgresql.connection.failures import ConnectionLost, ServerError
from zcbus.connectors.postgresql.snapshot.key_ranges import KeyRanges
from zcbus.connectors.postgresql.snapshot.rows import PostgreSQLTableReader
from zcbus.model.position import Position
from zcbus.model.schema import TableName, TableSchema

# The catalog as of the snapshot, and the current file; a partition missing in the snapshot has no rows there.
_REWRITTEN = """
SELECT coalesce(bool_or(pg_catalog.pg_relation_filenode(c.oid) <> c.relfilenode), false)
  FROM pg_catalog.pg_class c
 WHERE c.relkind = 'r'
   AND (c.oid = {table}::regclass OR c.oid IN (SELECT relid FROM pg_catalog.pg_partition_tree({table}::regclass)))
"""


class PostgreSQLSnapshotReader(PostgreSQLTableReader):
    """Reads in one transaction whose snapshot was exported with a temporary logical slot: the slot's consistent point
    is the snapshot's position. Its creation waits for the transactions that are open at that moment."""

    def __init__(self, options: ConnectionOptions) -> None:
        super().__init__(options, "source", image=True)
        self._proved: set[TableName] = set()
        try:
            self._position = self._begin()
        except BaseException:
            self._wire.close()
            raise

    @property
    def position(self) -> Position:
        return self._position

    def __enter__(self) -> "PostgreSQLSnapshotReader":
        return self

    def _key_ranges(self, table: TableSchema, columns: tuple[str, ...], key: tuple[str, ...]) -> KeyRanges:
        """As of every reader, once the table is known to have its rows in the image. Raises SourceUnavailable."""
        found = super()._key_ranges(table, columns, key)
        if table.name not in self._proved:
            self._prove(table)
            self._proved.add(table.name)
        return found

    def _prove(self, table: TableSchema) -> None:
        """Lock the table against rewrites.

        A rewrite (ALTER … TYPE, a stored column, TRUNCATE) leaves nothing for older snapshots: the table would look
        empty (https://www.postgresql.org/docs/current/mvcc-caveats.html). The lock prevents later rewrites.
        """
        self._wire.query(f"SELECT FROM {rows_of(self._wire, table)} LIMIT 0")
        name = quote.literal(quote.table(table.name))
        if self._wire.query(_REWRITTEN.format(table=name)) != [("f",)]:
            detail = f"{table.name} was rewritten since the image was made"
            raise SourceUnavailable(kind=self._options.kind, address=self._options.address, detail=detail)

    def _begin(self) -> Position:
        slot = f"zcbus_snapshot_{secrets.token_hex(8)}"
        try:
            with standby.standby_snapshot(self._wire, self._options):
                self._wire.query("BEGIN READ ONLY ISOLATION LEVEL REPEATABLE READ")
                position = create_slot(self._wire, self._options, slot, "USE_SNAPSHOT", lasting=False)
            # The transaction keeps the snapshot; the slot would retain the log from here on for the complete read.
            self._wire.query(f'DROP_REPLICATION_SLOT "{slot}"')
            # An index returns rows in key order at once; a sort would first read and store the complete table.
            self._wire.query("SET enable_sort = off")
        except (ServerError, ConnectionLost) as error:
            raise slot_refused(error, self._options) from error
        return position
