"""Changes of a transaction as parts, each inserted into its table by one statement."""

import base64
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pyarrow as pa

from zcbus.connectors.clickhouse.types import arrow_type, stored_keys, typed_batch
from zcbus.connectors.roles.writer import PutRows, RemoveRows, RowOperation
from zcbus.connectors.typed_arrow import nulls, same
from zcbus.connectors.writing.journal import keys_of
from zcbus.connectors.writing.last_rows import last_of_each_key
from zcbus.model.kernels import compute
from zcbus.model.schema import TableName, TableSchema

GONE = "_zcbus_gone"
"""Column: 1 in what is left of a deleted row."""
VERSION = "_zcbus_version"
"""Column: of rows with one key the one with the greatest is the row."""
_PART_BYTES = 32 << 20
"""Of canonical values."""
_STAGED = b"staged: "
"""Begins the stored form of a part whose rows are in a table of their own; a stream of Arrow begins otherwise."""


@dataclass(frozen=True, slots=True)
class Part:
    """Rows of one table that a transaction changes."""

    table: str
    """Empty: what the platform stores itself."""
    rows: pa.Table
    """All columns of the table and GONE, each key once; none where they are staged."""
    staged: str = ""
    """Name of the table that has the rows, with their versions; empty: they are here."""

    @property
    def size(self) -> int:
        """Bytes of what is stored of it."""
        return int(self.rows.nbytes) + len(self.staged)

    def to_bytes(self) -> bytes:
        if self.staged:
            return _STAGED + self.staged.encode()
        out = pa.BufferOutputStream()
        with pa.ipc.new_stream(out, self.rows.schema) as stream:
            stream.write_table(self.rows)
        return out.getvalue().to_pybytes()

    @staticmethod
    def of_bytes(table: str, data: bytes) -> "Part":
        if data.startswith(_STAGED):
            return staged_part(table, data.removeprefix(_STAGED).decode())
        return Part(table, pa.ipc.open_stream(data).read_all())

    def to_json(self) -> list[str]:
        return [self.table, base64.b64encode(self.to_bytes()).decode()]

    @staticmethod
    def of_json(found: list[str]) -> "Part":
        return Part.of_bytes(found[0], base64.b64decode(found[1]))


def staged_part(table: str, staged: str) -> Part:
    """A part whose rows are in a table of their own."""
    return Part(table, pa.table({}), staged)


def parts_of(operations: Iterable[RowOperation]) -> Iterator[Part]:
    """Operations as parts, in an order that ends as theirs does. Raises RowRefused."""
    open_: dict[TableName, list[RowOperation]] = {}
    size = 0
    for operation in operations:
        name = operation.table.name
        if name in open_ and open_[name][0].table != operation.table:
            yield from _ended(open_)
            size = 0
        open_.setdefault(name, []).append(operation)
        size += (operation.rows if isinstance(operation, PutRows) else operation.keys).nbytes
        if size > _PART_BYTES:
            yield from _ended(open_)
            size = 0
    yield from _ended(open_)


def with_version(rows: pa.Table, version: int) -> pa.Table:
    """Rows as they are inserted."""
    return rows.append_column(VERSION, same(pa.scalar(version, pa.uint64()), rows.num_rows))


def _ended(open_: dict[TableName, list[RowOperation]]) -> Iterator[Part]:
    for name, operations in open_.items():
        rows = _latest(operations[0].table, operations)
        if rows.num_rows:
            yield Part(name.table, rows)
    open_.clear()


def _latest(table: TableSchema, operations: list[RowOperation]) -> pa.Table:
    """Of each key the last row, or that it is gone."""
    whole: pa.Table = pa.concat_tables([_typed(table, one) for one in operations])
    for name in table.primary_key:
        if whole.column(name).null_count:
            whole = whole.filter(compute.is_valid(whole.column(name)))
    return last_of_each_key(whole, table.primary_key)


def _stored(table: TableSchema, keys: pa.RecordBatch) -> list[tuple[str | bytes, ...] | None]:
    return stored_keys([table.column(name) for name in table.primary_key], keys_of(keys))


def _typed(table: TableSchema, operation: RowOperation) -> pa.Table:
    """All columns of the table; those that a removal does not have are null."""
    if isinstance(operation, RemoveRows):
        # A key that no row can have becomes null, which `_latest` leaves out.
        places = [place for place, key in enumerate(_stored(table, operation.keys)) if key is None]
        rows = operation.keys if not places else _without(table, operation.keys, set(places))
    else:
        rows = operation.rows
    typed = operation.typed if isinstance(operation, PutRows) else None
    given = typed_batch(table, rows) if typed is None else typed
    arrays = [
        given.column(one.name) if one.name in given.schema.names else nulls(len(given), arrow_type(one.type))
        for one in table.columns
    ]
    gone = same(pa.scalar(int(isinstance(operation, RemoveRows)), pa.uint8()), len(given))
    return pa.table([*arrays, gone], names=[*table.names, GONE])


def _without(table: TableSchema, keys: pa.RecordBatch, places: set[int]) -> pa.RecordBatch:
    """The keys with null at these places."""
    arrays = [
        pa.array([None if place in places else one for place, one in enumerate(column.to_pylist())], column.type)
        for column in keys.columns
    ]
    return pa.RecordBatch.from_arrays(arrays, names=keys.schema.names)
