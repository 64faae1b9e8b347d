"""Iceberg tables: their structure, their rows by key, and what changes a whole table at once."""

from collections.abc import Iterator, Mapping, Sequence

import pyarrow as pa
from pyiceberg.table import Table, Transaction

from zcbus.connectors.errors import TableMissing, TableRefused
from zcbus.connectors.iceberg.catalogue import OWN, LakeCatalogue
from zcbus.connectors.iceberg.committing import read, replace_files, written
from zcbus.connectors.iceberg.merging import near
from zcbus.connectors.iceberg.spec import SCHEMA
from zcbus.connectors.iceberg.types import TYPES, iceberg_type, plain
from zcbus.connectors.lakes.tables import KEY, TypedKey, followed, key_names, key_text, keys_in, rows_by_key
from zcbus.connectors.roles.writer import Key, Row
from zcbus.connectors.writing.definition import Reshaping
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

_COMMENT = "comment"


class IcebergTables:
    """See LakeTables. Errors as LakeCatalogue's."""

    def __init__(self, catalogue: LakeCatalogue) -> None:
        self._catalogue = catalogue

    def schemas(self, names: Sequence[TableName] | None) -> dict[TableName, TableSchema]:
        if names is None:
            wanted = self._catalogue.names()
        else:
            wanted = [name.table for name in names if name.schema == SCHEMA and name.table != OWN]
        opened = ((name, self._catalogue.open(name)) for name in wanted)
        found = [_schema(name, table) for name, table in opened if table is not None]
        return {schema.name: schema for schema in sorted(found, key=lambda schema: schema.name)}

    def is_there(self, name: TableName) -> bool:
        return self._catalogue.open(name.table) is not None

    def define(self, wanted: TableSchema) -> None:
        if wanted.name.table == OWN:
            raise TableRefused(table=str(wanted.name), column="", reason="target-key-differs")
        present = self._catalogue.open(wanted.name.table)
        if present is None:
            properties = {KEY: key_text(wanted.primary_key)} | ({_COMMENT: wanted.comment} if wanted.comment else {})
            self._catalogue.create(wanted.name.table, _stored(wanted), properties)
            return
        before = _schema(wanted.name.table, present)
        if before.primary_key != wanted.primary_key and not before.primary_key:
            raise TableRefused(table=str(wanted.name), column="", reason="target-key-differs")
        self._evolve(present, before, wanted, {}, {})

    def reshape(self, change: Reshaping) -> None:
        present = self._open(change.after.name)
        before = _schema(change.after.name.table, present)
        renamed = {new: old for old, new in change.renamed if old in before.names and new not in before.names}
        filled = {name: value for name, value in change.filled if name not in before.names}
        self._evolve(present, before, change.after, renamed, filled)

    def drop(self, name: TableName) -> None:
        self._catalogue.remove(name.table)

    def clear(self, name: TableName) -> None:
        table = self._open(name)
        with self._catalogue.translated(str(name)), table.transaction() as transaction:
            replace_files(transaction, table, [one.file for one in table.scan().plan_files()], [])

    def keys(self, table: TableSchema) -> Iterator[list[Key]]:
        with self._catalogue.translated(str(table.name)):
            present = self._open(table.name)
            yield from keys_in(
                batch
                for task in present.scan().plan_files()
                for batch in read(present, task, table.primary_key).select(list(table.primary_key)).to_batches()
            )

    def rows(self, table: TableSchema, keys: Sequence[Key]) -> list[Row | None]:
        def found(wanted: Sequence[TypedKey]) -> Iterator[pa.RecordBatch]:
            present = self._open(table.name)
            first = table.primary_key[0]
            condition = near(first, pa.array([key[0] for key in wanted], TYPES.arrow_type(table.column(first).type)))
            for task in present.scan(row_filter=condition).plan_files():
                yield from read(present, task, table.names).select(list(table.names)).to_batches()

        with self._catalogue.translated(str(table.name)):
            return rows_by_key(TYPES, table, keys, found)

    def _evolve(
        self,
        present: Table,
        before: TableSchema,
        wanted: TableSchema,
        renamed: Mapping[str, str],
        filled: Mapping[str, str],
    ) -> None:
        """Let structure, key and rows follow in one commit. Columns are known by numbers, so rows are rewritten only
        where their values change. `renamed`: old names by new ones; `filled`: values of columns that are new."""
        typed = {one.name: TYPES.declared(one.type)[0] for one in wanted.columns}
        there = {renamed_to: before.column(old).type for renamed_to, old in renamed.items()}
        there |= {one.name: one.type for one in before.columns if one.name not in renamed.values()}
        converted = {name for name, data in typed.items() if name in there and _converts(there[name], data)}
        wider = {name for name, data in typed.items() if name in there and there[name] != data} - converted
        if (
            set(there) == set(typed)
            and not (renamed or converted or wider)
            and before.primary_key == wanted.primary_key
        ):
            return
        with self._catalogue.translated(str(wanted.name)), present.transaction() as transaction:
            with transaction.update_schema(allow_incompatible_changes=True) as update:
                for name in [*(set(there) - set(typed)), *converted]:
                    update.delete_column((renamed.get(name, name),))
                for new, old in renamed.items():
                    if new not in converted:
                        update.rename_column((old,), new)
                for name in wider:
                    update.update_column((renamed.get(name, name),), field_type=iceberg_type(typed[name]))
                for one in wanted.columns:
                    if one.name not in there or one.name in converted:
                        required = one.name in wanted.primary_key
                        update.add_column((one.name,), iceberg_type(typed[one.name]), required=required)
            transaction.set_properties({KEY: key_text(wanted.primary_key)})
            if converted or filled:
                _rewrite(transaction, present, wanted, dict(renamed), dict(filled))

    def _open(self, name: TableName) -> Table:
        found = self._catalogue.open(name.table)
        if found is None:
            raise TableMissing(table=str(name), side="target")
        return found


def _rewrite(
    transaction: Transaction, table: Table, wanted: TableSchema, renamed: dict[str, str], filled: dict[str, str]
) -> None:
    """Write all rows again under another structure, a file at a time."""
    gone, added = [], []
    for task in table.scan().plan_files():
        batches = [followed(TYPES, one, wanted, renamed, filled) for one in read(table, task).to_batches()]
        gone.append(task.file)
        added += written(transaction, table, pa.Table.from_batches(batches)) if batches else []
    replace_files(transaction, table, gone, added)


def _converts(before: DataType, after: DataType) -> bool:
    """Whether values of a column have to be written again under another type."""
    if before == after or (before.kind, after.kind) in ((Kind.INT32, Kind.INT64), (Kind.FLOAT32, Kind.FLOAT64)):
        return False
    if before.kind is after.kind is Kind.DECIMAL:
        return before.scale != after.scale or (before.precision or 0) > (after.precision or 0)
    return True


def _stored(table: TableSchema) -> pa.Schema:
    """Only the key is required: what else is null is the source's matter."""
    fields = [one.with_nullable(one.name not in table.primary_key) for one in TYPES.stored(table)]
    return pa.schema(fields)


def _schema(name: str, table: Table) -> TableSchema:
    columns = tuple(
        Column(one.name, TYPES.data_type(one.type), one.nullable) for one in plain(table.schema().as_arrow())
    )
    key = key_names(table.properties.get(KEY, "[]"), {one.name for one in columns})
    return TableSchema(TableName(SCHEMA, name), "iceberg", columns, key, comment=table.properties.get(_COMMENT, ""))
