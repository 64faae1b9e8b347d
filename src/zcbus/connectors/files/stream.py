"""The changes of a folder's files; see roles.ChangeStream."""

import time
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import orjson
import pyarrow as pa

from zcbus.connectors.errors import SourceUnavailable, TableRefused
from zcbus.connectors.files.folder import FILE, RECORD, FileChanged, Folder
from zcbus.connectors.files.manifest import (
    HEAD_BYTES,
    FileProgress,
    Reading,
    changed_files,
    from_document,
    hashed,
    started,
    to_document,
)
from zcbus.connectors.polling import rounds
from zcbus.connectors.polling.frames import change_frame, no_rows
from zcbus.connectors.roles import CapturedTable, SchemaHistory
from zcbus.connectors.stores import StoredFile
from zcbus.kit.clock import now_ms
from zcbus.model.changes import ChangeFrame, HeartbeatFrame, Operation, Streamed
from zcbus.model.position import Position
from zcbus.model.schema import TableName, TableSchema

KEY = (FILE, RECORD)
_SAVE_SECONDS = 10.0
_DELETED_TOGETHER = 20_000


class FilesStream:
    """Publishes each record as an update of its key, and removed records as deletes.

    Keeps in the node's history document the progress of each file: the start of its publication before it begins, and
    its end when that is durable on the bus. After a restart a file in between is published again.
    """

    def __init__(
        self,
        folder: Folder,
        tables: Sequence[CapturedTable],
        after: Position,
        history: SchemaHistory | None,
        interval: float,
        where: Mapping[str, str],
        *,
        follows_removal: bool,
    ) -> None:
        """`folder`: closed with the stream. `where`: kind and address, for errors. `follows_removal`:
        records of removed files are deleted. Raises TableRefused, TableMissing."""
        self._folder, self._history, self._interval = folder, history, interval
        self._position, self._where, self._follows_removal = after, where, follows_removal
        self._schemas: dict[TableName, TableSchema] = {}
        self._published: dict[TableName, dict[str, FileProgress]] = {}
        try:
            self._recall(tables)
        except BaseException:
            folder.close()
            raise
        self._durable = {table: dict(published) for table, published in self._published.items()}
        self._pending: list[tuple[Position, TableName, str, FileProgress | None]] = []
        """The progress that becomes durable with a position."""
        self._save()
        self._next_round = time.monotonic()
        self._unsaved = False
        self._frames: Iterator[Streamed] = iter(())

    def read(self, timeout: float) -> Sequence[Streamed]:
        frame = next(self._frames, None)
        if frame is not None:
            return [frame]
        pause = self._next_round - time.monotonic()
        if pause > 0:
            time.sleep(min(timeout, pause))
            return []
        self._frames = self._round()
        return [next(self._frames)]

    def acknowledge(self, position: Position) -> None:
        while self._pending and self._pending[0][0] <= position:
            _, table, name, published = self._pending.pop(0)
            _put(self._durable[table], name, published)
            self._unsaved = True
        if self._unsaved and time.monotonic() >= self._next_save:
            self._save()

    def __enter__(self) -> "FilesStream":
        return self

    def __exit__(self, *details: object) -> None:
        self._folder.close()

    def _recall(self, tables: Sequence[CapturedTable]) -> None:
        stored = orjson.loads((self._history.read() if self._history else b"") or b"{}")
        files = self._folder.listing()
        for table in sorted(table.name for table in tables):
            self._begin(table, files.get(table, ()), stored.get(str(table)))

    def _begin(self, table: TableName, files: Sequence[StoredFile], stored: Mapping[str, object] | None) -> None:
        """Begin with a table. Existing files of a table that was never captured are left to a full load."""
        described = self._folder.describe(table, files)
        if stored is None:
            self._schemas[table] = described
            self._published[table] = {file.name: self._skipped(described, file) for file in self._folder.rested(files)}
            return
        columns = stored["columns"]
        assert isinstance(columns, list)
        known = [tuple(column) for column in columns]
        today = [(column.name, column.type.native) for column in described.columns]
        gone = set(known) - set(today)
        if gone:
            raise TableRefused(table=str(table), column=min(gone)[0], reason="schema-changed")
        self._schemas[table] = described
        files_published = stored["files"]
        assert isinstance(files_published, dict)
        self._published[table] = from_document(files_published)

    def _skipped(self, schema: TableSchema, file: StoredFile) -> FileProgress:
        if not self._folder.grows(file.name):
            return FileProgress(file.version, file.size, 0, self._folder.most_records(schema.name, file))
        end = self._folder.end_of_lines(file, 0)
        records = self._folder.count(schema, file, end)
        return FileProgress(file.version, end, records, records, self._head(file, end))

    def _round(self) -> Iterator[Streamed]:
        """Publish changes, and end with a heartbeat at the position before all later changes."""
        began, end = time.monotonic(), rounds.beginning(now_ms(), self._position)
        self._next_round = began + self._interval
        files = self._folder.listing()
        for table in self._schemas:
            yield from self._changes(table, files.get(table, ()), began)
        self._position = end = max(end, rounds.following(self._position, 0))
        yield HeartbeatFrame(end, now_ms(), answered_ms=round((time.monotonic() - began) * 1000))

    def _changes(self, table: TableName, files: Sequence[StoredFile], began: float) -> Iterator[ChangeFrame]:
        published = self._published[table]
        for name in sorted(published.keys() - {file.name for file in files}):
            if self._follows_removal:
                yield from self._deleted(table, name, 1, published[name].most)
            self._note(table, name, None)
        changed = changed_files(self._folder.rested(files), published)
        readings = [one for file in changed if (one := self._reading(file, published.get(file.name, FileProgress())))]
        if not readings:
            return
        self._merge_columns(table, readings)
        self._intend(table, readings)
        for reading in readings:
            yield from self._publish(table, reading, began)

    def _reading(self, file: StoredFile, before: FileProgress) -> Reading | None:
        """The range of a file to read; None: the file was removed."""
        resumes = self._folder.grows(file.name) and 0 < before.offset <= file.size
        try:
            resumes = resumes and before.head == self._head(file, before.offset)
        except FileChanged:
            return None
        return Reading(file, before, before.offset if resumes else 0)

    def _merge_columns(self, table: TableName, readings: Sequence[Reading]) -> None:
        schema = self._schemas[table]
        columns = {column.name: column.type for column in schema.columns[len(KEY) :]}
        for reading in readings:
            self._folder.join(table, columns, reading.file, reading.start)
        if len(columns) > len(schema.names) - len(KEY):
            self._schemas[table] = self._folder.schema(table, columns)

    def _intend(self, table: TableName, readings: Sequence[Reading]) -> None:
        for reading in readings:
            durable = self._durable[table]
            before = durable.get(reading.file.name, FileProgress())
            durable[reading.file.name] = started(before, self._folder.most_records(table, reading.file))
        self._save()

    def _publish(self, table: TableName, reading: Reading, began: float) -> Iterator[ChangeFrame]:
        file, grows = reading.file, self._folder.grows(reading.file.name)
        last = before = reading.before.records if reading.start else 0
        try:
            end = self._folder.end_of_lines(file, reading.start) if grows else file.size
            head = self._head(file, end) if grows else ""
            for records in self._folder.read(self._schemas[table], file, reading.start, end, before):
                if time.monotonic() - began > rounds.MAX_SECONDS:
                    detail = f"{file.name}: reading takes more than half an hour"
                    raise SourceUnavailable(**self._where, detail=detail)
                last = records.last
                yield self._frame(table, Operation.UPDATE, records.rows, records.rows.select(list(KEY)))
        except FileChanged:
            self._published[table][file.name] = started(reading.before, last)
            return  # it is checked again in the next round
        if not reading.start:
            yield from self._deleted(table, file.name, last + 1, reading.before.most)
        self._note(table, file.name, FileProgress(file.version, end, last, last, head))

    def _deleted(self, table: TableName, name: str, first: int, last: int) -> Iterator[ChangeFrame]:
        """Publish the removal of a file's records."""
        schema = self._schemas[table]
        for start in range(first, last + 1, _DELETED_TOGETHER):
            count = min(_DELETED_TOGETHER, last + 1 - start)
            numbers = pa.array(np.arange(start, start + count)).cast(pa.string())
            keys = pa.RecordBatch.from_arrays([pa.array([name] * count, pa.string()), numbers], names=list(KEY))
            rows = no_rows(schema, count)
            yield self._frame(table, Operation.DELETE, rows, keys)

    def _frame(self, table: TableName, what: Operation, rows: pa.RecordBatch, keys: pa.RecordBatch) -> ChangeFrame:
        now = now_ms()
        self._position = rounds.following(self._position, now)
        return change_frame(self._schemas[table], KEY, what, rows, keys, self._position, now)

    def _note(self, table: TableName, name: str, published: FileProgress | None) -> None:
        _put(self._published[table], name, published)
        self._pending.append((self._position, table, name, published))

    def _head(self, file: StoredFile, end: int) -> str:
        return hashed(self._folder.head(file, min(HEAD_BYTES, end)))

    def _save(self) -> None:
        if self._history is not None:
            document = {
                str(table): {
                    "columns": [[column.name, column.type.native] for column in schema.columns],
                    "files": to_document(self._durable[table]),
                }
                for table, schema in self._schemas.items()
            }
            self._history.write(orjson.dumps(document))
        self._unsaved, self._next_save = False, time.monotonic() + _SAVE_SECONDS


def _put(published: dict[str, FileProgress], name: str, one: FileProgress | None) -> None:
    if one is None:
        published.pop(name, None)
    else:
        published[name] = one
