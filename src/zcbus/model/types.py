"""Neutral column types and the canonical text of their values.

Between databases every value is text in one canonical form per kind (or raw bytes for `BINARY`). This preserves all
values, and both databases read and write it at full speed. The canonical forms:

| kind                | canonical text                                                                          |
|---------------------|-----------------------------------------------------------------------------------------|
| BOOLEAN             | `t` or `f`                                                                              |
| INT8 … UINT64, YEAR | decimal digits, `-` in front of negative numbers                                        |
| DECIMAL             | plain digits with `.`; `NaN`, `Infinity`, `-Infinity`                                   |
| FLOAT32, FLOAT64    | shortest text that reads back to the same number; `NaN`, `Infinity`, `-Infinity`        |
| TEXT, OTHER, XML    | the text itself (UTF-8)                                                                 |
| BINARY              | raw bytes (an Arrow binary column)                                                      |
| DATE                | `YYYY-MM-DD`, with ` BC` behind; `infinity`, `-infinity`; MySQL zero dates as they are  |
| TIME                | `HH:MM:SS[.ffffff]`, `24:00:00` allowed                                                 |
| TIME_TZ             | TIME with `+HH[:MM]` behind                                                             |
| TIMESTAMP           | `YYYY-MM-DD HH:MM:SS[.ffffff]`, otherwise as DATE                                       |
| TIMESTAMP_TZ        | TIMESTAMP in UTC with `+00` behind                                                      |
| DURATION            | signed `[-]HHH:MM:SS[.ffffff]` (MySQL's TIME)                                           |
| INTERVAL            | PostgreSQL's `postgres` interval style                                                  |
| JSON                | JSON text                                                                               |
| UUID                | lower case, with hyphens                                                                |
| ENUM                | the label                                                                               |
| SET                 | the labels joined by `,`                                                                |
| BIT                 | the digits `0` and `1`, most significant first                                          |
| ARRAY               | PostgreSQL's array literal                                                              |
"""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """Neutral kinds of column values."""

    BOOLEAN = "boolean"
    INT8 = "int8"
    INT16 = "int16"
    INT24 = "int24"
    INT32 = "int32"
    INT64 = "int64"
    UINT8 = "uint8"
    UINT16 = "uint16"
    UINT24 = "uint24"
    UINT32 = "uint32"
    UINT64 = "uint64"
    DECIMAL = "decimal"
    FLOAT32 = "float32"
    FLOAT64 = "float64"
    TEXT = "text"
    BINARY = "binary"
    DATE = "date"
    TIME = "time"
    TIME_TZ = "time-tz"
    TIMESTAMP = "timestamp"
    TIMESTAMP_TZ = "timestamp-tz"
    DURATION = "duration"
    INTERVAL = "interval"
    YEAR = "year"
    JSON = "json"
    UUID = "uuid"
    ENUM = "enum"
    SET = "set"
    BIT = "bit"
    ARRAY = "array"
    XML = "xml"
    OTHER = "other"
    """A type that only its own dialect has (inet, tsvector, composite …): text elsewhere."""
    UNSUPPORTED = "unsupported"
    """Not replicable (geometry …): the table or the column is refused at selection."""


SIGNED = (Kind.INT8, Kind.INT16, Kind.INT24, Kind.INT32, Kind.INT64)
UNSIGNED = (Kind.UINT8, Kind.UINT16, Kind.UINT24, Kind.UINT32, Kind.UINT64)
"""Integer kinds, the narrowest first; signed and unsigned kinds alternate."""
INTEGERS = frozenset({*SIGNED, *UNSIGNED})


@dataclass(frozen=True, slots=True)
class DataType:
    """A column's type. `native` is the source's spelling, sufficient to declare it in that dialect."""

    kind: Kind
    native: str
    length: int | None = None
    """Characters for TEXT, bytes for BINARY, bits for BIT; None: unlimited."""
    precision: int | None = None
    """Decimal digits for DECIMAL (None: unlimited), fraction digits of seconds for times."""
    scale: int | None = None
    fixed: bool = False
    """Fixed length: CHAR, BINARY(n), BIT(n)."""
    values: tuple[str, ...] = ()
    """Labels of ENUM and SET, in order."""
    element: "DataType | None" = None
    """Element type of an ARRAY."""
    reason: str = ""
    """Why the type is UNSUPPORTED."""
    computed: bool = False
    """Whether `native` belongs to no dialect: targets declare the column by its kind."""
