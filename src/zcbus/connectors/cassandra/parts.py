"""Changes of a transaction as parts, each of one table and small enough for a row of its own."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pyarrow as pa

from zcbus.connectors.cassandra.types import declared, encoder
from zcbus.connectors.errors import RowRefused
from zcbus.connectors.roles.writer import PutRows, RemoveRows, RowOperation
from zcbus.connectors.typed_arrow import nulls, same
from zcbus.connectors.writing.last_rows import last_of_each_key
from zcbus.model.kernels import compute
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import Kind

GONE = "zcbus gone"
"""Column of a part: whether the row is deleted."""
_COLLECTED_BYTES = 16 << 20
_PART_BYTES = 1 << 20
"""Of canonical values. Servers take 16 MiB in one write by default."""
_MAX_ROW_BYTES = 8 << 20
_MAX_KEY_BYTES = 65_535
"""Of a partition key, as of a component of it."""


@dataclass(frozen=True, slots=True)
class Part:
    """Rows of one table that a transaction changes."""

    table: str
    """Empty: what the platform stores itself."""
    data: bytes
    """All columns of the table in canonical form and GONE, each key once, as an Arrow stream."""

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
        if size > _COLLECTED_BYTES:
            yield from _ended(open_)
            size = 0
    yield from _ended(open_)


def part(table: str, rows: pa.Table) -> Part:
    """A part of rows."""
    out = pa.BufferOutputStream()
    with pa.ipc.new_stream(out, rows.schema) as stream:
        stream.write_table(rows)
    return Part(table, out.getvalue().to_pybytes())


def check(table: TableSchema, rows: pa.RecordBatch) -> None:
    """Raise RowRefused unless the rows, perhaps with some columns only, can be stored: once a transaction is decided,
    the server must not refuse them."""
    for name in rows.schema.names:
        _check_column(table, table.column(name), rows.column(name).to_pylist())
    if rows.nbytes > _MAX_ROW_BYTES:
        for place in range(rows.num_rows):
            # Of a slice, nbytes counts what it refers to only.
            if rows.slice(place, 1).nbytes > _MAX_ROW_BYTES:
                raise RowRefused(table=str(table.name), detail=f"a row of more than {_MAX_ROW_BYTES >> 20} MiB")


def _check_column(table: TableSchema, column: Column, values: list[str | bytes | None]) -> None:
    encode, in_key, value = encoder(column.type), column.name in table.primary_key, None
    try:
        for value in values:
            if value is None:
                continue
            encode(value)
            if in_key:
                _check_key(table, value)
    except (ValueError, ArithmeticError) as error:
        detail = f"column {column.name} of type {declared(column.type)} holds no {str(value)[:64]}: {error}"
        raise RowRefused(table=str(table.name), detail=detail) from error


def _check_key(table: TableSchema, value: str | bytes) -> None:
    if not value and len(table.primary_key) == 1:
        raise ValueError("a partition key is not empty")
    if len(value if isinstance(value, bytes) else value.encode()) > _MAX_KEY_BYTES // len(table.primary_key) - 3:
        raise ValueError(f"a key has {_MAX_KEY_BYTES} bytes at most")


def _ended(open_: dict[TableName, list[RowOperation]]) -> Iterator[Part]:
    for name, operations in open_.items():
        rows = _latest(operations[0].table, operations)
        step = max(1, rows.num_rows * _PART_BYTES // max(rows.nbytes, _PART_BYTES))
        for begin in range(0, rows.num_rows, step):
            yield part(name.table, rows.slice(begin, step))
    open_.clear()


def _latest(table: TableSchema, operations: list[RowOperation]) -> pa.Table:
    """Of each key the last row, or that it is gone."""
    whole: pa.Table = pa.concat_tables([_complete(table, one) for one in operations])
    for name in table.primary_key:
        if whole.column(name).null_count:
            whole = whole.filter(compute.is_valid(whole.column(name)))
    return last_of_each_key(whole, table.primary_key)


def _complete(table: TableSchema, operation: RowOperation) -> pa.Table:
    """All columns of the table; those that a removal does not have are null."""
    gone = isinstance(operation, RemoveRows)
    rows = operation.keys if isinstance(operation, RemoveRows) else operation.rows
    if not gone:
        check(table, rows)
    arrays = [
        rows.column(one.name).cast(_stored(one)) if one.name in rows.schema.names else nulls(len(rows), _stored(one))
        for one in table.columns
    ]
    return pa.table([*arrays, same(pa.scalar(gone), len(rows))], names=[*table.names, GONE])


def _stored(column: Column) -> pa.DataType:
    return pa.binary() if column.type.kind is Kind.BINARY else pa.string()
