"""Changes of a transaction as parts: of each table and key the last row."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from zcbus.connectors.lakes.types import LakeTypes
from zcbus.connectors.roles.writer import PutRows, RemoveRows, RowOperation
from zcbus.connectors.typed_arrow import nulls, same
from zcbus.connectors.writing.journal import keys_of
from zcbus.connectors.writing.last_rows import comparable, last_of_each_key
from zcbus.model.kernels import compute
from zcbus.model.schema import TableSchema

GONE = "zcbus: gone"
"""Column of a part: whether the row is deleted."""
_PLACE = "zcbus: place"
_PART_BYTES = 64 << 20
"""Bytes of canonical values after which a part ends; each is a commit of its table."""


@dataclass(frozen=True, slots=True)
class Part:
    """Rows of one table that a transaction changes."""

    table: str
    data: bytes

    def rows(self) -> pa.Table:
        """The typed rows, one of each key, with the column GONE."""
        return pa.ipc.open_stream(self.data).read_all()


def key_columns(rows: pa.Table) -> list[str]:
    """The columns of the key of a part's rows."""
    metadata: Any = rows.schema.metadata
    return str(metadata[b"key"].decode()).split("\0")


def parts_of(types: LakeTypes, operations: Iterable[RowOperation]) -> Iterator[Part]:
    """Operations as parts, in an order that ends as theirs does. Raises RowRefused."""
    open_: dict[str, list[pa.Table]] = {}
    schemas: dict[str, TableSchema] = {}
    size = 0
    for operation in operations:
        name = operation.table.name.table
        if schemas.get(name, operation.table) != operation.table:
            yield from _ended(open_, schemas)
            size = 0
        schemas[name] = operation.table
        if isinstance(operation, PutRows):
            rows, gone = operation.rows if operation.typed is None else operation.typed, False
        else:
            rows, gone = _there(types, operation), True
        open_.setdefault(name, []).append(_typed(types, operation.table, rows, gone=gone))
        size += rows.nbytes
        if size > _PART_BYTES:
            yield from _ended(open_, schemas)
            size = 0
    yield from _ended(open_, schemas)


def whole(types: LakeTypes, rows: pa.Table, schema: pa.Schema) -> pa.Table:
    """Rows with all columns that their table has by now."""
    arrays = [
        rows.column(one.name)
        if one.name in rows.schema.names
        else nulls(len(rows), types.arrow_type(types.data_type(one.type)))
        for one in schema
    ]
    return pa.table(arrays, schema=schema)


def without_keys(before: pa.Table, rows: pa.Table, key: Sequence[str]) -> pa.Table:
    """The rows that have none of the other rows' keys."""
    here, there = (_keys(one, key) for one in (before, rows))
    if len(key) == 1:
        same = compute.is_in(here.column(0), value_set=there.column(0))
    else:
        places = here.append_column(_PLACE, pa.array(range(len(here)), pa.int64()))
        found = places.join(there, list(key), join_type="left semi").column(_PLACE)
        same = compute.is_in(places.column(_PLACE), value_set=found)
    return before.filter(compute.invert(same))


def _keys(rows: pa.Table, key: Sequence[str]) -> pa.Table:
    return pa.table([comparable(rows.column(name)) for name in key], names=list(key))


def _ended(open_: dict[str, list[pa.Table]], schemas: dict[str, TableSchema]) -> Iterator[Part]:
    for name, batches in open_.items():
        # A part that is decided must not be refused for two rows of one key.
        rows = last_of_each_key(pa.concat_tables(batches), schemas[name].primary_key)
        yield Part(name, _stream(rows, schemas[name]))
    open_.clear()
    schemas.clear()


def _typed(types: LakeTypes, table: TableSchema, rows: pa.RecordBatch, *, gone: bool) -> pa.Table:
    """All columns of the table; those that a removal does not have are null."""
    given = types.typed_batch(table, rows)
    arrays = [
        given.column(one.name) if one.name in given.schema.names else nulls(len(rows), types.arrow_type(one.type))
        for one in table.columns
    ]
    return pa.table([*arrays, same(pa.scalar(gone), len(rows))], names=[*table.names, GONE])


def _there(types: LakeTypes, operation: RemoveRows) -> pa.RecordBatch:
    """Keys that rows of the table can have."""
    keys = keys_of(operation.keys)
    fits = [key is not None for key in types.typed_keys(operation.table, keys)]
    return operation.keys if all(fits) else operation.keys.filter(pa.array(fits))


def _stream(rows: pa.Table, table: TableSchema) -> bytes:
    marked = rows.replace_schema_metadata({"key": "\0".join(table.primary_key)})
    out = pa.BufferOutputStream()
    with pa.ipc.new_stream(out, marked.schema) as stream:
        stream.write_table(marked)
    return out.getvalue().to_pybytes()
