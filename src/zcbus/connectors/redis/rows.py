"""Rows as the values of Redis keys: hashes with a field for each column, or strings of JSON."""

from collections.abc import Iterator, Sequence
from typing import Any

import orjson

from zcbus.connectors.errors import RowRefused
from zcbus.connectors.redis.connection import Command
from zcbus.connectors.redis.keys import RowKeys
from zcbus.connectors.redis.spec import RedisOptions
from zcbus.connectors.roles.writer import PutRows, RemoveRows, Row, RowOperation, Value
from zcbus.connectors.writing.json_values import from_json, to_json
from zcbus.model.schema import TableSchema
from zcbus.model.types import DataType, Kind

_AT_ONCE = 500


def commands_of(operation: RowOperation, options: RedisOptions) -> Iterator[Command]:
    """The commands of an operation. None of them can fail, whatever the keys hold. Raises RowRefused."""
    keys = RowKeys(options, operation.table)
    if isinstance(operation, RemoveRows):
        yield from _unlinks(keys.of_batch(operation.keys))
        return
    names = keys.of_batch(operation.rows.select(list(operation.table.primary_key)))
    if options.form == "hash":
        yield from _hashes(operation, names, options.ttl)
    else:
        yield from _strings(operation, names, options.ttl)


def reading(name: bytes, options: RedisOptions) -> Command:
    """The command that reads a row."""
    return ("HGETALL" if options.form == "hash" else "GET"), name


def row_of(table: TableSchema, reply: Any, options: RedisOptions) -> Row | None:
    """The response to `reading` as a row; None: no row of the platform."""
    try:
        return _from_hash(table, reply) if options.form == "hash" else _from_string(table, reply)
    except (ValueError, TypeError):
        return None


def _unlinks(names: Sequence[bytes]) -> Iterator[Command]:
    for begin in range(0, len(names), _AT_ONCE):
        yield "UNLINK", *names[begin : begin + _AT_ONCE]


def _hashes(operation: PutRows, names: Sequence[bytes], ttl: int) -> Iterator[Command]:
    # Without it fields of earlier rows would stay, and a key of another type would refuse its row.
    yield from _unlinks(names)
    fields = operation.rows.schema.names
    for name, values in zip(names, zip(*(c.to_pylist() for c in operation.rows.columns), strict=True), strict=True):
        command: list[str | bytes | int] = ["HSET", name]
        for field, value in zip(fields, values, strict=True):
            if value is not None:
                command += field, value
        yield tuple(command)
        if ttl:
            yield "EXPIRE", name, ttl


def _strings(operation: PutRows, names: Sequence[bytes], ttl: int) -> Iterator[Command]:
    table, fields = operation.table, operation.rows.schema.names
    forms = [to_json(table.column(name).type) for name in fields]
    for name, values in zip(names, zip(*(c.to_pylist() for c in operation.rows.columns), strict=True), strict=True):
        try:
            row = {
                field: None if value is None else form(value)
                for field, form, value in zip(fields, forms, values, strict=True)
            }
        except ValueError as error:
            raise RowRefused(table=str(table.name), detail=str(error)) from error
        yield ("SET", name, orjson.dumps(row), "EX", ttl) if ttl else ("SET", name, orjson.dumps(row))


def _from_hash(table: TableSchema, reply: Any) -> Row | None:
    if not reply:
        return None
    found = dict(zip(reply[::2], reply[1::2], strict=True))
    return {column.name: _from_field(column.type, found.get(column.name.encode())) for column in table.columns}


def _from_field(data: DataType, value: bytes | None) -> Value:
    return value if value is None or data.kind is Kind.BINARY else value.decode()


def _from_string(table: TableSchema, reply: Any) -> Row | None:
    if reply is None:
        return None
    found = orjson.loads(reply)
    return {column.name: from_json(column.type, found.get(column.name)) for column in table.columns}
