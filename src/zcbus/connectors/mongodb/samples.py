"""The columns that documents suggest. An operator decides: what is declared stays, documents change."""

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any
from uuid import UUID

from bson import Decimal128, ObjectId
from bson.datetime_ms import DatetimeMS

from zcbus.connectors.mongodb.names import GONE, VERSION
from zcbus.connectors.mongodb.spec import ID, REST

_NAME = re.compile(r"[^\s,:;\x00-\x1f\x7f]{1,128}")
_LEFT_OUT = frozenset({REST, VERSION, GONE})
_EXACT = 1 << 53


def suggested(documents: Iterable[Mapping[str, Any]]) -> str:
    """As the option for columns has them, in the order in which fields were seen. Fields that cannot be declared, and
    those without a value, stay in the column for the rest."""
    values: dict[str, list[Any]] = {}
    for document in documents:
        for name, value in document.items():
            if _NAME.fullmatch(name) and name not in _LEFT_OUT and value is not None:
                values.setdefault(name, []).append(value)
    types = ((name, _key_type(found) if name == ID else _type(found)) for name, found in values.items())
    return ", ".join(f"{name} {type_}" for name, type_ in types if type_)


def _key_type(values: list[Any]) -> str:
    """Empty: it needs no declaration."""
    if all(isinstance(one, ObjectId | UUID) for one in values):
        return ""
    return _type(values) if all(isinstance(one, str) or _is_number(one) for one in values) else ""


def _type(values: list[Any]) -> str:
    """The narrowest that has all values."""
    if all(isinstance(one, bool) for one in values):
        return "boolean"
    if all(map(_is_number, values)):
        return _number_type(values)
    if all(isinstance(one, DatetimeMS) for one in values):
        return "timestamptz"
    if all(isinstance(one, str | ObjectId | UUID) for one in values):
        return "text"
    return "json"


def _number_type(values: list[Any]) -> str:
    numbers = [one.to_decimal() if isinstance(one, Decimal128) else one for one in values]
    if all(isinstance(one, int) or (isinstance(one, float) and one.is_integer()) for one in numbers):
        return "bigint"
    if any(isinstance(one, Decimal) for one in numbers):
        return "decimal" if all(Decimal(one).is_finite() for one in numbers) else "json"
    return "double" if all(abs(one) <= _EXACT for one in numbers if isinstance(one, int)) else "decimal"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal128) and not isinstance(value, bool)
