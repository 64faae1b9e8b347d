"""Checks of every request before its route."""

import asyncio
from typing import Any

import pytest
from prometheus_client import CollectorRegistry
from structlog.testing import capture_logs

from zcbus.control.platform.middleware import Message, OneSpelling, Receive, RequestFrame, Scope, Send


async def nothing() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


def scope_of(path: str = "/api/zcbus/x", **more: Any) -> Scope:
    return {"type": "http", "method": "POST", "path": path, "headers": [], **more}


def lines_of(status: int, notable: bool) -> list[tuple[str, int]]:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        scope["zcbus_notable"] = notable
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def forget(message: Message) -> None:
        pass

    with capture_logs() as lines:
        asyncio.run(RequestFrame(app, CollectorRegistry())(scope_of(), nothing, forget))
    return [(line["log_level"], line["status"]) for line in lines]


@pytest.mark.parametrize(
    ("status", "notable", "level"),
    [(200, True, "info"), (200, False, "debug"), (404, False, "info"), (500, True, "warning"), (503, False, "warning")],
)
def test_polling_does_not_fill_the_log(status: int, notable: bool, level: str) -> None:
    assert lines_of(status, notable) == [(level, status)]


def test_the_log_says_from_which_portal_a_call_is() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 404, "headers": []})

    async def forget(message: Message) -> None:
        pass

    scope = scope_of(headers=[(b"zcbus-source-url", b"https%3A%2F%2Fportal.example%2F")])
    with capture_logs() as lines:
        asyncio.run(RequestFrame(app, CollectorRegistry())(scope, nothing, forget))
    assert [line["source"] for line in lines] == ["https://portal.example/"]


@pytest.mark.parametrize(
    ("path", "seen"),
    [
        ("/api/acme/auth/info", "/api/zcbus/auth/info"),
        ("/ws/acme/events", "/ws/zcbus/events"),
        ("/api/zcbus/auth/info", "/api/zcbus/auth/info"),
        ("/api/acmes/auth/info", "/api/acmes/auth/info"),
        ("/zcbus/api/acme/x", "/zcbus/api/acme/x"),
    ],
)
def test_both_spellings_are_one_path(path: str, seen: str) -> None:
    paths: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        paths.append(scope["path"])

    async def forget(message: Message) -> None:
        pass

    asyncio.run(OneSpelling(app, "acme")(scope_of(path), nothing, forget))
    assert paths == [seen]
