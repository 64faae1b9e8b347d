"""Writes the changes of tables into files; see roles.Writer."""

from collections.abc import Iterable, Iterator, Sequence

import orjson

from zcbus.connectors.errors import TableRefused
from zcbus.connectors.files.target.latest import LatestRows
from zcbus.connectors.files.target.options import FilesWriting
from zcbus.connectors.files.target.records import NAMES, Recording
from zcbus.connectors.files.target.state import FilePart
from zcbus.connectors.files.target.writer import FolderWriter
from zcbus.connectors.folder_names import folder_of
from zcbus.connectors.roles.writer import Key, Row, RowOperation
from zcbus.connectors.stores import OpenWritableStore
from zcbus.connectors.writing.decided import State
from zcbus.connectors.writing.definition import Reshaping
from zcbus.model.schema import TableName, TableSchema

MARKER = "_complete.json"
"""File of a table that says up to which of its files all are there."""


class LogWriter(FolderWriter):
    """Each commit adds files with the records of its changes."""

    def __init__(self, options: FilesWriting, open_store: OpenWritableStore) -> None:
        super().__init__(options, open_store)
        self._latest: dict[TableName, LatestRows] = {}

    def define(self, table: TableSchema) -> None:
        reserved = NAMES & set(table.names)
        if reserved:
            raise TableRefused(table=str(table.name), column=min(reserved), reason="file-column-reserved")
        super().define(table)

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

    def close(self) -> None:
        for one in self._latest.values():
            one.close()
        self._latest.clear()
        super().close()

    def parts_of(self, operations: Iterable[RowOperation]) -> Iterator[FilePart]:
        options = self._options
        recording = Recording(self._form, self._store.next_number, self._partitions, options.filesize << 20)
        return recording.files(operations)

    def finish(self, state: State) -> bool:
        last = {one.table: (one.number, one.place) for one in self._put_in_place(state.number)}
        for table, (number, place) in last.items():
            marker = {"commit": state.number, "file": number, "name": place.partition("/")[2]}
            self._folder.put(f"{folder_of(table)}/{MARKER}", orjson.dumps(marker))
        return True

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
