"""Records of a table's files as they are now; see reading.TableReader."""

import threading
from collections.abc import Iterator

import pyarrow as pa

from zcbus.connectors.conditions import Condition
from zcbus.connectors.errors import SourceUnavailable, TableRefused
from zcbus.connectors.files.folder import FILE, RECORD, FileChanged, Folder
from zcbus.connectors.files.options import FilesOptions
from zcbus.connectors.polling import rounds
from zcbus.connectors.stores import Store, StoredFile
from zcbus.kit.clock import now_ms
from zcbus.model.position import Position
from zcbus.model.schema import TableSchema

_Key = tuple[str, ...]


class FilesReader:
    """File after file, record after record: the order of the key. A file that was written a moment ago is left out, as
    the change stream leaves it out until it rests."""

    def __init__(self, options: FilesOptions, store: Store) -> None:
        self._options, self._folder = options, Folder(options, store)
        self._interrupted = threading.Event()

    def read(
        self,
        table: TableSchema,
        key: tuple[str, ...],
        after: _Key | None,
        rows: int,
        until: _Key | None = None,
        where: Condition | None = None,
    ) -> Iterator[tuple[pa.RecordBatch, _Key]]:
        if key not in ((), (FILE, RECORD)):
            raise TableRefused(table=str(table.name), column=", ".join(key), reason="files-key")
        first, last = _offset_of(after), _offset_of(until)
        for file in self._files(table):
            name = file.name.encode()
            if (first is not None and name < first[0]) or (last is not None and name > last[0]):
                continue
            low = first[1] if first is not None and name == first[0] else 0
            high = last[1] if last is not None and name == last[0] else None
            for batch in self._of_file(table, file, low, high):
                for start in range(0, batch.num_rows, rows):
                    part = batch.slice(start, rows)
                    yield part, (file.name, part.column(RECORD)[-1].as_py())

    def border(self, table: TableSchema, key: tuple[str, ...], after: _Key | None, rows: int) -> _Key | None:
        left = rows
        for batch, _ in self.read(table, key, after, rows):
            if batch.num_rows >= left:
                return batch.column(FILE)[left - 1].as_py(), batch.column(RECORD)[left - 1].as_py()
            left -= batch.num_rows
        return None

    def estimate(self, table: TableSchema) -> int | None:
        return None

    def count(self, table: TableSchema) -> int:
        return sum(batch.num_rows for batch, _ in self.read(table, (), None, 1 << 20))

    def interrupt(self) -> None:
        self._interrupted.set()

    def __enter__(self) -> "FilesReader":
        return self

    def __exit__(self, *details: object) -> None:
        self._folder.close()

    def _files(self, table: TableSchema) -> list[StoredFile]:
        return self._folder.rested(self._folder.listing().get(table.name, ()))

    def _of_file(self, table: TableSchema, file: StoredFile, low: int, high: int | None) -> Iterator[pa.RecordBatch]:
        """Records after number `low`, up to `high`."""
        try:
            end = self._folder.end_of_lines(file, 0) if self._folder.grows(file.name) else file.size
            for records in self._folder.read(table, file, 0, end):
                if self._interrupted.is_set():
                    raise SourceUnavailable(
                        kind=self._options.kind, address=self._options.address, detail="interrupted"
                    )
                begin = records.last - records.rows.num_rows
                start = max(0, low - begin)
                stop = records.rows.num_rows if high is None else min(records.rows.num_rows, high - begin)
                if stop > start:
                    yield records.rows.slice(start, stop - start)
                if high is not None and records.last >= high:
                    return
        except FileChanged:
            return  # the file and its records were removed


class FilesImage:
    """See roles.SnapshotReader. Files are not read at one point in time: each is read at its turn, and rounds publish
    later changes."""

    def __init__(self, reader: FilesReader) -> None:
        self._reader = reader
        self._position = rounds.of_image(now_ms())

    @property
    def position(self) -> Position:
        return self._position

    def estimate(self, table: TableSchema) -> int | None:
        return None

    def read(
        self,
        table: TableSchema,
        key: tuple[str, ...],
        after: _Key | None,
        rows: int,
        until: _Key | None = None,
        where: Condition | None = None,
    ) -> Iterator[tuple[pa.RecordBatch, _Key]]:
        return self._reader.read(table, key, after, rows, until, where)

    def __enter__(self) -> "FilesImage":
        return self

    def __exit__(self, *details: object) -> None:
        self._reader.__exit__(*details)


def _offset_of(key: _Key | None) -> tuple[bytes, int] | None:
    return None if key is None else (key[0].encode(), int(key[1]))
