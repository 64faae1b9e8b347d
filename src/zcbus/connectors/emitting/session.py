"""A TargetSession that sends each change at once, as an event, and commits positions afterwards.

What was sent cannot be taken back: a transaction that is not committed is sent again, by key and with the same ids. Of
what the open transaction has sent, an event that comes again, since the engine divides rows to find one that is
refused, is not sent twice: its answer is known.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import replace

import orjson
import pyarrow as pa

from zcbus.connectors.emitting.events import Event, Operation
from zcbus.connectors.emitting.writer import EmittingWriter
from zcbus.connectors.errors import RowRefused, TableRefused
from zcbus.connectors.roles import InexactKey, KeyParallelSink, MappedColumn, TargetTable
from zcbus.connectors.roles.alteration import Alteration
from zcbus.connectors.roles.sink import DeclaredTables
from zcbus.connectors.roles.writer import Row
from zcbus.connectors.sql.columns import require_columns
from zcbus.connectors.writing.definition import reshaping, schema_of, with_columns
from zcbus.connectors.writing.table_session import TableSession
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.states import CleanMode

_AT_ONCE = 1000
"""Events that are noted, and then sent, together."""
_KNOWN = 200_000
"""Answers of an open transaction, which may have any size."""
_WHOLE = frozenset({Operation.LOAD, Operation.INSERT, Operation.UPSERT})


class EmittingSession(TableSession, KeyParallelSink, DeclaredTables):
    """See roles.TargetSession."""

    _writer: EmittingWriter

    def __init__(self, writer: EmittingWriter, dialect: str) -> None:
        """`dialect`: the kind."""
        super().__init__(writer)
        self._emitter, self._dialect = writer.emitter, dialect
        self._answers: OrderedDict[tuple[str, bytes], tuple[bytes, str]] = OrderedDict()
        """Of the open transaction, by table and key: the newest event, and why it was refused (empty: accepted). Of
        the last ones: what is not known any more is sent again, as after a kill."""

    def commit(self, durable: bool = True) -> None:
        super().commit(durable)
        self._answers.clear()

    def rollback(self) -> None:
        super().rollback()
        self._writer.rolled_back()
        self._answers.clear()

    def describe(self, names: Sequence[TableName]) -> dict[TableName, TableSchema]:
        return self._writer.tables(names)

    def supports_parallel_keys(self, table: TargetTable) -> bool:
        self._schema(table)
        return True

    def load(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        self._rows(table, rows, Operation.LOAD)

    def add(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        self._rows(table, rows, Operation.INSERT)

    def upsert(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        self._rows(table, rows, Operation.UPSERT)

    def update(self, table: TargetTable, keys: pa.RecordBatch, rows: pa.RecordBatch) -> None:
        schema = self._schema(table)
        before, after = (_dicts(self._given(table, schema, batch)) for batch in (keys, rows))
        key = schema.primary_key
        self._send(
            schema,
            (
                Event(schema, Operation.UPDATE, {name: old[name] for name in key}, row)
                for old, row in zip(before, after, strict=True)
            ),
        )

    def delete(self, table: TargetTable, keys: pa.RecordBatch) -> None:
        schema = self._schema(table)
        given = self._given(table, schema, keys).select(list(schema.primary_key))
        self._send(schema, (Event(schema, Operation.DELETE, row) for row in _dicts(given)))

    def truncate(self, table: TargetTable) -> None:
        self._empty(self._schema(table))

    def inexact_keys(self, table: TargetTable) -> list[InexactKey]:
        return []

    def create_table(self, table: TargetTable, clean: CleanMode, for_load: bool = False) -> None:
        if not table.key:
            raise TableRefused(table=str(table.name), column="", reason="target-needs-key")
        if reason := self.refusal(table.name, clean):
            raise TableRefused(table=str(table.name), column="", reason=reason)
        present = self.describe([table.name]).get(table.name)
        if present is not None:
            if set(present.primary_key) != set(table.key):
                raise TableRefused(table=str(table.name), column="", reason="target-key-differs")
            if clean is not CleanMode.NONE:
                self._empty(present)
        if self._emitter.declared(table.name) is None and (present is None or clean is CleanMode.DROP):
            self._writer.define(schema_of(table, self._dialect))
        elif present is not None:
            require_columns(table, present.names)
        self.forget_tables()

    def refusal(self, name: TableName, clean: CleanMode) -> str:
        if not self._emitter.accepts(name):
            return "target-not-declared"
        empties = clean is not CleanMode.NONE and name in self.describe([name])
        return "target-not-emptied" if empties and not self._emitter.has_table_events(name) else ""

    def complete_table(self, table: TargetTable) -> None:
        """Nothing is left to do."""

    def create_shadow_table(self, table: TargetTable, shadow: TableName) -> None:
        """What was sent cannot be exchanged later. Raises TableRefused."""
        raise TableRefused(table=str(table.name), column="", reason="target-no-exchange")

    def apply_shadow_table(self, table: TargetTable, shadow: TableName) -> None:
        """Raises TableRefused."""
        raise TableRefused(table=str(table.name), column="", reason="target-no-exchange")

    def drop_table(self, name: TableName) -> None:
        if self._emitter.declared(name) is None and name in self.describe([name]):
            self._writer.undefine(name)
        self.forget_tables()

    def add_columns(self, table: TargetTable, columns: Sequence[MappedColumn]) -> None:
        self.forget_tables()
        self._define(table.name, with_columns(self._present(table), columns), is_seen=False)

    def alter_table(self, table: TargetTable, alteration: Alteration) -> None:
        change = reshaping(self._present(table), alteration)
        self._define(table.name, change.after, is_seen=bool(change.renamed or change.filled))
        self.forget_tables()

    def __enter__(self) -> "EmittingSession":
        return self

    def _define(self, name: TableName, after: TableSchema, *, is_seen: bool) -> None:
        """`is_seen`: rows that the receiver has already are not right any more. Raises RowRefused."""
        declared = self._emitter.declared(name)
        if declared is not None:
            missing = [column for column in after.names if column not in declared.names]
            if missing or is_seen:
                what = ", ".join(missing) or "other names or values in rows that were sent before"
                raise RowRefused(table=str(name), detail=f"not declared for {name.table}: {what}")
            return
        if self._emitter.has_table_events(name):
            self._send(after, [Event(after, Operation.STRUCTURE)])
        elif is_seen:
            detail = f"rows of {name.table} that were sent before do not follow; load the table again"
            raise RowRefused(table=str(name), detail=detail)
        self._writer.define(after)

    def _empty(self, schema: TableSchema) -> None:
        if not self._emitter.has_table_events(schema.name):
            raise TableRefused(table=str(schema.name), column="", reason="target-not-emptied")
        self._send(schema, [Event(schema, Operation.TRUNCATE)])
        # What is loaded next is sent whatever the receiver had before.
        self._writer.forget_sent(schema.name)
        for one in [one for one in self._answers if one[0] == schema.name.table]:
            del self._answers[one]

    def _rows(self, table: TargetTable, rows: pa.RecordBatch, operation: Operation) -> None:
        schema = self._schema(table)
        key = schema.primary_key
        given = self._given(table, schema, rows)
        self._send(schema, (Event(schema, operation, {name: row[name] for name in key}, row) for row in _dicts(given)))

    def _send(self, schema: TableSchema, events: "Iterator[Event] | list[Event]") -> None:
        """Raises RowRefused where the target, in this transaction, has refused any of them."""
        refused = ""
        part: dict[bytes, tuple[bytes, Event]] = {}
        for event in events:
            key, digest = _named(event)
            if key in part or len(part) >= _AT_ONCE:
                refused = refused or self._send_part(schema, part)
                part = {}
            part[key] = digest, event
        refused = (self._send_part(schema, part) if part else "") or refused
        if refused:
            raise RowRefused(table=str(schema.name), detail=refused)

    def _send_part(self, schema: TableSchema, part: dict[bytes, tuple[bytes, Event]]) -> str:
        """Why one of the events was refused; empty: all were accepted."""
        name = schema.name
        known = {key: self._answers.get((name.table, key)) for key in part}
        new = {key: one for key, one in part.items() if (answer := known[key]) is None or answer[0] != one[0]}
        events = [event for _, event in new.values()]
        if events and self._emitter.is_numbered(name):
            sent = self._writer.announce(name, [(key, digest) for key, (digest, _) in new.items()])
            events = [replace(event, id=one.id, time=one.time) for event, one in zip(events, sent, strict=True)]
        answers = self._emitter.send(events) if events else []
        for (key, (digest, _)), why in zip(new.items(), answers, strict=True):
            self._answers[name.table, key] = digest, why
        refused = next((why for _, why in (self._answers[name.table, key] for key in part) if why), "")
        while len(self._answers) > _KNOWN:
            self._answers.popitem(last=False)
        return refused


def _dicts(batch: pa.RecordBatch) -> list[Row]:
    return list(batch.to_pylist())


def _named(event: Event) -> tuple[bytes, bytes]:
    """Hashes of the row's key, and of the event."""
    key = _hash([event.key[name] for name in event.table.primary_key if name in event.key])
    # How a complete row is written may differ when changes are applied one by one.
    operation = "row" if event.operation in _WHOLE else event.operation
    return key, _hash([operation, event.key, event.row, [column.name for column in event.table.columns]])


def _hash(value: object) -> bytes:
    data = orjson.dumps(value, default=lambda one: {"bytes": one.hex()}, option=orjson.OPT_SORT_KEYS)
    return hashlib.blake2b(data, digest_size=12).digest()
