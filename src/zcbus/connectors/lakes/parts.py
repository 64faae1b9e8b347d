"""Changes of a transaction as parts: of each table and key the last row."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa

from zcbus.connectors.lakes.types import LakeTypes
from zcbus.connectors.roles.writer import Cause, PutRows, RemoveRows, RowOperation
from zcbus.connectors.typed_arrow import nulls, same
from zcbus.connectors.writing.journal import keys_of
from zcbus.connectors.writing.last_rows import comparable, last_of_each_key
from zcbus.model.kernels import compute
from zcbus.model.schema import TableSchema

GONE = "zcbus: gone"
"""Column of a part: whether the row is deleted."""
_PLACE = "zcbus: place"
_STAGED = b"staged"
"""Metadata of stored rows: the path of a file that has them."""
_PART_BYTES = 64 << 20
"""Bytes of canonical values after which a part ends; each is a commit of its table."""


@dataclass(frozen=True, slots=True)
class Part:
    """Rows of one table that a transaction changes."""

    table: str
    rows: pa.Table
    """Typed, one of each key, with the column GONE; none where a staged part was read back."""
    is_load: bool = False
    """Whether all rows come from a load: none is deleted, and they can be loaded again."""
    staged: str = ""
    """Path of a file with the rows that no version of the table has yet; empty: there is none."""
    added: Any = None
    """By what the kind adds the staged file to its table; None: the part was read back."""

    def to_bytes(self) -> bytes:
        """What the state stores: the rows, or where they are, as an Arrow stream."""
        rows, out = self.rows, pa.BufferOutputStream()
        if self.staged:
            metadata: Any = rows.schema.metadata
            rows = rows.slice(0, 0).replace_schema_metadata({**metadata, _STAGED: self.staged})
        with pa.ipc.new_stream(out, rows.schema) as stream:
            stream.write_table(rows)
        return out.getvalue().to_pybytes()

    @staticmethod
    def of_bytes(table: str, data: bytes) -> "Part":
        """Inverse of `to_bytes`, but for `is_load` and `added`."""
        rows = pa.ipc.open_stream(data).read_all()
        metadata: Any = rows.schema.metadata
        return Part(table, rows, staged=metadata.get(_STAGED, b"").decode())

    def with_rows(self, read: pa.Table) -> "Part":
        """A staged part with the rows of its file."""
        gone = same(pa.scalar(False), read.num_rows)
        rows = read.append_column(GONE, gone).replace_schema_metadata(self.rows.schema.metadata)
        return replace(self, rows=rows)


@dataclass(slots=True)
class _Open:
    """A part that grows."""

    schema: TableSchema
    batches: list[pa.Table] = field(default_factory=list)
    is_load: bool = True


def key_columns(rows: pa.Table) -> list[str]:
    """The columns of the key of a part's rows."""
    metadata: Any = rows.schema.metadata
    return str(metadata[b"key"].decode()).split("\0")


def parts_of(types: LakeTypes, operations: Iterable[RowOperation]) -> Iterator[Part]:
    """Operations as parts, in an order that ends as theirs does. Raises RowRefused."""
    open_: dict[str, _Open] = {}
    size = 0
    for operation in operations:
        name = operation.table.name.table
        if name in open_ and open_[name].schema != operation.table:
            yield from _ended(open_)
            size = 0
        part = open_.setdefault(name, _Open(operation.table))
        if isinstance(operation, PutRows):
            rows, gone = operation.rows if operation.typed is None else operation.typed, False
        else:
            rows, gone = _there(types, operation), True
        part.is_load &= isinstance(operation, PutRows) and operation.cause is Cause.LOAD
        part.batches.append(_typed(types, operation.table, rows, gone=gone))
        size += rows.nbytes
        if size > _PART_BYTES:
            yield from _ended(open_)
            size = 0
    yield from _ended(open_)


def whole(types: LakeTypes, rows: pa.Table, schema: pa.Schema) -> pa.Table:
    """Rows with all columns that their table has by now."""
    arrays = [
        rows.column(one.name)
        if one.name in rows.schema.names
        else nulls(len(rows), types.arrow_type(types.data_type(one.type)))
        for one in schema
    ]
    return pa.table(arrays, schema=schema)


def put_rows(rows: pa.Table) -> pa.Table:
    """The rows of a part that are not deleted, without the column GONE."""
    gone = rows.column(GONE)
    kept = rows.filter(compute.invert(gone)) if compute.any(gone).as_py() else rows
    return kept.drop_columns([GONE])


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


def _ended(open_: dict[str, _Open]) -> Iterator[Part]:
    for name, part in open_.items():
        key = part.schema.primary_key
        # A part that is decided must not be refused for two rows of one key.
        rows = last_of_each_key(pa.concat_tables(part.batches), key)
        yield Part(name, rows.replace_schema_metadata({"key": "\0".join(key)}), part.is_load)
    open_.clear()


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
