"""Writes into OpenSearch or Elasticsearch; see roles.Writer.

A transaction is decided by one document (state.py); then its documents are written, each with the number of its part as
its version. So they can be written again, by whichever process comes next after a kill, and what a leftover process
sends late loses against newer ones.
"""

from collections.abc import Iterable, Iterator, Sequence

import pyarrow as pa

from zcbus.connectors.opensearch.connection import OpenSearchConnection
from zcbus.connectors.opensearch.documents import Part, check, parts_of
from zcbus.connectors.opensearch.indexes import Indexes
from zcbus.connectors.opensearch.names import index_of
from zcbus.connectors.opensearch.spec import OpenSearchOptions
from zcbus.connectors.opensearch.state import StateIndex
from zcbus.connectors.roles.writer import Key, Row, RowOperation
from zcbus.connectors.writing.decided import State
from zcbus.connectors.writing.parts_writer import PartsWriter
from zcbus.connectors.writing.presence import Presence
from zcbus.model.schema import TableName, TableSchema


class OpenSearchWriter(PartsWriter[Part]):
    """See roles.Writer, and writing.optional_roles."""

    def __init__(self, options: OpenSearchOptions) -> None:
        self._options = options
        self._connection = OpenSearchConnection(options)
        self._store = StateIndex(self._connection)
        self._indexes = Indexes(self._connection)
        self._presence = Presence(lambda name: self._indexes.is_there(name.table))
        super().__init__(self._store, options.place, options.lock_wait, self._connection.server)

    @property
    def identity(self) -> str:
        return f"opensearch:{self._store.id}"

    def tables(self, names: Sequence[TableName] | None = None) -> dict[TableName, TableSchema]:
        return self._indexes.schemas(names)

    def define(self, table: TableSchema) -> None:
        self._indexes.define(table)

    def undefine(self, name: TableName) -> None:
        self._presence.forget(name)
        self.settled()
        self.retried(lambda: self._indexes.drop(name))

    def clear(self, table: TableSchema) -> None:
        def made_again() -> None:
            self._indexes.drop(table.name)
            self._indexes.define(table)

        self.settled()
        self.retried(made_again)

    def keys(self, table: TableSchema) -> Iterator[list[Key]]:
        return self._indexes.keys(table)

    def rows(self, table: TableSchema, keys: Sequence[Key]) -> list[Row | None]:
        return self._indexes.rows(table, keys)

    def check(self, table: TableSchema, rows: pa.RecordBatch) -> None:
        """See TypedValues. Raises TableMissing as well."""
        self._presence.check(table.name)
        check(table, rows)

    def close(self) -> None:
        self._connection.close()

    def parts_of(self, operations: Iterable[RowOperation]) -> Iterator[Part]:
        return parts_of(operations)

    def carry_out(self, state: State) -> bool:
        there: dict[str, bool] = {"": True}
        parts = self._store.parts
        for number, noted in enumerate(parts, state.number - len(parts) + 1):
            part = self._store.part(noted)
            if part is None:
                return False
            if part.table not in there:
                there[part.table] = self._indexes.is_there(part.table)
            if there[part.table]:  # a table that was dropped later has no documents to change
                index = index_of(self._options.prefix, part.table) if part.table else ""
                self._store.carry_out(index, part, number)
        if parts:
            self._store.finished(state.number)
        return True
