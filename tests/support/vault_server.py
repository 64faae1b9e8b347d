"""A small server that behaves by HashiCorp Vault's documented HTTP API: the transit engine and key/value, version 2.

It is no Vault: tests against it prove what the platform sends and how it takes the documented answers.
"""

import base64
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

TOKEN = "hvs.test-token"


@dataclass
class VaultServer:
    """`secrets`: fields by path of the engine mounted at `secret`. `status`: what every call is answered with; 0: as
    Vault would."""

    address: str = ""
    secrets: dict[str, dict[str, Any]] = field(default_factory=dict)
    status: int = 0
    calls: list[tuple[str, str]] = field(default_factory=list)
    key: AESGCM = field(default_factory=lambda: AESGCM(os.urandom(32)))

    def answer(self, method: str, path: str, token: str, body: dict[str, str]) -> tuple[int, dict[str, Any]]:
        """Status and document."""
        self.calls.append((method, path))
        if self.status:
            return self.status, {"errors": ["as the test says"]}
        if token != TOKEN:
            return 403, {"errors": ["permission denied"]}
        if (method, path) == ("POST", "/v1/transit/encrypt/zcbus"):
            return 200, {"data": {"ciphertext": self._encrypted(body["plaintext"]), "key_version": 1}}
        if (method, path) == ("POST", "/v1/transit/decrypt/zcbus"):
            return self._decrypted(body["ciphertext"])
        found = self.secrets.get(path.removeprefix("/v1/secret/data/"))
        if method == "GET" and found is not None:
            return 200, {"data": {"data": found, "metadata": {"version": 1, "destroyed": False}}}
        return 404, {"errors": []}

    def _encrypted(self, plain: str) -> str:
        nonce = os.urandom(12)
        return "vault:v1:" + base64.b64encode(nonce + self.key.encrypt(nonce, base64.b64decode(plain), None)).decode()

    def _decrypted(self, text: str) -> tuple[int, dict[str, Any]]:
        content = base64.b64decode(text.removeprefix("vault:v1:"))
        try:
            plain = self.key.decrypt(content[:12], content[12:], None)
        except InvalidTag:
            return 400, {"errors": ["invalid ciphertext"]}
        return 200, {"data": {"plaintext": base64.b64encode(plain).decode()}}


@contextmanager
def vault_server() -> Iterator[VaultServer]:
    """Runs on a free port of this host."""
    vault = VaultServer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._reply("GET")

        def do_POST(self) -> None:
            self._reply("POST")

        def log_message(self, *_: object) -> None:
            """Say nothing."""

        def _reply(self, method: str) -> None:
            content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            body = json.loads(content) if content else {}
            status, document = vault.answer(method, self.path, self.headers.get("X-Vault-Token", ""), body)
            data = json.dumps(document).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    vault.address = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield vault
    finally:
        server.shutdown()
        server.server_close()
