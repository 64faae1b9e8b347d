"""What every request meets before a route."""

import asyncio
import json
from typing import Any

import pytest
from prometheus_client import CollectorRegistry

from zcbus.control.platform.middleware import Message, OneSpelling, Receive, RequestFrame, Scope, Send
from zcbus.kit.logging import configure_logging


async def nothing() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


def scope_of(path: str = "/api/zcbus/x", **more: Any) -> Scope:
    return {"type": "http", "method": "POST", "path": path, "headers": [], **more}


def answer(status: int, notable: bool) -> None:
    """Let a request be answered."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        scope["zcbus_notable"] = notable
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def forget(message: Message) -> None:
        pass

    asyncio.run(RequestFrame(app, CollectorRegistry())(scope_of(), nothing, forget))


@pytest.mark.parametrize(
    ("status", "notable", "level"),
    [(200, True, "info"), (200, False, "debug"), (404, False, "info"), (500, True, "warning"), (503, False, "warning")],
)
def test_polling_does_not_fill_the_log(
    status: int, notable: bool, level: str, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logging("debug")
    answer(status, notable)
    configure_logging()
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [(line["level"], line["status"]) for line in lines] == [(level, status)]


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
