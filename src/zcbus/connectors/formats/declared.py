"""Types of columns as an operator declares them, and values of text in their canonical forms."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from fnmatch import fnmatchcase

import orjson
import pyarrow as pa

from zcbus.connectors.formats.form import BadRecord
from zcbus.model.arrow import ArrowArray
from zcbus.model.types import DataType, Kind

TYPE = r"(?:text|bigint|decimal(?:\(\d{1,2} ?, ?\d{1,2}\))?|double|boolean|date|timestamptz|timestamp|json)"
_DECLARATION = rf"[^\x00-\x1f\x7f,]+? +{TYPE}"
DECLARATIONS = rf"^ *(?:{_DECLARATION} *(?:, *{_DECLARATION} *)*)?$"
_LISTED = rf"[^\x00-\x1f\x7f,:;]+? +{TYPE}"
_LIST = rf"(?:[^\x00-\x1f\x7f,; ]+ *: *)?{_LISTED} *(?:, *{_LISTED} *)*"
COLUMN_LISTS = rf"^ *(?:{_LIST}(?:; *{_LIST})*)?$"
_PARTS = re.compile(rf" *([^,]+?) +({TYPE}) *(?:,|$)")
_KINDS = {
    "text": Kind.TEXT,
    "bigint": Kind.INT64,
    "decimal": Kind.DECIMAL,
    "double": Kind.FLOAT64,
    "boolean": Kind.BOOLEAN,
    "date": Kind.DATE,
    "timestamp": Kind.TIMESTAMP,
    "timestamptz": Kind.TIMESTAMP_TZ,
    "json": Kind.JSON,
}
_INTEGER = re.compile(r"[+-]?\d{1,19}")
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,6})0*)?)?)?")
_OFFSET = re.compile(r"Z|[+-]\d\d(?::?\d\d)?")
_TIMES = (Kind.TIMESTAMP, Kind.TIMESTAMP_TZ)
_TRUE = frozenset({"true", "t", "yes", "y", "1"})
_FALSE = frozenset({"false", "f", "no", "n", "0"})


def declared(text: str) -> dict[str, DataType]:
    """Types by `column` or `table.column` of the option."""
    return {name: data_type(spelled) for name, spelled in _PARTS.findall(text)}


def column_lists(text: str) -> list[tuple[str, dict[str, DataType]]]:
    """Patterns of tables and their columns, in the order of the option; without a pattern the columns are any
    table's."""
    found = []
    for part in filter(str.strip, text.split(";")):
        pattern, colon, columns = part.rpartition(":")  # names of tables may have colons, those of columns none
        found.append((pattern.strip(), declared(columns)) if colon else ("*", declared(part)))
    return found


def columns_for(table: str, text: str) -> dict[str, DataType]:
    """Columns of a table: the first list of the option that is meant for it; {}: none is."""
    return next((types for pattern, types in column_lists(text) if fnmatchcase(table, pattern)), {})


def data_type(spelled: str) -> DataType:
    """A type as an operator spells it, one of TYPE."""
    digits = [int(one) for one in re.findall(r"\d+", spelled)]
    kind = _KINDS[spelled.partition("(")[0]]
    precision, scale = digits if digits else (None, None)
    return DataType(kind, spelled.replace(" ", ""), precision=6 if kind in _TIMES else precision, scale=scale)


def canonical(values: ArrowArray, data: DataType, column: str, before: int) -> ArrowArray:
    """Texts of a column in the canonical form of its type; surrounding blanks are ignored, empty texts are null.

    `before`: number of records before the first. Raises BadRecord.
    """
    if data.kind is Kind.TEXT:
        return values
    convert = CONVERSIONS[data.kind]
    found: list[str | None] = []
    for number, value in enumerate(values.to_pylist(), before + 1):
        text = value.strip() if value is not None else ""
        try:
            found.append(convert(text, data) if text else None)
        except (ValueError, InvalidOperation) as error:
            raise BadRecord(number, f"{column}: no {data.native}") from error
    return pa.array(found, pa.string())


def _integer(text: str, _: DataType) -> str:
    if not _INTEGER.fullmatch(text) or not -(1 << 63) <= (number := int(text)) < 1 << 63:
        raise ValueError(text)
    return str(number)


def _exact(text: str, data: DataType) -> str:
    number = Decimal(text)
    if not number.is_finite() or number.adjusted() > 200:
        raise ValueError(text)
    exponent = number.as_tuple().exponent
    places = max(0, -exponent) if isinstance(exponent, int) else 0
    if data.precision is not None and data.scale is not None:
        if number != 0 and (number.adjusted() >= data.precision - data.scale or number != round(number, data.scale)):
            raise ValueError(text)
        places = data.scale
    return f"{number:.{places}f}"


def _float(text: str, _: DataType) -> str:
    number = float(text)
    if number != number or number in (float("inf"), float("-inf")):
        return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}[str(number)]
    spelled = repr(number)
    return spelled.removesuffix(".0")


def _truth(text: str, _: DataType) -> str:
    folded = text.lower()
    if folded not in _TRUE | _FALSE:
        raise ValueError(text)
    return "t" if folded in _TRUE else "f"


def _day(text: str, _: DataType) -> str:
    if len(text) != len("2026-01-01"):
        raise ValueError(text)
    return date.fromisoformat(text).isoformat()


def _moment(text: str, _: DataType) -> str:
    found = _MOMENT.fullmatch(text)
    if found is None:
        raise ValueError(text)
    day, minute, second, fraction = found.groups(default="")
    moment_text = f"{day} {minute or '00:00'}:{second or '00'}"
    datetime.fromisoformat(moment_text)
    digits = fraction.rstrip("0")
    return f"{moment_text}.{digits}" if digits else moment_text


def _moment_somewhere(text: str, data: DataType) -> str:
    """A time with its offset from UTC, which is required."""
    offset = _OFFSET.search(text, len("2026-01-01"))
    if offset is None or offset.end() != len(text):
        raise ValueError(text)
    zoned = datetime.fromisoformat(_moment(text[: offset.start()].rstrip(), data) + offset.group())
    try:
        moment = zoned.astimezone(UTC)
    except OverflowError as error:
        raise ValueError(text) from error
    spelled = moment.replace(tzinfo=None).isoformat(sep=" ")
    return f"{spelled.rstrip('0') if moment.microsecond else spelled}+00"


def _json(text: str, _: DataType) -> str:
    orjson.loads(text)
    return text


CONVERSIONS: dict[Kind, Callable[[str, DataType], str]] = {
    Kind.INT64: _integer,
    Kind.DECIMAL: _exact,
    Kind.FLOAT64: _float,
    Kind.BOOLEAN: _truth,
    Kind.DATE: _day,
    Kind.TIMESTAMP: _moment,
    Kind.TIMESTAMP_TZ: _moment_somewhere,
    Kind.JSON: _json,
}
"""Texts without surrounding blanks to their canonical forms. Raise ValueError, InvalidOperation."""
