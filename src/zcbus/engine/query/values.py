"""Typed values of a query's parameters from a caller's texts."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation

from zcbus.connectors.queries import Scalar, Value
from zcbus.kit.errors import TerminalError
from zcbus.protocol.data_service import ApiParameter, ParameterType

Given = Mapping[str, str | Sequence[str]]
"""Texts by name of the parameter; several for a list."""

MAX_ITEMS = 1000
MAX_TEXT_LENGTH = 65_536
_MAX_NUMBER_LENGTH = 1000
_INTEGER = re.compile(r"[+-]?\d{1,19}")
_DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)")
_INTEGERS = range(-(2**63), 2**63)
_TRUTH = {"true": True, "1": True, "false": False, "0": False}


class ParameterRefused(TerminalError):
    """A value does not fit the parameter. Facts: name, expected (its type, or many, one, short-text)."""

    code = "api-parameter-invalid"


class ParameterMissing(TerminalError):
    """A required parameter has no value. Facts: name."""

    code = "api-parameter-missing"


class ParameterUnknown(TerminalError):
    """The query does not declare the parameter. Facts: name."""

    code = "api-parameter-unknown"


def values_of(parameters: Sequence[ApiParameter], given: Given) -> dict[str, Value]:
    """The value of every parameter. Raises ParameterRefused, ParameterMissing, ParameterUnknown."""
    known = {parameter.name for parameter in parameters}
    for name in given:
        if name not in known:
            raise ParameterUnknown(name=name[:63])
    return {parameter.name: _value(parameter, given.get(parameter.name)) for parameter in parameters}


def check_default(parameter: ApiParameter) -> None:
    """Raises ParameterRefused if the default does not fit the parameter."""
    if parameter.default is not None:
        _value(parameter.model_copy(update={"required": False}), None)


def _value(parameter: ApiParameter, given: str | Sequence[str] | None) -> Value:
    if given is None:
        return _default(parameter)
    if parameter.many:
        return _list(parameter, [given] if isinstance(given, str) else given)
    if not isinstance(given, str):
        raise ParameterRefused(name=parameter.name, expected="one")
    return _scalar(parameter, given)


def _default(parameter: ApiParameter) -> Value:
    if parameter.required:
        raise ParameterMissing(name=parameter.name)
    if parameter.default is None:
        return (None,) if parameter.many else None
    if parameter.many:
        return _list(parameter, parameter.default.split(","))
    return _scalar(parameter, parameter.default)


def _list(parameter: ApiParameter, items: Sequence[str]) -> Value:
    if not 1 <= len(items) <= MAX_ITEMS:
        raise ParameterRefused(name=parameter.name, expected="many")
    return tuple(_scalar(parameter, item) for item in items)


def _scalar(parameter: ApiParameter, text: str) -> Scalar:
    if len(text) > MAX_TEXT_LENGTH or "\0" in text:
        raise ParameterRefused(name=parameter.name, expected="short-text")
    try:
        return _READ[parameter.type](text)
    except (ValueError, InvalidOperation, OverflowError) as error:
        raise ParameterRefused(name=parameter.name, expected=parameter.type) from error


def _integer(text: str) -> int:
    if not _INTEGER.fullmatch(text) or int(text) not in _INTEGERS:
        raise ValueError
    return int(text)


def _decimal(text: str) -> Decimal:
    if len(text) > _MAX_NUMBER_LENGTH or not _DECIMAL.fullmatch(text):
        raise ValueError
    return Decimal(text)


def _timestamp(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    # A time without a zone is UTC.
    return (moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment).astimezone(UTC)


def _boolean(text: str) -> bool:
    if text.lower() not in _TRUTH:
        raise ValueError
    return _TRUTH[text.lower()]


_READ: Mapping[ParameterType, Callable[[str], Scalar]] = {
    "string": str,
    "integer": _integer,
    "decimal": _decimal,
    "date": date.fromisoformat,
    "timestamp": _timestamp,
    "boolean": _boolean,
}
