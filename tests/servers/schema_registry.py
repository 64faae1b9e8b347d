"""A small schema registry that speaks the documented REST protocol: no real one can be had for the tests."""

import base64
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from typing import Any

import fastavro


class SchemaRegistryServer:
    """Schemas by number and by subject. `account`: what a request must have, `user:password`; empty: nothing."""

    def __init__(self, account: str = "") -> None:
        self.account, self.asked, self.fails = account, list[str](), 0
        """`fails`: a status that all answers have; 0: none."""
        self._answers: dict[str, dict[str, Any]] = {}
        self._schemas: dict[int, Any] = {}
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.asked.append(self.path)
                status, answer = outer.answer(self.path, self.headers.get("authorization", ""))
                body = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("content-type", "application/vnd.schemaregistry.v1+json")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                """Nothing is printed."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def answer(self, path: str, authorization: str) -> tuple[int, dict[str, Any]]:
        expected = "Basic " + base64.b64encode(self.account.encode()).decode()
        if self.fails or (self.account and authorization != expected):
            return self.fails or 401, {"error_code": 1, "message": "refused"}
        found = self._answers.get(path)
        return (200, found) if found else (404, {"error_code": 40403, "message": "Schema not found"})

    def register(self, number: int, schema: Any, subject: str = "", **more: Any) -> None:
        """`more`: further fields of the answer, as `references`."""
        answer = {"schema": json.dumps(schema), **more}
        self._answers[f"/schemas/ids/{number}"] = answer
        if subject:
            version = {"subject": subject, "version": 1, "id": number, **answer}
            self._answers[f"/subjects/{subject}/versions/1"] = version
        self._schemas[number] = schema

    def encoded(self, number: int, record: Any, schema: Any = None) -> bytes:
        """A message's value. `schema`: with what it refers to, if that is apart."""
        out = BytesIO()
        fastavro.schemaless_writer(out, fastavro.parse_schema(schema or self._schemas[number]), record)
        return b"\0" + number.to_bytes(4, "big") + out.getvalue()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
