"""A TargetSession of a Writer: collects a transaction, and passes it on at its commit.

Partial updates are completed here from the stored rows, so a writer gets complete rows only. No other process can
change the rows meanwhile: it would have moved a checkpoint, and then the commit is refused.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import TypeVar

import pyarrow as pa

from zcbus.connectors.errors import RowRefused, TableRefused
from zcbus.connectors.roles import InexactKey, KeyParallelSink, MappedColumn, TargetTable
from zcbus.connectors.roles.alteration import Alteration
from zcbus.connectors.roles.sink import Wait
from zcbus.connectors.roles.writer import Cause, Key, PutRows, RemoveRows, Row, RowOperation, Transaction, Writer
from zcbus.connectors.sql.columns import require_columns
from zcbus.connectors.writing.definition import Reshaping, copy_of, reshaping, schema_of, with_columns
from zcbus.connectors.writing.journal import keys_of
from zcbus.connectors.writing.optional_roles import PacedWriter, TableClearer, TableDropper, TableRewriter, TypedValues
from zcbus.connectors.writing.table_session import TableSession
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.states import CleanMode
from zcbus.model.types import Kind

_End = TypeVar("_End")
_PART_BYTES = 8 << 20


class WritingSession(TableSession, KeyParallelSink):
    """See roles.TargetSession."""

    _writer: Writer

    def __init__(self, writer: Writer, dialect: str) -> None:
        """`dialect`: the kind."""
        super().__init__(writer)
        self._dialect = dialect

    def pace(self, wait: Wait) -> None:
        if isinstance(self._writer, PacedWriter):
            self._writer.pace(wait)

    def describe(self, names: Sequence[TableName]) -> dict[TableName, TableSchema]:
        return self._writer.tables(names)

    def supports_parallel_keys(self, table: TargetTable) -> bool:
        self._schema(table)
        return True

    def load(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        self._put(table, rows, Cause.LOAD)

    def add(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        self._put(table, rows, Cause.INSERT)

    def upsert(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        self._put(table, rows, Cause.CHANGE)

    def _put(self, table: TargetTable, rows: pa.RecordBatch, cause: Cause) -> None:
        schema = self._schema(table)
        given = self._given(table, schema, rows)
        self._check_keys(schema, given)
        typed = self._check_values(schema, given)
        if set(given.schema.names) != set(schema.names):
            before = self._journal.rows(self._writer, schema, _keys(schema, given))
            given, typed = _completed(schema, [row or {} for row in before], given), None
        self._journal.add(PutRows(schema, given, cause, typed))

    def update(self, table: TargetTable, keys: pa.RecordBatch, rows: pa.RecordBatch) -> None:
        schema = self._schema(table)
        addressed = self._given(table, schema, keys)
        self._check_keys(schema, addressed)
        found = self._journal.rows(self._writer, schema, _keys(schema, addressed))
        places = [place for place, row in enumerate(found) if row is not None]
        if not places:
            return
        existing = pa.array(places, pa.int64())
        given = self._given(table, schema, rows).take(existing)
        self._check_values(schema, given)
        after = _completed(schema, [row for row in found if row is not None], given)
        before = addressed.select(list(schema.primary_key)).take(existing)
        self._check_keys(schema, after)
        kept = set(_keys(schema, after))
        moved = [place for place, key in enumerate(keys_of(before)) if key not in kept]
        self._journal.add(RemoveRows(schema, before.take(pa.array(moved, pa.int64()))))
        self._journal.add(PutRows(schema, after))

    def delete(self, table: TargetTable, keys: pa.RecordBatch) -> None:
        schema = self._schema(table)
        addressed = self._given(table, schema, keys)
        self._check_keys(schema, addressed)
        self._journal.add(RemoveRows(schema, addressed.select(list(schema.primary_key))))

    def truncate(self, table: TargetTable) -> None:
        schema = self._schema(table)
        # Rows added by this transaction have keys that the target does not know yet.
        for operation in [one for one in self._journal if one.table.name == schema.name and isinstance(one, PutRows)]:
            self._journal.add(RemoveRows(schema, operation.rows.select(list(schema.primary_key))))
        for found in self._writer.keys(schema):
            self._remove(schema, found)

    def inexact_keys(self, table: TargetTable) -> list[InexactKey]:
        return []

    def create_table(self, table: TargetTable, clean: CleanMode, for_load: bool = False) -> None:
        if not table.key:
            raise TableRefused(table=str(table.name), column="", reason="target-needs-key")
        present = self.describe([table.name]).get(table.name)
        if present is None or clean is CleanMode.DROP:
            self.drop_table(table.name)
            self._writer.define(schema_of(table, self._dialect))
        else:
            require_columns(table, present.names)
            if set(present.primary_key) != set(table.key):
                raise TableRefused(table=str(table.name), column="", reason="target-key-differs")
            if clean in (CleanMode.TRUNCATE, CleanMode.ONLY_TRUNCATE):
                self._empty(present)
        self.forget_tables()

    def complete_table(self, table: TargetTable) -> None:
        """Tables are complete at creation, and have no indexes."""

    def create_shadow_table(self, table: TargetTable, shadow: TableName) -> None:
        self.drop_table(shadow)
        self._writer.define(copy_of(self._schema(table), shadow))

    def apply_shadow_table(self, table: TargetTable, shadow: TableName) -> None:
        schema = self._schema(table)
        other = copy_of(schema, shadow)
        mapped = [column.target for column in table.columns]
        taken: set[Key] = set()
        for found in self._writer.keys(other):
            taken.update(found)
            rows = zip(found, self._writer.rows(other, found), self._writer.rows(schema, found), strict=True)
            changed = [row for _, new, old in rows if new is not None and (row := _taken(new, old, mapped)) != old]
            self._journal.add(PutRows(schema, batch_of(schema, changed)))
        for found in self._writer.keys(schema):
            self._remove(schema, [key for key in found if key not in taken])

    def drop_table(self, name: TableName) -> None:
        present = self.describe([name]).get(name)
        if present is not None and isinstance(self._writer, TableDropper):
            self._writer.drop(present)
        elif present is not None:
            self._empty(present)
            self._writer.undefine(name)
        self.forget_tables()

    def add_columns(self, table: TargetTable, columns: Sequence[MappedColumn]) -> None:
        self.forget_tables()
        self._writer.define(with_columns(self._present(table), columns))

    def alter_table(self, table: TargetTable, alteration: Alteration) -> None:
        change = reshaping(self._present(table), alteration)
        if change.touches_rows:
            self._reshape(change)
        self._writer.define(change.after)
        self.forget_tables()

    def __enter__(self) -> "WritingSession":
        return self

    def _reshape(self, change: Reshaping) -> None:
        if isinstance(self._writer, TableRewriter):
            self._writer.reshape(change)
            return
        self._writer.define(change.between)
        between, after = change.between, change.after
        for found in self._writer.keys(between):
            rows = [change.row(row) for row in self._writer.rows(between, found) if row is not None]
            self._writer.write(Transaction([PutRows(after, batch_of(after, rows))] if rows else []))

    def _empty(self, schema: TableSchema) -> None:
        """At once, in parts."""
        if isinstance(self._writer, TableClearer):
            self._writer.clear(schema)
            return
        for found in self._writer.keys(schema):
            self._writer.write(Transaction([_removal(schema, found)]))

    def _remove(self, schema: TableSchema, keys: Sequence[Key]) -> None:
        self._journal.add(_removal(schema, keys))

    def _check_keys(self, schema: TableSchema, rows: pa.RecordBatch) -> None:
        for name in schema.primary_key:
            if rows.column(name).null_count:
                raise RowRefused(table=str(schema.name), detail=f"column {name} of the key is null")

    def _check_values(self, schema: TableSchema, rows: pa.RecordBatch) -> pa.RecordBatch | None:
        return self._writer.check(schema, rows) if isinstance(self._writer, TypedValues) else None


def batch_of(schema: TableSchema, rows: Sequence[Row], names: Collection[str] = ()) -> pa.RecordBatch:
    """Rows as a batch of the table's columns, or of these."""
    columns = [schema.column(name) for name in names or schema.names]
    arrays = [
        pa.array([row.get(one.name) for row in rows], pa.binary() if one.type.kind is Kind.BINARY else pa.string())
        for one in columns
    ]
    return pa.RecordBatch.from_arrays(arrays, names=[one.name for one in columns])


def in_parts(batch: pa.RecordBatch, ends: Sequence[_End]) -> Iterator[tuple[pa.RecordBatch, _End]]:
    """A batch in parts of about 8 MiB, each with the end of its last row. `ends`: one for each row."""
    step = max(1, batch.num_rows * _PART_BYTES // max(batch.nbytes, _PART_BYTES))
    for begin in range(0, batch.num_rows, step):
        part = batch.slice(begin, step)
        yield part, ends[begin + part.num_rows - 1]


def _removal(schema: TableSchema, keys: Sequence[Key]) -> RowOperation:
    rows: list[Row] = [dict(zip(schema.primary_key, key, strict=True)) for key in keys]
    return RemoveRows(schema, batch_of(schema, rows, schema.primary_key))


def _keys(schema: TableSchema, batch: pa.RecordBatch) -> list[Key]:
    return keys_of(batch.select(list(schema.primary_key)))


def _completed(schema: TableSchema, before: Sequence[Row], given: pa.RecordBatch) -> pa.RecordBatch:
    """The old rows with the given values."""
    old_rows = batch_of(schema, before)
    arrays = [given.column(n) if n in given.schema.names else old_rows.column(n) for n in schema.names]
    return pa.RecordBatch.from_arrays(arrays, names=list(schema.names))


def _taken(new: Row, old: Row | None, mapped: Sequence[str]) -> Row:
    """The new row, with the old one's values of columns that are not replicated."""
    return new if old is None else {**old, **{name: new[name] for name in mapped}}
