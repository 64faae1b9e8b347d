"""Writes into MongoDB; see roles.Writer.

A transaction is decided by one document (state.py); then its documents are written, each with the number of its part.
So they can be written again, by whichever process comes next after a kill, and what a leftover process sends late loses
against newer ones.
"""

import time
from collections.abc import Iterable, Iterator, Sequence

import pyarrow as pa

from zcbus.connectors.mongodb.connection import MongoDBConnection
from zcbus.connectors.mongodb.parts import Part, check, parts_of
from zcbus.connectors.mongodb.rows import Rows
from zcbus.connectors.mongodb.spec import MongoDBOptions
from zcbus.connectors.mongodb.state import StateCollection
from zcbus.connectors.mongodb.tables import Tables
from zcbus.connectors.roles.writer import Key, Row, RowOperation
from zcbus.connectors.writing.decided import State
from zcbus.connectors.writing.parts_writer import PartsWriter
from zcbus.connectors.writing.presence import Presence
from zcbus.model.schema import TableName, TableSchema

_AT_WORK_SECONDS = 1.0
"""For which the process that decided a transaction is left to carry it out."""
_POLL_SECONDS = 0.02


class MongoDBWriter(PartsWriter[Part]):
    """See roles.Writer, and writing.optional_roles."""

    def __init__(self, options: MongoDBOptions) -> None:
        self._connection = MongoDBConnection(options, "target")
        self._common = options.values == "common"
        self._store = StateCollection(self._connection)
        self._rows = Rows(self._connection)
        self._tables = Tables(self._connection, self._rows.catalog)
        self._presence = Presence(self._rows.catalog.is_there)
        self._seen = 0, 0.0
        """Number of the last transaction of another session that was not carried out, and when it was seen first."""
        super().__init__(self._store, options.place, options.lock_wait, self._connection.server)

    @property
    def identity(self) -> str:
        return f"mongodb:{self._store.id}"

    def tables(self, names: Sequence[TableName] | None = None) -> dict[TableName, TableSchema]:
        return self._rows.catalog.defined(names)

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

    def keys(self, table: TableSchema) -> Iterator[list[Key]]:
        return self._rows.keys(table)

    def rows(self, table: TableSchema, keys: Sequence[Key]) -> list[Row | None]:
        return self._rows.rows(table, keys)

    def check(self, table: TableSchema, rows: pa.RecordBatch) -> None:
        """See TypedValues. Raises TableMissing as well."""
        self._presence.check(table.name)
        check(table, rows, self._common)

    def close(self) -> None:
        self._connection.close()

    def parts_of(self, operations: Iterable[RowOperation]) -> Iterator[Part]:
        return parts_of(operations, self._common)

    def finish(self, state: State) -> bool:
        store = self._store
        if not store.parts or store.done >= state.number:
            return True
        if not store.is_written:
            if self._is_at_work(state):
                return False
            store.take_over()
        return super().finish(state)

    def carry_out(self, state: State) -> bool:
        while self._store.done < state.number:
            if not self._carried_out(state):
                return False
            self._store.finished(state.number)
        return True

    def _is_at_work(self, state: State) -> bool:
        """Whether to leave the transaction to the process that decided it for now. Waits for a moment then."""
        now = time.monotonic()
        if self._seen[0] != state.number:
            self._seen = state.number, now
        if now - self._seen[1] >= _AT_WORK_SECONDS:
            return False
        time.sleep(_POLL_SECONDS)
        return True

    def _carried_out(self, state: State) -> bool:
        """False: a part is gone."""
        store = self._store
        for number, noted in enumerate(store.parts, state.number - len(store.parts) + 1):
            part = store.part(noted)
            if part is None:
                return False
            if store.is_careful:
                store.note_gone(part)
            self._tables.carry_out(part, number, careful=store.is_careful)
        return True
