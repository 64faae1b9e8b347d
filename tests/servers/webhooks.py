"""A sender of webhooks as the suites see a server: it signs what it sends, and repeats what was not answered with 2xx.

A database is what names of paths begin with.
"""

import base64
import hashlib
import hmac
import http.client
import itertools
import os
import secrets
import socket
import threading
import time
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from zcbus.connectors.webhook.spec import WebhookOptions

_NUMBERS = itertools.count(1)
_PAUSE_SECONDS, _ANSWER_SECONDS = 0.05, 20.0
_FINAL = range(400, 500)
SECRET = "whsec_" + base64.b64encode(b"0123456789abcdef01234567").decode()


class WebhookSender:
    """Sends at once, over many connections, so in no order."""

    kind = "webhook"

    def __init__(self, at_once: int = 16) -> None:
        self._pool = ThreadPoolExecutor(at_once, thread_name_prefix="sender")
        self._change = threading.Condition()
        self._is_removed = False
        self.given: dict[str, object] = {}
        """Options of tests besides the address."""
        self.port = free_port()
        self.unanswered: dict[str, int] = {}
        """Requests that are still repeated, by path."""
        self.answers: list[tuple[str, int, bytes]] = []
        """Id, status and body of each last answer."""

    def fresh_database(self, prefix: str) -> str:
        return f"{prefix}-{os.getpid()}-{next(_NUMBERS)}"

    def drop_database(self, name: str) -> None:
        """Paths are not made."""

    def options(self, database: str, **more: object) -> Any:
        place = {"listen": "127.0.0.1", "port": self.port, "topics": f"{database}/events"}
        signed = {"verification": "standard", "secret": SECRET}
        return WebhookOptions(**{**place, **signed, **self.given, **more})  # type: ignore[arg-type]

    def put(self, path: str, values: Iterable[bytes], ids: Iterable[str] = ()) -> None:
        """Send each value until it is answered with 2xx or refused for good. Returns at once."""
        bodies = list(values)
        named = list(ids) or [f"msg_{secrets.token_hex(8)}" for _ in bodies]
        with self._change:
            self.unanswered[path] = self.unanswered.get(path, 0) + len(bodies)
        for identifier, body in zip(named, bodies, strict=True):
            self._pool.submit(self._send, path, identifier, body)

    def is_settled(self, paths: Iterable[str]) -> bool:
        """Whether nothing that was put for these paths is still repeated."""
        with self._change:
            return not any(self.unanswered.get(path, 0) for path in paths)

    @property
    def stored(self) -> list[str]:
        """Ids that were answered with 2xx."""
        with self._change:
            return [identifier for identifier, status, _ in self.answers if status // 100 == 2]

    def remove(self) -> None:
        """Give up what was not answered."""
        self._is_removed = True
        self._pool.shutdown(cancel_futures=True)

    def _send(self, path: str, identifier: str, body: bytes) -> None:
        status, answer = 0, b""
        while not self._is_removed:
            try:
                status, answer = post(self.port, f"/{path}", body, standard(identifier, body))
            except (OSError, http.client.HTTPException):
                status = 0
            if status // 100 == 2 or status in _FINAL:
                break
            time.sleep(_PAUSE_SECONDS)
        with self._change:
            self.unanswered[path] -= 1
            self.answers.append((identifier, status, answer))


def standard(identifier: str, body: bytes, secret: str = SECRET, moment: float | None = None) -> dict[str, str]:
    """Headers of Standard Webhooks."""
    seconds = str(int(time.time() if moment is None else moment))
    key = base64.b64decode(secret.removeprefix("whsec_"))
    mac = hmac.new(key, f"{identifier}.{seconds}.".encode() + body, hashlib.sha256).digest()
    signature = f"v1,{base64.b64encode(mac).decode()}"
    return {"webhook-id": identifier, "webhook-timestamp": seconds, "webhook-signature": signature}


def post(
    port: int,
    path: str,
    body: bytes,
    headers: Mapping[str, str],
    method: str = "POST",
    timeout: float = _ANSWER_SECONDS,
) -> tuple[int, bytes]:
    """Status and body of the answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request(method, path, body, {"content-type": "application/json", **headers})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
