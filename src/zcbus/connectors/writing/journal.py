"""The changes collected by an open transaction, and its view of a table."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from tempfile import TemporaryFile
from typing import IO

import pyarrow as pa

from zcbus.connectors.roles.target_table import Checkpoint
from zcbus.connectors.roles.writer import Cause, Key, PutRows, RemoveRows, Row, RowErrorChange, RowOperation, Writer
from zcbus.model.schema import TableName, TableSchema

_IN_MEMORY = 64 << 20
"""Bytes of rows that a transaction keeps in memory; further ones go to a temporary file."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A savepoint in a transaction."""

    operations: int
    checkpoints: int
    row_errors: int


@dataclass(slots=True)
class _Seen:
    """Index of a transaction's changes by key: numbers of operation and row."""

    operations: int = 0
    places: dict[Key, tuple[int, int]] = field(default_factory=dict)


class Journal:
    """One session's open transaction. A source's transaction may have any size, so rows leave memory beyond a limit."""

    def __init__(self) -> None:
        self.checkpoints: list[Checkpoint] = []
        self.row_errors: list[RowErrorChange] = []
        self._operations: list[RowOperation | _Spilled] = []
        self._bytes = 0
        self._file: IO[bytes] | None = None
        self._seen: dict[TableName, _Seen] = {}

    @property
    def is_empty(self) -> bool:
        return not (self._operations or self.checkpoints or self.row_errors)

    def add(self, operation: RowOperation) -> None:
        """Collect an operation; one without rows is passed over."""
        rows = _batch(operation)
        if not rows.num_rows:
            return
        kept: RowOperation | _Spilled = operation
        if self._bytes + _nbytes(operation) > _IN_MEMORY:
            kept = self._spill(operation)
        else:
            self._bytes += _nbytes(operation)
        self._operations.append(kept)

    def mark(self) -> Mark:
        return Mark(len(self._operations), len(self.checkpoints), len(self.row_errors))

    def return_to(self, mark: Mark) -> None:
        """Drop the changes collected after the mark."""
        if len(self._operations) > mark.operations:
            del self._operations[mark.operations :]
            self._bytes = sum(_nbytes(one) for one in self._operations if not isinstance(one, _Spilled))
            self._seen.clear()
        del self.checkpoints[mark.checkpoints :]
        del self.row_errors[mark.row_errors :]

    def clear(self) -> None:
        """Nothing is open."""
        self.return_to(Mark(0, 0, 0))
        if self._file is not None:
            self._file.close()
            self._file = None

    def __iter__(self) -> Iterator[RowOperation]:
        """The operations, in their order."""
        return (self._operation(number) for number in range(len(self._operations)))

    def rows(self, writer: Writer, table: TableSchema, keys: Sequence[Key]) -> list[Row | None]:
        """As Writer.rows, with the transaction's changes applied."""
        seen = self._latest(table)
        found: dict[Key, Row | None] = {}
        stored = [key for key in keys if key not in seen]
        if stored:
            found |= zip(stored, writer.rows(table, stored), strict=True)
        for key in keys:
            if key in seen:
                found[key] = self._row(*seen[key])
        return [found[key] for key in keys]

    def _row(self, number: int, place: int) -> Row | None:
        operation = self._operation(number)
        return operation.rows.slice(place, 1).to_pylist()[0] if isinstance(operation, PutRows) else None

    def _latest(self, table: TableSchema) -> dict[Key, tuple[int, int]]:
        seen = self._seen.setdefault(table.name, _Seen())
        for number in range(seen.operations, len(self._operations)):
            operation = self._operation(number)
            if operation.table.name == table.name:
                keys = keys_of(_batch(operation).select(list(table.primary_key)))
                seen.places |= {key: (number, place) for place, key in enumerate(keys)}
        seen.operations = len(self._operations)
        return seen.places

    def _operation(self, number: int) -> RowOperation:
        kept = self._operations[number]
        return self._read(kept) if isinstance(kept, _Spilled) else kept

    def _spill(self, operation: RowOperation) -> "_Spilled":
        if self._file is None:
            self._file = TemporaryFile(prefix="zcbus-transaction-")  # noqa: SIM115  closed by `clear`
        place = self._file.seek(0, 2)
        rows = _batch(operation)
        self._file.write(rows.serialize())
        cause = operation.cause if isinstance(operation, PutRows) else None
        return _Spilled(operation.table, cause, rows.schema, place, self._file.tell() - place)

    def _read(self, kept: "_Spilled") -> RowOperation:
        assert self._file is not None
        self._file.seek(kept.place)
        rows = pa.ipc.read_record_batch(pa.py_buffer(self._file.read(kept.length)), kept.schema)
        return RemoveRows(kept.table, rows) if kept.cause is None else PutRows(kept.table, rows, kept.cause)


@dataclass(frozen=True, slots=True)
class _Spilled:
    """An operation whose rows are in the file."""

    table: TableSchema
    cause: Cause | None
    """None: rows are removed."""
    schema: pa.Schema
    place: int
    length: int


def _batch(operation: RowOperation) -> pa.RecordBatch:
    return operation.rows if isinstance(operation, PutRows) else operation.keys


def _nbytes(operation: RowOperation) -> int:
    typed = operation.typed if isinstance(operation, PutRows) else None
    return int(_batch(operation).nbytes) + (0 if typed is None else int(typed.nbytes))


def keys_of(batch: pa.RecordBatch) -> list[Key]:
    """The rows of key columns as tuples."""
    return list(zip(*(column.to_pylist() for column in batch.columns), strict=True))
