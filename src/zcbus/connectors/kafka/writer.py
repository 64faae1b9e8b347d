"""Writes tables into topics; see roles.Writer.

A transaction is one of Kafka's: the messages of the rows, and the records of checkpoints and row errors in the state
topic. Rows that have to be completed are read back from their topic.
"""

import time
import uuid
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby

import pyarrow as pa

from zcbus.connectors.errors import Fenced, RowRefused, TableMissing, TargetLocked
from zcbus.connectors.kafka.cluster import Cluster
from zcbus.connectors.kafka.committed import CommittedReader
from zcbus.connectors.kafka.committer import COMMITTERS, Committer, To
from zcbus.connectors.kafka.latest import LatestMessages
from zcbus.connectors.kafka.messages import key_of, keys_of_messages, largest_rows, largest_size, messages, row_of
from zcbus.connectors.kafka.names import state_topic, topic_of
from zcbus.connectors.kafka.spec import KafkaOptions
from zcbus.connectors.kafka.state import (
    Hold,
    Record,
    ScopeState,
    checkpoint_record,
    error_record,
    hold_record,
    no_checkpoint,
)
from zcbus.connectors.kafka.tables import TopicTables
from zcbus.connectors.roles import Checkpoint
from zcbus.connectors.roles.writer import (
    Key,
    PutRows,
    RemoveRows,
    Row,
    RowErrorChange,
    RowOperation,
    Transaction,
)
from zcbus.connectors.writing.definition import Reshaping
from zcbus.connectors.writing.presence import Presence
from zcbus.connectors.writing.session import batch_of
from zcbus.connectors.writing.store_session import first_versions
from zcbus.model.row_errors import RowError
from zcbus.model.schema import TableName, TableSchema

_HOLD_MILLISECONDS = 60_000
"""Of a process that died. Who holds for longer has lost the right to commit."""
_POLL_SECONDS = 0.05
_MAX_ESCAPE_LENGTH = 6
"""Bytes that one byte of a value takes in JSON."""
_OVERHEAD = 4096
"""Further bytes of a message with key and value: headers, envelope, names of columns."""


class KafkaWriter:
    """See roles.Writer."""

    def __init__(self, options: KafkaOptions) -> None:
        self._options = options
        self._opened: Cluster | None = None
        self._reader = CommittedReader(options)
        self._tables = TopicTables(options, self._cluster, self._reader)
        self._presence = Presence(self._tables.is_there)
        self._latest: dict[TableName, tuple[str, LatestMessages]] = {}
        """With the id of the topic."""
        self._limits: dict[TableName, int] = {}
        self._committers: dict[str, Committer] = {}
        self._token = uuid.uuid4().hex
        self._held: set[str] = set()

    @property
    def identity(self) -> str:
        return f"kafka:{self._cluster().identity}/{state_topic(self._options)}"

    def prepare_store(self) -> None:
        self._tables.prepare()

    def checkpoints(self, subscription: str) -> list[Checkpoint]:
        return list(self._committer(subscription).state().checkpoints.values())

    def row_errors(self, subscription: str) -> list[RowError]:
        return list(self._committer(subscription).state().errors.values())

    def forget(self, subscription: str, name: str | None) -> None:
        def plan(state: ScopeState) -> list[Record] | None:
            names = list(state.checkpoints) if name is None else [name]
            found = [no_checkpoint(subscription, one) for one in names if one in state.checkpoints]
            errors = state.errors if name is None else {}
            found += [error_record(RowErrorChange(subscription, one, None)) for one in errors]
            return found or None

        self._committer(subscription).commit(plan)

    def hold(self, subscription: str) -> None:
        deadline = time.monotonic() + self._options.lock_wait
        committer = self._committer(subscription)

        def plan(state: ScopeState) -> list[Record] | None:
            if not self._is_free(state):
                return None
            return [hold_record(subscription, Hold(self._token, _now() + _HOLD_MILLISECONDS))]

        while subscription not in self._held:
            # A producer that begins undoes what another process has open, so it begins only if it may write.
            if self._is_free(committer.state()) and committer.commit(plan):
                self._held.add(subscription)
            else:
                self._wait(deadline)

    def fence(self, checkpoints: Sequence[Checkpoint]) -> None:
        deadline = time.monotonic() + self._options.lock_wait
        for scope, found in _by_scope(checkpoints).items():
            committer = self._committer(scope)
            while not self._is_free(committer.known_state()):
                committer.changed_by_others()
                self._wait(deadline)
            committer.with_state(partial(_require_versions, found))

    def write(self, transaction: Transaction) -> None:
        first = _by_scope(first_versions(transaction.checkpoints))
        named = first.keys() | {one.subscription for one in transaction.row_errors} | self._held
        tables = list(dict.fromkeys(one.table.name for one in transaction.operations))
        for name in tables:
            self._presence.check(name)
        if not named and not tables:
            return
        scope, *others = sorted(named) or [f"rows/{tables[0].table}"]
        for other in others:
            self.hold(other)

        def plan(state: ScopeState) -> list[Record] | None:
            if not self._is_free(state):
                return None
            self._require_holds(state)
            _require_versions(first.get(scope, ()), state)
            for other in others:
                found = self._committer(other).state()
                self._require_holds(found)
                _require_versions(first.get(other, ()), found)
            return [
                *map(checkpoint_record, transaction.checkpoints),
                *map(error_record, transaction.row_errors),
                *(hold_record(one, None) for one in sorted(self._held)),
            ]

        committer, deadline = self._committer(scope), time.monotonic() + self._options.lock_wait
        while not committer.commit(plan, lambda: self._messages(transaction.operations)):
            committer.changed_by_others()
            self._wait(deadline)
        for other in others:
            self._committer(other).changed_by_others()
        self._held.clear()

    def release(self) -> None:
        for scope in sorted(self._held):
            own = self._token

            def plan(state: ScopeState, scope: str = scope, own: str = own) -> list[Record] | None:
                is_ours = state.hold is not None and state.hold.token == own
                return [hold_record(scope, None)] if is_ours else None

            self._committer(scope).commit(plan)
        self._held.clear()

    def tables(self, names: Sequence[TableName] | None = None) -> dict[TableName, TableSchema]:
        return {name: one.schema for name, one in sorted(self._tables.definitions(names).items())}

    def define(self, table: TableSchema) -> None:
        self._tables.define(table)

    def undefine(self, name: TableName) -> None:
        self._tables.undefine(name)
        self._presence.forget(name)

    def drop(self, table: TableSchema) -> None:
        """See TableDropper."""
        self._tables.drop(table.name)
        self._presence.forget(table.name)
        self._limits.pop(table.name, None)

    def reshape(self, change: Reshaping) -> None:
        """See TableRewriter: all rows are sent once more, in their new form."""
        between, after = change.between, change.after
        if between.primary_key == after.primary_key:
            self.define(between)
        for found in self.keys(between):
            rows = [change.row(row) for row in self.rows(between, found) if row is not None]
            operations: list[RowOperation] = [PutRows(after, batch_of(after, rows))] if rows else []
            if between.primary_key != after.primary_key:
                old: list[Row] = [dict(zip(between.primary_key, key, strict=True)) for key in found]
                operations.insert(0, RemoveRows(between, batch_of(between, old, between.primary_key)))
            self.write(Transaction(operations))

    def check(self, table: TableSchema, rows: pa.RecordBatch) -> None:
        """See TypedValues: a topic takes messages up to a size."""
        limit = self._limit(table.name) - _OVERHEAD
        if _MAX_ESCAPE_LENGTH * rows.nbytes < limit or not set(table.primary_key) <= set(rows.schema.names):
            return
        large = largest_rows(rows, limit // _MAX_ESCAPE_LENGTH)
        largest = largest_size(table, large, self._options) if large.num_rows else 0
        if largest > limit:
            detail = f"a message of {largest} bytes; the topic takes {limit} (max.message.bytes)"
            raise RowRefused(table=str(table.name), detail=detail)

    def keys(self, table: TableSchema) -> Iterator[list[Key]]:
        latest = self._latest_of(table.name)
        latest.refresh()
        for found in latest.all_keys():
            keys = [key for one in found if (key := key_of(table, one)) is not None]
            if keys:
                yield keys

    def rows(self, table: TableSchema, keys: Sequence[Key]) -> list[Row | None]:
        latest, names = self._latest_of(table.name), keys_of_messages(table, keys)
        latest.refresh()
        values = latest.values(names)
        return [row_of(table, values[one], self._options) if one in values else None for one in names]

    def close(self) -> None:
        for scope in self._committers:
            COMMITTERS.release(self._options, scope)
        self._committers.clear()
        for _, latest in self._latest.values():
            latest.close()
        self._latest.clear()
        self._reader.close()
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def _messages(self, operations: Iterable[RowOperation]) -> Iterator[To]:
        for operation in operations:
            yield topic_of(self._options, operation.table.name), messages(operation, self._options)

    def _latest_of(self, name: TableName) -> LatestMessages:
        defined = self._tables.definitions([name]).get(name)
        if defined is None:
            raise TableMissing(table=str(name), side="target")
        topic_id, latest = self._latest.get(name, ("", None))
        if latest is None or topic_id != defined.topic_id:
            if latest is not None:
                latest.close()
            topic = topic_of(self._options, name)
            latest = LatestMessages(self._options, self._reader, topic, range(defined.partitions))
            self._latest[name] = defined.topic_id, latest
        return latest

    def _limit(self, name: TableName) -> int:
        if name not in self._limits:
            self._limits[name] = self._tables.limit(name)
        return self._limits[name]

    def _committer(self, scope: str) -> Committer:
        if scope not in self._committers:
            self._committers[scope] = COMMITTERS.get(self._options, scope)
        return self._committers[scope]

    def _cluster(self) -> Cluster:
        if self._opened is None:
            self._opened = Cluster(self._options, "target")
        return self._opened

    def _is_free(self, state: ScopeState) -> bool:
        """Whether no other session holds the scope."""
        return state.hold is None or state.hold.token == self._token or state.hold.until < _now()

    def _require_holds(self, state: ScopeState) -> None:
        """Raises TargetUnavailable where we have lost what we hold."""
        if state.scope in self._held and (state.hold is None or state.hold.token != self._token):
            self._held.clear()
            raise self._reader.unavailable(f"held for more than {_HOLD_MILLISECONDS / 1000:.0f} s")

    def _wait(self, deadline: float) -> None:
        """Raises TargetLocked behind the deadline."""
        if time.monotonic() > deadline:
            where = {"kind": self._options.kind, "address": self._options.address}
            raise TargetLocked(**where, detail="another session holds the checkpoints", table="", holder="")
        time.sleep(_POLL_SECONDS)


def _by_scope(checkpoints: Iterable[Checkpoint]) -> dict[str, list[Checkpoint]]:
    found = sorted(checkpoints, key=lambda one: one.subscription)
    return {scope: list(of_scope) for scope, of_scope in groupby(found, key=lambda one: one.subscription)}


def _require_versions(checkpoints: Sequence[Checkpoint], state: ScopeState) -> None:
    for one in checkpoints:
        stored = state.checkpoints.get(one.name)
        if (stored.version if stored else 0) != one.version - 1:
            raise Fenced(checkpoint=f"{one.subscription}/{one.name}")


def _now() -> int:
    return int(time.time() * 1000)
