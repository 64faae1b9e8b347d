"""Writes into Delta Lake; see roles.Writer.

A transaction is decided by one commit of the state table, which has checkpoints, row errors and all changed rows; then
the rows are merged into each table by a commit that carries the number of its part. Whoever comes next after a kill in
between finishes that first, whichever process it is.
"""

import threading
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

import pyarrow as pa

from zcbus.connectors.delta.folder import ConcurrentCommit, LakeFolder
from zcbus.connectors.delta.merging import merge, parts_of, tidy
from zcbus.connectors.delta.spec import DeltaOptions
from zcbus.connectors.delta.state import Hold, Part, State, StateTable
from zcbus.connectors.delta.tables import DeltaTables
from zcbus.connectors.delta.types import typed_batch
from zcbus.connectors.errors import Fenced, TargetLocked
from zcbus.connectors.roles import Checkpoint
from zcbus.connectors.roles.sink import Wait
from zcbus.connectors.roles.writer import Key, PutRows, Row, RowErrorChange, Transaction
from zcbus.connectors.writing.session import first_versions
from zcbus.connectors.writing.structure import Reshaping
from zcbus.kit.errors import ZcbusError
from zcbus.model.row_errors import RowError
from zcbus.model.schema import TableName, TableSchema

_HOLD_MILLISECONDS = 60_000
"""Of a process that died. Who holds for longer has lost the right to commit."""
_POLL_SECONDS = 0.05
_ATTEMPTS = 50
_LARGE = 10_000
"""Rows of a transaction that waits for no others."""
_TIDY_SECONDS = 3600.0

_turns: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
"""By folder: sessions of this process commit one after the other, so that none does another's work a second time."""


class DeltaWriter:
    """See roles.Writer, and writing.optional_roles."""

    def __init__(self, options: DeltaOptions) -> None:
        self._options = options
        self._folder = LakeFolder(options)
        self._state = StateTable(self._folder)
        self._tables = DeltaTables(self._folder)
        self._token = uuid.uuid4().hex
        self._held: set[str] = set()
        self._pause: Wait = time.sleep
        self._finished = 0
        """Number of the last part that was found done."""
        self._rewritten_at = 0.0
        """When files were last written anew for a few rows, on the monotonic clock."""
        self._tidied_at: dict[str, float] = {}
        """By table that was changed: when old files were last looked for."""

    def pace(self, wait: Wait) -> None:
        self._pause = wait

    @property
    def identity(self) -> str:
        return f"delta:{self._state.id}"

    def prepare_store(self) -> None:
        self._state.prepare()

    def checkpoints(self, subscription: str) -> list[Checkpoint]:
        found = self._settled().checkpoints.values()
        return [one for one in found if one.subscription == subscription]

    def row_errors(self, subscription: str) -> list[RowError]:
        self._state.read()
        return [error for _, error in self._state.row_errors(subscription)]

    def forget(self, subscription: str, name: str | None) -> None:
        while True:
            state = self._settled()
            kept = {
                key: one
                for key, one in state.checkpoints.items()
                if one.subscription != subscription or name not in (None, one.name)
            }
            errors = None
            if name is None:
                stored = self._state.row_errors(subscription)
                errors = [RowErrorChange(subscription, one.id, None) for _, one in stored] or None
            if len(kept) == len(state.checkpoints) and errors is None:
                return
            if self._committed(replace(state, checkpoints=kept), errors):
                return

    def hold(self, subscription: str) -> None:
        deadline = time.monotonic() + self._options.lock_wait
        while subscription not in self._held:
            state = self._settled()
            if self._is_free(state, {subscription}):
                hold = Hold(self._token, _now() + _HOLD_MILLISECONDS)
                if self._committed(replace(state, holds={**_alive(state), subscription: hold})):
                    self._held.add(subscription)
            else:
                self._wait(deadline)

    def fence(self, checkpoints: Sequence[Checkpoint]) -> None:
        deadline = time.monotonic() + self._options.lock_wait
        subscriptions = {one.subscription for one in checkpoints}
        while not self._is_free(state := self._state.read(), subscriptions):
            self._wait(deadline)
        _require_versions(state, checkpoints)

    def write(self, transaction: Transaction) -> None:
        self._gather(transaction)
        first = first_versions(transaction.checkpoints)
        named = {one.subscription for one in first} | {one.subscription for one in transaction.row_errors}
        deadline = time.monotonic() + self._options.lock_wait
        for _ in range(_ATTEMPTS):
            with _turns[self._folder.root]:
                state = self._settled()
                if self._is_free(state, named | self._held):
                    _require_versions(state, first)
                    if self._wrote(state, transaction):
                        return
                    continue
            self._wait(deadline)
        raise self._folder.unavailable("others commit to the folder all the time")

    def release(self) -> None:
        while self._held:
            state = self._settled()
            holds = {name: one for name, one in state.holds.items() if one.token != self._token}
            if self._committed(replace(state, holds=holds)):
                self._held.clear()

    def tables(self, names: Sequence[TableName] | None = None) -> dict[TableName, TableSchema]:
        return self._tables.schemas(names)

    def define(self, table: TableSchema) -> None:
        self._settled()
        self._again(lambda: self._tables.define(table))

    def undefine(self, name: TableName) -> None:
        self._settled()
        self._tables.drop(name)

    def keys(self, table: TableSchema) -> Iterator[list[Key]]:
        return self._tables.keys(table)

    def rows(self, table: TableSchema, keys: Sequence[Key]) -> list[Row | None]:
        return self._tables.rows(table, keys)

    def check(self, table: TableSchema, rows: pa.RecordBatch) -> None:
        typed_batch(table, rows)

    def clear(self, table: TableSchema) -> None:
        self._settled()
        self._again(lambda: self._tables.clear(table.name))

    def reshape(self, change: Reshaping) -> None:
        self._settled()
        self._again(lambda: self._tables.reshape(change))

    def close(self) -> None:
        """Nothing stays open between calls."""

    def _gather(self, transaction: Transaction) -> None:
        """Wait where changes of a few rows would write files anew all the time: meanwhile more of them come together.
        Nobody waits who holds what others wait for."""
        rest = self._rewritten_at + self._options.interval - time.monotonic()
        if rest <= 0 or not self._rewritten_at or self._held:
            return
        rows = 0
        for operation in transaction.operations:
            rows += (operation.rows if isinstance(operation, PutRows) else operation.keys).num_rows
            if rows >= _LARGE:
                return
        if rows:
            self._pause(rest)

    def _tidy(self, table: str) -> None:
        """What fails here fails no transaction."""
        now = time.monotonic()
        if now - self._tidied_at.setdefault(table, now) >= _TIDY_SECONDS:
            self._tidied_at[table] = now
            with suppress(ZcbusError, ConcurrentCommit):
                tidy(self._folder, table, self._options.history)

    def _wrote(self, state: State, transaction: Transaction) -> bool:
        """False: somebody else came first, and nothing was done."""
        checkpoints = dict(state.checkpoints)
        checkpoints |= {(one.subscription, one.name): one for one in transaction.checkpoints}
        holds = {name: one for name, one in _alive(state).items() if one.token != self._token}
        after = replace(state, checkpoints=checkpoints, holds=holds)
        try:
            written = self._state.write(after, parts_of(transaction.operations), transaction.row_errors or None)
        except ConcurrentCommit:
            return False
        self._held.clear()
        self._finish(written)
        return True

    def _committed(self, state: State, errors: Sequence[RowErrorChange] | None = None) -> bool:
        try:
            self._state.write(state, (), errors)
        except ConcurrentCommit:
            return False
        return True

    def _settled(self) -> State:
        """The state now, once the tables have all that its transaction changed."""
        while True:
            state = self._state.read()
            if self._finish(state):
                return state

    def _finish(self, state: State) -> bool:
        """Merge what the last transaction changed. False: another transaction has been committed since the state was
        read, whose process has finished this one."""
        if state.first <= state.last and self._finished < state.last:
            application = self.identity
            for number, table in self._state.parts():
                while True:
                    try:
                        part = Part(table, self._state.part(number))
                        if merge(self._folder, part, application, number):
                            self._rewritten_at = time.monotonic()
                        self._tidy(table)
                        break
                    except ConcurrentCommit:
                        if self._state.read().number != state.number:
                            return False
            self._finished = state.last
        return True

    def _again(self, change: Callable[[], None]) -> None:
        """Do what nobody else may commit beside, as soon as nobody does."""
        for _ in range(_ATTEMPTS):
            try:
                with _turns[self._folder.root]:
                    change()
                return
            except ConcurrentCommit:
                time.sleep(_POLL_SECONDS)
        raise self._folder.unavailable("others commit to the table all the time")

    def _is_free(self, state: State, subscriptions: set[str]) -> bool:
        """Whether nobody else holds one of them. Raises TargetUnavailable where we have lost what we hold."""
        holds = _alive(state)
        if any(one not in holds or holds[one].token != self._token for one in self._held):
            self._held.clear()
            raise self._folder.unavailable(f"held for more than {_HOLD_MILLISECONDS / 1000:.0f} s")
        return all(name not in subscriptions or one.token == self._token for name, one in holds.items())

    def _wait(self, deadline: float) -> None:
        """Raises TargetLocked behind the deadline."""
        if time.monotonic() > deadline:
            where = {"kind": self._options.kind, "address": self._options.place}
            raise TargetLocked(**where, detail="another session holds the checkpoints", table="", holder="")
        time.sleep(_POLL_SECONDS)


def _require_versions(state: State, checkpoints: Sequence[Checkpoint]) -> None:
    for one in checkpoints:
        stored = state.checkpoints.get((one.subscription, one.name))
        if (stored.version if stored else 0) != one.version - 1:
            raise Fenced(checkpoint=f"{one.subscription}/{one.name}")


def _alive(state: State) -> dict[str, Hold]:
    return {name: one for name, one in state.holds.items() if one.until > _now()}


def _now() -> int:
    return int(time.time() * 1000)
