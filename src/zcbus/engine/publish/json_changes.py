"""Changes as JSON messages for other programs, in the form that Debezium made usual. The form is docs/json-topic.md."""

import base64
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson
import pyarrow as pa

from zcbus.bus.contract import FeedMessage
from zcbus.model.changes import ChangeFrame, Operation, TableChanges
from zcbus.model.schema import Dialect
from zcbus.model.types import INTEGERS, Kind

UNAVAILABLE = "__debezium_unavailable_value"
"""Stands for a large value that the source did not send because the update left it as it was."""
_WHOLE = INTEGERS | {Kind.YEAR}
_NO_NUMBER = frozenset({"NaN", "Infinity", "-Infinity"})
Row = dict[str, Any]


def messages_of(frame: ChangeFrame, feed: str, database: str) -> list[FeedMessage]:
    """The frame's changes in log order. `feed` and `database` are what the messages call their source."""
    found: list[tuple[int, FeedMessage]] = []
    for table in frame.tables:
        orders = np.asarray(table.order).astype(np.int64).tolist()
        for order, messages in zip(orders, _Table(frame, table, feed, database).messages(), strict=True):
            found += [(order, message) for message in messages]
    return [message for _, message in sorted(found, key=lambda entry: entry[0])]


@dataclass(frozen=True, slots=True)
class _Table:
    frame: ChangeFrame
    changes: TableChanges
    feed: str
    database: str

    def messages(self) -> Iterator[list[FeedMessage]]:
        """Each change's messages, one after the other."""
        changes, names = self.changes, list(self.changes.key)
        rows = _rows(changes, changes.rows)
        keys = _rows(changes, changes.keys_before)
        operations = np.asarray(changes.operations).astype(np.int64).tolist()
        sources = self._sources()
        owners = np.asarray(changes.transactions).astype(np.int64).tolist()
        for operation, row, before, owner in zip(operations, rows, keys, owners, strict=True):
            yield list(_change(Operation(operation), row, before, names, sources[owner]))

    def _sources(self) -> list[Row]:
        """What is told of each transaction's source."""
        transactions = self.frame.transactions
        name = self.changes.schema.name
        is_mysql = self.changes.schema.dialect is Dialect.MYSQL
        base = {"version": "1", "connector": "mysql" if is_mysql else "postgresql", "name": self.feed}
        place = {"db": name.schema} if is_mysql else {"db": self.database, "schema": name.schema}
        return [
            {
                **base,
                "ts_ms": time,
                "snapshot": "false",
                **place,
                "table": name.table,
                **({"file": file, "pos": offset} if is_mysql else {"lsn": offset}),
                "origin": list(self.changes.origin),
            }
            for file, offset, time in zip(
                transactions.files.to_pylist(),
                transactions.offsets.to_pylist(),
                transactions.commit_times.to_pylist(),
                strict=True,
            )
        ]


def _change(operation: Operation, row: Row, before: Row, key: Sequence[str], source: Row) -> Iterator[FeedMessage]:
    """A change of a key goes as a row that goes and one that comes, so that messages of one key tell its story. Without
    a key each change is one message."""
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


def _keyless(operation: Operation, row: Row, before: Row, source: Row) -> FeedMessage:
    if operation is Operation.INSERT:
        return _message(None, None, row, source, "c")
    if operation is Operation.UPDATE:
        return _message(None, before, row, source, "u")
    return _message(None, before, None, source, "d")


def _message(key: Row | None, before: Row | None, after: Row | None, source: Row, op: str) -> FeedMessage:
    value = {"before": before, "after": after, "source": source, "op": op, "ts_ms": source["ts_ms"]}
    return FeedMessage(orjson.dumps(key) if key is not None else None, orjson.dumps(value), source["ts_ms"])


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
    if kind in _WHOLE:
        return int
    if kind in (Kind.FLOAT32, Kind.FLOAT64):
        return _floating
    if kind is Kind.BOOLEAN:
        return "t".__eq__
    if kind is Kind.BINARY:
        return _base64
    return None


def _floating(text: str) -> float | str:
    return text if text in _NO_NUMBER else float(text)


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()
