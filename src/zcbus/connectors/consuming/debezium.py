"""Messages in Debezium's envelope: an operation, and the row before and after it.

Converters with schemas name the type of each value, without them a message has bare numbers and Base64: what could be
read in two ways is refused then. Names of types are those of Debezium's and Kafka Connect's documentation.
"""

import base64
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

from zcbus.connectors.formats.json_text import Number, json_of, parse
from zcbus.model.schema import Column
from zcbus.model.types import DataType, Kind

OPERATION, SOURCE = "_op", "_source"
COLUMNS = (
    Column(OPERATION, DataType(Kind.TEXT, "text")),
    Column(SOURCE, DataType(Kind.JSON, "json")),
)
"""What a table of such messages has besides the row's own columns."""
DELETED, EMPTIED = "d", "t"
_IMAGES = ("before", "after")
_NOT_SENT = "__debezium_unavailable_value"
_NOT_SENT_FORMS = frozenset({_NOT_SENT, base64.b64encode(_NOT_SENT.encode()).decode()})
_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")
_NUMBERS = frozenset({Kind.INT64, Kind.DECIMAL, Kind.FLOAT64})
_EPOCH_DAY, _EPOCH = date(1970, 1, 1), datetime(1970, 1, 1, tzinfo=UTC)
_NANOS = 1_000_000_000
_DAY_NANOS = 86_400 * _NANOS


@dataclass(frozen=True, slots=True)
class Envelope:
    """A message's contents; all of it is empty for a tombstone, which follows a deletion."""

    operation: str | None = None
    row: Mapping[str, Any] | None = None
    """Of a deletion: as it was before."""
    source: Any = None
    types: Mapping[str, Mapping[str, Any]] | None = field(default=None, compare=False)
    """Of the row's values, as the message's schema has them; None: it has no schema."""

    @property
    def source_text(self) -> str | None:
        """Where the change comes from, as JSON."""
        return None if self.source is None else json_of(self.source)

    def value(self, column: Column) -> Any:
        """A value of the row, as JSON would have it where the type of the column can be read from it.

        Raises ValueError.
        """
        found = None if self.row is None else self.row.get(column.name)
        if found is None:
            return None
        if isinstance(found, str) and found in _NOT_SENT_FORMS:
            raise ValueError("the source did not send this unchanged value (REPLICA IDENTITY FULL makes it)")
        if self.types is not None:
            return _converted(found, self.types.get(column.name, {}))
        is_number = isinstance(found, Number) or not isinstance(found, str)
        if column.type.kind in _NUMBERS and not is_number and _BASE64.fullmatch(found):
            raise ValueError("a number or Base64; enable the converter's schemas")
        return found


def is_tombstone(value: bytes | None) -> bool:
    """Whether a message is empty: brokers without null values have other empty ones."""
    return not value or value.strip() == b"null"


def opened(text: str | None) -> Envelope:
    """Raises ValueError, RecursionError for what is no envelope."""
    document = parse(text) if text else None
    schema: Any = None
    if isinstance(document, dict) and set(document) == {"schema", "payload"}:
        schema, document = document["schema"], document["payload"]
    if document is None:
        return Envelope()
    operation = document.get("op") if isinstance(document, dict) else None
    if not isinstance(operation, str) or isinstance(operation, Number):
        raise ValueError("no Debezium envelope")
    image = _IMAGES[0] if operation == DELETED else _IMAGES[1]
    row = document.get(image)
    if row is not None and not isinstance(row, dict):
        raise ValueError(f"{image}: no JSON object")
    if row is None and operation in ("c", "u", "r"):
        raise ValueError(f"{image}: missing")
    return Envelope(operation, row, document.get("source"), _types(schema, image))


def _types(schema: Any, image: str) -> Mapping[str, Mapping[str, Any]] | None:
    if not isinstance(schema, dict):
        return None
    images = _fields(schema)
    return _fields(images.get(image, {}))


def _fields(struct: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    fields = struct.get("fields")
    if not isinstance(fields, list):
        return {}
    return {one["field"]: one for one in fields if isinstance(one, dict) and isinstance(one.get("field"), str)}


def _converted(value: Any, schema: Mapping[str, Any]) -> Any:
    convert = _CONVERSIONS.get(str(schema.get("name", "")))
    try:
        return value if convert is None else convert(value, schema)
    except (ArithmeticError, TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"no {schema.get('name')}") from error


def _day(value: Any, _: Mapping[str, Any]) -> str:
    return (_EPOCH_DAY + timedelta(days=int(value))).isoformat()


def _moment(nanos_each: int) -> Callable[[Any, Mapping[str, Any]], str]:
    """Local date and time."""

    def convert(value: Any, _: Mapping[str, Any]) -> str:
        seconds, nanos = divmod(int(value) * nanos_each, _NANOS)
        moment = (_EPOCH + timedelta(seconds=seconds)).replace(tzinfo=None)
        return moment.isoformat(sep=" ") + _fraction(nanos)

    return convert


def _fraction(nanos: int) -> str:
    return f".{nanos:09d}".rstrip("0").rstrip(".")


def _time(nanos_each: int) -> Callable[[Any, Mapping[str, Any]], str]:
    def convert(value: Any, _: Mapping[str, Any]) -> str:
        nanos = int(value) * nanos_each
        if not 0 <= nanos <= _DAY_NANOS:
            raise ValueError(value)
        seconds, rest = divmod(nanos, _NANOS)
        return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}{_fraction(rest)}"

    return convert


def _decimal(value: Any, schema: Mapping[str, Any]) -> Number:
    return _scaled(value, int(schema["parameters"]["scale"]))


def _variable_decimal(value: Any, _: Mapping[str, Any]) -> Number:
    return _scaled(value["value"], int(value["scale"]))


def _scaled(text: str, scale: int) -> Number:
    unscaled = int.from_bytes(base64.b64decode(text, validate=True), "big", signed=True)
    return Number(f"{Decimal((int(unscaled < 0), _digits(unscaled), -scale)):f}")


def _digits(number: int) -> Sequence[int]:
    return tuple(int(one) for one in str(abs(number)))


def _json(value: Any, _: Mapping[str, Any]) -> Any:
    return parse(value)


_CONVERSIONS: dict[str, Callable[[Any, Mapping[str, Any]], Any]] = {
    "io.debezium.time.Date": _day,
    "org.apache.kafka.connect.data.Date": _day,
    "io.debezium.time.Timestamp": _moment(1_000_000),
    "org.apache.kafka.connect.data.Timestamp": _moment(1_000_000),
    "io.debezium.time.MicroTimestamp": _moment(1000),
    "io.debezium.time.NanoTimestamp": _moment(1),
    "io.debezium.time.Time": _time(1_000_000),
    "org.apache.kafka.connect.data.Time": _time(1_000_000),
    "io.debezium.time.MicroTime": _time(1000),
    "io.debezium.time.NanoTime": _time(1),
    "org.apache.kafka.connect.data.Decimal": _decimal,
    "io.debezium.data.VariableScaleDecimal": _variable_decimal,
    "io.debezium.data.Json": _json,
}
