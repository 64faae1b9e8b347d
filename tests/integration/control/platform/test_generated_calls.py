"""Generated calls: whatever is sent, the answer is an envelope or a file, and never a server error.

`ZCBUS_GENERATED_CALLS` says how many are made for each route (the long runs take more), `ZCBUS_GENERATED_SEED` which.
"""

import json
import os
import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.control_plane import ControlPlane

FEW = 2
FILE = "application/octet-stream"
CALLS_PER_ROUTE = int(os.environ.get("ZCBUS_GENERATED_CALLS", FEW))
SEED = int(os.environ.get("ZCBUS_GENERATED_SEED", "20260131"))

# Calls that would end the session the test works with, or that wait for an agent.
LEFT_OUT = {"session_logout", "account_change_password"}
WAITING = {"agent_news", "terminal_search_host_log"}
"""Calls whose answer waits for seconds, for an event or for an agent; few of them are made."""

STRANGE: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    2**31,
    2**63,
    2**70,
    1e308,
    "",
    " ",
    "\u0000",
    "a\u0000b",
    "\ud800",
    "中文🎈",
    "'; DROP TABLE user_account; --",
    "%s %(x)s {y}",
    "../../etc/passwd",
    "x" * 5000,
    [],
    {},
    [[]],
    {"a": {"b": None}},
)


class Generator:
    """Values for a schema of the OpenAPI document: mostly fitting, now and then strange."""

    def __init__(self, document: dict[str, Any], seed: int) -> None:
        self._models = document["components"]["schemas"]
        self._random = random.Random(seed)

    def value(self, schema: dict[str, Any], depth: int = 0) -> Any:
        if self._random.random() < 0.15 or depth > 6:
            return self._random.choice(STRANGE)
        if "$ref" in schema:
            return self.value(self._models[schema["$ref"].rsplit("/", 1)[-1]], depth)
        for several in ("anyOf", "oneOf"):
            if several in schema:
                return self.value(self._random.choice(schema[several]), depth)
        if "enum" in schema or "const" in schema:
            return self._random.choice(schema.get("enum") or [schema["const"]])
        make = self._makers().get(schema.get("type", ""))
        return make(schema, depth + 1) if make else self._random.choice(STRANGE)

    def file(self) -> bytes:
        return self._random.choice((b"", b"\x00\xff", b"a,b\n1,2\n", self._random.randbytes(4096)))

    def _makers(self) -> dict[str, Callable[[dict[str, Any], int], Any]]:
        return {
            "object": self._object,
            "array": lambda schema, depth: [
                self.value(schema.get("items", {}), depth) for _ in range(self._random.randrange(3))
            ],
            "string": lambda *_: self._random.choice(("a", "Ab1_", "public.*", "2026-01-01T00:00:00Z", "中文")),
            "integer": lambda *_: self._random.choice((0, 1, 20, 3306)),
            "number": lambda *_: self._random.random(),
            "boolean": lambda *_: self._random.random() < 0.5,
            "null": lambda *_: None,
        }

    def _object(self, schema: dict[str, Any], depth: int) -> dict[str, Any]:
        required = schema.get("required", [])
        return {
            name: self.value(field, depth)
            for name, field in schema.get("properties", {}).items()
            if self._random.random() < (0.95 if name in required else 0.5)
        }


# PostgreSQL refuses more values than SQLite does.
@pytest.mark.wide
@pytest.mark.every_store
@pytest.mark.soak(but=["postgresql"])
def test_no_generated_call_is_a_server_error(plane: ControlPlane) -> None:
    document = plane.client.get("/openapi.json").json()
    generator = Generator(document, seed=SEED)
    plane.client.headers.update({"ZCBUS-TOKEN": plane.local_token(), "Content-Type": "application/json"})
    answered: dict[int, int] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if operation["operationId"] in LEFT_OUT:
                continue
            for _ in range(FEW if operation["operationId"] in WAITING else CALLS_PER_ROUTE):
                status = _call(plane, method, path, operation, generator)
                answered[status] = answered.get(status, 0) + 1
    print(f"{sum(answered.values())} calls: {dict(sorted(answered.items()))}", flush=True)
    assert answered[200] > CALLS_PER_ROUTE
    assert answered[422] > CALLS_PER_ROUTE


def _call(plane: ControlPlane, method: str, path: str, operation: dict[str, Any], generator: Generator) -> int:
    contents = operation.get("requestBody", {}).get("content", {})
    content = contents.get("application/json", {})
    body = generator.value(content["schema"]) if content else None
    sent = generator.file() if FILE in contents else json.dumps(body)
    query = {
        p["name"]: str(generator.value(p["schema"])) for p in operation.get("parameters", []) if p["in"] == "query"
    }
    query = {name: value.encode(errors="replace").decode() for name, value in query.items()}
    answer = plane.client.request(method.upper(), path, content=sent, params=query)
    request_line = f"{operation['operationId']} {body!r} {query!r} -> {answer.status_code} {answer.text[:300]}"
    assert answer.status_code < 500, request_line
    if answer.status_code == 200 and answer.headers["content-type"] == FILE:
        return answer.status_code
    assert answer.json().keys() == {"code", "message", "data"}, request_line
    return answer.status_code
