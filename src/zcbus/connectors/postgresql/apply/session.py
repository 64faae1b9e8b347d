"""Writes rows into a PostgreSQL database; see roles.TargetSession."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property

import psycopg
import pyarrow as pa

from zcbus.connectors.errors import TableMissing
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql.apply import alter, ddl, indexes, row_errors
from zcbus.connectors.postgresql.apply.checkpoints import CheckpointStore
from zcbus.connectors.postgresql.apply.encode import accepts_as_text
from zcbus.connectors.postgresql.apply.exact_keys import inexact_keys
from zcbus.connectors.postgresql.apply.layout import Layout, read_layout, supports_parallel_keys
from zcbus.connectors.postgresql.apply.shadow_table import apply_shadow_table, create_shadow_table
from zcbus.connectors.postgresql.apply.write import TableWriter, truncate
from zcbus.connectors.postgresql.catalog.tables import read_keys, read_schemas
from zcbus.connectors.postgresql.connection import quote
from zcbus.connectors.postgresql.connection.errors import translated
from zcbus.connectors.postgresql.connection.lock_holders import lock_holders
from zcbus.connectors.postgresql.connection.session import connect
from zcbus.connectors.postgresql.connection.session_registry import register
from zcbus.connectors.postgresql.origin import OriginMarks, identity
from zcbus.connectors.postgresql.snapshot.raw import binary_form
from zcbus.connectors.raw_rows import LINES
from zcbus.connectors.roles import (
    Checkpoint,
    ConstraintSession,
    InexactKey,
    KeyParallelSink,
    LockObserver,
    MappedColumn,
    RawSink,
    RegisteredSession,
    TargetTable,
)
from zcbus.connectors.roles.alteration import Alteration
from zcbus.connectors.row_errors import RowErrorFilter, RowErrorStore
from zcbus.connectors.sql.columns import column_missing, require_columns
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.states import CleanMode, LoadType


class PostgreSQLSession(RegisteredSession, KeyParallelSink, LockObserver, RawSink, ConstraintSession):
    """A target session, as a replica if the user may (`session_replication_role`).

    As in PostgreSQL's own logical replication, triggers and foreign keys of the target then do not fire for replicated
    rows, and rows can be replaced by DELETE and INSERT. Otherwise triggers and foreign keys fire, and rows are updated
    in place.
    """

    def __init__(self, options: ConnectionOptions) -> None:
        self._options = options
        self._connection = connect(options, "target")
        self._layouts: dict[TableName, Layout] = {}
        with translated(options, "target"):
            self._is_replica = self._become_replica()
            self._marks = OriginMarks(self._connection)
        self._checkpoints = CheckpointStore(self._connection, options)

    def register(self, owner: str, number: int, dead: Collection[int] = ()) -> None:
        with translated(self._options, "target"):
            register(self._connection, owner, number, dead)

    def prepare_store(self) -> None:
        with translated(self._options, "target"):
            self._checkpoints.prepare()
            row_errors.prepare(self._connection, self._checkpoints)

    @cached_property
    def identity(self) -> str:
        with translated(self._options, "target"):
            return identity(self._connection)

    @cached_property
    def row_errors(self) -> RowErrorStore:
        with translated(self._options, "target"):
            return row_errors.store(
                self._connection, self._checkpoints, lambda: translated(self._options, "target"), self._begin
            )

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        with translated(self._options, "target"):
            self._begin()
            with self._marks.marked.savepoint(), self._connection.transaction():
                yield

    def checkpoints(self, subscription: str) -> list[Checkpoint]:
        with translated(self._options, "target"):
            return self._checkpoints.read(subscription)

    def lock_checkpoints(self, subscription: str) -> list[Checkpoint]:
        with translated(self._options, "target"):
            self._begin()
            return self._checkpoints.read(subscription, hold=True)

    def write_checkpoints(self, checkpoints: Sequence[Checkpoint]) -> None:
        with translated(self._options, "target"):
            self._begin()
            self._checkpoints.write(checkpoints)

    def delete_checkpoints(self, subscription: str, name: str | None = None) -> None:
        with translated(self._options, "target"):
            self._checkpoints.delete(subscription, name)
        if name is None:
            self.row_errors.delete(subscription, RowErrorFilter())
        self.commit()

    def describe(self, names: Sequence[TableName]) -> dict[TableName, TableSchema]:
        with translated(self._options, "target"), self._connection.transaction():
            # Types and default expressions come qualified only if the search path is otherwise empty.
            self._connection.execute("SET LOCAL search_path = pg_catalog")
            schemas = read_schemas(self._connection, names)
            self._connection.execute("SET LOCAL search_path = DEFAULT")
        return schemas

    def supports_parallel_keys(self, table: TargetTable) -> bool:
        with translated(self._options, "target", str(table.name)):
            return supports_parallel_keys(self._connection, table.name, table.key)

    def inexact_keys(self, table: TargetTable) -> list[InexactKey]:
        with translated(self._options, "target", str(table.name)):
            return inexact_keys(self._connection, table)

    def lock_holders(self, name: TableName) -> str:
        with translated(self._options, "target"):
            return lock_holders(self._connection, name)

    def create_table(self, table: TargetTable, clean: CleanMode, for_load: bool = False) -> None:
        with translated(self._options, "target"):
            layout = read_layout(self._connection, table.name)
            if layout is not None and clean != CleanMode.DROP:
                self._reuse(table, layout, clean)
            else:
                self._create(table, drop=layout is not None, for_load=for_load)
        self._layouts.pop(table.name, None)

    def complete_table(self, table: TargetTable) -> None:
        with translated(self._options, "target", str(table.name)):
            self._begin()
            self._rebuild_key(table)
            indexes.carry_over(self._connection, table, table.indexes)
        self._layouts.pop(table.name, None)

    def create_shadow_table(self, table: TargetTable, shadow: TableName) -> None:
        with translated(self._options, "target", str(table.name)):
            create_shadow_table(self._connection, table, shadow)
        self._layouts.pop(shadow, None)

    def apply_shadow_table(self, table: TargetTable, shadow: TableName) -> None:
        with translated(self._options, "target", str(table.name)):
            self._begin()
            self._marks.write(table)
            apply_shadow_table(self._connection, table, shadow, self._layout(table), self._is_replica)

    def drop_table(self, name: TableName) -> None:
        with translated(self._options, "target"):
            self._connection.execute(f"DROP TABLE IF EXISTS {quote.table(name)}")
        self._layouts.pop(name, None)
        self.commit()

    def add_columns(self, table: TargetTable, columns: Sequence[MappedColumn]) -> None:
        with translated(self._options, "target"):
            for statement in ddl.type_statements(self._connection, table):
                self._connection.execute(statement)
            for column in columns:
                self._connection.execute(ddl.add_column_statement(self._connection, table, column))
        self._layouts.pop(table.name, None)
        self.commit()

    def alter_table(self, table: TargetTable, alteration: Alteration) -> None:
        with translated(self._options, "target", str(table.name)):
            present = self.describe([table.name]).get(table.name)
            if present is None:
                raise TableMissing(table=str(table.name), side="target")
            with self._connection.transaction():
                for statement in alter.statements(self._connection, table, alteration, present):
                    self._connection.execute(statement)
                indexes.drop(self._connection, table, alteration.drop_indexes)
                indexes.rename(self._connection, table, alteration.rename_indexes)
                indexes.carry_over(self._connection, table, alteration.indexes)
        self._layouts.pop(table.name, None)
        self.commit()

    def load(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        with translated(self._options, "target", str(table.name)):
            self._writer(table).insert(rows)

    def raw_load(self, table: TargetTable, form: str) -> Callable[[Iterable[memoryview]], int] | None:
        if self._options.load_type is not LoadType.BULK:
            return None
        takes = self._accepts_lines(table) if form == LINES else self._accepts_binary(table, form)

        def load(parts: Iterable[memoryview]) -> int:
            with translated(self._options, "target", str(table.name)):
                return self._writer(table).copy_raw(parts, "text" if form == LINES else "binary")

        return load if takes else None

    def _accepts_binary(self, table: TargetTable, form: str) -> bool:
        schema = self.describe([table.name]).get(table.name)
        names = [column.target for column in table.columns]
        return schema is not None and set(names) <= set(schema.names) and binary_form(schema, names) == form

    def _accepts_lines(self, table: TargetTable) -> bool:
        with translated(self._options, "target", str(table.name)):
            types = self._layout(table).types
        return all(c.target in types and accepts_as_text(c.type, types[c.target]) for c in table.columns)

    def add(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        with translated(self._options, "target", str(table.name)):
            self._writer(table).add(rows)

    def upsert(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        with translated(self._options, "target", str(table.name)):
            self._writer(table).upsert(rows)

    def update(self, table: TargetTable, keys: pa.RecordBatch, rows: pa.RecordBatch) -> None:
        with translated(self._options, "target", str(table.name)):
            self._writer(table).update(keys, rows)

    def delete(self, table: TargetTable, keys: pa.RecordBatch) -> int:
        with translated(self._options, "target", str(table.name)):
            return self._writer(table).delete(keys)

    def truncate(self, table: TargetTable) -> None:
        with translated(self._options, "target", str(table.name)):
            self._begin()
            self._marks.write(table)
            truncate(self._connection, table.name)

    def commit(self, durable: bool = True) -> None:
        with translated(self._options, "target"):
            if self._connection.info.transaction_status == psycopg.pq.TransactionStatus.INERROR:
                # The server would answer COMMIT with a silent rollback.
                self._connection.rollback()
                raise psycopg.errors.InFailedSqlTransaction("a statement of this transaction failed")
            if not durable:
                self._connection.execute("SET LOCAL synchronous_commit = off")
            self._connection.commit()

    def rollback(self) -> None:
        with translated(self._options, "target"):
            self._connection.rollback()

    def forget_tables(self) -> None:
        self._layouts.clear()

    def __enter__(self) -> "PostgreSQLSession":
        return self

    def __exit__(self, *details: object) -> None:
        self._connection.close()

    def _become_replica(self) -> bool:
        try:
            self._connection.execute("SET session_replication_role = replica")
        except psycopg.errors.InsufficientPrivilege:
            return False
        return True

    def enforce_constraints(self) -> None:
        if self._is_replica:
            with translated(self._options, "target"):
                self._connection.execute("SET session_replication_role = origin")
            self._is_replica = False

    def _begin(self) -> None:
        if self._connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE:
            self._connection.execute("BEGIN")
            self._marks.marked.begin()
            if not self._is_replica:
                self._connection.execute("SET CONSTRAINTS ALL DEFERRED")

    def _writer(self, table: TargetTable) -> TableWriter:
        self._begin()
        self._marks.write(table)
        layout = self._layout(table)
        return TableWriter(self._connection, table, layout, self._is_replica, self._options.load_type)

    def _layout(self, table: TargetTable) -> Layout:
        known = self._layouts.get(table.name)
        # Another session may have added a column since.
        if known is None or column_missing(table, known.types):
            known = read_layout(self._connection, table.name)
            if known is None:
                raise TableMissing(table=str(table.name), side="target")
            require_columns(table, known.types)
            self._layouts[table.name] = known
        return known

    def _create(self, table: TargetTable, drop: bool, for_load: bool) -> None:
        # Rows are not looked up while they are loaded: an index over all of them costs less than one for each.
        with_key = not (for_load and ddl.preserves_key_uniqueness(table))
        statements = list(ddl.create_statements(self._connection, table, with_key))
        with self._connection.transaction():
            if drop:
                # Without CASCADE: objects that depend on the table belong to its owner and must not vanish silently.
                self._connection.execute(f"DROP TABLE {quote.table(table.name)}")
            for statement in statements:
                self._connection.execute(statement)

    def _reuse(self, table: TargetTable, layout: Layout, clean: CleanMode) -> None:
        require_columns(table, layout.types)
        for statement in ddl.type_statements(self._connection, table):
            self._connection.execute(statement)
        if clean in (CleanMode.TRUNCATE, CleanMode.ONLY_TRUNCATE):
            self._begin()
            self._marks.write(table)
            truncate(self._connection, table.name)
            self.commit()
        if clean == CleanMode.TRUNCATE:
            self._rebuild_key(table)

    def _rebuild_key(self, table: TargetTable) -> None:
        found = read_keys(self._connection, table.name) if table.key else None
        if found is None or any(key.columns == table.key for key in found):
            return
        kind = "UNIQUE" if any(key.primary for key in found) else "PRIMARY KEY"
        name, key = quote.table(table.name), quote.identifiers(table.key)
        self._connection.execute(f"ALTER TABLE {name} ADD {kind} ({key})")
