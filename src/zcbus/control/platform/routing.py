"""Declaration of a feature's calls.

    api = Api("sync-link")

    @api.read("/api/zcbus/sync/link/page", authorise("sync-link", Operation.VIEW))
    def page(call: Call, body: LinkPageRequest) -> Page[LinkRecord]: ...

The decorated function gets the `Call` first, then what FastAPI parses (one body model, query parameters), and returns
its data. Envelope, transaction, authorisation and operation log are added here. It may also return a `Response` (a
file, a stream), which is passed on unchanged.
"""

import inspect
import re
from collections.abc import Callable
from functools import cache
from typing import Any, ParamSpec, TypeVar

from fastapi import APIRouter, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from pydantic import BaseModel, TypeAdapter
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from zcbus.control.platform.authorisation import Access
from zcbus.control.platform.awaited import Awaited
from zcbus.control.platform.call import TOKEN_HEADER, Call, Rules, Unit, authenticate, run_call, services_of
from zcbus.control.platform.encrypted_body import decrypted, is_encrypted, is_private
from zcbus.control.platform.envelope import Envelope, Fault, envelope_head, json_response
from zcbus.control.platform.errors import (
    SUCCESS,
    BrokenTextError,
    EncryptionRequiredError,
    NotAuthenticatedError,
    NulCharacterError,
    UnexpectedError,
)
from zcbus.control.platform.middleware import MAX_ANONYMOUS_BYTES, declared_length, limit_body
from zcbus.control.platform.paging import ListDefinition, PageRequest, StreamedPage
from zcbus.control.platform.progress import KEY_PATTERN, PROGRESS_HEADER
from zcbus.control.platform.schema import Empty, is_confidential
from zcbus.kit.errors import ZcbusError
from zcbus.kit.logging import get_logger

_log = get_logger("control.api")

P = ParamSpec("P")
R = TypeVar("R")

Endpoint = Callable[..., Any]

_FAULTS: dict[int | str, dict[str, Any]] = {
    401: {"description": "Not logged in, or the login is over"},
    403: {"description": "No access"},
    422: {"description": "A field is missing or wrong"},
}


class _File(Response):
    media_type = "application/octet-stream"


_FILE: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}
}

# Built once: FastAPI would build the same three for each of the calls, a tenth of what the program takes to start.
_FAULT_FIELDS = APIRoute(
    "/", lambda: None, responses={status: {"model": Envelope[Fault]} for status in _FAULTS}
).response_fields

_PROGRESS_PARAMETER = {
    "name": PROGRESS_HEADER,
    "in": "header",
    "required": False,
    "description": "The caller's own name for this call, by which he asks how far it is and calls it off",
    "schema": {"type": "string", "pattern": KEY_PATTERN},
}

# U+0000 as JSON writes it: after an even number of backslashes.
_NUL_IN_JSON = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")

# Half of a pair as JSON writes it, without its other half.
_LONE_SURROGATE = re.compile(
    rb"(?<!\\)(?:\\\\)*(?:\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])"
    rb"|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2})"
)


class GuardedRoute(APIRoute):
    """Checks the caller's rights before it reports faults of the body."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.response_fields = _FAULT_FIELDS
        self._takes_bytes = self.body_field is not None and self.body_field.field_info.annotation is bytes
        if self.body_field is not None and self.body_field.field_info.is_required():
            # The model's own validator, made at the first call: FastAPI would make it a second time, at the start.
            model: Any = self.body_field.field_info.annotation
            self.body_field._type_adapter = TypeAdapter(model)

    def get_route_handler(self) -> Callable[[Request], Any]:
        handle = super().get_route_handler()
        rules: Rules = self.endpoint.rules  # type: ignore[attr-defined]

        async def guarded(request: Request) -> Response:
            if rules.access.needs_token and TOKEN_HEADER not in request.headers:
                raise NotAuthenticatedError
            if rules.confidential and not (is_encrypted(request) or is_private(request)):
                raise EncryptionRequiredError
            await _limit_body(request, rules)
            request = await decrypted(request, services_of(request))
            if not self._takes_bytes:
                await _check_text(request)
            try:
                response: Response = await handle(request)
            except RequestValidationError:
                await run_in_threadpool(authenticate, request, rules)
                raise
            except (ZcbusError, HTTPException):
                raise
            except Exception as error:
                _log.error("call failed", action=rules.action, exc_info=error)
                raise UnexpectedError from error
            return response

        return guarded


async def _limit_body(request: Request, rules: Rules) -> None:
    """Little is read before the caller is authenticated; a larger body needs a session first."""
    length = declared_length(request.scope)
    if rules.access.needs_token and (length is None or length > MAX_ANONYMOUS_BYTES):
        await run_in_threadpool(authenticate, request, rules)
    elif not rules.access.needs_token:
        limit_body(request.scope, MAX_ANONYMOUS_BYTES)


async def _check_text(request: Request) -> None:
    """Raises NulCharacterError, BrokenTextError."""
    body = await request.body()
    if len(body) > MAX_ANONYMOUS_BYTES:
        await run_in_threadpool(_check_bytes, request, body)
    else:
        _check_bytes(request, body)


def _check_bytes(request: Request, body: bytes) -> None:
    query: bytes = request.scope["query_string"]
    if b"%00" in query or _NUL_IN_JSON.search(body):
        raise NulCharacterError
    if _LONE_SURROGATE.search(body):
        raise BrokenTextError


class Api:
    """The calls of one feature; `tag` names the feature in the OpenAPI document."""

    def __init__(self, tag: str) -> None:
        self.tag = tag
        self.router = APIRouter(tags=[tag], route_class=GuardedRoute, responses=_FAULTS)

    @classmethod
    def joined(cls, *parts: "Api") -> "Api":
        """The calls of a feature that belong to several tags."""
        combined = cls(parts[0].tag)
        combined.router.routes.extend(route for part in parts for route in part.router.routes)
        return combined

    def read(
        self,
        path: str,
        access: Access,
        *,
        method: str = "POST",
        unit: Unit = Unit.READ,
        listed: bool = True,
        followed: bool = False,
        lists: ListDefinition[Any] | None = None,
    ) -> Callable[[Callable[P, R]], Callable[P, R]]:
        """Declare a call that changes nothing. `listed=False` keeps a second spelling out of the OpenAPI document;
        `followed`: it takes long, reports to `call.progress`, and can be cancelled; `lists`: the definition of the list
        that it pages."""
        return self._register(
            path, access, method, unit, audited=False, changes=False, listed=listed, followed=followed, lists=lists
        )

    def change(
        self,
        path: str,
        access: Access,
        *,
        unit: Unit = Unit.WRITE,
        audited: bool = True,
        code: int = SUCCESS,
        followed: bool = False,
    ) -> Callable[[Callable[P, R]], Callable[P, R]]:
        """Declare a call that changes something and is recorded in the operation log. `audited=False` is for machines
        that call every second; `code` is the specification's code for success where it is not 200; `followed` as for
        `read`."""
        return self._register(path, access, "POST", unit, audited=audited, changes=True, code=code, followed=followed)

    def _register(
        self,
        path: str,
        access: Access,
        method: str,
        unit: Unit,
        *,
        audited: bool,
        changes: bool,
        listed: bool = True,
        code: int = SUCCESS,
        followed: bool = False,
        lists: ListDefinition[Any] | None = None,
    ) -> Callable[[Callable[P, R]], Callable[P, R]]:
        def decorate(endpoint: Callable[P, R]) -> Callable[P, R]:
            action = f"{self.tag}_{endpoint.__name__}"
            rules = Rules(
                action, access, unit, audited, changes, _is_confidential(endpoint), _may_be_followed(followed, unit)
            )
            handler, answer_type = _handler(endpoint, rules, code)
            self.router.add_api_route(
                path,
                handler,
                methods=[method],
                response_model=None if _is_file(answer_type) else Envelope[answer_type],  # type: ignore[valid-type]
                response_class=_File if _is_file(answer_type) else JSONResponse,
                responses=_FILE if _is_file(answer_type) else None,
                operation_id=action,
                summary=inspect.getdoc(endpoint),
                include_in_schema=listed,
                openapi_extra={
                    **({"x-read": True} if not changes and method == "POST" else {}),
                    **({"parameters": [_PROGRESS_PARAMETER]} if followed else {}),
                    **_described(endpoint, lists),
                },
            )
            return endpoint

        return decorate


def _described(endpoint: Endpoint, lists: ListDefinition[Any] | None) -> dict[str, Any]:
    """A list in the API document: what it can be sorted and narrowed by."""
    requests = [
        kind
        for kind in inspect.get_annotations(endpoint, eval_str=True).values()
        if isinstance(kind, type) and issubclass(kind, PageRequest)
    ]
    if bool(requests) != (lists is not None):
        raise TypeError(f"{endpoint.__name__}: what answers a page declares its list, and nothing else does")
    if lists is None:
        return {}
    filters = [
        field.alias or name for name, field in requests[0].model_fields.items() if name not in PageRequest.model_fields
    ]
    return {"x-list": {"sortable": list(lists.sortable), "filters": filters}}


def _is_file(answer_type: Any) -> bool:
    return isinstance(answer_type, type) and issubclass(answer_type, Response)


def _may_be_followed(followed: bool, unit: Unit) -> bool:
    if followed and unit is not Unit.OWN:
        raise ValueError("what a call writes about its progress would wait for the call's own transaction")
    return followed


def _is_confidential(endpoint: Endpoint) -> bool:
    annotations = inspect.get_annotations(endpoint, eval_str=True)
    return any(is_confidential(kind) for name, kind in annotations.items() if name != "return")


def _handler(endpoint: Endpoint, rules: Rules, code: int) -> tuple[Endpoint, Any]:
    """Wrap an endpoint; FastAPI sees its parameters without the call."""
    signature = inspect.signature(endpoint, eval_str=True)
    call_name, *_ = signature.parameters
    answer_type = signature.return_annotation
    if signature.parameters[call_name].annotation is not Call or answer_type is inspect.Signature.empty:
        raise TypeError(f"{rules.action}: the first parameter is a Call, and the answer has a type")
    answer = _answer_writer(answer_type, code)

    def handle(zcbus_request: Request, **arguments: Any) -> Response:
        def perform(call: Call) -> Any:
            if rules.audited:
                call.audit.after = _plain(arguments)
            return answer(call, endpoint(call, **arguments))

        response: Response = run_call(zcbus_request, rules, perform)
        return response

    handle.__signature__ = _outer_signature(signature, call_name)  # type: ignore[attr-defined]
    handle.__name__ = endpoint.__name__
    handle.rules = rules  # type: ignore[attr-defined]
    return handle, answer_type


def _outer_signature(signature: inspect.Signature, call_name: str) -> inspect.Signature:
    keyword = inspect.Parameter.KEYWORD_ONLY
    own = [inspect.Parameter("zcbus_request", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Request)]
    rest = [_with_default(p).replace(kind=keyword) for name, p in signature.parameters.items() if name != call_name]
    return inspect.Signature([*own, *rest], return_annotation=Response)


def _with_default(parameter: inspect.Parameter) -> inspect.Parameter:
    """A body that holds nothing may be left out altogether."""
    return parameter.replace(default=Empty()) if parameter.annotation is Empty else parameter


def _answer_writer(answer_type: Any, code: int) -> Callable[[Call, Any], Response]:
    @cache
    def adapter() -> TypeAdapter[Any]:
        return TypeAdapter(answer_type)

    def answer(call: Call, result: Any) -> Response:
        if isinstance(result, Response):
            return result
        head = envelope_head(call.code or code, call.text(call.message_key))
        if isinstance(result, StreamedPage | Awaited):
            return result.response(call, head)
        return json_response(head + adapter().dump_json(result, by_alias=True) + b"}")

    return answer


def _plain(arguments: dict[str, Any]) -> Any:
    """The arguments of a call as JSON for the operation log; a single body stands for itself."""
    plain = {
        name: value.model_dump(mode="json", by_alias=True) if isinstance(value, BaseModel) else value
        for name, value in arguments.items()
        if isinstance(value, BaseModel | str | int | float | bool)
    }
    return plain["body"] if plain.keys() == {"body"} else plain
