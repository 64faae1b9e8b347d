"""Changes as records of a log: what was done, in which commit and order, and the row."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pyarrow as pa

from zcbus.connectors.files.target.partitions import Partitions
from zcbus.connectors.files.target.state import FilePart
from zcbus.connectors.folder_names import folder_of
from zcbus.connectors.formats.written.form import WrittenFormat, empty
from zcbus.connectors.roles import MappingNote
from zcbus.connectors.roles.writer import Cause, RemoveRows, RowOperation
from zcbus.connectors.typed_arrow import same
from zcbus.connectors.writing.journal import keys_of
from zcbus.model.schema import Column, TableSchema
from zcbus.model.types import DataType, Kind

OPERATION, COMMIT, ORDER, AT = "_op", "_commit", "_order", "_at"
_OWN = (
    Column(OPERATION, DataType(Kind.TEXT, "string"), nullable=False),
    Column(COMMIT, DataType(Kind.INT64, "int64"), nullable=False),
    Column(ORDER, DataType(Kind.INT64, "int64"), nullable=False),
    Column(AT, DataType(Kind.TIMESTAMP_TZ, "timestamp(UTC)"), nullable=False),
)
"""In front of a table's columns: what was done, in which commit, as which of its records, and when it was written."""
NAMES = frozenset(one.name for one in _OWN)
_OPERATIONS = {Cause.LOAD: "load", Cause.INSERT: "insert", Cause.CHANGE: "upsert"}
_TOGETHER = 4
"""Times a file's records are the most that are kept in memory, of all files of a commit that are not written yet."""
_MAX_OPEN = 256
"""Files that are begun at a time."""
MapColumns = Callable[[TableSchema], list[MappingNote]]
DELETED = "delete"
"""Of a record with nothing but the key."""


def refusing_own(map_columns: MapColumns) -> MapColumns:
    """The mapping of columns, for a log of changes: columns have no name that a record has by itself."""

    def mapped(schema: TableSchema) -> list[MappingNote]:
        return [
            replace(note, note="column-reserved", blocking=True) if note.column in NAMES else note
            for note in map_columns(schema)
        ]

    return mapped


def recorded(form: WrittenFormat, table: TableSchema) -> TableSchema:
    """The columns of a table's records. A deletion has no values but the key's."""
    own = tuple(replace(one, type=form.declared(one.type)) for one in _OWN)
    columns = tuple(replace(one, nullable=one.name not in table.primary_key) for one in table.columns)
    return replace(table, columns=own + columns)


@dataclass(slots=True)
class _Open:
    """Records of one table that have no file yet."""

    table: TableSchema
    batches: list[pa.RecordBatch] = field(default_factory=list)
    bytes: int = 0


class Recording:
    """One commit's records as files."""

    def __init__(self, form: WrittenFormat, commit: int, partitions: Partitions, limit: int) -> None:
        """`limit`: bytes of a file's records."""
        self._form, self._commit, self._partitions, self._limit = form, commit, partitions, limit
        now = datetime.now(UTC)
        self._at = f"{now:%Y-%m-%d %H:%M:%S}+00"
        self._period = partitions.of_time(now)
        self._order = 0

    def files(self, operations: Iterable[RowOperation]) -> Iterator[FilePart]:
        """Of each table, and each folder of it, in the order of its operations. Raises RowRefused."""
        opened: dict[tuple[str, str], _Open] = {}
        for operation in operations:
            table = operation.table
            for folder, rows in self._partitions.divided(table, self._records(operation)):
                place = table.name.table, folder
                for begin, count in _slices(rows, self._limit):
                    if place in opened and opened[place].table != table:
                        yield from self._ended(folder, opened.pop(place))
                    one = opened.setdefault(place, _Open(table))
                    one.batches.append(rows.slice(begin, count))
                    one.bytes += rows.nbytes * count // max(1, rows.num_rows)
                    while full := self._full(opened):
                        yield from self._ended(full[1], opened.pop(full))
        for (_, folder), one in opened.items():
            yield from self._ended(folder, one)

    def _full(self, opened: Mapping[tuple[str, str], _Open]) -> tuple[str, str] | None:
        """The file to write next: a large one, or the largest of those that are too many together."""
        if not opened:
            return None
        place = max(opened, key=lambda one: opened[one].bytes)
        together = sum(one.bytes for one in opened.values())
        is_full = opened[place].bytes >= self._limit or together >= _TOGETHER * self._limit or len(opened) > _MAX_OPEN
        return place if is_full else None

    def _ended(self, folder: str, one: _Open) -> Iterator[FilePart]:
        if any(batch.num_rows for batch in one.batches):
            place = f"{folder_of(one.table.name.table)}/{as_field(folder)}{self._period}{{}}{self._form.suffix}"
            yield FilePart(one.table.name.table, place, self._form.encode(recorded(self._form, one.table), one.batches))

    def _records(self, operation: RowOperation) -> pa.RecordBatch:
        table = operation.table
        if isinstance(operation, RemoveRows):
            done, rows, typed = DELETED, self._possible(operation), None
        else:
            done, rows, typed = _OPERATIONS[operation.cause], operation.rows, operation.typed
        count = rows.num_rows
        order: Any = pa.array(np.arange(self._order + 1, self._order + 1 + count))
        self._order += count
        operations, times = (same(pa.scalar(one, pa.string()), count) for one in (done, self._at))
        commits: Any = same(pa.scalar(self._commit, pa.int64()), count)
        if typed is None:
            order, commits = order.cast(pa.string()), commits.cast(pa.string())
        own = [operations, commits, order, times]
        # Folders are named after canonical values.
        divided = set(self._partitions.columns(table))
        names = set(rows.schema.names)
        arrays = [
            empty(one, count)
            if one.name not in names
            else (rows if typed is None or one.name in divided else typed).column(one.name)
            for one in table.columns
        ]
        return pa.RecordBatch.from_arrays([*own, *arrays], names=[*(one.name for one in _OWN), *table.names])

    def _possible(self, operation: RemoveRows) -> pa.RecordBatch:
        """Keys that rows of the table can have."""
        found = self._form.normal_keys(operation.table, keys_of(operation.keys))
        there = [place for place, key in enumerate(found) if key is not None]
        return operation.keys if len(there) == len(found) else operation.keys.take(pa.array(there, pa.int64()))


def as_field(folder: str) -> str:
    """For FilePart.place, which `{}` marks."""
    return folder.replace("{", "{{").replace("}", "}}")


def operations_of(rows: pa.RecordBatch) -> Sequence[Any]:
    """What was done, of each record."""
    return rows.column(OPERATION).to_pylist()


def _slices(batch: pa.RecordBatch, limit: int) -> Iterator[tuple[int, int]]:
    """Parts of a batch of about so many bytes."""
    step = max(1, batch.num_rows * limit // max(batch.nbytes, limit))
    for begin in range(0, batch.num_rows, step):
        yield begin, min(step, batch.num_rows - begin)
