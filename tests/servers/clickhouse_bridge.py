"""A program that answers requests as ClickHouse's HTTP interface does, by ClickHouse's engine in this process (chDB).

Statements, types, tables and errors are those of the engine. The wire, TLS, users and several requests at once are not.
"""

import base64
import re
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

PASSWORD = b":wrong"
"""Refused; all others are taken."""
_IN_PROCESS = {"wait_end_of_query"}
_CODE = re.compile(r"Code: (\d+)")
_one = threading.Lock()


def main(folder: str, port: int) -> None:
    from chdb import session

    engine: Any = session.Session(folder)  # type: ignore[no-untyped-call]

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            self.answer(200, b"Ok.\n")

        def do_POST(self) -> None:
            given = dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True))
            data = self.rfile.read(int(self.headers.get("content-length", 0)))
            if base64.b64decode(self.headers.get("authorization", "").removeprefix("Basic ")).endswith(PASSWORD):
                self.refuse("Code: 516. DB::Exception: Authentication failed. (AUTHENTICATION_FAILED)", 403)
                return
            statement, database = given.pop("query", None), given.pop("database", "default")
            with _one:
                try:
                    self.answer(200, run(engine, statement, data, database, given))
                except Exception as error:  # noqa: BLE001  whatever the engine raises is its answer
                    self.refuse(str(error), 500)

        def refuse(self, text: str, status: int) -> None:
            code = _CODE.search(text)
            self.answer(status, text.encode(), code[1] if code else "1002")

        def answer(self, status: int, body: bytes, code: str = "") -> None:
            self.send_response(status)
            if code:
                self.send_header("X-ClickHouse-Exception-Code", code)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_given: Any) -> None:
            """Quiet."""

    ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()


def run(engine: Any, statement: str | None, data: bytes, database: str, settings: dict[str, str]) -> bytes:
    settings.setdefault("insert_deduplication_token", "")
    known = {name: value for name, value in settings.items() if name not in _IN_PROCESS}
    engine.query("SET " + ", ".join(f"{name} = '{value}'" for name, value in known.items()))
    engine.query(f"USE `{database}`")
    if statement is None:
        return _asked(engine, data.decode())
    with tempfile.NamedTemporaryFile(suffix=".arrow") as file:
        file.write(data)
        file.flush()
        head = statement.removesuffix(" FORMAT ArrowStream")
        return _asked(engine, f"{head} FROM INFILE '{file.name}' FORMAT ArrowStream")


def _asked(engine: Any, statement: str) -> bytes:
    found = engine.query(statement, "TabSeparated")
    return bytes(found.bytes()) if found is not None else b""


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
