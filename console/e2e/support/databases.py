"""Starts real databases for the browser tests and runs statements on them.

Speaks JSON lines over its pipes: `{"do": "start" | "create" | "execute" | "rows" | "hold" | "release", "kind": …}` in,
`{"answer": …}` or `{"error": …}` out. When its input ends it stops and removes every server it started.
"""

import json
import sys
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from tests.servers.base import Server
from tests.servers.mariadb import MariaDBServer
from tests.servers.postgresql import PostgreSQLServer

_MAKERS: dict[str, Callable[[], Server]] = {"postgresql": PostgreSQLServer, "mysql": MariaDBServer}
_HELD = ExitStack()
"""Sessions with an open transaction and its locks."""


def main() -> None:
    servers: dict[str, Server] = {}
    try:
        for line in sys.stdin:
            print(json.dumps(_answer(servers, json.loads(line)), default=str), flush=True)
    finally:
        _HELD.close()
        for server in servers.values():
            server.remove()


def _answer(servers: dict[str, Server], request: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"answer": _perform(servers, request)}
    except Exception as error:  # noqa: BLE001  the browser test that asked gets the error
        return {"error": f"{type(error).__name__}: {error}"}


def _perform(servers: dict[str, Server], request: dict[str, Any]) -> Any:
    kind = request["kind"]
    if request["do"] == "start":
        if kind not in servers:
            servers[kind] = _MAKERS[kind]()
        server = servers[kind]
        return {
            "kind": kind,
            "host": server.host,
            "port": server.port,
            "user": server.user,
            "password": server.password,
        }
    if request["do"] == "create":
        return servers[kind].fresh_database(request["prefix"])
    if request["do"] == "release":
        return _HELD.close()
    statement = request["sql"], request["database"], request.get("params", [])
    if request["do"] == "hold":
        session = _HELD.enter_context(servers[kind].connect(request["database"]))
        session.cursor().execute(f"begin; {request['sql']}")
        return None
    if request["do"] == "execute":
        return servers[kind].execute(*statement)
    return servers[kind].rows(*statement)


if __name__ == "__main__":
    main()
