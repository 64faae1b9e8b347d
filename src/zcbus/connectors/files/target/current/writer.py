"""Keeps tables as their current rows; see roles.Writer, and writing.optional_roles."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import orjson

from zcbus.connectors.errors import TableMissing
from zcbus.connectors.files.target.current.files import CurrentRows, FileReader
from zcbus.connectors.files.target.current.merge import Changes, Merge
from zcbus.connectors.files.target.options import ROWS, FilesWriting
from zcbus.connectors.files.target.state import Part
from zcbus.connectors.files.target.tables import POINTER, Definition
from zcbus.connectors.files.target.writer import FolderWriter
from zcbus.connectors.folder_names import folder_of
from zcbus.connectors.roles.writer import Key, Row, RowOperation
from zcbus.connectors.stores import OpenWritableStore
from zcbus.connectors.writing.decided import State
from zcbus.connectors.writing.definition import Reshaping
from zcbus.model.schema import TableName, TableSchema


class CurrentWriter(FolderWriter):
    """A commit replaces the files that hold rows it changes, and then lets the table's pointer name all that count."""

    def __init__(self, options: FilesWriting, open_store: OpenWritableStore) -> None:
        super().__init__(options, open_store)
        self._reader = FileReader(self._folder, self._form)
        self._pointed = 0
        """Number of the last commit whose pointers were written by this session; 0: none, so all are checked."""

    def define(self, table: TableSchema) -> None:
        super().define(table)
        self._point(table.name.table)

    def undefine(self, name: TableName) -> None:
        self._presence.forget(name)
        if name in self.tables([name]):
            self._begin(name)
            self.settled()  # else a pointer would come behind the folder's end
            self._tables.drop(name)

    def clear(self, table: TableSchema) -> None:
        """See TableClearer: the files stay for the readers that have begun them."""
        self._begin(table.name)
        self.settled()
        self._tables.begin(table.name)

    def reshape(self, change: Reshaping) -> None:
        """See TableRewriter. Until all files are rewritten, readers see the earlier structure."""
        self.settled()
        self._tables.reshape(change, self._store.range(change.after.name.table).last)

        def rewrite() -> None:
            state = self.settled()
            definition = self._definition(change.after.name)
            merge = self._merge(definition)
            self._store.write(state, merge.rewritten(definition.schema))

        self.retried(rewrite)
        self.settled()

    def keys(self, table: TableSchema) -> Iterator[list[Key]]:
        return self._rows_of(table.name).keys()

    def rows(self, table: TableSchema, keys: Sequence[Key]) -> list[Row | None]:
        normal = self._form.normal_keys(table, keys)
        found: dict[Key, Row] = dict(self._rows_of(table.name).rows(table, [one for one in normal if one is not None]))
        return [None if one is None else found.get(one) for one in normal]

    def close(self) -> None:
        self._reader.forget()
        super().close()

    def parts_of(self, operations: Iterable[RowOperation]) -> Iterator[Part]:
        limit = self._options.filesize << 20
        merges: dict[TableName, Merge] = {}
        collected: dict[TableName, Changes] = {}
        for operation in operations:
            name = operation.table.name
            if name in collected and collected[name].table != operation.table:
                yield from self._merged(merges, collected.pop(name))
            collected.setdefault(name, Changes(operation.table)).add(self._form, operation)
            if sum(one.bytes for one in collected.values()) >= limit:
                for one in collected.values():
                    yield from self._merged(merges, one)
                collected.clear()
        for one in collected.values():
            yield from self._merged(merges, one)

    def finish(self, state: State) -> bool:
        everything = not self._pointed
        while True:
            self._put_in_place(state.number)
            if self._pointed < state.number:
                for table in self._store.tables if everything else self._store.changed:
                    self._point(table)
                self._pointed = state.number
            if self._store.is_newest():
                return True
            # What was written may be older than what another process wrote meanwhile.
            state, everything = self._store.read(), True

    def _point(self, table: str) -> None:
        """Let readers see the files that the state names."""
        place = f"{folder_of(table)}/{POINTER}"
        files = sorted(self._store.current(table), key=lambda one: one.number)
        start = len(folder_of(table)) + 1
        named: list[dict[str, Any]] = [{"name": one.place[start:], "rows": one.span.rows} for one in files]
        data = orjson.dumps({"files": named}, option=orjson.OPT_INDENT_2)
        if self._folder.get(place) != data and (named or self._tables.is_there(TableName(ROWS, table))):
            self._folder.put(place, data)

    def _merged(self, merges: dict[TableName, Merge], changes: Changes) -> Iterator[Part]:
        name = changes.table.name
        if name not in merges:
            merges[name] = self._merge(self._definition(name))
        yield from merges[name].merged(changes)

    def _merge(self, definition: Definition) -> Merge:
        return Merge(self._store, self._reader, definition, self._partitions, self._options.filesize << 20)

    def _definition(self, name: TableName) -> Definition:
        found = self._tables.definition(name)
        if found is None:
            raise TableMissing(table=str(name), side="target")
        return found

    def _rows_of(self, name: TableName) -> CurrentRows:
        self.settled()
        return CurrentRows(self._reader, self._definition(name), self._store.current(name.table))
