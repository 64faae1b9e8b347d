"""Writes tables into files; see roles.Writer."""

from collections.abc import Sequence

import pyarrow as pa

from zcbus.connectors.files.target.folder import WrittenFolder
from zcbus.connectors.files.target.options import ROWS, FilesWriting
from zcbus.connectors.files.target.partitions import Partitions
from zcbus.connectors.files.target.state import FolderState, Part, Pending
from zcbus.connectors.files.target.tables import WrittenTables
from zcbus.connectors.formats.written.avro import AvroFiles
from zcbus.connectors.formats.written.form import WrittenFormat
from zcbus.connectors.formats.written.parquet import ParquetFiles
from zcbus.connectors.formats.written.texts import CsvFiles, JsonLineFiles
from zcbus.connectors.roles.sink import Wait
from zcbus.connectors.roles.writer import Transaction
from zcbus.connectors.stores import OpenWritableStore
from zcbus.connectors.writing.decided import DecidedWriter
from zcbus.connectors.writing.pacing import Pacing
from zcbus.connectors.writing.presence import Presence
from zcbus.model.schema import TableName, TableSchema

FORMATS: dict[str, WrittenFormat] = {
    "parquet": ParquetFiles(),
    "avro": AvroFiles(),
    "json-lines": JsonLineFiles(),
    "csv": CsvFiles(),
}


class FolderWriter(DecidedWriter[Part]):
    """See roles.Writer, and writing.optional_roles: what is the same for logs of changes and current rows."""

    def __init__(self, options: FilesWriting, open_store: OpenWritableStore) -> None:
        self._options = options
        self._folder = WrittenFolder(options, open_store)
        self._store = FolderState(self._folder, options.retention * 60.0)
        super().__init__(
            self._store,
            f"{options.kind}:{options.place}",
            options.lock_wait,
            {"kind": options.kind, "address": options.address},
        )
        self._form = FORMATS[options.output]
        self._partitions = Partitions(options.columns, options.partition)
        self._tables = WrittenTables(self._folder, self._form, self._owner)
        self._presence = Presence(self._tables.is_there)
        self._pacing = Pacing(options.gather)
        self._placed = 0
        """Number of the last commit whose files were found in their places."""

    @property
    def identity(self) -> str:
        return self._folder.identity

    def pace(self, wait: Wait) -> None:
        self._pacing.pace(wait)

    def write(self, transaction: Transaction) -> None:
        if not self._held:
            self._pacing.gather(transaction)
        super().write(transaction)

    def tables(self, names: Sequence[TableName] | None = None) -> dict[TableName, TableSchema]:
        self.settled()
        known = [TableName(ROWS, one) for one in self._store.tables]
        return self._tables.schemas(known if names is None else [one for one in names if one in known])

    def define(self, table: TableSchema) -> None:
        if table.name not in self.tables([table.name]):
            self._tables.require_unused(table.name)
            self._begin(table.name)
        self._tables.define(table, self._store.range(table.name.table).last)

    def check(self, table: TableSchema, rows: pa.RecordBatch) -> pa.RecordBatch | None:
        """See TypedValues. Raises TableMissing as well."""
        self._presence.check(table.name)
        self._partitions.check(table, rows)
        return self._form.check(table, rows)

    def close(self) -> None:
        self._folder.close()

    def _owner(self) -> str:
        return self._store.id

    def _begin(self, name: TableName) -> None:
        """Files of the table that are there do not count any more. Numbers are never used again."""

        def change() -> None:
            self.settled()
            self._store.begin(name.table)

        self.retried(change)

    def _put_in_place(self, number: int) -> list[Pending]:
        """Move the files of the last commit, unless that was done; returns them."""
        if self._placed >= number:
            return []
        pending = list(self._store.pending)
        for one in pending:
            self._folder.move(one.hidden, one.place)
        if pending:
            self._pacing.written()
        self._placed = number
        return pending
