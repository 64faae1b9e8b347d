"""Calls of HashiCorp Vault's HTTP API. Its answers hold secrets: no error says what is in them."""

import base64
import binascii
import json
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import quote

from zcbus.kit.errors import TerminalError, TransientError
from zcbus.kit.secret_settings import VaultSettings
from zcbus.kit.tls import client_context

_SECONDS = 10.0
_MAX_BYTES = 1 << 20
# It is sealed, busy, standing by, or behind: another attempt may succeed.
_PASSING = {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.PRECONDITION_FAILED, 472, 473}


class VaultUnreachable(TransientError):
    """Vault did not answer, or cannot now. Facts: address, path, detail."""

    code = "vault-unreachable"


class VaultRefused(TerminalError):
    """Vault refused a call, or gave no usable answer. Facts: address, path, detail."""

    code = "vault-refused"


class Vault:
    """One server. Redirects and proxies are not followed. Calls raise VaultUnreachable and VaultRefused."""

    def __init__(self, settings: VaultSettings) -> None:
        self._settings = settings

    def encrypt(self, key: str, plain: bytes) -> str:
        """Encrypt by the transit engine; `key` is `mount/name`."""
        path = _transit("encrypt", key)
        return str(self._field(path, self._post(path, {"plaintext": base64.b64encode(plain).decode()}), "ciphertext"))

    def decrypt(self, key: str, text: str) -> bytes:
        """Decrypt what `encrypt` made."""
        path = _transit("decrypt", key)
        plain = self._field(path, self._post(path, {"ciphertext": text}), "plaintext")
        try:
            return base64.b64decode(str(plain), validate=True)
        except binascii.Error:
            raise self._refused(path, "not base64") from None

    def read(self, path: str) -> dict[str, Any]:
        """The newest version of a secret of the key/value engine, version 2; `path` is `mount/path`."""
        mount, _, rest = path.partition("/")
        where = f"{mount}/data/{rest}"
        found = self._field(where, self._call("GET", where, None), "data")
        if not isinstance(found, dict):
            raise self._refused(where, "no fields")
        return found

    def _post(self, path: str, body: dict[str, str]) -> Any:
        return self._call("POST", path, body)

    def _field(self, path: str, answer: Any, name: str) -> Any:
        data = answer.get("data") if isinstance(answer, dict) else None
        if not isinstance(data, dict) or name not in data:
            raise self._refused(path, f"no {name}")
        return data[name]

    def _call(self, method: str, path: str, body: dict[str, str] | None) -> Any:
        import httpx

        try:
            with (
                httpx.Client(verify=client_context(self._settings.ca), timeout=_SECONDS, trust_env=False) as client,
                client.stream(
                    method, f"{self._settings.address}/v1/{quote(path)}", json=body, headers=self._headers()
                ) as answer,
            ):
                content = bytearray()
                for part in answer.iter_bytes():
                    content += part
                    if len(content) > _MAX_BYTES:
                        raise self._refused(path, f"more than {_MAX_BYTES} bytes")
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            raise VaultUnreachable(**self._facts(path, str(error) or type(error).__name__)) from error
        self._check(path, answer.status_code)
        try:
            return json.loads(content)
        except ValueError:
            raise self._refused(path, "not JSON") from None

    def _check(self, path: str, status: int) -> None:
        if status in _PASSING or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise VaultUnreachable(**self._facts(path, f"HTTP {status}"))
        if status != HTTPStatus.OK:
            raise self._refused(path, f"HTTP {status}")

    def _headers(self) -> dict[str, str]:
        settings = self._settings
        token = Path(settings.token_file).read_text("utf-8").strip() if settings.token_file else settings.token
        headers = {"X-Vault-Request": "true", "X-Vault-Token": token}
        return {**headers, "X-Vault-Namespace": settings.namespace} if settings.namespace else headers

    def _refused(self, path: str, detail: str) -> VaultRefused:
        return VaultRefused(**self._facts(path, detail))

    def _facts(self, path: str, detail: str) -> dict[str, str]:
        return {"address": self._settings.address, "path": path, "detail": detail}


def _transit(verb: str, key: str) -> str:
    mount, _, name = key.rpartition("/")
    return f"{mount}/{verb}/{name}"
