"""What a call asks for: values of parameters, which part of the rows, in which form."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import orjson

from zcbus.gateway.calls import MOST_BODY_BYTES, Call
from zcbus.gateway.errors import BodyInvalid, BodyTooLarge, PageInvalid
from zcbus.protocol.data_service import ApiQuery

Form = Literal["json", "csv", "csv-raw"]
"""csv: safe for spreadsheet programs; csv-raw: texts as they are."""
_FORMS: Mapping[str, Form] = {"json": "json", "csv": "csv", "csv-raw": "csv-raw"}
_MOST_SKIPPED = 10_000_000


@dataclass(frozen=True, slots=True)
class Asked:
    """`page` counts from 1."""

    given: Mapping[str, str | tuple[str, ...]]
    page: int
    size: int
    form: Form


def asked(call: Call, query: ApiQuery) -> Asked:
    """Raises BodyTooLarge, BodyInvalid, PageInvalid."""
    several = {parameter.name for parameter in query.parameters if parameter.many}
    own = {name: value for name, value in call.pairs if name.startswith("_")}
    given: dict[str, str | tuple[str, ...]] = {}
    for name, value in call.pairs:
        if name in several:
            given[name] = (*given.get(name, ()), value)
        elif not name.startswith("_"):
            given[name] = value
    given.update(_of_body(call))
    page, size = _number(own, "_page", 1, _MOST_SKIPPED), _number(own, "_size", query.row_limit, query.row_limit)
    if (page - 1) * size > _MOST_SKIPPED:
        raise PageInvalid(name="_page")
    return Asked(given, page, size, _form(call, own))


def _number(own: Mapping[str, str], name: str, default: int, most: int) -> int:
    text = own.get(name, str(default))
    if not text.isdecimal() or len(text) > 9 or not 1 <= int(text) <= most:
        raise PageInvalid(name=name)
    return int(text)


def _form(call: Call, own: Mapping[str, str]) -> Form:
    form = own.get("_format") or ("csv" if call.header("accept").startswith("text/csv") else "json")
    if form not in _FORMS:
        raise PageInvalid(name="_format")
    return _FORMS[form]


def _of_body(call: Call) -> dict[str, str | tuple[str, ...]]:
    if len(call.body) > MOST_BODY_BYTES:
        raise BodyTooLarge(bytes=MOST_BODY_BYTES)
    if not call.body:
        return {}
    try:
        told = orjson.loads(call.body)
    except orjson.JSONDecodeError as error:
        raise BodyInvalid from error
    if not isinstance(told, dict):
        raise BodyInvalid
    return {name: _spelled(value) for name, value in told.items() if value is not None}


def _spelled(value: object) -> str | tuple[str, ...]:
    return tuple(_word(item) for item in value) if isinstance(value, list) else _word(value)


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int | float):
        return str(value)
    raise BodyInvalid
