"""Defaults of columns, independent of the database's notation."""

import re

from zcbus.model.schema import Column
from zcbus.model.types import INTEGERS, Kind

_CAST = r"(?:::[\w\" .(),\[\]]+)?"
_QUOTED = re.compile(rf"^'((?:[^'\\]|'')*)'{_CAST}$")
_NUMBER = re.compile(rf"^\(?(-?\d+(?:\.\d+)?)\)?{_CAST}$")
_NOTHING = re.compile(rf"^NULL{_CAST}$", re.IGNORECASE)
_BOOLEANS = {"true": "t", "false": "f"}
_INTEGER, _DIGITS = re.compile(r"-?\d+"), re.compile(r"-?\d+(?:\.(\d+))?")
_DATE = r"[1-9]\d{3}-(?!00)\d\d-(?!00)\d\d"
_TRUTHS = re.compile(r"[01tf]")
_EVERYWHERE = {
    **dict.fromkeys(INTEGERS, _INTEGER),
    **dict.fromkeys((Kind.DECIMAL, Kind.FLOAT32, Kind.FLOAT64), _DIGITS),
    Kind.BOOLEAN: _TRUTHS,
    Kind.TEXT: re.compile(r".*", re.DOTALL),
    Kind.ENUM: re.compile(r".*", re.DOTALL),
    Kind.DATE: re.compile(_DATE),
    Kind.TIMESTAMP: re.compile(rf"{_DATE} \d\d:\d\d:\d\d(?:\.\d{{1,6}})?"),
}
"""Texts that both dialects accept as values of the kind.

Times with a zone and dates that only one dialect has are excluded.
"""


def has_default(column: Column) -> bool:
    """Whether the column has a default other than NULL."""
    return column.default is not None and not _NOTHING.match(column.default)


def plain_value(default: str) -> str | None:
    """The value of a default, as text; None if it is a function or an expression."""
    if (quoted := _QUOTED.match(default)) is not None:
        return quoted[1].replace("''", "'")
    if (number := _NUMBER.match(default)) is not None:
        return number[1]
    return _BOOLEANS.get(default.lower())


def default_elsewhere(column: Column) -> str | None:
    """The default as a text that the other dialect accepts for the same value; None: impossible.

    Functions are not translated: rows arrive with all their values, whatever the default is.
    """
    if column.generated or column.default is None or not has_default(column):
        return None
    value, texts = plain_value(column.default), _EVERYWHERE.get(column.type.kind)
    if value is None or texts is None or not (found := texts.fullmatch(value)):
        return None
    if texts is _DIGITS and column.type.scale is not None and len(found[1] or "") > column.type.scale:
        return None
    return {"0": "f", "1": "t"}.get(value, value) if column.type.kind is Kind.BOOLEAN else value
