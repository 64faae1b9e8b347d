"""Formats that a child process with limited memory and time reads as complete files.

Files are untrusted, and a few KiB of them can decompress to many GiB.
"""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

import pyarrow as pa

from zcbus.connectors.formats.form import BadRecord, checked
from zcbus.kit.confined import Confined, Overrun
from zcbus.model.types import DataType

MAX_FILE = 1 << 30
"""Bytes."""
MAX_TEXT = 8 << 30
"""Limit of a file's values, in bytes: they are on disk while they are read."""
MEMORY_BYTES = 2 << 30
"""Memory limit of the child."""
_SECONDS = 300
_COPIED = 1 << 20
_BATCH = 8 << 20
_CELLS = 100_000
_REMEMBERED = 64


@dataclass(frozen=True, slots=True)
class Shape:
    """A file's columns and number of records."""

    columns: tuple[tuple[str, DataType], ...]
    records: int


@dataclass(frozen=True, slots=True)
class FileReader:
    """Functions of a module that the child imports. They raise ValueError for a file that is not as it should be."""

    shape: Callable[..., Shape]
    """Of the file of a path; further arguments are options."""
    convert: Callable[..., None]
    """Writes its records as a stream of Arrow, with the columns of the shape in their canonical forms; path, path of
    the new file, and options."""


class Child:
    """The child process, and the shapes of the last files. Not thread-safe."""

    def __init__(self) -> None:
        self._confined: Confined | None = None
        self._thread: threading.Thread | None = None
        self._shapes: OrderedDict[tuple[object, ...], Shape] = OrderedDict()

    def shape(self, reader: FileReader, path: Path, digest: bytes, options: tuple[object, ...]) -> Shape:
        """Contents with the same digest are read once. Raises BadRecord."""
        key = (reader, digest, options)
        if key not in self._shapes:
            self._shapes[key] = self.run(reader.shape, str(path), *options)
            if len(self._shapes) > _REMEMBERED:
                self._shapes.popitem(last=False)
        return self._shapes[key]

    def run(self, function: Callable[..., Any], *arguments: object) -> Any:
        """Call a function in the child and return its result. Raises BadRecord."""
        # A child dies with the thread that started it.
        if self._confined is None or self._thread is not threading.current_thread():
            self.close()
            self._confined, self._thread = Confined(MEMORY_BYTES, _SECONDS), threading.current_thread()
        try:
            return self._confined.call(function, *arguments)
        except (ValueError, Overrun) as error:
            raise BadRecord(0, str(error)[:300]) from error

    def close(self) -> None:
        """End the child. Idempotent; the next call starts it again."""
        if self._confined is not None:
            self._confined.close()
            self._confined = None


class IsolatedReader:
    """See Format."""

    names_in_records = False
    has_lines = False

    def __init__(self, reader: FileReader, child: Child, *options: object) -> None:
        self._reader, self._child, self._options = reader, child, options

    def columns(self, data: BinaryIO) -> dict[str, DataType]:
        with _on_disk(data) as (path, digest):
            found = self._shape(path, digest)
        names = checked([name for name, _ in found.columns])
        return dict(zip(names, (data_type for _, data_type in found.columns), strict=True))

    def most_records(self, data: BinaryIO) -> int:
        with _on_disk(data) as (path, digest):
            return self._shape(path, digest).records

    def read(self, data: BinaryIO, columns: Sequence[str], *, behind_start: bool) -> Iterator[pa.RecordBatch]:
        with _on_disk(data) as (path, digest):
            if len(self._shape(path, digest).columns) != len(columns):
                raise BadRecord(0, "other columns than a moment ago")
            to = path.with_suffix(".arrow")
            self._child.run(self._reader.convert, str(path), str(to), *self._options)
            path.unlink()
            with pa.OSFile(str(to), "rb") as file, pa.ipc.open_stream(file) as batches:
                for batch in batches:
                    yield batch.rename_columns(list(columns))

    def _shape(self, path: Path, digest: bytes) -> Shape:
        return self._child.shape(self._reader, path, digest, self._options)


@contextmanager
def _on_disk(data: BinaryIO) -> Iterator[tuple[Path, bytes]]:
    """A file with these bytes, and their digest."""
    with TemporaryDirectory(prefix="zcbus-file-") as folder:
        path, digest, size = Path(folder) / "data", hashlib.blake2b(digest_size=16), 0
        with path.open("wb") as out:
            while part := data.read(_COPIED):
                size += len(part)
                if size > MAX_FILE:
                    raise BadRecord(0, f"more than {MAX_FILE >> 30} GiB")
                digest.update(part)
                out.write(part)
        yield path, digest.digest()


def write_stream(to: str, types: Sequence[pa.DataType], rows: Iterator[Sequence[Any]]) -> None:
    """Write rows of texts or bytes, by the types of their columns, as a stream of Arrow into a new file. Raises
    ValueError where they are more than MAX_TEXT."""
    schema = pa.schema([(str(number), data_type) for number, data_type in enumerate(types)])
    written = 0
    with pa.OSFile(to, "wb") as out, pa.ipc.new_stream(out, schema) as stream:
        for columns in _parts(rows, len(types)):
            batch = pa.record_batch([pa.array(*pair) for pair in zip(columns, types, strict=True)], schema=schema)
            stream.write_batch(batch)
            written += batch.nbytes
            if written > MAX_TEXT:
                raise ValueError(f"more than {MAX_TEXT >> 30} GiB of values")


def _parts(rows: Iterator[Sequence[Any]], width: int) -> Iterator[list[list[Any]]]:
    """Columns of some rows each."""
    together = max(1, _CELLS // max(1, width))
    columns: list[list[Any]] = [[] for _ in range(width)]
    count = size = 0
    for row in rows:
        for column, value in zip(columns, row, strict=True):
            size += len(value) if value is not None else 0
            column.append(value)
        count += 1
        if count == together or size > _BATCH:
            yield columns
            columns, count, size = [[] for _ in range(width)], 0, 0
    if count:
        yield columns
