"""Rows as messages, and messages as rows."""

import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
import pyarrow as pa

from zcbus.connectors.kafka.spec import KafkaOptions
from zcbus.connectors.roles.writer import Cause, Key, PutRows, RemoveRows, Row, RowOperation
from zcbus.connectors.writing.json_values import from_json, to_json
from zcbus.model.schema import TableSchema
from zcbus.model.types import DataType, Kind

Headers = list[tuple[str, bytes]]
Document = dict[str, Any]
_OPERATIONS = {Cause.LOAD: "r", Cause.INSERT: "c", Cause.CHANGE: "u"}
"""In Debezium's words."""
_DELETED = "d"
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
"""Of JSON."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message of a table's topic."""

    key: bytes
    value: bytes | None
    headers: Headers


def messages(operation: RowOperation, options: KafkaOptions) -> Iterator[Outgoing]:
    """The messages of an operation, in order."""
    format_ = _Format(operation.table, options)
    return format_.removals(operation) if isinstance(operation, RemoveRows) else format_.rows(operation)


def sizes(table: TableSchema, rows: pa.RecordBatch, options: KafkaOptions) -> Iterator[int]:
    """Bytes of each row's message. Rows may lack columns."""
    return (len(one.key) + len(one.value or b"") for one in _Format(table, options).rows(PutRows(table, rows)))


def keys_of_messages(table: TableSchema, keys: Sequence[Key]) -> list[bytes]:
    """The messages' keys of rows."""
    forms = [_form(table.column(name).type) for name in table.primary_key]
    return [
        orjson.dumps({name: form(value) for name, form, value in zip(table.primary_key, forms, key, strict=True)})
        for key in keys
    ]


def key_of(table: TableSchema, key: bytes) -> Key | None:
    """Inverse of `keys_of_messages`; None: it is of no row of the table."""
    try:
        found = _parsed(key)
        if list(found) != list(table.primary_key):
            return None
        values = [from_json(table.column(name).type, found[name]) for name in table.primary_key]
    except (ValueError, TypeError):
        return None
    return None if None in values else tuple(one for one in values if one is not None)


def row_of(table: TableSchema, value: bytes, options: KafkaOptions) -> Row | None:
    """A message's value as a row; None: it is none of ours."""
    try:
        found = _parsed(value)
        row: Any = found.get("after") if options.format == "debezium" else found
        return {column.name: from_json(column.type, row.get(column.name)) for column in table.columns}
    except (ValueError, TypeError, AttributeError):
        return None


def is_removal(value: bytes | None, options: KafkaOptions) -> bool:
    """Whether a message says that the row does not exist any more."""
    if not value:
        return True
    if options.format != "debezium":
        return False
    try:
        found = orjson.loads(value)
    except ValueError:
        return False
    return isinstance(found, dict) and found.get("op") == _DELETED


def _form(data: DataType) -> Callable[[Any], object]:
    """As `to_json`; floating-point numbers become numbers with their own digits."""
    return _number if data.kind in (Kind.FLOAT32, Kind.FLOAT64) else to_json(data)


def _number(text: str) -> object:
    """NaN and infinite values have no number in JSON and stay texts."""
    return orjson.Fragment(text) if _NUMBER.fullmatch(text) else text


class _Format:
    def __init__(self, table: TableSchema, options: KafkaOptions) -> None:
        self._table, self._options = table, options
        self._is_enveloped = options.format == "debezium"
        self._time = int(time.time() * 1000)

    def rows(self, operation: PutRows) -> Iterator[Outgoing]:
        op = _OPERATIONS[operation.cause]
        headers = self._headers(op)
        key = self._table.primary_key
        for row in self._documents(operation.rows):
            value = self._envelope(op, None, row) if self._is_enveloped else row
            yield Outgoing(orjson.dumps({name: row.get(name) for name in key}), orjson.dumps(value), headers)

    def removals(self, operation: RemoveRows) -> Iterator[Outgoing]:
        headers = self._headers(_DELETED)
        for key in self._documents(operation.keys):
            name = orjson.dumps(key)
            if self._is_enveloped:
                yield Outgoing(name, orjson.dumps(self._envelope(_DELETED, key, None)), headers)
            if not self._is_enveloped or self._options.tombstones:
                yield Outgoing(name, None, headers)

    def _documents(self, batch: pa.RecordBatch) -> Iterator[Document]:
        names = batch.schema.names
        columns = [
            _converted(_form(self._table.column(name).type), column.to_pylist())
            for name, column in zip(names, batch.columns, strict=True)
        ]
        return (dict(zip(names, values, strict=True)) for values in zip(*columns, strict=True))

    def _envelope(self, op: str, before: Document | None, after: Document | None) -> Document:
        source = {
            "version": "1",
            "connector": "zcbus",
            "name": self._options.topic.replace("{table}", "").strip("._-"),
            "snapshot": "true" if op == "r" else "false",
            "table": self._table.name.table,
        }
        return {"before": before, "after": after, "source": source, "op": op, "ts_ms": self._time}

    def _headers(self, op: str) -> Headers:
        return [("op", op.encode()), ("table", self._table.name.table.encode())]


def _converted(form: Callable[[Any], object], values: Sequence[Any]) -> list[object]:
    return list(values) if form is str else [None if value is None else form(value) for value in values]


def _parsed(text: bytes) -> Document:
    """An object of JSON. Raises ValueError."""
    found = json.loads(text, parse_int=str, parse_float=str)
    if not isinstance(found, dict):
        raise ValueError(text)
    return found
