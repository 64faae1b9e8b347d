"""Writes into ClickHouse; see roles.Writer.

A transaction is decided by one row (state.py); then its rows are inserted, each with the number of its part as its
version. So they can be inserted again, by whichever process comes next after a kill, and what a leftover process sends
late loses against newer ones.
"""

from collections.abc import Iterable, Iterator, Sequence

import pyarrow as pa

from zcbus.connectors.clickhouse.connection import ClickHouseConnection
from zcbus.connectors.clickhouse.parts import Part, parts_of
from zcbus.connectors.clickhouse.spec import ClickHouseOptions
from zcbus.connectors.clickhouse.state import StateTables
from zcbus.connectors.clickhouse.tables import Tables
from zcbus.connectors.clickhouse.types import typed_batch
from zcbus.connectors.roles.writer import Key, Row, RowOperation
from zcbus.connectors.writing.decided import State
from zcbus.connectors.writing.definition import Reshaping
from zcbus.connectors.writing.parts_writer import PartsWriter
from zcbus.connectors.writing.presence import Presence
from zcbus.model.schema import TableName, TableSchema


class ClickHouseWriter(PartsWriter[Part]):
    """See roles.Writer, and writing.optional_roles."""

    def __init__(self, options: ClickHouseOptions) -> None:
        self._options = options
        self._connection = ClickHouseConnection(options)
        self._store = StateTables(self._connection)
        self._tables = Tables(self._connection)
        self._presence = Presence(self._tables.is_there)
        super().__init__(self._store, options.place, options.lock_wait, self._connection.server)

    @property
    def identity(self) -> str:
        return f"clickhouse:{self._store.id}"

    def tables(self, names: Sequence[TableName] | None = None) -> dict[TableName, TableSchema]:
        return self._tables.schemas(names)

    def define(self, table: TableSchema) -> None:
        self.settled()
        self._tables.define(table)

    def undefine(self, name: TableName) -> None:
        self._presence.forget(name)
        self.settled()
        self._tables.drop(name)

    def clear(self, table: TableSchema) -> None:
        self.settled()
        self._tables.clear(table.name)

    def reshape(self, change: Reshaping) -> None:
        self.settled()
        self._tables.reshape(change)

    def keys(self, table: TableSchema) -> Iterator[list[Key]]:
        return self._tables.keys(table)

    def rows(self, table: TableSchema, keys: Sequence[Key]) -> list[Row | None]:
        return self._tables.rows(table, keys)

    def check(self, table: TableSchema, rows: pa.RecordBatch) -> pa.RecordBatch:
        """See TypedValues. Raises TableMissing as well."""
        self._presence.check(table.name)
        return typed_batch(table, rows)

    def close(self) -> None:
        self._connection.close()

    def parts_of(self, operations: Iterable[RowOperation]) -> Iterator[Part]:
        return parts_of(operations)

    def carry_out(self, state: State) -> bool:
        staged: list[str] = []
        for place in range(self._store.count):
            part = self._store.part(place)
            if part is None or not self._tables.insert(part, state.first + place):
                return False
            staged += [part.staged] if part.staged else []
        if self._store.count:
            self._store.finished(state.number, staged)
        return True
