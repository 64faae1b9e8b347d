"""Signed requests of HTTP with JSON. An answer of 200 to 299 acknowledges all entries of a request."""

from collections.abc import Sequence
from urllib.parse import urlsplit

import httpx
import orjson

from zcbus.control.features.audit_stream.entries import Entry
from zcbus.control.features.audit_stream.errors import AuditReceiverError
from zcbus.control.platform.webhook_signature import signed_headers
from zcbus.kit.clock import Clock
from zcbus.kit.tls import client_context

_STEP_SECONDS = 10.0


class WebhookReceiver:
    """Redirects and proxies are not followed."""

    def __init__(self, url: str, secret: str, trusted: str, clock: Clock) -> None:
        self._url, self._secret, self._trusted, self._clock = url, secret, trusted, clock

    @property
    def address(self) -> str:
        # Paths and queries of such addresses may hold secrets.
        parts = urlsplit(self._url)
        return f"{parts.scheme}://{parts.hostname}" + (f":{parts.port}" if parts.port else "")

    def take(self, entries: Sequence[Entry]) -> None:
        content = orjson.dumps({"entries": [entry.document for entry in entries]})
        headers = {
            "Content-Type": "application/json",
            **signed_headers(self._secret, self._clock.now(), content),
        }
        try:
            context = client_context(self._trusted)
            with (
                httpx.Client(verify=context, timeout=_STEP_SECONDS, trust_env=False) as client,
                client.stream("POST", self._url, content=content, headers=headers) as answer,
            ):
                status = answer.status_code
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            raise AuditReceiverError(receiver=self.address, detail=str(error) or type(error).__name__) from error
        if not 200 <= status < 300:
            raise AuditReceiverError(receiver=self.address, detail=f"HTTP {status}")
