"""A folder's files as tables: names, columns and records."""

import gzip
import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np
import pyarrow as pa

from zcbus.connectors.errors import SourceUnavailable, TableMissing, TableRefused
from zcbus.connectors.files.options import SCHEMA, FilesOptions
from zcbus.connectors.files.selection import BY_NAME, selection, suffix
from zcbus.connectors.formats import TEXT, BadRecord, Format
from zcbus.connectors.formats.avro import AVRO
from zcbus.connectors.formats.declared import canonical, declared
from zcbus.connectors.formats.delimited import Delimited
from zcbus.connectors.formats.isolated import Child, IsolatedReader
from zcbus.connectors.formats.json_lines import JsonLines
from zcbus.connectors.formats.parquet import Parquet
from zcbus.connectors.formats.workbook import WORKBOOK
from zcbus.connectors.stores import Store, StoredFile
from zcbus.connectors.typed_arrow import same
from zcbus.model.arrow import ArrowArray
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

FILE, RECORD = "_file", "_record"
"""Columns that every table has: the file's name in the folder, and the number of the record in it, from 1."""
MAX_NAME_LENGTH = 512
"""Of a file with the folders in it: it is part of a key."""
_OWN = (
    Column(FILE, DataType(Kind.TEXT, f"varchar({MAX_NAME_LENGTH})", length=MAX_NAME_LENGTH), nullable=False),
    Column(RECORD, DataType(Kind.INT64, "bigint"), nullable=False),
)
_DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}
_LINES = frozenset({"csv", "tsv", "json-lines"})
_COUNTED = 1 << 20
_BATCH_ROWS = 50_000


class FileChanged(Exception):
    """A file was written or removed while it was read."""


@dataclass(frozen=True, slots=True)
class Records:
    """Some records of one file."""

    rows: pa.RecordBatch
    """All columns of the table."""
    last: int
    """Number of the last record."""


class Folder:
    """Not for several threads."""

    def __init__(self, options: FilesOptions, store: Store) -> None:
        self._options, self._store, self._child = options, store, Child()
        self._is_selected = selection(options)
        self._types = declared(options.types)

    def close(self) -> None:
        """Close the folder and its store. Idempotent."""
        self._child.close()
        self._store.close()

    def listing(self) -> dict[TableName, list[StoredFile]]:
        """The files that match the pattern, by table and name."""
        found: dict[TableName, list[StoredFile]] = {}
        for file in self._store.files():
            if self._is_selected(file.name):
                found.setdefault(_table(file.name), []).append(file)
        return found

    def rested(self, files: Sequence[StoredFile]) -> list[StoredFile]:
        """Those that can be read: ones that were written a moment ago can't, unless they may grow."""
        latest = self._store.now() - self._options.rest
        return [file for file in files if file.changed_at <= latest or self.grows(file.name)]

    def describe(self, name: TableName, files: Sequence[StoredFile]) -> TableSchema:
        """A table with the columns of all these files, in order of their first occurrence.

        Raises TableMissing, TableRefused, SourceUnavailable if all of them are being written.
        """
        columns: dict[str, DataType] = {}
        rested = self.rested(files)
        if files and not rested:
            detail = f"{name.table}: its files were written a moment ago"
            raise SourceUnavailable(kind=self._options.kind, address=self._options.address, detail=detail)
        for file in rested:
            self.join(name, columns, file)
        if not columns:
            raise TableMissing(table=str(name), side="source")
        return self.schema(name, columns)

    def join(self, table: TableName, columns: dict[str, DataType], file: StoredFile, start: int = 0) -> None:
        """Add a file's columns to those of others. Raises TableRefused if one has another type there."""
        for name, data in self.columns(table, file, start).items():
            known = columns.setdefault(name, data)
            if known != data and known != self._type(table, name, data):
                raise _refused(table, file.name, BadRecord(0, f"{name}: {data.native}, elsewhere {known.native}"))

    def schema(self, name: TableName, columns: Mapping[str, DataType]) -> TableSchema:
        """A table with these columns. Raises TableRefused."""
        if {FILE, RECORD} & columns.keys():
            raise TableRefused(table=str(name), column=FILE, reason="file-column-reserved")
        return TableSchema(
            name,
            self._options.kind,
            (*_OWN, *(Column(one, self._type(name, one, data)) for one, data in columns.items())),
            primary_key=(FILE, RECORD),
        )

    def columns(self, table: TableName, file: StoredFile, start: int = 0) -> Mapping[str, DataType]:
        """The columns of one file; if records have names, of those after `start`. Raises TableRefused."""
        if len(file.name) > MAX_NAME_LENGTH:
            raise _refused(table, file.name, BadRecord(0, f"name longer than {MAX_NAME_LENGTH}"))
        form = self._format(file.name)
        try:
            with self._opened(file, start if form.names_in_records else 0, file.size) as data:
                return form.columns(data)
        except BadRecord as bad:
            raise _refused(table, file.name, bad) from bad
        except FileNotFoundError:
            return {}
        except (OSError, EOFError) as error:
            raise _refused(table, file.name, BadRecord(0, str(error))) from error

    def most_records(self, table: TableName, file: StoredFile) -> int:
        """An upper bound of the file's records; 0 if the file does not exist. Raises TableRefused."""
        try:
            with self._opened(file, 0, file.size) as data:
                return self._format(file.name).most_records(data)
        except BadRecord as bad:
            raise _refused(table, file.name, bad) from bad
        except FileNotFoundError:
            return 0
        except (OSError, EOFError) as error:
            raise _refused(table, file.name, BadRecord(0, str(error))) from error

    def end_of_lines(self, file: StoredFile, start: int) -> int:
        """The end of the last complete line after `start`; `start` if there is none. Raises FileChanged."""
        end = file.size
        with self._plain(file) as data:
            while end > start:
                begin = max(start, end - _COUNTED)
                data.seek(begin)
                found = data.read(end - begin).rfind(b"\n")
                if found >= 0:
                    return begin + found + 1
                end = begin
        return start

    def head(self, file: StoredFile, size: int) -> bytes:
        """The first bytes of a file. Raises FileChanged."""
        with self._plain(file) as data:
            return data.read(size)

    @contextmanager
    def _plain(self, file: StoredFile) -> Iterator[BinaryIO]:
        try:
            with self._store.open(file.name) as data:
                yield data
        except FileNotFoundError as error:
            raise FileChanged from error

    def grows(self, name: str) -> bool:
        """Whether a file is read line by line as it grows: not where an end of line cannot be found without reading
        all that is before it."""
        if not self._options.growing or self._options.encoding == "utf-16" or name.endswith(".gz"):
            return False
        return self._kind(name) in _LINES

    def read(
        self, table: TableSchema, file: StoredFile, start: int = 0, end: int | None = None, before: int = 0
    ) -> Iterator[Records]:
        """Records of a file between two offsets (None: its size), the first of which has number `before` + 1. Raises
        TableRefused, FileChanged."""
        number = before
        try:
            for names, batch in self._batches(table, file, start, file.size if end is None else end, before):
                for first in range(0, batch.num_rows, _BATCH_ROWS):
                    rows = _typed(table, file.name, names, batch.slice(first, _BATCH_ROWS), number)
                    number += rows.num_rows
                    yield Records(rows, number)
        except BadRecord as bad:
            raise _refused(table.name, file.name, bad) from bad
        except FileNotFoundError as error:
            raise FileChanged from error
        except (OSError, EOFError) as error:
            raise _refused(table.name, file.name, BadRecord(0, str(error))) from error

    def count(self, table: TableSchema, file: StoredFile, end: int) -> int:
        """The number of records of a file up to an offset. Raises TableRefused, FileChanged."""
        return sum(batch.num_rows for _, batch in self._batches(table, file, 0, end, 0))

    def _batches(
        self, table: TableSchema, file: StoredFile, start: int, end: int, before: int
    ) -> Iterator[tuple[Mapping[str, DataType], pa.RecordBatch]]:
        form = self._format(file.name)
        known = dict.fromkeys(table.names[len(_OWN) :], TEXT)
        names = known if form.names_in_records else self.columns(table.name, file)
        unknown = names.keys() - known.keys()
        if unknown:
            raise TableRefused(table=str(table.name), column=min(unknown), reason="schema-changed", detail=file.name)
        if not names or end <= start:
            return
        with self._opened(file, start, end) as data:
            try:
                for batch in form.read(data, list(names), behind_start=start > 0):
                    yield names, batch
            except BadRecord as bad:
                raise BadRecord(bad.record and before + bad.record, bad.detail) from bad

    def _type(self, table: TableName, column: str, declared_type: DataType) -> DataType:
        """The declared type of a column, if the file has no types."""
        if declared_type != TEXT:
            return declared_type
        return self._types.get(f"{table.table}.{column}") or self._types.get(column) or TEXT

    def _format(self, name: str) -> Format:
        options = self._options
        kind = self._kind(name)
        if kind == "json-lines":
            return JsonLines(options.encoding)
        if kind == "parquet":
            return Parquet()
        if kind == "excel":
            return IsolatedReader(WORKBOOK, self._child, options.sheet, options.header)
        if kind == "avro":
            return IsolatedReader(AVRO, self._child)
        delimiter = "\t" if kind == "tsv" else _DELIMITERS[options.delimiter]
        return Delimited(delimiter, options.encoding, header=options.header, values_span_lines=not self.grows(name))

    def _kind(self, name: str) -> str:
        return self._options.format if self._options.format != "by-name" else BY_NAME[suffix(name)]

    def _opened(self, file: StoredFile, start: int, end: int) -> BinaryIO:
        """The bytes between two offsets, decompressed."""
        file_slice = io.BufferedReader(_FileSlice(self._store.open(file.name), start, end), _COUNTED)
        return gzip.GzipFile(fileobj=file_slice) if file.name.endswith(".gz") else file_slice  # type: ignore[return-value]


class _FileSlice(io.RawIOBase):
    """Bytes of a file between two offsets."""

    def __init__(self, data: BinaryIO, start: int, end: int) -> None:
        self._data, self._start, self._size, self._at = data, start, max(0, end - start), 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        self._at = max(0, base + offset)
        return self._at

    def readinto(self, buffer: "memoryview[int]") -> int:  # type: ignore[override]
        self._data.seek(self._start + self._at)
        part = self._data.read(max(0, min(len(buffer), self._size - self._at)))
        buffer[: len(part)] = part
        self._at += len(part)
        return len(part)

    def close(self) -> None:
        self._data.close()
        super().close()


def _table(name: str) -> TableName:
    first, slash, _ = name.partition("/")
    if slash:
        return TableName(SCHEMA, first)
    stem = first.removesuffix(".gz")
    return TableName(SCHEMA, stem.rpartition(".")[0] or stem)


def _typed(
    table: TableSchema, file: str, names: Mapping[str, DataType], batch: pa.RecordBatch, before: int
) -> pa.RecordBatch:
    count = batch.num_rows
    numbers = pa.array(np.arange(before + 1, before + 1 + count)).cast(pa.string())
    own = {FILE: same(pa.scalar(file), count), RECORD: numbers}
    arrays: list[ArrowArray] = []
    for column in table.columns:
        if column.name in own:
            arrays.append(own[column.name])
        elif column.name in names:
            values = batch.column(column.name)
            declared_type = names[column.name] == TEXT and column.type != TEXT
            arrays.append(canonical(values, column.type, column.name, before) if declared_type else values)
        else:
            arrays.append(pa.nulls(count, pa.binary() if column.type.kind is Kind.BINARY else pa.string()))
    return pa.RecordBatch.from_arrays(arrays, names=list(table.names))


def _refused(table: TableName, file: str, bad: BadRecord) -> TableRefused:
    where = f"{file}, record {bad.record}" if bad.record else file
    return TableRefused(table=str(table), column="", reason="file-unreadable", detail=f"{where}: {bad.detail}"[:500])
