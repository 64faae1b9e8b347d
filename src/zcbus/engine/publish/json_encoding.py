"""Changes as JSON messages in Debezium's format; see docs/reference/json-topic.md."""

import base64
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson
import pyarrow as pa

from zcbus.bus.contract import ExportMessage
from zcbus.connectors.registry import KINDS, spec_of
from zcbus.model.changes import CaptureResumed, ChangeFrame, Gap, Operation, TableChanges
from zcbus.model.origin import Origin
from zcbus.model.position import Position
from zcbus.model.schema import TableName
from zcbus.model.types import INTEGERS, Kind

UNAVAILABLE = "__debezium_unavailable_value"
"""Placeholder for a large value that the source did not send because it is unchanged."""
CHANGES_MISSING = "zcbus.changes-missing"
"""Prefix of a gap message."""
_INTEGERS = INTEGERS | {Kind.YEAR}
_NOT_FINITE = frozenset({"NaN", "Infinity", "-Infinity"})
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class JsonEncoder:
    """Converts frames of one source to messages."""

    export: str
    kind: str
    database: str
    """`export` and `database` identify the source in messages."""

    def changes(self, frame: ChangeFrame) -> list[ExportMessage]:
        """The frame's changes in log order."""
        found: list[tuple[int, ExportMessage]] = []
        for table in frame.tables:
            orders = np.asarray(table.order).astype(np.int64).tolist()
            for order, messages in zip(orders, _Table(self, frame, table).messages(), strict=True):
                found += [(order, message) for message in messages]
        return [message for _, message in sorted(found, key=lambda entry: entry[0])]

    def gaps(self, frame: CaptureResumed, time: int) -> list[ExportMessage]:
        """Gap messages of each table. `time`: of the gap, in milliseconds since 1970-01-01 UTC."""
        return [self._gap(gap, time) for gap in frame.gaps]

    def _gap(self, gap: Gap, time: int) -> ExportMessage:
        content = {"from": gap.since and self._position(gap.since), "to": self._position(gap.until)}
        value = {
            **_value(None, None, self.source(gap.table, gap.until, time, ()), "m"),
            "message": {"prefix": CHANGES_MISSING, "content": _base64(orjson.dumps(content))},
        }
        return ExportMessage(None, orjson.dumps(value), time)

    def source(self, table: TableName, position: Position, time: int, origin: Origin) -> Row:
        """The `source` part of a message."""
        in_database = spec_of(self.kind).capabilities.schemas == "database"
        return {
            "version": "1",
            "connector": self.kind,
            "name": self.export,
            "ts_ms": time,
            "snapshot": "false",
            **({"db": table.schema} if in_database else {"db": self.database, "schema": table.schema}),
            "table": table.table,
            **self._position(position),
            "origin": list(origin),
        }

    def _position(self, position: Position) -> Row:
        return KINDS[self.kind].fields(position)


@dataclass(frozen=True, slots=True)
class _Table:
    encoder: JsonEncoder
    frame: ChangeFrame
    changes: TableChanges

    def messages(self) -> Iterator[list[ExportMessage]]:
        """Messages of each change, in order."""
        changes, names = self.changes, list(self.changes.key)
        rows = _rows(changes, changes.rows)
        keys = _rows(changes, changes.keys_before)
        operations = np.asarray(changes.operations).astype(np.int64).tolist()
        sources = self._sources()
        owners = np.asarray(changes.transactions).astype(np.int64).tolist()
        for operation, row, before, owner in zip(operations, rows, keys, owners, strict=True):
            yield list(_change(Operation(operation), row, before, names, sources[owner]))

    def _sources(self) -> list[Row]:
        """The `source` part of each transaction."""
        transactions, changes = self.frame.transactions, self.changes
        times = np.asarray(transactions.commit_times).astype(np.int64).tolist()
        return [
            self.encoder.source(changes.schema.name, position, time, changes.origin)
            for position, time in zip(transactions.positions(), times, strict=True)
        ]


def _change(operation: Operation, row: Row, before: Row, key: Sequence[str], source: Row) -> Iterator[ExportMessage]:
    """Messages of a change.

    A changed key is a deleted row and a new one, so that messages of one key are the row's history. Without a key
    each change is one message.
    """
    if operation is Operation.TRUNCATE:
        yield _message(None, None, None, source, "t")
        return
    if not key:
        yield _keyless(operation, row, before, source)
        return
    after = {name: row[name] for name in key}
    if operation is Operation.DELETE or (operation is Operation.UPDATE and before != after):
        yield _message(before, before, None, source, "d")
    if operation is Operation.DELETE:
        return
    is_update = operation is Operation.UPDATE and before == after
    yield _message(after, before if is_update else None, row, source, "u" if is_update else "c")


def _keyless(operation: Operation, row: Row, before: Row, source: Row) -> ExportMessage:
    if operation is Operation.INSERT:
        return _message(None, None, row, source, "c")
    if operation is Operation.UPDATE:
        return _message(None, before, row, source, "u")
    return _message(None, before, None, source, "d")


def _message(key: Row | None, before: Row | None, after: Row | None, source: Row, op: str) -> ExportMessage:
    value = orjson.dumps(_value(before, after, source, op))
    return ExportMessage(orjson.dumps(key) if key is not None else None, value, source["ts_ms"])


def _value(before: Row | None, after: Row | None, source: Row, op: str) -> Row:
    return {"before": before, "after": after, "source": source, "op": op, "ts_ms": source["ts_ms"]}


def _rows(changes: TableChanges, batch: pa.RecordBatch) -> Iterable[Row]:
    names = batch.schema.names
    columns = [_values(changes, batch, name) for name in names]
    return [dict(zip(names, values, strict=True)) for values in zip(*columns, strict=True)]


def _values(changes: TableChanges, batch: pa.RecordBatch, name: str) -> list[Any]:
    convert = _converter(changes.schema.column(name).type.kind)
    values = batch.column(name).to_pylist()
    if convert is not None:
        values = [None if value is None else convert(value) for value in values]
    if name in changes.unchanged and batch is changes.rows:
        untouched = changes.unchanged[name].to_pylist()
        values = [UNAVAILABLE if left else value for left, value in zip(untouched, values, strict=True)]
    return values


def _converter(kind: Kind) -> Callable[[Any], Any] | None:
    if kind in _INTEGERS:
        return int
    if kind in (Kind.FLOAT32, Kind.FLOAT64):
        return _floating
    if kind is Kind.BOOLEAN:
        return "t".__eq__
    if kind is Kind.BINARY:
        return _base64
    return None


def _floating(text: str) -> float | str:
    return text if text in _NOT_FINITE else float(text)


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()
