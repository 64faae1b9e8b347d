"""Types as INFORMATION_SCHEMA.COLUMNS has them."""

from zcbus.connectors.snowflake.dialect import SNOWFLAKE_DIALECT
from zcbus.model.types import DataType, Kind

_TIMES = frozenset({Kind.TIME, Kind.TIMESTAMP, Kind.TIMESTAMP_TZ})
_MAX_FRACTION = 6
_UNLIMITED = 16_777_216
"""Characters of a text, and twice the bytes of a value, that are declared without a length, or more than that."""


def data_type(name: str, length: int | None, digits: int | None, scale: int | None, fraction: int | None) -> DataType:
    """The neutral type of a column."""
    kind = SNOWFLAKE_DIALECT.kinds.get(name.lower())
    if kind is None:
        return DataType(Kind.UNSUPPORTED, name, reason="unknown-type")
    if kind is Kind.DECIMAL:
        return DataType(kind, f"{name}({digits},{scale or 0})", precision=digits, scale=scale or 0)
    if kind in _TIMES:
        finest = 9 if fraction is None else fraction
        return DataType(kind, f"{name}({finest})", precision=min(finest, _MAX_FRACTION))
    if kind in (Kind.TEXT, Kind.BINARY) and length and length < _UNLIMITED // (2 if kind is Kind.BINARY else 1):
        return DataType(kind, f"{'VARCHAR' if kind is Kind.TEXT else name}({length})", length=length)
    return DataType(kind, "VARCHAR" if kind is Kind.TEXT else name)
