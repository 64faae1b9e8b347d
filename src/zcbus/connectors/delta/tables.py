"""Delta tables: their structure, their rows by key, and what changes a whole table at once."""

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
from deltalake import CommitProperties, DeltaTable, Field, Schema, write_deltalake

from zcbus.connectors.delta.folder import LakeFolder, batches, identifier, schema_of
from zcbus.connectors.delta.spec import SCHEMA
from zcbus.connectors.delta.types import TYPES
from zcbus.connectors.errors import TableMissing, TableRefused
from zcbus.connectors.folder_names import folder_of, table_of
from zcbus.connectors.lakes.tables import KEY, TypedKey, followed, key_names, key_text, keys_in, rows_by_key
from zcbus.connectors.roles.writer import Key, Row
from zcbus.connectors.typed_arrow import canonical
from zcbus.connectors.writing.definition import Reshaping
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

_NAMED = 500
"""Keys that are named in a query; of more, their range is read."""
_ONCE = CommitProperties(max_commit_retries=0)


class DeltaTables:
    """See LakeTables. Errors as LakeFolder's."""

    def __init__(self, folder: LakeFolder) -> None:
        self._folder = folder

    def schemas(self, names: Sequence[TableName] | None) -> dict[TableName, TableSchema]:
        if names is None:
            wanted = self._folder.folders()
        else:
            wanted = [folder_of(name.table) for name in names if name.schema == SCHEMA]
        opened = ((folder, self._folder.open(folder)) for folder in wanted)
        found = [described(table_of(folder), table) for folder, table in opened if table is not None]
        return {schema.name: schema for schema in sorted(found, key=lambda schema: schema.name)}

    def is_there(self, name: TableName) -> bool:
        return self._folder.open(folder_of(name.table)) is not None

    def define(self, wanted: TableSchema) -> None:
        present = self._folder.open(folder_of(wanted.name.table))
        schema = TYPES.stored(wanted)
        if present is None:
            configuration = {KEY: key_text(wanted.primary_key)}
            self._folder.create(
                folder_of(wanted.name.table),
                schema,
                configuration=configuration,
                description=wanted.comment or None,
            )
            return
        before = described(wanted.name.table, present)
        if before.primary_key != wanted.primary_key and not before.primary_key:
            raise TableRefused(table=str(wanted.name), column="", reason="target-key-differs")
        kept = [schema.field(one.name) for one in before.columns if one.name in wanted.names]
        if len(kept) < len(before.columns) or any(
            one.type != TYPES.arrow_type(before.column(one.name).type) for one in kept
        ):
            self._rewrite(present, wanted, {})
            return
        added = [one for one in schema if one.name not in before.names]
        if added:
            with self._folder.translated(str(wanted.name)):
                present.alter.add_columns([_field(one) for one in added])

    def reshape(self, change: Reshaping) -> None:
        present = self._open(change.after.name)
        filled = dict(change.filled)
        self._rewrite(present, change.after, {new: old for old, new in change.renamed}, filled)

    def drop(self, name: TableName) -> None:
        self._folder.remove(folder_of(name.table))

    def clear(self, name: TableName) -> None:
        with self._folder.translated(str(name)):
            self._open(name).delete(commit_properties=_ONCE)

    def keys(self, table: TableSchema) -> Iterator[list[Key]]:
        present = self._open(table.name)
        columns = ", ".join(identifier(name) for name in table.primary_key)
        with self._folder.translated(str(table.name)):
            yield from keys_in(batches(present, f"SELECT {columns} FROM t"))

    def rows(self, table: TableSchema, keys: Sequence[Key]) -> list[Row | None]:
        columns = ", ".join(identifier(name) for name in table.names)

        def read(wanted: Sequence[TypedKey]) -> Iterator[pa.RecordBatch]:
            return batches(self._open(table.name), f"SELECT {columns} FROM t WHERE {_near(table, wanted)}")

        with self._folder.translated(str(table.name)):
            return rows_by_key(TYPES, table, keys, read)

    def _rewrite(
        self, present: DeltaTable, wanted: TableSchema, before: dict[str, str], filled: dict[str, str] | None = None
    ) -> None:
        """Write all rows once more under another structure, a part at a time. `before`: old names of columns; `filled`:
        what new ones hold."""
        name, schema = wanted.name, TYPES.stored(wanted)

        key = described(name.table, present).primary_key
        with self._folder.translated(str(name)):
            if key != wanted.primary_key:
                # The rows come by a commit of their own: until both are done, the key has both names.
                _set_key(present, list(zip(key, wanted.primary_key, strict=True)))
            read = batches(present, "SELECT * FROM t")
            rows = (followed(TYPES, one, wanted, before, filled or {}) for one in read)
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
    text = str(canonical(pa.array([value], TYPES.arrow_type(data)))[0].as_py()).replace("'", "''")
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


def _near(table: TableSchema, keys: Sequence[TypedKey]) -> str:
    """A condition that holds for all rows with these keys, and for few others."""
    first = table.column(table.primary_key[0])
    values: list[Any] = list(dict.fromkeys(key[0] for key in keys))
    name = identifier(first.name)
    if len(values) <= _NAMED:
        return f"{name} IN ({', '.join(literal(value, first.type) for value in values)})"
    return f"{name} BETWEEN {literal(min(values), first.type)} AND {literal(max(values), first.type)}"


def described(name: str, table: DeltaTable) -> TableSchema:
    """The structure of a table."""
    metadata = table.metadata()
    columns = tuple(Column(one.name, TYPES.data_type(one.type), one.nullable) for one in schema_of(table))
    key = key_names(metadata.configuration.get(KEY) or "[]", {one.name for one in columns})
    return TableSchema(TableName(SCHEMA, name), "delta", columns, key, comment=metadata.description or "")


def _set_key(table: DeltaTable, names: Sequence[str | tuple[str, str]]) -> None:
    """`names`: a pair stands for the one of them that the table has."""
    table.alter.set_table_properties({KEY: key_text(names)}, raise_if_not_exists=False)


def _field(one: "pa.Field[Any]") -> Field:
    (found,) = Schema.from_arrow(pa.schema([one])).fields
    return found
