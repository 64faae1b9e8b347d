"""The order of a key that all databases share, over canonical values; see reading.ordered_by_value."""

import re
from collections.abc import Callable, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from zcbus.connectors.conditions import Comparison, Condition, Junction, Membership, NullTest
from zcbus.connectors.roles.writer import Key
from zcbus.model.schema import Column, TableSchema
from zcbus.model.types import INTEGERS, Kind

Ordered = Callable[[Key], tuple[Any, ...]]
_MOMENTS = frozenset({Kind.DATE, Kind.TIMESTAMP, Kind.TIMESTAMP_TZ})
_NUMBERS = INTEGERS | {Kind.DECIMAL, Kind.FLOAT32, Kind.FLOAT64, Kind.YEAR}
_MOMENT = re.compile(r"(\d+)-(.*?)( BC)?$", re.DOTALL)
_SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda one, other: bool(one == other),
    "<>": lambda one, other: bool(one != other),
    "<": lambda one, other: bool(one < other),
    "<=": lambda one, other: bool(one <= other),
    ">": lambda one, other: bool(one > other),
    ">=": lambda one, other: bool(one >= other),
}


def order_of(columns: Sequence[Column]) -> Ordered:
    """Sort key of keys of these columns. Raises ValueError for a value that the column's type does not have."""
    orders = [_order(column.type.kind) for column in columns]
    return lambda key: tuple(order(value) for order, value in zip(orders, key, strict=True))


def texts(key: Key) -> tuple[str, ...]:
    """A key as reading.Key."""
    return tuple(value.hex() if isinstance(value, bytes) else value for value in key)


def key_of(columns: Sequence[Column], key: Sequence[str]) -> Key:
    """Inverse of `texts`."""
    return tuple(_value(column, text) for column, text in zip(columns, key, strict=True))


def keys_named(table: TableSchema, condition: Condition | None) -> list[Key] | None:
    """The only keys that fulfil a condition; None: it does not name them."""
    columns = [table.column(name) for name in table.primary_key]
    match condition:
        case Membership(column, values) if table.primary_key == (column,):
            return [(_value(columns[0], value),) for value in values]
        case Junction("OR", parts):
            found = [_equal(table, part) for part in parts]
            keys = [tuple(one[name] for name in table.primary_key) for one in found if one is not None]
            return keys if len(keys) == len(parts) else None
        case _:
            return None


def fulfils(table: TableSchema, condition: Condition | None) -> Callable[[Key], bool]:
    """Whether a row with a key may fulfil a condition: parts about other columns are taken for true."""
    places = {name: place for place, name in enumerate(table.primary_key)}

    def holds(condition: Condition | None, key: Key) -> bool:
        match condition:
            case Comparison(column, sign, text) if column in places:
                one = table.column(column)
                order = _order(one.type.kind)
                return _SIGNS[sign](order(key[places[column]]), order(_value(one, text)))
            case Membership(column, values) if column in places:
                one = table.column(column)
                return key[places[column]] in {_value(one, text) for text in values}
            case NullTest(column, is_null) if column in places:
                return not is_null
            case Junction(word, parts):
                return (all if word == "AND" else any)(holds(part, key) for part in parts)
            case _:
                return True

    return lambda key: holds(condition, key)


def _equal(table: TableSchema, condition: Condition) -> dict[str, str | bytes] | None:
    """The key of a condition that names all of its columns with their values, and nothing else."""
    if not isinstance(condition, Junction) or condition.word != "AND":
        return None
    found = {
        part.column: _value(table.column(part.column), part.value)
        for part in condition.parts
        if isinstance(part, Comparison) and part.sign == "=" and part.column in table.primary_key
    }
    return found if len(found) == len(condition.parts) == len(table.primary_key) else None


def _value(column: Column, text: str) -> str | bytes:
    return bytes.fromhex(text) if column.type.kind is Kind.BINARY else text


def _order(kind: Kind) -> Callable[[Any], Any]:
    if kind in _NUMBERS:
        return _number
    if kind in _MOMENTS:
        return _moment
    if kind is Kind.DURATION:
        return _duration
    return lambda value: value if isinstance(value, bytes) else value.encode()


def _number(text: str) -> tuple[int, Decimal]:
    """NaN sorts last."""
    try:
        number = Decimal(text)
    except InvalidOperation as error:
        raise ValueError(text) from error
    return (1, Decimal(0)) if number.is_nan() else (0, number)


def _moment(text: str) -> tuple[int, int, str]:
    if text in ("infinity", "-infinity"):
        return (1 if text == "infinity" else -1), 0, ""
    match = _MOMENT.match(text)
    if match is None:
        raise ValueError(text)
    return 0, (-int(match[1]) if match[3] else int(match[1])), match[2]


def _duration(text: str) -> Decimal:
    hours, minutes, seconds = text.removeprefix("-").split(":")
    total = (int(hours) * 60 + int(minutes)) * 60 + _number(seconds)[1]
    return -total if text.startswith("-") else total
