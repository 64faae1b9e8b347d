"""Operational endpoints: /healthz, /readyz, /metrics, /swagger-ui.html."""

import html
from hmac import compare_digest
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException

from zcbus.control.platform.call import services_of
from zcbus.control.store.migrate import current_version, needed_version
from zcbus.kit.gateway_settings import parse_ip

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
def healthz() -> Response:
    """The process answers."""
    return JSONResponse({"status": "ok"})


@router.get("/readyz")
def readyz(request: Request) -> Response:
    """The store answers and is at the version this program needs; 503 otherwise."""
    try:
        with services_of(request).database.read() as connection:
            is_ready = current_version(connection) == needed_version()
    except SQLAlchemyError:
        is_ready = False
    return JSONResponse({"status": "ready" if is_ready else "not-ready"}, 200 if is_ready else 503)


@router.get("/ca.pem")
def authority(request: Request) -> Response:
    """The certificate of the platform's own authority, for hosts that join and for browsers."""
    services = services_of(request)
    if not services.settings.uses_tls:
        raise HTTPException(404)
    return Response(services.authority.certificate(services.clock.now()), media_type="application/x-pem-file")


@router.get("/metrics")
def metrics(request: Request) -> Response:
    """Prometheus text."""
    settings = services_of(request).settings
    if not (settings.metrics != "off" and _presents(request, settings.metrics_token)):
        check_shown(request, settings.metrics)
    return Response(generate_latest(services_of(request).metrics), media_type=CONTENT_TYPE_LATEST)


@router.get("/openapi.json")
def document(request: Request) -> JSONResponse:
    """The OpenAPI document."""
    check_shown(request, services_of(request).settings.openapi)
    return JSONResponse(request.app.openapi())


@router.get("/swagger-ui.html")
def browsable_page(request: Request) -> HTMLResponse:
    """The OpenAPI document as a plain page: no script, nothing from elsewhere."""
    check_shown(request, services_of(request).settings.openapi)
    return HTMLResponse(_page(request.app.openapi()))


def _presents(request: Request, token: str) -> bool:
    """Whether the caller presents this token; no caller can present an empty one."""
    given = request.headers.get("authorization", "").encode()
    return bool(token) and compare_digest(given, f"Bearer {token}".encode())


def check_shown(request: Request, shown: str) -> None:
    """Raises 404 for whom a page is not there (settings `metrics`, `openapi`)."""
    if shown != "open" and not (shown == "local" and _is_local(request)):
        raise HTTPException(404)


def _is_local(request: Request) -> bool:
    """Whether a program on this host asks for itself: a proxy that is not trusted asks for others."""
    client = request.client.host if request.client is not None else ""
    try:
        local = parse_ip(client).is_loopback
    except ValueError:
        return False
    return local and not any(name in request.headers for name in ("x-forwarded-for", "forwarded", "via"))


def _page(document: dict[str, Any]) -> str:
    parts = [
        _operation(path, method, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    models = [
        f'<details id="{_safe(name)}"><summary><code>{_safe(name)}</code></summary>{_fields(schema)}</details>'
        for name, schema in sorted(document["components"]["schemas"].items())
    ]
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>ZCBUS API</title><style>'
        "body{font:14px system-ui;margin:2em auto;max-width:70em;padding:0 1em}summary{cursor:pointer;padding:.3em}"
        "table{border-collapse:collapse;margin:.3em 1.5em}td{padding:.15em .8em;border-bottom:1px solid #ddd}"
        "p{margin:.3em 1.5em}b{display:inline-block;min-width:3.5em}</style></head><body><h1>ZCBUS API</h1>"
        '<p>The document itself: <a href="/openapi.json">/openapi.json</a></p><h2>Calls</h2>'
        + "".join(parts)
        + "<h2>Models</h2>"
        + "".join(models)
        + "</body></html>"
    )


def _operation(path: str, method: str, operation: dict[str, Any]) -> str:
    body, answer = _schema(operation.get("requestBody", {})), _schema(operation["responses"]["200"])
    parameters = "".join(
        f"<p>{_safe(parameter['in'])} <code>{_safe(parameter['name'])}</code>: {_type(parameter['schema'])}</p>"
        for parameter in operation.get("parameters", [])
    )
    request = f"<p>request: {_type(body)}</p>" if body else ""
    return (
        f"<details><summary><b>{method.upper()}</b> <code>{_safe(path)}</code></summary>"
        f"<p>{_safe(operation.get('summary', ''))}</p>{parameters}{request}<p>answer: {_type(answer)}</p></details>"
    )


def _schema(message: dict[str, Any]) -> dict[str, Any]:
    """Of what a request or an answer holds: a document, or the bytes of a file. Empty: it holds nothing."""
    return next((content["schema"] for content in message.get("content", {}).values()), {})


def _fields(schema: dict[str, Any]) -> str:
    if "properties" not in schema:
        return f"<p>{_type(schema)}</p>"
    required = schema.get("required", [])
    rows = "".join(
        f"<tr><td><code>{_safe(name)}</code></td><td>{_type(field)}</td>"
        f"<td>{'required' if name in required else ''}</td></tr>"
        for name, field in schema["properties"].items()
    )
    return f"<p>{_safe(schema.get('description', ''))}</p><table>{rows}</table>"


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = _safe(schema["$ref"].rsplit("/", 1)[-1])
        return f'<a href="#{name}"><code>{name}</code></a>'
    if "anyOf" in schema:
        return " or ".join(_type(choice) for choice in schema["anyOf"])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if "enum" in schema:
        return " | ".join(_safe(value) for value in schema["enum"])
    is_file = schema.get("format") == "binary" or "contentMediaType" in schema
    return "file" if is_file else _safe(schema.get("type", "any"))


def _safe(value: object) -> str:
    return html.escape(str(value))
