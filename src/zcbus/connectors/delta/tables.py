"""Delta tables: their structure, their rows by key, and what changes a whole table at once."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
from deltalake import CommitProperties, DeltaTable, Field, Schema, write_deltalake

from zcbus.connectors.delta.folder import LakeFolder, folder_of, identifier, query, schema_of, table_of
from zcbus.connectors.delta.spec import SCHEMA
from zcbus.connectors.delta.types import arrow_type, canonical_batch, data_type, declared, typed_keys
from zcbus.connectors.errors import TableMissing, TableRefused
from zcbus.connectors.roles.writer import Key, Row
from zcbus.connectors.typed_arrow import canonical, nulls, typed
from zcbus.connectors.writing.journal import keys_of
from zcbus.connectors.writing.structure import Reshaping
from zcbus.model.kernels import compute
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

_KEY = "zcbus.key"
"""Property of a table: the names of its key, as JSON."""
_KEYS_AT_ONCE = 20_000
_NAMED = 500
"""Keys that are named in a query; of more, their range is read."""
_ONCE = CommitProperties(max_commit_retries=0)


class DeltaTables:
    """The tables of a folder. Errors as LakeFolder's."""

    def __init__(self, folder: LakeFolder) -> None:
        self._folder = folder

    def schemas(self, names: Sequence[TableName] | None) -> dict[TableName, TableSchema]:
        """Those of these tables, or of all, that are there."""
        if names is None:
            wanted = self._folder.folders()
        else:
            wanted = [folder_of(name.table) for name in names if name.schema == SCHEMA]
        opened = ((folder, self._folder.open(folder)) for folder in wanted)
        found = [_schema(table_of(folder), table) for folder, table in opened if table is not None]
        return {schema.name: schema for schema in sorted(found, key=lambda schema: schema.name)}

    def define(self, wanted: TableSchema) -> None:
        """Make a table, or give it these columns: new ones are empty in the rows that are there."""
        present = self._folder.open(folder_of(wanted.name.table))
        schema = _stored(wanted)
        if present is None:
            configuration = {_KEY: json.dumps(list(wanted.primary_key), ensure_ascii=False)}
            self._folder.create(
                folder_of(wanted.name.table),
                schema,
                configuration=configuration,
                description=wanted.comment or None,
            )
            return
        before = _schema(wanted.name.table, present)
        if before.primary_key != wanted.primary_key and not before.primary_key:
            raise TableRefused(table=str(wanted.name), column="", reason="target-key-differs")
        kept = [schema.field(one.name) for one in before.columns if one.name in wanted.names]
        if len(kept) < len(before.columns) or any(one.type != arrow_type(before.column(one.name).type) for one in kept):
            self._rewrite(present, wanted, {})
            return
        added = [one for one in schema if one.name not in before.names]
        if added:
            with self._folder.translated(str(wanted.name)):
                present.alter.add_columns([_field(one) for one in added])

    def reshape(self, change: Reshaping) -> None:
        """Let rows and structure follow an alteration, in one commit. Done twice it does no more than once."""
        present = self._open(change.after.name)
        filled = dict(change.filled)
        self._rewrite(present, change.after, {new: old for old, new in change.renamed}, filled)

    def drop(self, name: TableName) -> None:
        self._folder.remove(folder_of(name.table))

    def clear(self, name: TableName) -> None:
        """Delete all rows."""
        with self._folder.translated(str(name)):
            self._open(name).delete(commit_properties=_ONCE)

    def keys(self, table: TableSchema) -> Iterator[list[Key]]:
        """See Writer.keys."""
        present = self._open(table.name)
        columns = ", ".join(identifier(name) for name in table.primary_key)
        with self._folder.translated(str(table.name)):
            found = query(present, f"SELECT {columns} FROM t")
        for batch in found.to_batches(max_chunksize=_KEYS_AT_ONCE):
            if batch.num_rows:
                yield keys_of(canonical_batch(batch))

    def rows(self, table: TableSchema, keys: Sequence[Key]) -> list[Row | None]:
        """See Writer.rows."""
        given = typed_keys(table, keys)
        wanted = [key for key in given if key is not None]
        if not wanted:
            return [None] * len(keys)
        names = list(table.names)
        columns = ", ".join(identifier(name) for name in names)
        with self._folder.translated(str(table.name)):
            sql = f"SELECT {columns} FROM t WHERE {_near(table, wanted)}"
            read = query(self._open(table.name), sql)
        batch = canonical_batch(read)
        places = dict(zip(keys_of(batch.select(list(table.primary_key))), range(len(batch)), strict=True))
        asked = _canonical_keys(table, given)
        taken = [places.get(key) if key is not None else None for key in asked]
        there = [place for place in taken if place is not None]
        rows = iter(batch.take(pa.array(there, pa.int64())).to_pylist())
        return [None if place is None else next(rows) for place in taken]

    def count(self, name: TableName) -> int:
        with self._folder.translated(str(name)):
            return int(query(self._open(name), "SELECT count(*) AS n FROM t").column(0)[0].as_py())

    def query(self, name: TableName, sql: str) -> pa.Table:
        """The rows of a query over the table `t`."""
        with self._folder.translated(str(name)):
            return query(self._open(name), sql)

    def _rewrite(
        self, present: DeltaTable, wanted: TableSchema, before: dict[str, str], filled: dict[str, str] | None = None
    ) -> None:
        """Write all rows once more under another structure. `before`: old names of columns; `filled`: what new ones
        hold."""
        name, schema = wanted.name, _stored(wanted)
        with self._folder.translated(str(name)):
            read = query(present, "SELECT * FROM t")
            arrays = [
                _column(read, one, before.get(one.name, ""), (filled or {}).get(one.name)) for one in wanted.columns
            ]
            write_deltalake(
                present,
                pa.table(arrays, schema=schema),
                mode="overwrite",
                schema_mode="overwrite",
                commit_properties=_ONCE,
            )
            present.update_incremental()
            present.alter.set_table_properties({_KEY: json.dumps(list(wanted.primary_key), ensure_ascii=False)}, False)

    def _open(self, name: TableName) -> DeltaTable:
        found = self._folder.open(folder_of(name.table))
        if found is None:
            raise TableMissing(table=str(name), side="target")
        return found


def literal(value: object, data: DataType) -> str:
    """A value of a column in a query."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, bytes):
        return f"X'{value.hex()}'"
    text = str(canonical(pa.array([value], arrow_type(data)))[0].as_py()).replace("'", "''")
    if data.kind in (Kind.INT8, Kind.INT16, Kind.INT32, Kind.INT64):
        return text
    if data.kind is Kind.DECIMAL:
        return f"CAST('{text}' AS DECIMAL({data.precision},{data.scale or 0}))"
    if data.kind is Kind.DATE:
        return f"CAST('{text}' AS DATE)"
    if data.kind is Kind.TIMESTAMP:
        return f"arrow_cast('{text}', 'Timestamp(Microsecond, None)')"
    if data.kind is Kind.TIMESTAMP_TZ:
        return f"arrow_cast('{text[:-3]}Z', 'Timestamp(Microsecond, Some(\"UTC\"))')"
    if data.kind in (Kind.FLOAT32, Kind.FLOAT64):
        return f"CAST('{text}' AS {'REAL' if data.kind is Kind.FLOAT32 else 'DOUBLE'})"
    return f"'{text}'"


def _near(table: TableSchema, keys: Sequence[tuple[object, ...]]) -> str:
    """A condition that holds for all rows with these keys, and for few others."""
    first = table.column(table.primary_key[0])
    values: list[Any] = list(dict.fromkeys(key[0] for key in keys))
    name = identifier(first.name)
    if len(values) <= _NAMED:
        return f"{name} IN ({', '.join(literal(value, first.type) for value in values)})"
    return f"{name} BETWEEN {literal(min(values), first.type)} AND {literal(max(values), first.type)}"


def _canonical_keys(table: TableSchema, keys: Sequence[tuple[object, ...] | None]) -> list[Key | None]:
    """As a row that is read has them."""
    there = [key for key in keys if key is not None]
    columns = [table.column(name) for name in table.primary_key]
    arrays = [
        canonical(pa.array([key[place] for key in there], arrow_type(one.type))) for place, one in enumerate(columns)
    ]
    found = iter(zip(*(array.to_pylist() for array in arrays), strict=True))
    return [None if key is None else next(found) for key in keys]


def _column(read: pa.Table, column: Column, before: str, value: str | None) -> Any:
    """Of all rows: the column as it is, else what had it before, else a value."""
    wanted = arrow_type(declared(column.type)[0])
    found = nulls(len(read), wanted)
    for name in (before, column.name):
        if name in read.schema.names:
            own = typed(canonical(read.column(name).combine_chunks()), wanted)
            found = compute.coalesce(own, found)
    if value is None:
        return found
    given = pa.array([value], pa.binary() if column.type.kind is Kind.BINARY else pa.string())
    return compute.coalesce(found, typed(given, wanted)[0])


def _stored(table: TableSchema) -> pa.Schema:
    return pa.schema([pa.field(one.name, arrow_type(declared(one.type)[0]), one.nullable) for one in table.columns])


def _schema(name: str, table: DeltaTable) -> TableSchema:
    metadata = table.metadata()
    columns = tuple(Column(one.name, data_type(one.type), one.nullable) for one in schema_of(table))
    try:
        key = tuple(json.loads(metadata.configuration.get(_KEY) or "[]"))
    except ValueError:
        key = ()
    return TableSchema(TableName(SCHEMA, name), "delta", columns, key, comment=metadata.description or "")


def _field(one: "pa.Field[Any]") -> Field:
    (found,) = Schema.from_arrow(pa.schema([one])).fields
    return found
