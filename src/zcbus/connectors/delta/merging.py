"""Changes of a transaction as parts, each merged into its table by one commit."""

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa
from deltalake import DeltaTable, write_deltalake

from zcbus.connectors.delta.folder import LakeFolder, commit, folder_of, identifier, schema_of
from zcbus.connectors.delta.state import Part
from zcbus.connectors.delta.types import arrow_type, data_type, typed_batch, typed_keys
from zcbus.connectors.roles.writer import PutRows, RemoveRows, RowOperation
from zcbus.connectors.typed_arrow import nulls
from zcbus.connectors.writing.journal import keys_of
from zcbus.model.kernels import compute
from zcbus.model.schema import TableSchema

_GONE = "zcbus: gone"
"""Column of a part: whether the row is deleted."""
_INDEX = "zcbus: index"
_PART_BYTES = 64 << 20
"""Bytes of canonical values after which a part ends; each is a commit of its table."""


def parts_of(operations: Iterable[RowOperation]) -> Iterator[Part]:
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
        rows, gone = (operation.rows, False) if isinstance(operation, PutRows) else (_there(operation), True)
        open_.setdefault(name, []).append(_typed(operation.table, rows, gone=gone))
        size += rows.nbytes
        if size > _PART_BYTES:
            yield from _ended(open_, schemas)
            size = 0
    yield from _ended(open_, schemas)


def merge(folder: LakeFolder, part: Part, application: str, number: int) -> bool:
    """Apply a part to its table unless it was applied before. Returns whether files were rewritten. Raises
    ConcurrentCommit."""
    table = folder.open(folder_of(part.table))
    if table is None or (table.transaction_version(application) or 0) >= number:
        return False  # a table that was dropped later has no rows to change
    rows = pa.ipc.open_stream(part.data).read_all()
    key = rows.schema.metadata[b"key"].decode().split("\0")
    properties = commit(application, number)
    with folder.translated(part.table):
        there = set(schema_of(table).names)
        rows = rows.select([name for name in rows.schema.names if name in there or name == _GONE])
        if not table.get_add_actions().num_rows:
            put = rows.filter(compute.invert(rows.column(_GONE))).drop_columns([_GONE])
            write_deltalake(table, _whole(put, table), mode="append", commit_properties=properties)
            return False
        merged: Any = table.merge(
            rows,
            predicate=" AND ".join(f"t.{identifier(name)} = s.{identifier(name)}" for name in key),
            source_alias="s",
            target_alias="t",
            commit_properties=properties,
        )
        gone = f"s.{identifier(_GONE)}"
        merged = merged.when_matched_delete(gone)
        merged = merged.when_matched_update_all(f"NOT {gone}", except_cols=[_GONE])
        done = merged.when_not_matched_insert_all(f"NOT {gone}", except_cols=[_GONE]).execute()
    return bool(done["num_target_files_removed"])


def tidy(folder: LakeFolder, name: str, hours: int) -> None:
    """Delete files that the newest version of a table has not needed for so many hours."""
    table = folder.open(folder_of(name))
    if table is not None:
        with folder.translated(name):
            table.vacuum(retention_hours=hours, dry_run=False, enforce_retention_duration=False)


def _ended(open_: dict[str, list[pa.Table]], schemas: dict[str, TableSchema]) -> Iterator[Part]:
    for name, batches in open_.items():
        yield Part(name, _stream(_latest(schemas[name], batches), schemas[name]))
    open_.clear()
    schemas.clear()


def _typed(table: TableSchema, rows: pa.RecordBatch, *, gone: bool) -> pa.Table:
    """All columns of the table; those that a removal does not have are null."""
    given = typed_batch(table, rows)
    arrays = [
        given.column(one.name) if one.name in given.schema.names else nulls(len(rows), arrow_type(one.type))
        for one in table.columns
    ]
    return pa.table([*arrays, pa.array([gone] * len(rows), pa.bool_())], names=[*table.names, _GONE])


def _there(operation: RemoveRows) -> pa.RecordBatch:
    """Keys that rows of the table can have."""
    keys = keys_of(operation.keys)
    fits = [key is not None for key in typed_keys(operation.table, keys)]
    return operation.keys if all(fits) else operation.keys.filter(pa.array(fits))


def _latest(table: TableSchema, batches: list[pa.Table]) -> pa.Table:
    """Of each key the last row."""
    whole: pa.Table = pa.concat_tables(batches)
    all_indices = pa.array(range(len(whole)), pa.int64())
    keys = pa.table(
        [*(_comparable(whole.column(name)) for name in table.primary_key), all_indices],
        names=[*table.primary_key, _INDEX],
    )
    last = keys.group_by(list(table.primary_key)).aggregate([(_INDEX, "max")])
    indices = last.column(f"{_INDEX}_max")
    return whole if len(indices) == len(whole) else whole.take(indices.combine_chunks().sort())


def _comparable(values: Any) -> Any:
    """Values that are equal where a MERGE takes them for equal: it refuses two rows for one, and a part that is decided
    must not be refused."""
    return compute.add(values, pa.scalar(0.0, values.type)) if pa.types.is_floating(values.type) else values


def _stream(rows: pa.Table, table: TableSchema) -> bytes:
    marked = rows.replace_schema_metadata({"key": "\0".join(table.primary_key)})
    out = pa.BufferOutputStream()
    with pa.ipc.new_stream(out, marked.schema) as stream:
        stream.write_table(marked)
    return out.getvalue().to_pybytes()


def _whole(rows: pa.Table, table: DeltaTable) -> pa.Table:
    """All columns that the table has by now."""
    arrays = [
        rows.column(one.name) if one.name in rows.schema.names else nulls(len(rows), arrow_type(data_type(one.type)))
        for one in schema_of(table)
    ]
    return pa.table(arrays, schema=schema_of(table))
