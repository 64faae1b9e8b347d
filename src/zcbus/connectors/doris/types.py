"""Types as the catalogue spells them."""

import re

from zcbus.model.types import DataType, Kind

_SPELLED = re.compile(r"([a-z0-9_]+)(?:\((\d+)(?:,\s*(\d+))?\))?")
_KINDS = {
    "boolean": Kind.BOOLEAN,
    "tinyint": Kind.INT8,
    "smallint": Kind.INT16,
    "int": Kind.INT32,
    "bigint": Kind.INT64,
    "largeint": Kind.DECIMAL,
    "float": Kind.FLOAT32,
    "double": Kind.FLOAT64,
    **dict.fromkeys(("decimal", "decimalv2", "decimalv3", "decimal32", "decimal64", "decimal128"), Kind.DECIMAL),
    **dict.fromkeys(("date", "datev2"), Kind.DATE),
    **dict.fromkeys(("datetime", "datetimev2"), Kind.TIMESTAMP),
    **dict.fromkeys(("char", "varchar", "string", "text"), Kind.TEXT),
    **dict.fromkeys(("json", "jsonb"), Kind.JSON),
}
_LARGEINT_DIGITS = 39
_MAX_DIGITS = 6
"""Of seconds: where none are named, Doris has none and StarRocks has six."""


def data_type(spelled: str) -> DataType:
    """The neutral type of a column: `decimalv3(27, 9)`, `datetime(6)`. What aggregates or nests is unsupported."""
    lowered = spelled.lower()
    found = _SPELLED.fullmatch(lowered)
    kind = _KINDS.get(found[1]) if found else None
    if found is None or kind is None:
        return DataType(Kind.UNSUPPORTED, spelled, reason="unknown-type")
    size, scale = (int(one) if one else None for one in found.group(2, 3))
    if found[1] == "tinyint" and size == 1:
        return DataType(Kind.BOOLEAN, lowered)
    if kind is Kind.DECIMAL:
        digits = _LARGEINT_DIGITS if found[1] == "largeint" else size
        return DataType(kind, lowered, precision=digits, scale=scale or 0)
    if kind is Kind.TIMESTAMP:
        return DataType(kind, lowered, precision=_MAX_DIGITS if size is None else size)
    # Lengths count bytes there, so no text is longer than that in characters. CHAR is not padded.
    return DataType(kind, lowered, length=size if kind is Kind.TEXT else None)
