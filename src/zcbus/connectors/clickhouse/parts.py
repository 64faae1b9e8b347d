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
_PART_BYTES = 16 << 20
"""Of canonical values."""


@dataclass(frozen=True, slots=True)
class Part:
    """Rows of one table that a transaction changes."""

    table: str
    """Empty: what the platform stores itself."""
    data: bytes
    """All columns of the table and GONE, each key once, as an Arrow stream."""

    def to_json(self) -> list[str]:
        return [self.table, base64.b64encode(self.data).decode()]

    @staticmethod
    def of_json(found: list[str]) -> "Part":
        return Part(found[0], base64.b64decode(found[1]))

    def rows(self) -> pa.Table:
        return pa.ipc.open_stream(self.data).read_all()


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


def part(table: str, rows: pa.Table) -> Part:
    """A part of rows."""
    out = pa.BufferOutputStream()
    with pa.ipc.new_stream(out, rows.schema) as stream:
        stream.write_table(rows)
    return Part(table, out.getvalue().to_pybytes())


def _ended(open_: dict[TableName, list[RowOperation]]) -> Iterator[Part]:
    for name, operations in open_.items():
        rows = _latest(operations[0].table, operations)
        if rows.num_rows:
            yield part(name.table, rows)
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
        rows = operation.rows if operation.typed is None else operation.typed
    given = typed_batch(table, rows)
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
