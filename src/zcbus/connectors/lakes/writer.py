"""Writes into tables of a lake; see roles.Writer.

A transaction is decided by one commit of the state, which has checkpoints, row errors and all changed rows; then the
rows are merged into each table by a commit that carries the number of its part.
"""

import time
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Protocol

import pyarrow as pa

from zcbus.connectors.errors import RowRefused
from zcbus.connectors.lakes.options import LakeOptions
from zcbus.connectors.lakes.parts import Part, parts_of
from zcbus.connectors.lakes.tables import LakeTables
from zcbus.connectors.lakes.types import LakeTypes
from zcbus.connectors.roles.sink import Wait
from zcbus.connectors.roles.writer import Key, Row, RowOperation, Transaction
from zcbus.connectors.writing.decided import ConcurrentCommit, DecidedWriter, State, StateStore
from zcbus.connectors.writing.definition import Reshaping
from zcbus.connectors.writing.pacing import Pacing
from zcbus.connectors.writing.presence import Presence
from zcbus.kit.errors import ZcbusError
from zcbus.model.schema import TableName, TableSchema

_TIDY_SECONDS = 3600.0
_STAGED_BYTES = 1 << 20
"""Of a part of a load, from which on its rows are written once: below it the file costs more than the rows."""
_OWN_BYTES = 64 << 20
"""Of parts that a session keeps until they are merged."""


class LakeState(StateStore[Part], Protocol):
    """The state, with the parts of its transaction."""

    @property
    def id(self) -> str:
        """Unique id, also where a state is made again at the same place."""

    def part(self, number: int) -> Part:
        """A part of the last transaction."""


class LakeWriter(DecidedWriter[Part]):
    """See roles.Writer, and writing.optional_roles. A kind says how a part is merged and how old files go."""

    def __init__(
        self, options: LakeOptions, place: str, state: LakeState, tables: LakeTables, types: LakeTypes
    ) -> None:
        """`place`: id of the state, unique in this process."""
        super().__init__(state, place, options.lock_wait, {"kind": options.kind, "address": options.place})
        self._options, self._store, self._tables, self._types = options, state, tables, types
        self._presence = Presence(tables.is_there)
        self._pacing = Pacing(options.interval)
        self._finished = 0
        """Number of the last part that was found done."""
        self._own: list[Part] = []
        """The first parts of the transaction that is being written: they are in memory, and need not be read back."""
        self._own_of = 0
        """Number of the commit that they are of."""
        self._staged: list[Part] = []
        self._tidied_at: dict[str, float] = {}
        """By table that was changed: when old files were last looked for."""

    @abstractmethod
    def stage(self, part: Part) -> Part:
        """A part of a load, with its rows in a file of its table that no version has yet; the same part where the table
        does not allow that, or its rows have to be merged with others."""

    @abstractmethod
    def unstage(self, part: Part) -> None:
        """Delete the file of a part."""

    @abstractmethod
    def merge(self, part: Part, application: str, number: int) -> bool:
        """Apply a part to its table unless it was applied before. Returns whether files were rewritten. Raises
        ConcurrentCommit."""

    @abstractmethod
    def tidy(self, table: str) -> None:
        """Delete what the newest version of a table has not needed for `LakeOptions.history`."""

    def pace(self, wait: Wait) -> None:
        self._pacing.pace(wait)

    @property
    def identity(self) -> str:
        return f"{self._options.kind}:{self._store.id}"

    def write(self, transaction: Transaction) -> None:
        # A change of a few rows would rewrite files all the time. Others do not wait for tables that are held.
        if not self._held:
            self._pacing.gather(transaction)
        super().write(transaction)

    def tables(self, names: Sequence[TableName] | None = None) -> dict[TableName, TableSchema]:
        return self._tables.schemas(names)

    def define(self, table: TableSchema) -> None:
        self.settled()
        self.retried(lambda: self._tables.define(table))

    def undefine(self, name: TableName) -> None:
        self._presence.forget(name)
        self.settled()
        self._tables.drop(name)

    def keys(self, table: TableSchema) -> Iterator[list[Key]]:
        return self._tables.keys(table)

    def rows(self, table: TableSchema, keys: Sequence[Key]) -> list[Row | None]:
        return self._tables.rows(table, keys)

    def check(self, table: TableSchema, rows: pa.RecordBatch) -> pa.RecordBatch:
        """See TypedValues. Raises TableMissing as well."""
        self._presence.check(table.name)
        return self._types.typed_batch(table, rows)

    def clear(self, table: TableSchema) -> None:
        self.settled()
        self.retried(lambda: self._tables.clear(table.name))

    def reshape(self, change: Reshaping) -> None:
        self.settled()
        self.retried(lambda: self._tables.reshape(change))

    def close(self) -> None:
        """Nothing stays open between calls."""

    def parts_of(self, operations: Iterable[RowOperation]) -> Iterator[Part]:
        self._own, self._staged = [], []
        further, size = parts_of(self._types, operations), 0
        with self._unstaging():
            # While a library takes parts from here it can not be asked for anything: files are written before.
            for part in further:
                self._own.append(self._staged_part(part))
                size += part.rows.nbytes
                if size > _OWN_BYTES:
                    break
        return self._with_further(list(self._own), further)

    def finish(self, state: State) -> bool:
        if state.first <= state.last and self._finished < state.last:
            for place, number in enumerate(range(state.first, state.last + 1)):
                is_own = state.number == self._own_of and place < len(self._own)
                part = self._own[place] if is_own else self._store.part(number)
                if not self._merged(part, number, state):
                    return False
            self._finished = state.last
        return True

    def _wrote(self, state: State, transaction: Transaction) -> bool:
        self._own_of = state.number + 1
        try:
            wrote = super()._wrote(state, transaction)
        finally:
            self._own = []
        if not wrote:
            self._unstage()
        return wrote

    def _staged_part(self, part: Part) -> Part:
        if not part.is_load or part.rows.nbytes < _STAGED_BYTES:
            return part
        staged = self.stage(part)
        self._staged += [staged] if staged.staged else []
        return staged

    def _with_further(self, own: list[Part], further: Iterator[Part]) -> Iterator[Part]:
        yield from own
        with self._unstaging():
            yield from further

    @contextmanager
    def _unstaging(self) -> Iterator[None]:
        try:
            yield
        except RowRefused:
            self._unstage()
            raise

    def _unstage(self) -> None:
        """The transaction is not decided, and will not be."""
        for part in self._staged:
            with suppress(ZcbusError):
                self.unstage(part)
        self._staged = []

    def _merged(self, part: Part, number: int, state: State) -> bool:
        """Apply a part. False: another transaction has been committed since the state."""
        while True:
            try:
                if self.merge(part, self.identity, number):
                    self._pacing.written()
                self._tidy(part.table)
                return True
            except ConcurrentCommit:
                if self._store.read().number != state.number:
                    return False

    def _tidy(self, table: str) -> None:
        """Errors here fail no transaction."""
        now = time.monotonic()
        if now - self._tidied_at.setdefault(table, now) >= _TIDY_SECONDS:
            self._tidied_at[table] = now
            with suppress(ZcbusError, ConcurrentCommit):
                self.tidy(table)
