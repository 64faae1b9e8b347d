"""Messages as rows of a table."""

import base64
import fnmatch
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import orjson
import pyarrow as pa

from zcbus.connectors.consuming.consumer import Message, TopicTrouble
from zcbus.connectors.consuming.debezium import (
    COLUMNS,
    DELETED,
    EMPTIED,
    OPERATION,
    SOURCE,
    Envelope,
    is_tombstone,
    opened,
)
from zcbus.connectors.consuming.fields import field_columns, objects, other_fields
from zcbus.connectors.consuming.options import OFFSET, PARTITION, ROW_KEY, SCHEMA, ConsumingOptions
from zcbus.connectors.errors import TableRefused
from zcbus.connectors.formats import BadRecord
from zcbus.connectors.formats.declared import canonical, column_lists
from zcbus.connectors.formats.form import checked
from zcbus.connectors.formats.json_text import json_of, parse, text_of
from zcbus.model.arrow import ArrowArray
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

__all__ = ["ROW_KEY", "MessageRows", "refused"]

TIME, KEY, HEADERS, VALUE = "_timestamp", "_key", "_headers", "_value"
_TEXT, _BINARY, _JSON = DataType(Kind.TEXT, "text"), DataType(Kind.BINARY, "binary"), DataType(Kind.JSON, "json")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FORMS = {"text": _TEXT, "binary": _BINARY, "json": _JSON, "debezium": _JSON}


Decode = Callable[[bytes], bytes]
"""A message's value in another form. Raises ValueError where it is none that it knows."""


class MessageRows:
    """Of one data source's topics."""

    def __init__(self, options: ConsumingOptions, decode: Decode | None = None) -> None:
        """`decode`: what values become before all else."""
        self._options, self.offsets, self._decode = options, options.offsets, decode
        self._lists = column_lists(options.columns)

    def schema(self, topic: str) -> TableSchema:
        """The topic's table. Raises TableRefused where its columns are no names of columns."""
        value = _JSON if self._options.has_fields else _FORMS[self._options.value]
        taken = self._declared(topic) or {VALUE: value}
        columns = [*self._own(topic), *(Column(column, data) for column, data in taken.items())]
        name, key, names = TableName(SCHEMA, topic), self._options.row_key(topic), [one.name for one in columns]
        try:
            checked(names)
        except BadRecord as bad:
            raise TableRefused(table=str(name), column="", reason="message-columns", detail=bad.detail) from bad
        for missing in set(key) - set(names):
            raise TableRefused(table=str(name), column=missing, reason="message-columns", detail=missing)
        keyed = (replace(one, nullable=one.nullable and one.name not in key) for one in columns)
        return TableSchema(name, self._options.kind, tuple(keyed), primary_key=key)

    def _own(self, topic: str) -> tuple[Column, ...]:
        """The columns that come of a message's place and metadata."""
        keys = (Column(KEY, _FORMS[self._options.key]),) if self._options.has_keys else ()
        return (
            Column(PARTITION, DataType(Kind.INT32, "integer"), nullable=False),
            Column(OFFSET, self.offsets.type, nullable=False),
            Column(TIME, DataType(Kind.TIMESTAMP_TZ, "timestamptz(3)", precision=3)),
            *keys,
            Column(HEADERS, _JSON),
            *self._options.own_columns(topic),
            *(COLUMNS if self._options.is_enveloped else ()),
        )

    def _declared(self, topic: str) -> dict[str, DataType]:
        if self._options.value not in ("json", "debezium") and not self._options.has_fields:
            return {}
        return next((columns for pattern, columns in self._lists if fnmatch.fnmatchcase(topic, pattern)), {})

    def rows(self, schema: TableSchema, messages: Sequence[Message]) -> pa.RecordBatch:
        """Messages of the table's topic, in their order. Raises TableRefused, naming the message."""
        try:
            return self._batch(schema, messages)
        except BadRecord as bad:
            raise self._unreadable(schema.name, messages[bad.record - 1], bad.detail) from bad

    def fault(self, schema: TableSchema, messages: Sequence[Message]) -> str:
        """Why messages are no rows of the table; empty: they are."""
        try:
            self._batch(schema, messages)
        except BadRecord as bad:
            return bad.detail
        return ""

    def _batch(self, schema: TableSchema, messages: Sequence[Message]) -> pa.RecordBatch:
        """Raises BadRecord."""
        values: dict[str, ArrowArray] = {
            PARTITION: pa.array([str(one.partition) for one in messages], pa.string()),
            OFFSET: pa.array([self.offsets.text(one.offset) for one in messages], pa.string()),
            TIME: pa.array([_moment(one.time_ms) for one in messages], pa.string()),
        }
        if self._options.has_keys:
            values[KEY] = _plain(schema, KEY, [one.key for one in messages])
        for place, column in enumerate(self._options.own_columns(schema.name.table)):
            values[column.name] = pa.array([one.more[place] for one in messages], pa.string())
        values |= self._contents(schema, messages)
        _check_key(schema, values)
        return pa.RecordBatch.from_arrays([values[name] for name in schema.names], names=list(schema.names))

    def with_contents(self, messages: Sequence[Message]) -> Sequence[Message]:
        """Without tombstones: what they follow has said that the row is deleted."""
        return [one for one in messages if not is_tombstone(one.value)] if self._options.is_enveloped else messages

    def deletions(self, rows: pa.RecordBatch) -> ArrowArray:
        """Which rows say that the row of their key was deleted."""
        if not self._options.is_enveloped:
            return pa.array([False] * rows.num_rows, pa.bool_())
        return pa.array([one == DELETED for one in rows.column(OPERATION).to_pylist()], pa.bool_())

    def _contents(self, schema: TableSchema, messages: Sequence[Message]) -> dict[str, ArrowArray]:
        """Headers, and value or fields. What has no column of its own is in the headers."""
        if not self._options.has_fields:
            headers = pa.array([_headers(one.headers) for one in messages], pa.string())
            return {HEADERS: headers} | self._values(schema, [one.value for one in messages])
        if VALUE in schema.names:
            return {HEADERS: pa.nulls(len(messages), pa.string()), VALUE: objects(messages)}
        columns = schema.columns[len(self._own(schema.name.table)) :]
        others = pa.array([_headers(other_fields(columns, one)) for one in messages], pa.string())
        return {HEADERS: others} | field_columns(columns, messages)

    def _values(self, schema: TableSchema, values: Sequence[bytes | None]) -> dict[str, ArrowArray]:
        if self._decode is not None:
            values = _each(values, "value", self._decode)
        if self._options.is_enveloped:
            return self._envelopes(schema, values)
        if self._options.value != "json":
            return {VALUE: _plain(schema, VALUE, values)}
        texts = _each(values, "value", bytes.decode)
        objects = _each(texts, "value", parse)
        if VALUE in schema.names:
            return {VALUE: pa.array(texts, pa.string())}
        for number, one in enumerate(objects, 1):
            if one is not None and not isinstance(one, dict):
                raise BadRecord(number, "value: no JSON object")
        columns = schema.columns[len(self._own(schema.name.table)) :]
        return {column.name: _taken(column, objects) for column in columns}

    def _envelopes(self, schema: TableSchema, values: Sequence[bytes | None]) -> dict[str, ArrowArray]:
        found = [one or Envelope() for one in _each(values, "value", lambda value: opened(value.decode()))]
        for number, one in enumerate(found, 1):
            if one.operation == EMPTIED and schema.primary_key != ROW_KEY:
                raise BadRecord(number, "value: op = t (the table was emptied), which has no key")
        taken: dict[str, ArrowArray] = {
            OPERATION: pa.array([one.operation for one in found], pa.string()),
            SOURCE: pa.array([one.source_text for one in found], pa.string()),
        }
        if VALUE in schema.names:
            taken[VALUE] = pa.array([None if one.row is None else json_of(one.row) for one in found], pa.string())
            return taken
        for column in schema.columns[len(self._own(schema.name.table)) :]:
            images = _each(found, column.name, partial(_of_column, column))
            taken[column.name] = _taken(column, images)
        return taken

    def _unreadable(self, table: TableName, message: Message, detail: str) -> TableRefused:
        where = f"{message.topic}, partition {message.partition}, offset {self.offsets.text(message.offset)}"
        return TableRefused(table=str(table), column="", reason="message-unreadable", detail=f"{where}: {detail}"[:500])


def _check_key(schema: TableSchema, values: Mapping[str, ArrowArray]) -> None:
    for column in schema.primary_key:
        if values[column].null_count:
            raise BadRecord(values[column].is_null().index(True).as_py() + 1, f"{column}: null")


def _each(values: Sequence[Any], what: str, convert: Callable[[Any], Any]) -> list[Any]:
    found = []
    for number, value in enumerate(values, 1):
        try:
            found.append(None if value is None else convert(value))
        except (ValueError, RecursionError) as error:
            raise BadRecord(number, f"{what}: {error}") from error
    return found


def _plain(schema: TableSchema, column: str, values: Sequence[bytes | None]) -> ArrowArray:
    if schema.column(column).type == _BINARY:
        return pa.array(values, pa.binary())
    return pa.array(_each(values, column.removeprefix("_"), bytes.decode), pa.string())


def _of_column(column: Column, envelope: Envelope) -> dict[str, Any]:
    return {column.name: envelope.value(column)}


def _taken(column: Column, objects: Sequence[Any]) -> ArrowArray:
    """The objects' values under a name; null if missing or null."""
    found = [None if one is None else one.get(column.name) for one in objects]
    if column.type.kind is Kind.JSON:
        return _array(column, [None if one is None else json_of(one) for one in found])
    for number, one in enumerate(found, 1):
        if column.type.kind is not Kind.TEXT and isinstance(one, str) and not one.strip():
            raise BadRecord(number, f"{column.name}: no {column.type.native}")
    return canonical(_array(column, [text_of(one) for one in found]), column.type, column.name, 0)


def _array(column: Column, texts: Sequence[str | None]) -> ArrowArray:
    try:
        return pa.array(texts, pa.string())
    except (UnicodeError, pa.ArrowInvalid):  # a lone half of a surrogate pair
        number = next(number for number, text in enumerate(texts, 1) if text is not None and not _is_text(text))
        raise BadRecord(number, f"{column.name}: no Unicode text") from None


def _is_text(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _moment(time_ms: int | None) -> str | None:
    if time_ms is None:
        return None
    try:
        moment = _EPOCH + timedelta(milliseconds=time_ms)
    except OverflowError:
        return None  # a producer may stamp anything
    spelled = moment.replace(tzinfo=None).isoformat(sep=" ", timespec="milliseconds")
    return f"{spelled.rstrip('0').rstrip('.') if time_ms % 1000 else spelled[:-4]}+00"


def _headers(headers: Sequence[tuple[str, bytes | None]]) -> str | None:
    """A list of names and values, since a name may occur twice; bytes that are no text in Base64."""
    return orjson.dumps([[name, _header(value)] for name, value in headers]).decode() if headers else None


def _header(value: bytes | None) -> str | dict[str, str] | None:
    try:
        return None if value is None else value.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(value or b"").decode()}


def refused(trouble: TopicTrouble) -> TableRefused:
    """The table's error for a topic's."""
    table = TableName(SCHEMA, trouble.topic)
    return TableRefused(table=str(table), column="", reason=trouble.reason, detail=trouble.detail[:500])
