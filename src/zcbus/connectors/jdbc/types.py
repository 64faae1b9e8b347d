"""Types of a JDBC database: those that it declares, those that other databases' columns get, and values either way.

Drivers give nearly every value as a text and take it as one; what differs from the canonical form is mended here.
"""

import re
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any

import pyarrow as pa

from zcbus.connectors.errors import RowRefused
from zcbus.connectors.jdbc.columns import bare_name
from zcbus.connectors.jdbc.dialect import Dialect
from zcbus.connectors.roles import MappingNote, mapping_notes
from zcbus.connectors.typed_arrow import canonical as canonical_floats
from zcbus.model.arrow import ArrowArray
from zcbus.model.kernels import compute
from zcbus.model.schema import TableSchema
from zcbus.model.types import INTEGERS, DataType, Kind

Value = str | bytes | None
FLOATS = frozenset({Kind.FLOAT32, Kind.FLOAT64})
MOMENTS = frozenset({Kind.DATE, Kind.TIMESTAMP, Kind.TIMESTAMP_TZ})
TIMES = frozenset({Kind.TIME, Kind.TIMESTAMP, Kind.TIMESTAMP_TZ})
LARGE = frozenset({"CHARACTER LARGE OBJECT", "BINARY LARGE OBJECT", "CLOB", "BLOB", "LONG VARCHAR", "JSON"})
"""Names of types whose values cannot be compared everywhere."""
_BY_NAME = {"UUID": Kind.UUID, "JSON": Kind.JSON}
_BY_CODE = {
    -7: Kind.BOOLEAN,
    16: Kind.BOOLEAN,
    -6: Kind.INT8,
    5: Kind.INT16,
    4: Kind.INT32,
    -5: Kind.INT64,
    2: Kind.DECIMAL,
    3: Kind.DECIMAL,
    7: Kind.FLOAT32,
    6: Kind.FLOAT64,
    8: Kind.FLOAT64,
    **dict.fromkeys((1, 12, -1, -9, -15, -16, 2005, 2011), Kind.TEXT),
    **dict.fromkeys((-2, -3, -4, 2004), Kind.BINARY),
    91: Kind.DATE,
    92: Kind.TIME,
    93: Kind.TIMESTAMP,
    2014: Kind.TIMESTAMP_TZ,
}
"""Kinds by the codes of java.sql.Types."""
_FIXED = frozenset({1, -15, -2})
_MAX_FRACTION = 6
_WIDTHS = {Kind.TIME: 8, Kind.TIMESTAMP: 19, Kind.TIMESTAMP_TZ: 25}
"""Characters of a time without a fraction."""
_FALLBACK = {
    Kind.INT8: Kind.INT16,
    Kind.UINT8: Kind.INT16,
    Kind.UINT16: Kind.INT32,
    Kind.INT24: Kind.INT32,
    Kind.UINT24: Kind.INT32,
    Kind.UINT32: Kind.INT64,
    Kind.YEAR: Kind.INT16,
    Kind.FLOAT32: Kind.FLOAT64,
}
"""The next wider kind, for types that a database lacks."""
_UINT64_DIGITS = 20
_MAX_DIGITS = 1000
"""Of a declared number: drivers report more for one without a limit."""
_UNLIMITED = (1 << 30) - 1
"""Size from which a text or bytes have no limit: drivers report the greatest number for them."""
_SPECIAL_FLOATS = {"0E0/0E0": "nan", "1E0/0": "inf", "-1E0/0": "-inf"}


def data_type(dialect: Dialect, code: int, name: str, size: int | None, scale: int | None) -> DataType:
    """The neutral type of a column as java.sql.DatabaseMetaData.getColumns reports it."""
    bare = bare_name(name)
    kind = dialect.kinds.get(bare) or _BY_NAME.get(name) or _BY_CODE.get(code)
    if kind is None or kind is Kind.UNSUPPORTED:
        return DataType(Kind.UNSUPPORTED, name, reason="unknown-type")
    name = name.removesuffix(" identity").removesuffix("()")
    if bare in dialect.unsized:
        return _unsized(kind, name, code, size, scale)
    if kind is Kind.DECIMAL:
        return _exact(dialect, name, size, scale)
    if kind in TIMES and "(" in name:
        return DataType(kind, name, precision=min(scale or 0, _MAX_FRACTION))
    if kind in TIMES:
        fraction = max(0, (size or 0) - _WIDTHS[kind] - 1) if scale is None else scale
        digits = min(fraction, _MAX_FRACTION)
        sized = name.replace(" WITH", f"({fraction}) WITH") if " WITH" in name else f"{name}({fraction})"
        return DataType(kind, sized if dialect.sized_times else name, precision=digits)
    if kind in (Kind.TEXT, Kind.BINARY) and name not in LARGE:
        if size is not None and size >= _UNLIMITED:
            return DataType(kind, dialect.unlimited.format(name=name))
        native = name.replace("()", f"({size})") if "()" in name else _sized(name, size)
        return DataType(kind, native, length=size, fixed=code in _FIXED)
    return DataType(kind, name)


def _unsized(kind: Kind, name: str, code: int, size: int | None, scale: int | None) -> DataType:
    """A type whose name is all of its declaration. Texts and bytes of this form have no length that counts."""
    if kind is Kind.DECIMAL:
        return DataType(kind, name, precision=size, scale=scale or 0)
    if kind in TIMES:
        return DataType(kind, name, precision=min(scale or 0, _MAX_FRACTION))
    fixed = code in _FIXED and kind is Kind.BINARY
    return DataType(kind, name, length=size if fixed else None, fixed=fixed)


def _exact(dialect: Dialect, name: str, size: int | None, scale: int | None) -> DataType:
    """Some databases round before the point (a negative scale), or have more digits behind it than in all."""
    if name == "DECFLOAT":
        return DataType(Kind.DECIMAL, f"{name}({size})")
    if not size or size > _MAX_DIGITS or bare_name(name) in dialect.unbounded:
        return DataType(Kind.DECIMAL, name)
    places = max(scale or 0, 0)
    digits = max(size - min(scale or 0, 0), places)
    return DataType(Kind.DECIMAL, f"{name}({size},{scale or 0})", precision=digits, scale=places)


def _sized(name: str, size: int | None) -> str:
    """`VARCHAR FOR BIT DATA` has its length behind the first words."""
    first, bits, _ = name.partition(" FOR BIT DATA")
    return f"{first.rstrip()}({size}){bits}"


def declared(dialect: Dialect, source: str, data: DataType, *, in_key: bool) -> tuple[str, str]:
    """The type of a column here, and the note on it. `source`: the dialect of its table."""
    if source == dialect.kind and not data.computed:
        return data.native, ""
    types, kind = dialect.written_types, data.kind
    if kind is Kind.UINT64:
        return f"DECIMAL({_UINT64_DIGITS},0)", "type-widened"
    if kind is Kind.DECIMAL:
        return _decimal(dialect, data) or _text(dialect, None, in_key=in_key, note="stored-as-text")
    if kind is Kind.BINARY:
        return _binary(dialect, data, in_key=in_key), ""
    if kind in TIMES and kind in types.plain:
        return types.plain[kind].format(n=_MAX_FRACTION if data.precision is None else data.precision), ""
    wider: Kind = kind
    while wider not in types.plain and wider in _FALLBACK:
        wider = _FALLBACK[wider]
    if wider in types.plain:
        return types.plain[wider], "" if wider is kind or kind is Kind.YEAR else "type-widened"
    return _text(dialect, data.length, in_key=in_key, note="" if kind is Kind.TEXT else "stored-as-text")


def _decimal(dialect: Dialect, data: DataType) -> tuple[str, str] | None:
    scale = data.scale or 0
    if data.precision is None or not 0 <= scale <= data.precision <= dialect.written_types.digits:
        return None
    return f"DECIMAL({data.precision},{scale})", ""


def _text(dialect: Dialect, length: int | None, *, in_key: bool, note: str) -> tuple[str, str]:
    types = dialect.written_types
    if length is not None and length <= types.text_limit:
        return f"VARCHAR({length})", note
    return types.key_text if in_key else types.text, note


def _binary(dialect: Dialect, data: DataType, *, in_key: bool) -> str:
    types = dialect.written_types
    if data.length and data.length <= types.binary_limit:
        return types.sized_binary.format(n=data.length)
    return types.key_binary if in_key else types.binary


def map_columns(dialect: Dialect, schema: TableSchema, key: tuple[str, ...]) -> list[MappingNote]:
    """See roles.Target."""
    unique = {name for names in (key, schema.primary_key, *schema.unique_keys) for name in names}
    return mapping_notes(
        schema, lambda column: declared(dialect, schema.dialect, column.type, in_key=column.name in unique)
    )


def is_large(data: DataType) -> bool:
    """Whether values of the type cannot be compared, ordered or part of a key."""
    return data.native.partition("(")[0].strip() in LARGE


def placeholder(dialect: Dialect, data: DataType) -> str:
    """The placeholder of a value for a column of the type."""
    return dialect.placeholders.get(data.native, "?")


def to_values(
    dialect: Dialect, values: ArrowArray, source: DataType, target: DataType, table: str, column: str
) -> list[Any]:
    """Canonical values as values for a column of type `target`.

    Raises RowRefused for values that the database would shorten or round without an error.
    """
    if (source.kind is Kind.BINARY) is not (target.kind is Kind.BINARY):
        raise RowRefused(table=table, detail=f"column {column} of type {target.native} holds no {source.native}")
    found: list[Any] = list(values.to_pylist())
    for value in found:
        if value is not None and not (_fits(value, source, target) and _exists(dialect, value, target)):
            raise RowRefused(
                table=table, detail=f"column {column} of type {target.native} does not keep {_shown(value)}"
            )
    spell = _spelling(dialect, source, target)
    return found if spell is None else [None if value is None else spell(value) for value in found]


def to_value(dialect: Dialect, text: str, data: DataType) -> str | bytes:
    """A key's canonical text as a value for a column of the type."""
    if data.kind is Kind.BINARY:
        return bytes.fromhex(text)
    spell = _spelling(dialect, data, data)
    return text if spell is None else spell(text)


def _spelling(dialect: Dialect, source: DataType, target: DataType) -> Callable[[str], str] | None:
    """How the database reads a canonical text; None: as it is."""
    if source.kind is Kind.BOOLEAN:
        if target.kind is Kind.BOOLEAN:
            return lambda text: "true" if text == "t" else "false"
        return (lambda text: "1" if text == "t" else "0") if target.kind is not Kind.TEXT else None
    if target.kind in MOMENTS:
        zone = dialect.zone if target.kind is Kind.TIMESTAMP_TZ else ""
        if dialect.era:
            whole = bare_name(target.native) in dialect.unsized
            return lambda text: _complete(text, zone, whole=whole)
        return lambda text: _spelled(text, zone)
    return None


def _complete(text: str, zone: str, *, whole: bool) -> str:
    """A moment with its fraction, unless seconds are `whole`, and its zone or era."""
    year = text.removesuffix(" BC").removesuffix("+00")
    fraction = "" if whole or "." in year else ".0"
    return year + fraction + (zone or (" BC" if text.endswith(" BC") else " AD"))


def _spelled(text: str, zone: str) -> str:
    """A day or moment with the years before Christ as negative numbers."""
    bare = text.removesuffix("+00")
    bare += zone if bare != text else ""
    if not bare.endswith(" BC"):
        return bare
    year, _, rest = bare.removesuffix(" BC").partition("-")
    return f"{1 - int(year):05d}-{rest}"


def _fits(value: str | bytes, source: DataType, target: DataType) -> bool:
    if target.kind is Kind.TEXT or target.kind is Kind.BINARY:
        return target.length is None or len(value) <= target.length
    assert isinstance(value, str)
    if target.kind is Kind.DECIMAL:
        return target.scale is None or _fraction(value) <= target.scale
    if target.kind in INTEGERS:
        return source.kind in INTEGERS or "." not in value
    if target.kind in TIMES:
        return _fraction(value.removesuffix("+00")) <= (target.precision or 0)
    return target.kind not in FLOATS or source.kind in FLOATS or source.kind in INTEGERS


def _exists(dialect: Dialect, value: str | bytes, target: DataType) -> bool:
    """Whether the database has the day or time: drivers make another one of some that do not exist."""
    if target.kind not in MOMENTS | TIMES or isinstance(value, bytes):
        return True
    if target.kind in MOMENTS and dialect.far_years:
        return not value.startswith("0000-")  # what else does not exist is refused
    try:
        if target.kind is Kind.TIME:
            time.fromisoformat(value)
        else:
            date.fromisoformat(value[:10])
    except ValueError:
        return False
    return target.kind is Kind.TIME or (value[4:5] == "-" and not value.endswith(" BC"))


def _fraction(text: str) -> int:
    """Digits behind the point, without zeros at the end."""
    return len(text.partition(".")[2].rstrip("0"))


def _shown(value: str | bytes) -> str:
    return value[:64] if isinstance(value, str) else value[:32].hex()


def canonical(values: Iterable[Value], data: DataType) -> ArrowArray:
    """A column's values as Arrow: bytes for BINARY, else canonical texts."""
    if data.kind is Kind.BINARY:
        return pa.array(list(values), pa.binary())
    if data.kind in FLOATS:
        kind = pa.float32() if data.kind is Kind.FLOAT32 else pa.float64()
        return canonical_floats(pa.array([_float(value) for value in values], kind))
    spell = _CANONICAL.get(data.kind)
    if spell is None:
        return pa.array(list(values), pa.string())
    return pa.array([None if value is None else spell(str(value)) for value in values], pa.string())


def _float(value: Value) -> float | None:
    return None if value is None else float(_SPECIAL_FLOATS.get(str(value), str(value)))


class FinerThanMicroseconds(ValueError):
    """A moment has more digits than other databases keep; its text says which."""


def _decimal_text(text: str) -> str:
    if "E" not in text and "e" not in text and not text.lstrip("-").startswith("."):
        return text
    return f"{Decimal(text):f}"


def _moment(text: str) -> str:
    """Without zeros at the end of a fraction; years before Christ behind it. Raises FinerThanMicroseconds."""
    if text.endswith((" AD", " BC")):
        return _moment(text[:-3]) + text[-3:].removesuffix(" AD")
    bare = text.rstrip("0").removesuffix(".") if "." in text else text
    if len(bare.partition(".")[2]) > _MAX_FRACTION:
        raise FinerThanMicroseconds(text)
    if not bare.startswith(("-", "0000-")):
        return bare.removeprefix("+")
    year, _, rest = bare.removeprefix("-").partition("-")
    return f"{int(year) + 1:04d}-{rest} BC"


def _zoned(text: str) -> str:
    """In UTC. Raises ValueError for years that Python does not know in another zone."""
    if text.endswith(("+00", "+0:00", "+00:00", "Z")):
        return f"{_moment(re.sub(r'(Z|[+]0?0(:00)?)$', '', text))}+00"
    match = re.fullmatch(r"(.*?)([+-])(\d{1,2})(?::(\d\d))?(?::(\d\d))?", text)
    if match is None:
        return text
    moment = datetime.fromisoformat(f"{match[1]}{match[2]}{int(match[3]):02d}:{match[4] or '00'}:{match[5] or '00'}")
    return f"{_moment(moment.astimezone(UTC).strftime('%Y-%m-%d %H:%M:%S.%f').rjust(26, '0'))}+00"


_CANONICAL: dict[Kind, Callable[[str], str]] = {
    Kind.BOOLEAN: lambda text: "t" if text.startswith(("t", "T", "1")) else "f",
    Kind.UUID: str.lower,
    Kind.DECIMAL: _decimal_text,
    Kind.DATE: _moment,
    Kind.TIME: _moment,
    Kind.TIMESTAMP: _moment,
    Kind.TIMESTAMP_TZ: _zoned,
}


def stored_form(values: ArrowArray, source: DataType, target: DataType) -> ArrowArray:
    """See roles.Target."""
    if source.kind is Kind.BOOLEAN and target.kind in INTEGERS and len(values):
        numbers: ArrowArray = compute.if_else(compute.equal(values, "t"), "1", "0")
        return numbers
    if source.kind is Kind.TIMESTAMP_TZ and target.kind is Kind.TIMESTAMP:
        bare: ArrowArray = compute.replace_substring_regex(values, r"\+00$", "")
        return bare
    return values
