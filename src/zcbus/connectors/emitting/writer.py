"""Commits of a target that keeps no state: checkpoints and row errors are in the log, events go out before."""

import uuid
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from zcbus.connectors.emitting.events import Emitter
from zcbus.connectors.emitting.log import StateLog
from zcbus.connectors.emitting.state import EmittedState, Named, Sent, Settled
from zcbus.connectors.options import KindOptions
from zcbus.connectors.roles.writer import RowOperation, Transaction
from zcbus.connectors.writing.decided import DecidedWriter, State
from zcbus.model.schema import TableName, TableSchema

_alive: set[str] = set()
"""Tokens of this process's open sessions."""


class EmittingWriter(DecidedWriter[None]):
    """See roles.StateWriter. For one session."""

    def __init__(self, options: KindOptions, emitter: Emitter, log: StateLog, place: str) -> None:
        """`place`: of the log."""
        self._options, self.emitter = options, emitter
        self._store = EmittedState(log)
        super().__init__(self._store, place, options.lock_wait, {"kind": options.kind, "address": options.address})
        self._session = uuid.uuid4().hex[:12]
        _alive.add(self._session)
        self._sent_to: set[str] = set()
        """Tables with events of the open transaction."""

    @property
    def identity(self) -> str:
        return self.emitter.identity

    def write(self, transaction: Transaction) -> None:
        settled = Settled(self._session, frozenset(self._sent_to), frozenset(_alive))
        self._store.settled = settled
        try:
            super().write(transaction)
        finally:
            self._store.settled = None
        self._sent_to.clear()

    def tables(self, names: Sequence[TableName] | None = None) -> dict[TableName, TableSchema]:
        """As Writer.tables, with those that the connection declares."""
        self.settled()
        defined = {one.name: one for one in self._store.tables.values() if self.emitter.accepts(one.name)}
        known = {**defined, **{one.name: one for one in self.emitter.declares()}}
        if names is None:
            return known
        found = {name: known.get(name) or self.emitter.declared(name) for name in names}
        return {name: table for name, table in found.items() if table is not None}

    def define(self, table: TableSchema) -> None:
        """As Writer.define."""
        self.retried(lambda: self._define(table.name, table))

    def undefine(self, name: TableName) -> None:
        """As Writer.undefine."""
        self.retried(lambda: self._define(name, None))

    def announce(self, name: TableName, events: Sequence[Named]) -> list[Sent]:
        """See EmittedState.announce. Keys are different."""
        found: list[Sent] = []
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

        def change() -> None:
            self.settled()
            found[:] = self._store.announce(name.table, events, now, self._session)

        self.retried(change)
        self._sent_to.add(name.table)
        return found

    def forget_sent(self, name: TableName) -> None:
        """Events of a table that are sent again, after it was emptied, are others."""

        def change() -> None:
            self.settled()
            self._store.forget_sent(name.table)

        self.retried(change)

    def rolled_back(self) -> None:
        """What was sent since the last commit stays noted: it will be sent again."""
        self._sent_to.clear()

    def close(self) -> None:
        _alive.discard(self._session)
        self.emitter.close()

    def parts_of(self, operations: Iterable[RowOperation]) -> Iterable[None]:
        return ()

    def finish(self, state: State) -> bool:
        return True

    def _define(self, name: TableName, table: TableSchema | None) -> None:
        if not self.settled().number:
            self.prepare_store()
            self.settled()
        self._store.define(name.table, table)
