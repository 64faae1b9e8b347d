"""The type of a column of texts, by its values."""

import re
from collections.abc import Sequence

from zcbus.connectors.formats.tabular.records import Value
from zcbus.model.types import DataType, Kind

_INTEGER = r"(?P<integer>[+-]?(?:0|[1-9]\d{0,18}))"
_DECIMAL = r"(?P<decimal>[+-]?(?:0|[1-9]\d*)\.\d+)"
_FLOAT = r"(?P<float>[+-]?\d+(?:\.\d*)?[eE][+-]?\d{1,3})"
_TRUTH = r"(?P<truth>(?i:true|false))"
_DAY = r"(?P<day>\d{4}-\d\d-\d\d)"
_MOMENT = r"(?P<moment>\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)"
_INSTANT = _MOMENT.replace("moment", "instant")[:-1] + r" ?(?:Z|[+-]\d\d(?::?\d\d)?))"
_JSON = r"(?P<json>[{\[].*)"
_CLASSES = re.compile("|".join((_INTEGER, _DECIMAL, _FLOAT, _TRUTH, _DAY, _INSTANT, _MOMENT, _JSON)), re.DOTALL)
_MAX_DIGITS = 38
_LAST = "text"
_BY_CLASSES: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset({"integer"}), "bigint"),
    (frozenset({"integer", "decimal"}), "decimal"),
    (frozenset({"integer", "decimal", "float"}), "double"),
    (frozenset({"truth"}), "boolean"),
    (frozenset({"day"}), "date"),
    (frozenset({"day", "moment"}), "timestamp"),
    (frozenset({"instant"}), "timestamptz"),
    (frozenset({"json"}), "json"),
)
_BY_KIND = {
    Kind.INT64: "bigint",
    Kind.UINT64: "decimal(20,0)",
    Kind.FLOAT64: "double",
    Kind.BOOLEAN: "boolean",
    Kind.DATE: "date",
    Kind.TIMESTAMP: "timestamp",
    Kind.TIMESTAMP_TZ: "timestamptz",
    Kind.JSON: "json",
    Kind.BINARY: "bytes",
}


class ColumnGuess:
    """Collects the values of a column."""

    def __init__(self, json: bool) -> None:
        """`json`: whether the file's nested values are JSON text."""
        self._json = json
        self._classes: set[str] = set()
        self._integer_digits = self._places = 0

    def add(self, value: Value) -> None:
        if value is None or _LAST in self._classes:
            return
        found = _CLASSES.fullmatch(value) if isinstance(value, str) else None
        name = found.lastgroup if found is not None else _LAST
        if name is None or (name == "json" and not self._json):
            name = _LAST
        self._classes.add(name)
        if name in ("integer", "decimal") and isinstance(value, str):
            whole, _, places = value.lstrip("+-").partition(".")
            self._integer_digits = max(self._integer_digits, len(whole))
            self._places = max(self._places, len(places))

    @property
    def type(self) -> str:
        """As `declared.TYPE` spells it. Leading zeros make a number a text: it is a code."""
        name = next((name for classes, name in _BY_CLASSES if self._classes and self._classes <= classes), _LAST)
        if name == "bigint" and self._integer_digits > 18:
            name = "decimal"
        if name != "decimal":
            return name
        digits = self._integer_digits + self._places
        return f"decimal({digits},{self._places})" if digits <= _MAX_DIGITS else "double"


def spelled(data: DataType) -> str:
    """The type of a column that has one."""
    if data.kind is Kind.DECIMAL and data.precision is not None:
        return f"decimal({data.precision},{data.scale or 0})"
    return _BY_KIND.get(data.kind, _LAST)


def guesses(count: int, json: bool) -> Sequence[ColumnGuess]:
    """One for each column."""
    return [ColumnGuess(json) for _ in range(count)]
