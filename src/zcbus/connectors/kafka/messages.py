"""Rows as messages, and messages as rows."""

import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import chain, repeat
from typing import Any

import orjson
import pyarrow as pa

from zcbus.connectors.kafka.spec import KafkaOptions
from zcbus.connectors.roles.writer import Cause, Key, RemoveRows, Row, RowOperation
from zcbus.connectors.writing import json_texts
from zcbus.connectors.writing.json_values import from_json, to_json
from zcbus.model.kernels import compute
from zcbus.model.schema import TableSchema
from zcbus.model.types import DataType, Kind

Headers = list[tuple[str, str | bytes | None]]
Document = dict[str, Any]
_OPERATIONS = {Cause.LOAD: "r", Cause.INSERT: "c", Cause.CHANGE: "u"}
"""In Debezium's words."""
_DELETED = "d"
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
"""Of JSON."""
_PORTION_BYTES = 8 << 20

Outgoing = tuple[bytes, bytes | None, Headers]
"""Key, value and headers of a message of a table's topic."""


def messages(operation: RowOperation, options: KafkaOptions) -> Iterator[Outgoing]:
    """The messages of an operation, in order."""
    format_ = _Format(operation.table, options)
    if isinstance(operation, RemoveRows):
        return chain.from_iterable(format_.removals(keys) for keys in _portions(operation.keys))
    op = _OPERATIONS[operation.cause]
    return chain.from_iterable(format_.rows(rows, op) for rows in _portions(operation.rows))


def largest_rows(rows: pa.RecordBatch, size: int) -> pa.RecordBatch:
    """Those whose values have more bytes than that."""
    lengths = (compute.fill_null(compute.binary_length(column), 0).cast(pa.int64()) for column in rows.columns)
    return rows.filter(compute.greater(reduce(compute.add, lengths), size))


def largest_size(table: TableSchema, rows: pa.RecordBatch, options: KafkaOptions) -> int:
    """Bytes of the largest message of these rows, which may lack columns other than the key's."""
    keys, values = _Format(table, options).texts(rows, _OPERATIONS[Cause.CHANGE])
    return int(compute.max(compute.add(compute.binary_length(keys), compute.binary_length(values))).as_py() or 0)


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


def _portions(rows: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """Slices of about as many bytes as may lie in memory as Python's objects too."""
    length = max(rows.num_rows * _PORTION_BYTES // max(rows.nbytes, 1), 1)
    return (rows.slice(begin, length) for begin in range(0, rows.num_rows, length))


class _Format:
    def __init__(self, table: TableSchema, options: KafkaOptions) -> None:
        self._table, self._options = table, options
        self._is_enveloped = options.format == "debezium"
        self._time = int(time.time() * 1000)

    def rows(self, rows: pa.RecordBatch, op: str) -> Iterator[Outgoing]:
        keys, values = self.texts(rows, op)
        return self._messages(keys, values, op)

    def removals(self, removed: pa.RecordBatch) -> Iterator[Outgoing]:
        keys = self._objects(removed)
        tombstones = self._messages(keys, None, _DELETED)
        if not self._is_enveloped:
            return tombstones
        enveloped = self._messages(keys, self._envelopes(_DELETED, keys, "null"), _DELETED)
        if not self._options.tombstones:
            return enveloped
        return chain.from_iterable(zip(enveloped, tombstones, strict=True))

    def texts(self, rows: pa.RecordBatch, op: str) -> tuple[Any, Any]:
        """Keys and values of the rows' messages, as arrays of texts."""
        values = self._objects(rows)
        if self._is_enveloped:
            values = self._envelopes(op, "null", values)
        return self._objects(rows.select(list(self._table.primary_key))), values

    def _messages(self, keys: Any, values: Any | None, op: str) -> Iterator[Outgoing]:
        headers: Headers = [("op", op.encode()), ("table", self._table.name.table.encode())]
        found = repeat(None, len(keys)) if values is None else values.cast(pa.large_binary()).to_pylist()
        return zip(keys.cast(pa.large_binary()).to_pylist(), found, repeat(headers, len(keys)), strict=True)

    def _objects(self, batch: pa.RecordBatch) -> Any:
        names = batch.schema.names
        types = [self._table.column(name).type for name in names]
        columns = zip(types, batch.columns, strict=True)
        return json_texts.objects(names, [json_texts.values(one, column, floats=True) for one, column in columns])

    def _envelopes(self, op: str, before: Any, after: Any) -> Any:
        """Texts around texts; "null" stands for no row."""
        source = {
            "version": "1",
            "connector": "zcbus",
            "name": self._options.topic.replace("{table}", "").strip("._-"),
            "snapshot": "true" if op == "r" else "false",
            "table": self._table.name.table,
        }
        end = f',"source":{orjson.dumps(source).decode()},"op":"{op}","ts_ms":{self._time}}}'
        return json_texts.joined('{"before":', before, ',"after":', after, end)


def _parsed(text: bytes) -> Document:
    """An object of JSON. Raises ValueError."""
    found = json.loads(text, parse_int=str, parse_float=str)
    if not isinstance(found, dict):
        raise ValueError(text)
    return found
