"""Writes the changes of tables into files; see roles.Writer."""

from collections.abc import Iterable, Iterator, Sequence

import orjson
import pyarrow as pa

from zcbus.connectors.errors import TableRefused, TargetLocked, TargetUnavailable
from zcbus.connectors.files.target.folder import WrittenFolder
from zcbus.connectors.files.target.latest import LatestRows
from zcbus.connectors.files.target.options import ROWS, FilesWriting
from zcbus.connectors.files.target.partitions import Partitions
from zcbus.connectors.files.target.records import NAMES, Recording
from zcbus.connectors.files.target.state import FilePart, FolderState
from zcbus.connectors.files.target.tables import WrittenTables
from zcbus.connectors.folder_names import folder_of
from zcbus.connectors.formats.written.avro import AvroFiles
from zcbus.connectors.formats.written.form import WrittenFormat
from zcbus.connectors.formats.written.parquet import ParquetFiles
from zcbus.connectors.formats.written.texts import CsvFiles, JsonLineFiles
from zcbus.connectors.roles.sink import Wait
from zcbus.connectors.roles.writer import Key, Row, RowOperation, Transaction
from zcbus.connectors.stores import OpenWritableStore
from zcbus.connectors.writing.decided import DecidedWriter, State
from zcbus.connectors.writing.definition import Reshaping
from zcbus.connectors.writing.pacing import Pacing
from zcbus.connectors.writing.presence import Presence
from zcbus.model.schema import TableName, TableSchema

FORMATS: dict[str, WrittenFormat] = {
    "parquet": ParquetFiles(),
    "avro": AvroFiles(),
    "json-lines": JsonLineFiles(),
    "csv": CsvFiles(),
}
MARKER = "_complete.json"
"""File of a table that says up to which of its files all are there."""


class LogWriter(DecidedWriter[FilePart]):
    """See roles.Writer, and writing.optional_roles. Each commit adds files with the records of its changes."""

    def __init__(self, options: FilesWriting, open_store: OpenWritableStore) -> None:
        self._options = options
        self._folder = WrittenFolder(options, open_store)
        self._store = FolderState(self._folder)
        super().__init__(self._store, f"{options.kind}:{options.place}", options.lock_wait)
        self._form = FORMATS[options.output]
        self._partitions = Partitions(options.columns, options.partition)
        self._tables = WrittenTables(self._folder, self._form, self._owner)
        self._presence = Presence(self._tables.is_there)
        self._pacing = Pacing(options.gather)
        self._latest: dict[TableName, LatestRows] = {}
        self._finished = 0
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
        reserved = NAMES & set(table.names)
        if reserved:
            raise TableRefused(table=str(table.name), column=min(reserved), reason="file-column-reserved")
        if table.name not in self.tables([table.name]):
            self._tables.require_unused(table.name)
            self._begin(table.name)
        self._tables.define(table, self._store.range(table.name.table).last)

    def undefine(self, name: TableName) -> None:
        self._presence.forget(name)
        self._forget_rows(name)
        if name in self.tables([name]):
            self._begin(name)
            self._tables.drop(name)

    def clear(self, table: TableSchema) -> None:
        """See TableClearer: the log begins again."""
        self._begin(table.name)
        first = self._store.range(table.name.table).first
        for file in self._folder.below(folder_of(table.name.table)):
            number = file.name.rpartition("/")[2].removesuffix(self._form.suffix)
            if number.isdecimal() and int(number) < first:
                self._folder.delete(file.name)
        self._tables.begin(table.name)

    def reshape(self, change: Reshaping) -> None:
        """See TableRewriter: files stay as they are, later ones have the new columns."""
        self.settled()
        self._tables.reshape(change, self._store.range(change.after.name.table).last)

    def keys(self, table: TableSchema) -> Iterator[list[Key]]:
        return self._rows_of(table.name).keys()

    def rows(self, table: TableSchema, keys: Sequence[Key]) -> list[Row | None]:
        return self._rows_of(table.name).rows(table, keys)

    def check(self, table: TableSchema, rows: pa.RecordBatch) -> None:
        """See TypedValues. Raises TableMissing as well."""
        self._presence.check(table.name)
        self._form.check(table, rows)
        self._partitions.check(table, rows)

    def close(self) -> None:
        for one in self._latest.values():
            one.close()
        self._latest.clear()
        self._folder.close()

    def parts_of(self, operations: Iterable[RowOperation]) -> Iterator[FilePart]:
        options = self._options
        recording = Recording(self._form, self._store.next_number, self._partitions, options.filesize << 20)
        return recording.files(operations)

    def finish(self, state: State) -> bool:
        if self._finished < state.number:
            last: dict[str, tuple[int, str]] = {}
            for one in self._store.pending:
                self._folder.move(one.hidden, one.place)
                last[one.table] = one.number, one.place
            for table, (number, place) in last.items():
                marker = {"commit": state.number, "file": number, "name": place.partition("/")[2]}
                self._folder.put(f"{folder_of(table)}/{MARKER}", orjson.dumps(marker))
            if last:
                self._pacing.written()
            self._finished = state.number
        return True

    def unavailable(self, detail: str) -> TargetUnavailable:
        return self._folder.unavailable(detail)

    def locked(self, detail: str) -> TargetLocked:
        where = {"kind": self._options.kind, "address": self._options.address}
        return TargetLocked(**where, detail=detail, table="", holder="")

    def _owner(self) -> str:
        return self._store.id

    def _begin(self, name: TableName) -> None:
        """Files of the table that are there do not count any more. Numbers are never used again."""

        def change() -> None:
            self.settled()
            self._store.begin(name.table)

        self.retried(change)

    def _rows_of(self, name: TableName) -> LatestRows:
        self.settled()
        if name not in self._latest:
            self._latest[name] = LatestRows(self._folder, self._form, name)
        found = self._latest[name]
        found.refresh(self._tables, self._store.range(name.table))
        return found

    def _forget_rows(self, name: TableName) -> None:
        if name in self._latest:
            self._latest.pop(name).close()
