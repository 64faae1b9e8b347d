"""The part of a condition that a source can check itself, so that it sends fewer rows.

Every row for which the condition is true fulfils the result; further rows may too, and the evaluating library removes
them later. So only comparisons are used that no database evaluates more narrowly: numbers and times by value, texts by
equality (a collation accepts more texts, never fewer).
Arithmetic, functions, floating point and comparisons across types stay with the library.
"""

import re
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from zcbus.connectors.conditions import Comparison, Condition, Junction, NullTest, Sign
from zcbus.engine.transform.expressions import syntax_tree
from zcbus.model.types import INTEGERS, DataType, Kind

if TYPE_CHECKING:
    from zcbus.engine.transform.evaluator import Columns

_NUMBERS = INTEGERS | {Kind.DECIMAL}
_MOMENTS = frozenset({Kind.DATE, Kind.TIMESTAMP, Kind.TIMESTAMP_TZ})
_NUMBER = re.compile(r"-?\d{1,30}(\.\d{1,18})?")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d(\.\d{1,6})?)?")
_SIGNS: dict[str, Sign] = {
    "COMPARE_EQUAL": "=",
    "COMPARE_NOTEQUAL": "<>",
    "COMPARE_LESSTHAN": "<",
    "COMPARE_LESSTHANOREQUALTO": "<=",
    "COMPARE_GREATERTHAN": ">",
    "COMPARE_GREATERTHANOREQUALTO": ">=",
}
_OPPOSITE: dict[Sign, Sign] = {"=": "<>", "<>": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_MIRRORED: dict[Sign, Sign] = {"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_Node = dict[str, Any]


def necessary(text: str, columns: "Columns") -> Condition | None:
    """Condition that every row fulfils for which this condition is true; None: nothing that a source could check. The
    condition must be allowed over these columns."""
    return _Reader(columns).read(syntax_tree(text), negated=False)


class _Reader:
    def __init__(self, columns: "Columns") -> None:
        self._columns = columns

    def read(self, node: _Node, negated: bool) -> Condition | None:
        """`negated`: the condition for rows for which the node is false."""
        match node["type"]:
            case "CONJUNCTION_AND" | "CONJUNCTION_OR":
                parts = [self.read(child, negated) for child in node["children"]]
                return _joined(parts, every=(node["type"] == "CONJUNCTION_AND") != negated)
            case "OPERATOR_NOT":
                return self.read(node["children"][0], not negated)
            case "OPERATOR_IS_NULL" | "OPERATOR_IS_NOT_NULL":
                return self._null_test(node["children"][0], (node["type"] == "OPERATOR_IS_NULL") != negated)
            case "COMPARE_IN":
                first, *others = node["children"]
                return _joined([self._compared(first, "=", other, negated) for other in others], every=negated)
            case "COMPARE_BETWEEN":
                ends: tuple[tuple[Sign, str], ...] = ((">=", "lower"), ("<=", "upper"))
                parts = [self._compared(node["input"], sign, node[end], negated) for sign, end in ends]
                return _joined(parts, every=not negated)
            case kind if kind in _SIGNS:
                return self._comparison(node["left"], _SIGNS[kind], node["right"], negated)
        return None

    def _comparison(self, left: _Node, sign: Sign, right: _Node, negated: bool) -> Condition | None:
        if left["class"] == "COLUMN_REF":
            return self._compared(left, sign, right, negated)
        return self._compared(right, _MIRRORED[sign], left, negated)

    def _compared(self, column: _Node, sign: Sign, value: _Node, negated: bool) -> Condition | None:
        if column["class"] != "COLUMN_REF":
            return None
        name, data = self._column(column)
        sign = _OPPOSITE[sign] if negated else sign
        text = _value(data, sign, value)
        return Comparison(name, sign, text) if text is not None else None

    def _null_test(self, column: _Node, is_null: bool) -> Condition | None:
        if column["class"] != "COLUMN_REF":
            return None
        name, data = self._column(column)
        # MySQL finds its zero dates by IS NULL.
        return NullTest(name, is_null) if data.kind in _NUMBERS or data.kind is Kind.TEXT else None

    def _column(self, node: _Node) -> tuple[str, DataType]:
        (name,) = self._columns.resolve(node["column_names"])
        return name, self._columns.type_of(name)


def _joined(parts: list[Condition | None], every: bool) -> Condition | None:
    """AND (`every`) or OR of the known parts; None: without the unknown parts nothing is certain."""
    known = [part for part in parts if part is not None]
    if not known or (not every and len(known) < len(parts)):
        return None
    return known[0] if len(known) == 1 else Junction("AND" if every else "OR", tuple(known))


def _value(data: DataType, sign: Sign, node: _Node) -> str | None:
    """A constant as canonical text of a column's type; None: a source may compare the two in another way."""
    cast = ""
    if node["class"] == "CAST":
        cast, node = node["type_expr"].get("type_name", "").upper(), node["child"]
    if node["class"] != "CONSTANT":
        return None
    kind, text = node["literal"]["kind"], node["literal"].get("text", "")
    if data.kind in _NUMBERS and kind in ("INTEGER", "NUMERIC") and not cast and _NUMBER.fullmatch(text):
        return format(Decimal(text), "f")
    if kind != "STRING":
        return None
    if data.kind is Kind.TEXT:
        return text if sign == "=" and not cast and "\0" not in text else None
    return _moment(data.kind, text, cast) if data.kind in _MOMENTS else None


def _moment(kind: Kind, text: str, cast: str) -> str | None:
    is_date = len(text) == len("2000-01-01")
    if not _MOMENT.fullmatch(text) or cast not in ("", "DATE", "TIMESTAMP"):
        return None
    if not is_date and (kind is Kind.DATE or cast == "DATE"):
        return None
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return None
    return f"{text}+00" if kind is Kind.TIMESTAMP_TZ else text
