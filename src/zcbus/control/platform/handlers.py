"""Conversion of errors to answers: the only code that knows HTTP statuses, error codes and languages."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from zcbus.control.platform.audit import hide_secrets
from zcbus.control.platform.call import services_of
from zcbus.control.platform.envelope import fault_response
from zcbus.control.platform.errors import RequestMalformedError, TooManyRequestsError, status_of, wire_code_of
from zcbus.control.platform.faults import field_errors
from zcbus.control.platform.language import language_of
from zcbus.kit.errors import ZcbusError
from zcbus.kit.logging import get_logger

_MESSAGE_BY_STATUS = {404: "path-not-found", 405: "method-not-allowed", 413: "request-too-large"}

_MAX_IN_WORDS = 5

_log = get_logger("control.api")

Handler = Callable[[Request, Any], Awaitable[Response]]


def add_exception_handlers(app: FastAPI) -> None:
    """Every error leaves the platform as an envelope."""
    handlers: dict[type[Exception], Handler] = {
        ZcbusError: _platform_error,
        RequestValidationError: _validation_error,
        HTTPException: _http_error,
        Exception: _unexpected_error,
    }
    for kind, handler in handlers.items():
        app.add_exception_handler(kind, handler)


async def _platform_error(request: Request, error: ZcbusError) -> Response:
    message = services_of(request).catalogue.error_text(language_of(request.headers), error)
    headers = {"Retry-After": str(error.facts["seconds"])} if isinstance(error, TooManyRequestsError) else None
    field = getattr(error, "field", "")
    fields = [{"field": field, "reason": message}] if field else []
    fault = _fault(error.code, facts=hide_secrets(error.facts), fields=fields)
    return fault_response(status_of(error), wire_code_of(error), message, fault, headers)


async def _validation_error(request: Request, error: RequestValidationError) -> Response:
    fields = field_errors(error.errors(), services_of(request).catalogue, language_of(request.headers))
    message = _text(request, RequestMalformedError.code, fields=_in_words(fields))
    return fault_response(422, 422, message, _fault(RequestMalformedError.code, fields=fields))


async def _http_error(request: Request, error: HTTPException) -> Response:
    key = _MESSAGE_BY_STATUS.get(error.status_code, "bad-request")
    headers = dict(error.headers) if error.headers else None
    return fault_response(
        error.status_code, error.status_code, _text(request, key, limit=error.detail), _fault(key), headers
    )


async def _unexpected_error(request: Request, error: Exception) -> Response:
    _log.error("request failed", path=request.url.path, exc_info=error)
    return fault_response(500, 500, _text(request, "server-error"), _fault("server-error"))


def _in_words(fields: Sequence[dict[str, str]]) -> str:
    """Long documents may have many faults: a few are enough to begin with."""
    words = [f"{fault['field']}: {fault['reason']}" for fault in fields[:_MAX_IN_WORDS]]
    return "; ".join([*words, "…"] if len(fields) > _MAX_IN_WORDS else words)


def _fault(
    code: str, *, facts: dict[str, Any] | None = None, fields: list[dict[str, str]] | None = None
) -> dict[str, Any]:
    return {"error": code, "facts": facts or {}, "fields": fields or []}


def _text(request: Request, key: str, **facts: object) -> str:
    return services_of(request).catalogue.text(language_of(request.headers), key, **facts)
