"""Canonical values as JSON, and back.

Whole numbers and booleans are JSON's own, binary values Base64, all else the canonical text (model.types): readers
would round numbers that may have fractions.
"""

import base64
from collections.abc import Callable
from typing import Any

from zcbus.connectors.roles.writer import Value
from zcbus.model.types import INTEGERS, DataType, Kind

WHOLE = INTEGERS | {Kind.YEAR}
"""Kinds whose values are JSON's whole numbers."""


def to_json(data: DataType) -> Callable[[Any], object]:
    """Conversion of a canonical value to JSON. It raises ValueError for a text that is no value of the type."""
    if data.kind in WHOLE:
        return int
    if data.kind is Kind.BOOLEAN:
        return lambda text: text == "t"
    if data.kind is Kind.BINARY:
        return lambda value: base64.b64encode(value).decode()
    return str


def from_json(data: DataType, value: Any) -> Value:
    """Inverse of `to_json`. Raises ValueError, TypeError for what others wrote."""
    if value is None:
        return None
    if data.kind is Kind.BOOLEAN:
        return "t" if value else "f"
    if data.kind is Kind.YEAR:
        return f"{int(value):04}"
    return base64.b64decode(value) if data.kind is Kind.BINARY else str(value)
