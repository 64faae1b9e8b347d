"""Object container files of Apache Avro (https://avro.apache.org/docs/1.12.0/specification/), with typed columns."""

import datetime as dt
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import fastavro
import pyarrow as pa

from zcbus.connectors.formats.form import TEXT, json_text, without_zeros
from zcbus.connectors.formats.isolated import FileReader, Shape, write_stream
from zcbus.model.types import DataType, Kind

_INTEGERS = DataType(Kind.INT64, "bigint")
_FLOAT = DataType(Kind.FLOAT64, "double")
_TRUTH = DataType(Kind.BOOLEAN, "boolean")
_BYTES = DataType(Kind.BINARY, "bytes")
_DAY = DataType(Kind.DATE, "date")
_TIME = DataType(Kind.TIME, "time", precision=6)
_MOMENT = DataType(Kind.TIMESTAMP, "timestamp", precision=6)
_INSTANT = DataType(Kind.TIMESTAMP_TZ, "timestamp with time zone", precision=6)
_JSON = DataType(Kind.JSON, "json")
_PLAIN = {
    "null": TEXT,
    "boolean": _TRUTH,
    "int": _INTEGERS,
    "long": _INTEGERS,
    "float": _FLOAT,
    "double": _FLOAT,
    "bytes": _BYTES,
    "fixed": _BYTES,
    "string": TEXT,
    "enum": TEXT,
}
_LOGICAL = {
    ("int", "date"): _DAY,
    ("int", "time-millis"): _TIME,
    ("long", "time-micros"): _TIME,
    ("long", "timestamp-millis"): _INSTANT,
    ("long", "timestamp-micros"): _INSTANT,
    ("long", "local-timestamp-millis"): _MOMENT,
    ("long", "local-timestamp-micros"): _MOMENT,
    ("string", "uuid"): TEXT,
}


def shape(path: str) -> Shape:
    """See FileReader."""
    with _opened(path) as reader:
        columns = _columns(reader)
        return Shape(tuple((name, data_type) for name, data_type in columns), sum(1 for _ in reader))


def convert(path: str, to: str) -> None:
    """See FileReader."""
    with _opened(path) as reader:
        columns = _columns(reader)
        types = [pa.binary() if data_type.kind is Kind.BINARY else pa.string() for _, data_type in columns]
        texts = [(name, _TEXTS[data_type.kind]) for name, data_type in columns]
        write_stream(to, types, (_row(record, texts) for record in reader))


AVRO = FileReader(shape, convert)


@contextmanager
def _opened(path: str) -> Iterator[Any]:
    with Path(path).open("rb") as file:
        try:
            yield fastavro.reader(file)
        except MemoryError:
            raise  # it ends the process
        # A file's metadata is not validated before use, so any error may follow.
        except Exception as error:  # noqa: BLE001
            raise ValueError(f"no Avro file: {type(error).__name__}: {error}") from None


def _columns(reader: Any) -> list[tuple[str, DataType]]:
    schema = reader.writer_schema
    if not isinstance(schema, dict) or schema.get("type") != "record":
        raise ValueError("its records have no names of values")
    named: dict[str, Any] = {}
    _collect(schema, named)
    return [(field["name"], _data_type(field["type"], named)) for field in schema["fields"]]


def _collect(schema: Any, named: dict[str, Any]) -> None:
    """The types that a schema names, and may mention by their names."""
    if isinstance(schema, list):
        for one in schema:
            _collect(one, named)
    elif isinstance(schema, dict):
        if "name" in schema:
            named[schema["name"]] = schema
        for part in ("items", "values", "type"):
            _collect(schema.get(part), named)
        for field in schema.get("fields", ()):
            _collect(field["type"], named)


def _data_type(schema: Any, named: dict[str, Any]) -> DataType:
    if isinstance(schema, list):
        data_type = {_data_type(one, named) for one in schema if one != "null"} or {TEXT}
        return data_type.pop() if len(data_type) == 1 else _JSON
    if isinstance(schema, str):
        return _PLAIN[schema] if schema in _PLAIN else _data_type(named[schema], named)
    kind, logical = schema["type"], schema.get("logicalType", "")
    if isinstance(kind, dict | list):
        return _data_type(kind, named)
    if logical == "decimal" and kind in ("bytes", "fixed"):
        precision, scale = int(schema["precision"]), int(schema.get("scale", 0))
        return DataType(Kind.DECIMAL, f"decimal({precision},{scale})", precision=precision, scale=scale)
    # By the specification an unknown logical type is ignored.
    return _LOGICAL.get((kind, logical)) or _PLAIN.get(kind, _JSON)


def _row(record: Any, texts: list[tuple[str, Callable[[Any], str | bytes]]]) -> list[str | bytes | None]:
    values = (record[name] for name, _ in texts)
    return [None if value is None else text(value) for value, (_, text) in zip(values, texts, strict=True)]


def _float(value: float) -> str:
    text = repr(float(value)).removesuffix(".0")
    return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}.get(text, text)


def _time(value: dt.time) -> str:
    return without_zeros(value.isoformat())


def _moment(value: dt.datetime) -> str:
    return without_zeros(value.replace(tzinfo=None).isoformat(" "))


def _instant(value: dt.datetime) -> str:
    return _moment(value.astimezone(dt.UTC)) + "+00"


_TEXTS: dict[Kind, Callable[[Any], str | bytes]] = {
    Kind.TEXT: str,
    Kind.BINARY: lambda value: cast("bytes", value),
    Kind.INT64: str,
    Kind.FLOAT64: _float,
    Kind.BOOLEAN: lambda value: "t" if value else "f",
    Kind.DECIMAL: lambda value: f"{value:f}",
    Kind.DATE: dt.date.isoformat,
    Kind.TIME: _time,
    Kind.TIMESTAMP: _moment,
    Kind.TIMESTAMP_TZ: _instant,
    Kind.JSON: json_text,
}
