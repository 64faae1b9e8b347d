"""Options of a call: parameter values, page and format."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import orjson

from zcbus.gateway.calls import MAX_BODY_BYTES, Call
from zcbus.gateway.errors import BodyInvalid, BodyTooLarge, PageInvalid
from zcbus.protocol.data_service import ApiQuery

Form = Literal["json", "csv", "csv-raw"]
"""csv: safe for spreadsheet programs; csv-raw: texts unchanged."""
_FORMS: Mapping[str, Form] = {"json": "json", "csv": "csv", "csv-raw": "csv-raw"}
_MAX_SKIPPED = 10_000_000


@dataclass(frozen=True, slots=True)
class CallOptions:
    """Options of a call. `page` starts at 1."""

    values: Mapping[str, str | tuple[str, ...]]
    page: int
    size: int
    form: Form


def call_options(call: Call, query: ApiQuery) -> CallOptions:
    """Read the options of a call. Raises BodyTooLarge, BodyInvalid, PageInvalid."""
    several = {parameter.name for parameter in query.parameters if parameter.many}
    own = {name: value for name, value in call.pairs if name.startswith("_")}
    values: dict[str, str | tuple[str, ...]] = {}
    for name, value in call.pairs:
        if name in several:
            values[name] = (*values.get(name, ()), value)
        elif not name.startswith("_"):
            values[name] = value
    values.update(_of_body(call))
    page, size = _number(own, "_page", 1, _MAX_SKIPPED), _number(own, "_size", query.row_limit, query.row_limit)
    if (page - 1) * size > _MAX_SKIPPED:
        raise PageInvalid(name="_page")
    return CallOptions(values, page, size, _form(call, own))


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
    if len(call.body) > MAX_BODY_BYTES:
        raise BodyTooLarge(bytes=MAX_BODY_BYTES)
    if not call.body:
        return {}
    try:
        body = orjson.loads(call.body)
    except orjson.JSONDecodeError as error:
        raise BodyInvalid from error
    if not isinstance(body, dict):
        raise BodyInvalid
    return {name: _texts(value) for name, value in body.items() if value is not None}


def _texts(value: object) -> str | tuple[str, ...]:
    return tuple(_text(item) for item in value) if isinstance(value, list) else _text(value)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int | float):
        return str(value)
    raise BodyInvalid
