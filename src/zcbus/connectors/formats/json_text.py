"""JSON with values as texts: numbers keep their digits, objects and lists are JSON text."""

import json
from typing import Any


class Number(str):
    """A number in its original notation."""


def parse(text: str) -> Any:
    """As json.loads, with each number as a Number. Raises ValueError, RecursionError."""
    return json.loads(text, parse_float=Number, parse_int=Number, parse_constant=_no_number)


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no JSON")


def text_of(value: Any) -> str | None:
    """A value of a column: a string is its own text, `null` is None."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return json_of(value)


def json_of(value: Any) -> str:
    """JSON text of a value. The standard encoder would quote numbers that are kept as texts."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_quoted(name)}: {json_of(one)}" for name, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(json_of, value)) + "]"
    if isinstance(value, Number):
        return str(value)
    return _quoted(value)


def _quoted(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
