"""Tables of a stream query's inputs: typed values of the columns that it needs."""

from collections.abc import Sequence

import duckdb
import pyarrow as pa

from zcbus.engine.compaction import Net, compact
from zcbus.engine.reasons import INPUT_VALUE_REFUSED, SCHEMA_CHANGED, SNAPSHOT_NOT_CONVERGENT, TableStopped
from zcbus.engine.stream.database import Database, quoted
from zcbus.engine.stream.statement import Statement
from zcbus.engine.subscribe.appliers.effects import only
from zcbus.engine.subscribe.reader import RecordChanges, is_truncate, segments
from zcbus.engine.transform.expressions import first_line
from zcbus.engine.transform.typed import library_type, typed
from zcbus.model.batches import select
from zcbus.model.changes import TableChanges
from zcbus.model.schema import Column, TableSchema
from zcbus.model.types import Kind

_BATCH = "zcbus_batch"


class InputTable:
    """One input in the stream query's database. Values that the library cannot hold raise TableStopped."""

    def __init__(
        self, database: Database, statement: Statement, name: str, schema: TableSchema, key: tuple[str, ...]
    ) -> None:
        """`schema`: of the rows in the table."""
        self.name, self.schema, self.key = name, schema, key
        self._database, self._all_columns = database, statement.all_columns
        self.columns = tuple(column for column in schema.columns if _needed(column, key, statement))
        self._names = [column.name for column in self.columns]
        self._known: TableSchema = schema

    def create(self) -> None:
        """Create the empty table."""
        columns = ", ".join(f"{quoted(column.name)} {library_type(column.type)}" for column in self.columns)
        self._execute(f"CREATE OR REPLACE TABLE {quoted(self.name)} ({columns})")

    @property
    def rows(self) -> int:
        """Number of rows."""
        count: int = self._database.execute(f"SELECT count(*) FROM {quoted(self.name)}")[0][0]  # noqa: S608
        return count

    def add(self, rows: pa.RecordBatch) -> None:
        """Insert new rows."""
        with self._database.registered(_BATCH, select(rows, self._names)):
            self._insert()

    def check(self, changes: TableChanges) -> None:
        """Raises TableStopped if the input's schema changed in a column that the stream query uses."""
        schema = changes.schema
        if schema is self._known:
            return
        before, after = _types(self.schema), _types(schema)
        seen = list(before) if self._all_columns else self._names
        changed = [name for name in seen if name in after and before[name] != after[name]]
        removed = [name for name in seen if name not in after]
        added = [name for name in after if name not in before] if self._all_columns else []
        if changed or removed or added or set(changes.key) != set(self.key):
            raise TableStopped(
                SCHEMA_CHANGED,
                table=schema.name,
                added=", ".join(added),
                removed=", ".join(removed),
                changed=", ".join(changed),
                before=_type_list(before),
                after=_type_list(after),
            )
        self._known = schema

    def change(self, changes: Sequence[RecordChanges]) -> None:
        """Apply changes in log order, within the open transaction."""
        for segment in segments(changes):
            self.check(segment[0].changes)
            if is_truncate(segment[0]):
                self._execute(f"DELETE FROM {quoted(self.name)}")  # noqa: S608
                continue
            for net in compact([only(record.changes, self._names) for record in segment]):
                self._apply(net)

    def _apply(self, net: Net) -> None:
        self._delete(net.deletes)
        for update in net.updates:
            self._update(update.keys, update.rows)
        if net.upserts.num_rows:
            self._delete(select(net.upserts, self.key))
            self.add(net.upserts)

    def _delete(self, keys: pa.RecordBatch) -> None:
        if keys.num_rows:
            with self._database.registered(_BATCH, keys):
                self._execute(f"DELETE FROM {quoted(self.name)} t USING {_BATCH} b WHERE {self._same('b')}")  # noqa: S608

    def _update(self, keys: pa.RecordBatch, rows: pa.RecordBatch) -> None:
        """Set some columns of existing rows. A missing row means that an interrupted snapshot read it on neither side
        of the interruption."""
        new = [f"{quoted(name)} = {self._typed('b', name, f'new {name}')}" for name in rows.schema.names]
        both = pa.RecordBatch.from_arrays(
            [*keys.columns, *rows.columns], names=[*keys.schema.names, *(f"new {name}" for name in rows.schema.names)]
        )
        with self._database.registered(_BATCH, both):
            table = quoted(self.name)
            sql = f"UPDATE {table} t SET {', '.join(new)} FROM {_BATCH} b WHERE {self._same('b')}"  # noqa: S608
            if self._execute(sql) != keys.num_rows:
                raise TableStopped(SNAPSHOT_NOT_CONVERGENT, table=self.schema.name)

    def _insert(self) -> None:
        values = ", ".join(self._typed("b", name, name) for name in self._names)
        self._execute(f"INSERT INTO {quoted(self.name)} SELECT {values} FROM {_BATCH} b")  # noqa: S608

    def _same(self, other: str) -> str:
        return " AND ".join(f"t.{quoted(name)} = {self._typed(other, name, name)}" for name in self.key)

    def _typed(self, other: str, name: str, given: str) -> str:
        return typed(f"{other}.{quoted(given)}", self.schema.column(name).type)

    def _execute(self, sql: str) -> int:
        try:
            rows = self._database.execute(sql)
        except (duckdb.ConversionException, duckdb.InvalidInputException, duckdb.OutOfRangeException) as error:
            raise TableStopped(INPUT_VALUE_REFUSED, table=self.schema.name, detail=first_line(error)) from error
        return int(rows[0][0]) if rows else 0


def _needed(column: Column, key: tuple[str, ...], statement: Statement) -> bool:
    needed = statement.all_columns or column.name.lower() in statement.names or column.name in key
    return needed and column.type.kind is not Kind.UNSUPPORTED


def _types(schema: TableSchema) -> dict[str, str]:
    return {column.name: column.type.native for column in schema.columns}


def _type_list(types: dict[str, str]) -> str:
    return ", ".join(f"{name} {native}" for name, native in types.items())
