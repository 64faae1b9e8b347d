"""Types as the interface describes columns, some by the names of the older language."""

from collections.abc import Mapping
from typing import Any

from zcbus.connectors.bigquery.dialect import BIGQUERY_DIALECT
from zcbus.model.types import DataType, Kind

_NAMES = {"INTEGER": "INT64", "FLOAT": "FLOAT64", "BOOLEAN": "BOOL"}
_DIGITS = {"NUMERIC": (38, 9), "BIGNUMERIC": (76, 38)}
_TIMES = frozenset({Kind.TIME, Kind.TIMESTAMP, Kind.TIMESTAMP_TZ})
_FRACTION = 6


def data_type(described: Mapping[str, Any]) -> DataType:
    """The neutral type of a column. Repeated columns and records are unsupported."""
    name = _NAMES.get(str(described["type"]), str(described["type"]))
    kind = BIGQUERY_DIALECT.kinds.get(name.lower())
    if kind is None or described.get("mode") == "REPEATED":
        shown = f"ARRAY<{name}>" if described.get("mode") == "REPEATED" else name
        return DataType(Kind.UNSUPPORTED, shown, reason="unknown-type")
    if kind is Kind.DECIMAL:
        return _decimal(name, _number(described, "precision"), _number(described, "scale"))
    if kind in _TIMES:
        return DataType(kind, name, precision=_FRACTION)
    length = _number(described, "maxLength")
    return DataType(kind, f"{name}({length})" if length else name, length=length)


def _decimal(name: str, precision: int | None, scale: int | None) -> DataType:
    """A precision leaves the digits behind the point at none; BIGNUMERIC has a part of a 77th digit."""
    if precision is not None:
        return DataType(Kind.DECIMAL, f"{name}({precision},{scale or 0})", precision=precision, scale=scale or 0)
    digits, places = _DIGITS[name]
    return DataType(Kind.DECIMAL, name, precision=digits + (name == "BIGNUMERIC"), scale=places)


def _number(described: Mapping[str, Any], name: str) -> int | None:
    return int(described[name]) if described.get(name) is not None else None
