"""HTTP client of the command line for the control plane."""

import argparse
import json
import os
from collections.abc import Callable, Mapping
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from zcbus.kit.settings import Settings, load_settings
from zcbus.kit.tls import trusted_by

if TYPE_CHECKING:
    import ssl

    import httpx

_SECONDS, _CONNECT_SECONDS = 1_200, 5
"""Some calls last while an agent makes progress; the console has the same timeout."""


class ApiError(Exception):
    """The control plane refused the call or is unreachable; `message` is for people.

    `facts`: those of the refusal in the API's answer.
    """

    def __init__(self, message: str, code: int = 0, facts: Mapping[str, Any] | None = None) -> None:
        self.message = message
        self.code = code
        self.facts = facts or {}
        super().__init__(message)


class Api:
    """Client of the console's API."""

    def __init__(self, url: str, token: str, trusted: "ssl.SSLContext | bool | None" = None) -> None:
        # Workers run the same program and need no HTTP client.
        import httpx

        self._url = url.rstrip("/")
        headers = {"ZCBUS-TOKEN": token, "source": "zcbus-cli", "env": language()}
        timeout = httpx.Timeout(_SECONDS, connect=_CONNECT_SECONDS)
        is_plain = url.lower().startswith("http:")
        self._seals = is_plain and not _is_this_host(url)
        verify = trusted if trusted is not None else not is_plain
        self._http = httpx.Client(base_url=self._url, headers=headers, timeout=timeout, trust_env=False, verify=verify)

    def call(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """POST `/api/zcbus/<path>`; returns the envelope's data. Raises ApiError.

        The body may hold a password: over a connection that others can read it goes encrypted.
        """
        import httpx

        try:
            response = self._post(f"/api/zcbus/{path}", body or {})
        except httpx.TimeoutException as error:
            raise ApiError(f"{self._url} did not answer in time") from error
        except httpx.HTTPError as error:
            raise ApiError(f"{self._url} cannot be reached: is `zcbus serve` running?") from error
        return _data(response)

    def _post(self, path: str, body: dict[str, Any]) -> "httpx.Response":
        if not self._seals:
            return self._http.post(path, json=body)
        from zcbus.kit.sealed_body import KEY_PATH, MEDIA_TYPE, BodyKey, seal

        said = _data(self._http.get(f"/api/zcbus/{KEY_PATH}"))
        key = BodyKey(said["kid"], said["publicKey"])
        sealed = seal(key, "POST", path, json.dumps(body).encode())
        return self._http.post(path, content=json.dumps(sealed), headers={"Content-Type": MEDIA_TYPE})

    def __enter__(self) -> "Api":
        return self

    def __exit__(self, *details: object) -> None:
        self._http.close()


def add_connection_options(parser: argparse.ArgumentParser) -> None:
    """`--url`, `--token`, `--json`, as every command that talks to the control plane takes them."""
    parser.add_argument("--url", help="address of the control plane (ZCBUS_URL; default: this host's)")
    parser.add_argument("--token", help="API token (ZCBUS_TOKEN; default: the data folder's own)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_command(verbs: Any, name: str, text: str, run: Callable[..., int], *positional: str) -> argparse.ArgumentParser:
    """A command that talks to the control plane; `positional`: the names of its arguments."""
    parser: argparse.ArgumentParser = verbs.add_parser(name, help=text, description=text)
    for argument in positional:
        parser.add_argument(argument, metavar=argument.upper())
    add_connection_options(parser)
    parser.set_defaults(run=run)
    return parser


def open_api(options: argparse.Namespace) -> Api:
    """A client from options, environment and data folder. Raises ApiError, SettingsError."""
    settings = load_settings()
    url = options.url or os.environ.get("ZCBUS_URL") or local_url(settings)
    token = options.token or os.environ.get("ZCBUS_TOKEN") or _local_token(settings)
    return Api(url, token, trusted_by(url, settings.data_dir, settings.tls))


def local_url(settings: Settings) -> str:
    """Address of this host's control plane."""
    host = "127.0.0.1" if settings.host in ("0.0.0.0", "::", "") else settings.host  # noqa: S104  asked, not bound
    scheme = "https" if settings.uses_tls else "http"
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{settings.port}"


def _local_token(settings: Settings) -> str:
    path = settings.data_dir / "local-token"
    try:
        return path.read_text("utf-8").strip()
    except OSError as error:
        raise ApiError(f"no token: give --token or ZCBUS_TOKEN, or run on the platform's host ({path})") from error


def _is_this_host(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _data(response: "httpx.Response") -> Any:
    try:
        body = response.json()
    except ValueError:
        raise ApiError(f"unexpected answer {response.status_code}") from None
    if response.status_code == 200 and body.get("code") == 200:
        return body.get("data")
    message = str(body.get("message") or f"error {response.status_code}")
    fault = body.get("data")
    facts = fault.get("facts") if isinstance(fault, dict) else None
    raise ApiError(message, int(body.get("code") or response.status_code), facts)


def language() -> Literal["zh", "en"]:
    """The terminal's language."""
    return "zh" if os.environ.get("LANG", "").startswith("zh") else "en"
