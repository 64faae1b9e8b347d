"""A target in memory that behaves as a database does, and can die at any of its calls."""

import copy
import threading
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from zcbus.connectors.errors import Fenced, RowRefused, TargetLocked, TargetUnavailable
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.roles import Checkpoint, InexactKey, MappedColumn, TargetTable
from zcbus.connectors.row_errors import RowErrorFilter, RowErrorPart
from zcbus.model.row_errors import OPEN, RowError
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.states import CleanMode

Row = dict[str, Any]


def died() -> TargetUnavailable:
    return TargetUnavailable(kind="fake", host="nowhere", port=0, detail="it died")


@dataclass
class Store:
    """What is committed."""

    tables: dict[TableName, dict[tuple[Any, ...], Row]] = field(default_factory=dict)
    schemas: dict[TableName, TableSchema] = field(default_factory=dict)
    checkpoints: dict[tuple[str, str], Checkpoint] = field(default_factory=dict)
    row_errors: dict[tuple[str, str], RowError] = field(default_factory=dict)


class FakeTarget:
    """Transactions are copies. `die_at` = number of the call (from 1) that fails; odd numbers fail before they do
    anything, even ones after they have done it (a commit whose answer got lost)."""

    dialect = "postgresql"

    def __init__(self) -> None:
        self.store = Store()
        self.lock = threading.RLock()
        self.calls = 0
        self.die_at: frozenset[int] = frozenset()
        self.forgets = False
        """Whether it fails as a whole instead, with what no durable commit has made safe, and comes back without it."""
        self.lives = 1
        self._safe = Store()
        self.locked = ""
        """Name of a table that another session locks."""
        self.version = 0
        self.registered: list[tuple[str, int, set[int]]] = []
        """Owner, number, and numbers that end, of each session that was registered."""
        self.puts: Counter[tuple[Any, ...]] = Counter()
        """How often each row was put and committed: its table's name and its values."""
        self.torn: list[str] = []
        """Tables whose rows were committed without what remembers them."""

    def tables(self) -> dict[str, list[tuple[Any, ...]]]:
        """Committed content by table name, sorted."""
        with self.lock:
            assert self.torn == []
            return {
                name.table: sorted((tuple(row.values()) for row in rows.values()), key=repr)
                for name, rows in self.store.tables.items()
            }

    def make_safe(self) -> None:
        """What is committed by now survives."""
        with self.lock:
            self._safe = copy.deepcopy(self.store)

    def fail(self) -> None:
        """All sessions are gone, and what was not safe."""
        with self.lock:
            self.lives += 1
            self.store = copy.deepcopy(self._safe)

    def tester(self) -> Any:
        raise NotImplementedError

    discoverer = source = tester

    def target(self, _options: ConnectionOptions) -> "FakeTarget":
        return self

    def map_columns(self, schema: TableSchema, key: tuple[str, ...]) -> list[Any]:
        return []

    def default_schema(self, source: TableName, source_dialect: str) -> str:
        return source.schema

    def open(self) -> "FakeSession":
        return FakeSession(self)


class FakeSession:
    """One connection. Sessions that write at the same time never touch the same row, so a commit merges by row."""

    def __init__(self, target: FakeTarget) -> None:
        self._target, self._life = target, target.lives
        self._open: Store | None = None
        self._began: dict[TableName, dict[tuple[Any, ...], Row]] = {}
        self._touched: set[TableName] = set()
        self._checkpoints: dict[tuple[str, str], Checkpoint] = {}
        self._puts: list[tuple[Any, ...]] = []
        self._dead = False
        self._keeps_errors = False

    def __enter__(self) -> "FakeSession":
        return self

    def __exit__(self, *_details: object) -> None:
        self._dead = True

    def _call(self) -> bool:
        """Count a call; true: it is to fail after it was done."""
        with self._target.lock:
            self._check_alive()
            self._target.calls += 1
            number = self._target.calls
        if number not in self._target.die_at:
            return False
        self._dead = True
        if self._target.forgets:
            self._target.fail()
            raise died()
        if number % 2:
            raise died()
        return True

    def _check_alive(self) -> None:
        if self._dead or self._life != self._target.lives:
            raise died()

    def _transaction(self) -> Store:
        if self._open is None:
            with self._target.lock:
                self._open = copy.deepcopy(self._target.store)
            self._began = {name: dict(rows) for name, rows in self._open.tables.items()}
        return self._open

    def _store(self) -> Store:
        return self._target.store if self._open is None else self._open

    def _table(self, name: TableName) -> dict[tuple[Any, ...], Row]:
        self._wait_for(name)
        self._touched.add(name)
        return self._transaction().tables[name]

    def _wait_for(self, name: TableName) -> None:
        if name.table == self._target.locked:
            raise TargetLocked(table=name)

    def lock_holders(self, name: TableName) -> str:
        return f"another session at {name.table}"

    def register(self, owner: str, number: int, gone: Collection[int] = ()) -> None:
        self._target.registered.append((owner, number, set(gone)))

    def prepare_store(self) -> None:
        if self._call():
            raise died()

    @property
    def identity(self) -> str:
        return "fake"

    @property
    def row_errors(self) -> "FakeRowErrors":
        return FakeRowErrors(self)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        before = copy.deepcopy(self._transaction())
        try:
            yield
        except RowRefused:
            self._open = before
            raise

    def checkpoints(self, subscription: str) -> list[Checkpoint]:
        if self._call():
            raise died()
        with self._target.lock:
            return [
                checkpoint for (owner, _), checkpoint in self._target.store.checkpoints.items() if owner == subscription
            ]

    def lock_checkpoints(self, subscription: str) -> list[Checkpoint]:
        return self.checkpoints(subscription)

    def supports_parallel_keys(self, table: TargetTable) -> bool:
        return True

    def inexact_keys(self, table: TargetTable) -> list[InexactKey]:
        return []

    def write_checkpoints(self, checkpoints: Sequence[Checkpoint]) -> None:
        for checkpoint in checkpoints:
            self._write_checkpoint(checkpoint)

    def _write_checkpoint(self, checkpoint: Checkpoint) -> None:
        late = self._call()
        slot = (checkpoint.subscription, checkpoint.name)
        with self._target.lock:
            stored = self._checkpoints.get(slot) or self._target.store.checkpoints.get(slot)
        if checkpoint.version != (stored.version if stored else 0) + 1:
            raise Fenced(checkpoint=checkpoint.name)
        self._transaction()
        self._checkpoints[slot] = checkpoint
        if late:
            raise died()

    def delete_checkpoints(self, subscription: str, checkpoint: str | None = None) -> None:
        raise NotImplementedError

    def describe(self, names: Sequence[TableName]) -> dict[TableName, TableSchema]:
        with self._target.lock:
            schemas = self._target.store.schemas
            return {name: schemas[name] for name in names if name in schemas}

    def complete_table(self, table: TargetTable) -> None:
        if self._call():
            raise died()

    def create_table(self, table: TargetTable, clean: CleanMode, for_load: bool = False) -> None:
        self._wait_for(table.name)
        late = self._call()
        with self._target.lock:
            store = self._target.store
            store.schemas[table.name] = table.source_schema
            if clean is not CleanMode.NONE or table.name not in store.tables:
                store.tables[table.name] = {}
            self._target.make_safe()
        if late:
            raise died()

    def create_shadow_table(self, table: TargetTable, beside: TableName) -> None:
        late = self._call()
        with self._target.lock:
            self._target.store.tables[beside] = {}
            self._target.make_safe()
        if late:
            raise died()

    def apply_shadow_table(self, table: TargetTable, beside: TableName) -> None:
        late = self._call()
        rows = dict(self._table(beside))
        stored = self._table(table.name)
        stored.clear()
        stored.update(rows)
        if late:
            raise died()

    def drop_table(self, name: TableName) -> None:
        late = self._call()
        with self._target.lock:
            self._target.store.tables.pop(name, None)
            self._target.make_safe()
        if late:
            raise died()

    def add_columns(self, table: TargetTable, columns: Sequence[MappedColumn]) -> None:
        raise NotImplementedError

    def alter_table(self, table: TargetTable, alteration: Any) -> None:
        raise NotImplementedError

    def load(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        late = self._call()
        stored = self._table(table.name)
        for row in rows.to_pylist():
            key = tuple(row[name] for name in table.key)
            assert key not in stored, "a row was loaded twice"
            stored[key] = row
        if late:
            raise died()

    def upsert(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        late = self._call()
        stored = self._table(table.name)
        for row in rows.to_pylist():
            stored[tuple(row[name] for name in table.key)] = row
            self._puts.append((table.name.table, *row.values()))
        if late:
            raise died()

    add = upsert

    def update(self, table: TargetTable, keys: pa.RecordBatch, rows: pa.RecordBatch) -> None:
        late = self._call()
        stored = self._table(table.name)
        for key, values in zip(keys.to_pylist(), rows.to_pylist(), strict=True):
            old = stored.pop(tuple(key[name] for name in table.key), None)
            if old is not None:
                row = {**old, **values}
                stored[tuple(row[name] for name in table.key)] = row
        if late:
            raise died()

    def delete(self, table: TargetTable, keys: pa.RecordBatch) -> int:
        late = self._call()
        stored = self._table(table.name)
        gone = [stored.pop(tuple(key[name] for name in table.key), None) for key in keys.to_pylist()]
        if late:
            raise died()
        return len(gone)

    def truncate(self, table: TargetTable) -> None:
        late = self._call()
        self._table(table.name).clear()
        if late:
            raise died()

    def commit(self, durable: bool = True) -> None:
        late = self._call()
        with self._target.lock:
            self._check_alive()
            for slot, checkpoint in self._checkpoints.items():
                stored = self._target.store.checkpoints.get(slot)
                if checkpoint.version <= (stored.version if stored else 0):
                    raise Fenced(checkpoint=checkpoint.name)
            if not (self._checkpoints or self._keeps_errors):
                self._target.torn += [name.table for name in self._touched]
            self._target.store.checkpoints.update(self._checkpoints)
            self._target.puts.update(self._puts)
            if self._open is not None:
                for name in self._touched:
                    self._merge(name, self._open.tables[name])
                if self._keeps_errors:
                    self._target.store.row_errors = self._open.row_errors
            if durable:
                self._target.make_safe()
        self._forget()
        if late:
            raise died()

    def _merge(self, name: TableName, rows: dict[tuple[Any, ...], Row]) -> None:
        began, stored = self._began[name], self._target.store.tables[name]
        for key in began.keys() - rows.keys():
            stored.pop(key, None)
        stored.update({key: row for key, row in rows.items() if began.get(key) != row})

    def rollback(self) -> None:
        self._forget()
        self._check_alive()

    def forget_tables(self) -> None:
        """It checks them each time."""

    def _forget(self) -> None:
        self._open = None
        self._touched.clear()
        self._keeps_errors = False
        self._checkpoints.clear()
        self._puts.clear()


class FakeRowErrors:
    """Kept in the session's open transaction."""

    def __init__(self, session: FakeSession) -> None:
        self._session = session

    @property
    def _errors(self) -> dict[tuple[str, str], RowError]:
        return self._session._transaction().row_errors

    def keep(self, subscription: str, errors: Sequence[RowError]) -> None:
        self._errors.update({(subscription, error.id): error for error in errors})
        self._session._keeps_errors = True

    def read(self, subscription: str, which: RowErrorFilter, part: RowErrorPart | None = None) -> list[RowError]:
        return [
            error
            for (owner, _), error in sorted(self._session._store().row_errors.items())
            if owner == subscription
            and (not which.tables or error.table in which.tables)
            and (not which.statuses or error.status in which.statuses)
            and (not which.ids or error.id in which.ids)
            and (not which.wanted or error.wanted is not None)
            and (not which.blocking or error.blocking)
        ]

    lock = read

    def count(self, subscription: str, which: RowErrorFilter) -> int:
        return len(self.read(subscription, which))

    def details(self, subscription: str, which: RowErrorFilter, limit: int) -> dict[str, int]:
        raise NotImplementedError

    def open_counts(self, subscription: str) -> dict[str, int]:
        return dict(Counter(error.table for error in self.read(subscription, RowErrorFilter(statuses=OPEN))))

    def delete(self, subscription: str, which: RowErrorFilter | None = None) -> int:
        gone = self.read(subscription, which or RowErrorFilter())
        for error in gone:
            del self._errors[subscription, error.id]
        self._session._keeps_errors = True
        return len(gone)
