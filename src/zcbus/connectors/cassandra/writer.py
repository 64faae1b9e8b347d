"""Writes into Cassandra; see roles.Writer.

A transaction is decided by one conditional write (state.py); then its rows are written, each with the number of its
part as its timestamp. So they can be written again, by whichever process comes next after a kill, and what a leftover
process sends late loses against newer ones.
"""

from collections.abc import Iterable, Iterator, Sequence

import pyarrow as pa

from zcbus.connectors.cassandra.connection import CassandraConnection
from zcbus.connectors.cassandra.parts import Part, check, parts_of
from zcbus.connectors.cassandra.rows import Rows
from zcbus.connectors.cassandra.spec import CassandraOptions
from zcbus.connectors.cassandra.state import StateTables
from zcbus.connectors.cassandra.tables import Tables
from zcbus.connectors.roles.writer import Key, Row, RowOperation
from zcbus.connectors.writing.decided import State
from zcbus.connectors.writing.parts_writer import PartsWriter
from zcbus.connectors.writing.presence import Presence
from zcbus.model.schema import TableName, TableSchema


class CassandraWriter(PartsWriter[Part]):
    """See roles.Writer, and writing.optional_roles."""

    def __init__(self, options: CassandraOptions) -> None:
        self._connection = CassandraConnection(options, "target")
        self._store = StateTables(self._connection)
        self._rows = Rows(self._connection)
        self._tables = Tables(self._connection, self._rows.catalog)
        self._presence = Presence(self._rows.catalog.is_defined)
        super().__init__(self._store, options.place, options.lock_wait, self._connection.server)

    @property
    def identity(self) -> str:
        return f"cassandra:{self._store.id}"

    def tables(self, names: Sequence[TableName] | None = None) -> dict[TableName, TableSchema]:
        return self._rows.catalog.defined(names)

    def define(self, table: TableSchema) -> None:
        self.settled()
        self._tables.define(table)
        self._rows.forget(table.name)

    def undefine(self, name: TableName) -> None:
        self._presence.forget(name)
        self.settled()
        self._tables.drop(name)
        self._rows.forget(name)

    def clear(self, table: TableSchema) -> None:
        self.settled()
        self._tables.clear(table.name)

    def keys(self, table: TableSchema) -> Iterator[list[Key]]:
        return self._rows.keys(table)

    def rows(self, table: TableSchema, keys: Sequence[Key]) -> list[Row | None]:
        return self._rows.rows(table, keys)

    def check(self, table: TableSchema, rows: pa.RecordBatch) -> None:
        """See TypedValues. Raises TableMissing as well."""
        self._presence.check(table.name)
        check(table, rows)

    def close(self) -> None:
        self._connection.close()

    def parts_of(self, operations: Iterable[RowOperation]) -> Iterator[Part]:
        return parts_of(operations)

    def carry_out(self, state: State) -> bool:
        count = self._store.count
        for place in range(count):
            part = self._store.part(place)
            if part is None:
                return False
            self._tables.carry_out(part, state.number - count + 1 + place)
        if count:
            self._store.finished(state.number)
        return True
