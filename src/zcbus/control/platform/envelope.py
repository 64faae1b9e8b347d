"""The one shape of every JSON answer: `{"code", "message", "data"}`."""

from typing import Any, Generic, TypeVar

import orjson
from fastapi import Response
from pydantic import BaseModel, ConfigDict

T = TypeVar("T")


class Envelope(BaseModel, Generic[T]):
    """`code` 200 is success; `message` is in the caller's language."""

    model_config = ConfigDict(defer_build=True)

    code: int
    message: str
    data: T


class FieldFault(BaseModel):
    """One field that was missing or wrong, with the reason in the validator's words."""

    field: str
    reason: str


class Fault(BaseModel):
    """The `data` of an answer that is not success."""

    error: str
    facts: dict[str, Any]
    fields: list[FieldFault]


def envelope_head(code: int, message: str) -> bytes:
    """The bytes of an envelope up to its data; the caller appends JSON and a closing brace."""
    return b'{"code":%d,"message":%s,"data":' % (code, orjson.dumps(message))


def json_response(content: bytes, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """An answer from ready bytes."""
    return Response(content, status_code=status, media_type="application/json", headers=headers)


def fault_response(
    status: int, code: int, message: str, fault: dict[str, Any], headers: dict[str, str] | None = None
) -> Response:
    """An answer that is not success."""
    body = envelope_head(code, message) + orjson.dumps(fault, default=str) + b"}"
    return json_response(body, status, headers)
