"""Delta tables: their structure, their rows by key, and what changes a whole table at once."""

import json
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import pyarrow as pa
from deltalake import CommitProperties, DeltaTable, Field, Schema, write_deltalake

from zcbus.connectors.delta.folder import LakeFolder, batches, folder_of, identifier, schema_of, table_of
from zcbus.connectors.delta.spec import SCHEMA
from zcbus.connectors.delta.types import arrow_type, canonical_batch, data_type, declared, typed_keys
from zcbus.connectors.errors import TableMissing, TableRefused
from zcbus.connectors.roles.writer import Key, Row
from zcbus.connectors.typed_arrow import canonical, nulls, typed
from zcbus.connectors.writing.definition import Reshaping
from zcbus.connectors.writing.journal import keys_of
from zcbus.model.kernels import compute
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

_KEY = "zcbus.key"
"""Property of a table: the names of its key, as JSON; two names where a change of them was cut off."""
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

    def is_there(self, name: TableName) -> bool:
        return self._folder.open(folder_of(name.table)) is not None

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
            for batch in batches(present, f"SELECT {columns} FROM t"):
                for begin in range(0, batch.num_rows, _KEYS_AT_ONCE):
                    yield keys_of(canonical_batch(batch.slice(begin, _KEYS_AT_ONCE)))

    def rows(self, table: TableSchema, keys: Sequence[Key]) -> list[Row | None]:
        """See Writer.rows."""
        given = typed_keys(table, keys)
        wanted = [key for key in given if key is not None]
        if not wanted:
            return [None] * len(keys)
        asked = _canonical_keys(table, given)
        left, found = set(asked), dict[Key, Row]()
        columns = ", ".join(identifier(name) for name in table.names)
        sql = f"SELECT {columns} FROM t WHERE {_near(table, wanted)}"
        with self._folder.translated(str(table.name)):
            for read in batches(self._open(table.name), sql):
                batch = canonical_batch(_with_first(table, read, wanted))
                keys = keys_of(batch.select(list(table.primary_key)))
                places = [place for place, key in enumerate(keys) if key in left]
                of_interest = batch.take(pa.array(places, pa.int64())).to_pylist()
                found |= zip((keys[place] for place in places), of_interest, strict=True)
        return [None if key is None else found.get(key) for key in asked]

    def _rewrite(
        self, present: DeltaTable, wanted: TableSchema, before: dict[str, str], filled: dict[str, str] | None = None
    ) -> None:
        """Write all rows once more under another structure, a part at a time. `before`: old names of columns; `filled`:
        what new ones hold."""
        name, schema = wanted.name, _stored(wanted)

        def rewritten(found: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for read in found:
                arrays = [
                    _column(read, one, before.get(one.name, ""), (filled or {}).get(one.name)) for one in wanted.columns
                ]
                yield pa.RecordBatch.from_arrays(arrays, schema=schema)

        key = _schema(name.table, present).primary_key
        with self._folder.translated(str(name)):
            if key != wanted.primary_key:
                # The rows come by a commit of their own: until both are done, the key has both names.
                _set_key(present, list(zip(key, wanted.primary_key, strict=True)))
            rows = rewritten(batches(present, "SELECT * FROM t"))
            write_deltalake(
                present,
                pa.RecordBatchReader.from_batches(schema, rows),
                mode="overwrite",
                schema_mode="overwrite",
                commit_properties=_ONCE,
            )
            if key != wanted.primary_key:
                present.update_incremental()
                _set_key(present, wanted.primary_key)

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


def _with_first(table: TableSchema, read: pa.RecordBatch, keys: Sequence[tuple[object, ...]]) -> pa.RecordBatch:
    """The rows whose first value of the key is one of these keys': what a range was read for."""
    first = table.primary_key[0]
    values = pa.array([key[0] for key in keys], arrow_type(table.column(first).type))
    return read.filter(compute.is_in(read.column(first), value_set=values))


def _column(read: pa.RecordBatch, column: Column, before: str, value: str | None) -> Any:
    """Of all rows: the column as it is, else what had it before, else a value."""
    wanted = arrow_type(declared(column.type)[0])
    found = nulls(len(read), wanted)
    for name in (before, column.name):
        if name in read.schema.names:
            own = typed(canonical(read.column(name)), wanted)
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
    key = _key_of(metadata.configuration.get(_KEY) or "[]", {one.name for one in columns})
    return TableSchema(TableName(SCHEMA, name), "delta", columns, key, comment=metadata.description or "")


def _key_of(text: str, columns: Collection[str]) -> tuple[str, ...]:
    """Empty: the property is not ours."""
    try:
        named = [[one] if isinstance(one, str) else [str(name) for name in one] for one in json.loads(text)]
    except (ValueError, TypeError):
        return ()
    found = [next((name for name in names if name in columns), "") for names in named]
    return tuple(found) if all(found) else ()


def _set_key(table: DeltaTable, names: Sequence[str | tuple[str, str]]) -> None:
    """`names`: a pair stands for the one of them that the table has."""
    table.alter.set_table_properties({_KEY: json.dumps(list(names), ensure_ascii=False)}, raise_if_not_exists=False)


def _field(one: "pa.Field[Any]") -> Field:
    (found,) = Schema.from_arrow(pa.schema([one])).fields
    return found
