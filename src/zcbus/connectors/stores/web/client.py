"""Requests for files: within the allowed hosts, and with the account to the address's own origin alone.

Connections are made by Python's sockets, so that the network rules of the process apply to each of them, also behind a
redirect. The environment is ignored: no proxies, no credentials.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

import httpx

from zcbus.connectors import tls
from zcbus.connectors.errors import AccessDenied, SourceUnavailable
from zcbus.connectors.http_transport import client
from zcbus.connectors.stores.web.facts import Facts
from zcbus.kit.network import Route

_CONNECT_SECONDS = 10.0
_MAX_BODY_SECONDS = 1800.0
"""For which a body may be on its way, however steadily it comes."""
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
MAX_REDIRECTS = 5
_DENIED = frozenset({401, 403, 407})
_NO_HEAD = frozenset({400, 403, 405, 501})
_GONE = frozenset({404, 410})
_SHOWN = 200


@dataclass(frozen=True, slots=True)
class WebAccess:
    """Where files may be, and the account."""

    kind: str
    url: str
    """`https://host:port/path`: the page, the manifest, or the place that declared addresses are relative to."""
    hosts: tuple[str, ...]
    """Further hosts, `host` or `host:port` in small letters."""
    user: str
    """For errors."""
    authorization: str = field(repr=False)
    """Value of the header; empty: none."""
    tls: str
    way: Route | None = None

    def allows(self, url: str) -> bool:
        """Whether a URL may be requested: its host is allowed, and it is encrypted if the address is."""
        try:
            parts, own = urlsplit(url), urlsplit(self.url)
            port = parts.port or {"http": 80, "https": 443}.get(parts.scheme, 0)
        except ValueError:
            return False
        if parts.scheme not in ("http", "https") or (own.scheme == "https" and parts.scheme != "https"):
            return False
        if parts.username is not None or not parts.hostname:
            return False
        host = parts.hostname.lower()
        if is_own(url, self.url) or f"{host}:{port}" in self.hosts:
            return True
        return host in self.hosts and parts.port is None

    def unavailable(self, detail: str) -> SourceUnavailable:
        """The error for what may be better later."""
        return SourceUnavailable(kind=self.kind, address=self.url, detail=detail[:300])

    def denied(self, detail: str) -> AccessDenied:
        """The error of a missing right."""
        return AccessDenied(kind=self.kind, address=self.url, user=self.user, detail=detail[:300])


def is_own(url: str, address: str) -> bool:
    """Whether both have one origin."""
    return _origin(url) == _origin(address)


def _origin(url: str) -> tuple[str, str, int]:
    parts = urlsplit(url)
    return parts.scheme, (parts.hostname or "").lower(), parts.port or (443 if parts.scheme == "https" else 80)


def shown(url: str) -> str:
    """A URL for people: without the query, which may have secrets."""
    return url.partition("?")[0][:_SHOWN]


class Gone(Exception):
    """There is no such file."""


class WebClient:
    """Raises SourceUnavailable, AccessDenied, Gone. Not for several threads."""

    def __init__(self, access: WebAccess, seconds: float) -> None:
        """`seconds`: how long a server may say nothing."""
        self._access, self._seconds = access, seconds
        self._http: httpx.Client | None = None

    def close(self) -> None:
        """Idempotent."""
        if self._http is not None:
            self._http.close()
            self._http = None

    def about(self, url: str, known: Facts | None = None) -> Facts | None:
        """What a server says of a file, without its content; None: nothing changed since `known`."""
        headers = known.conditions() if known is not None else {}
        with self._answered("HEAD", url, headers) as response:
            if response.status_code == 304:
                return None
            if response.status_code not in _NO_HEAD:
                self._check(response, url)
                facts = Facts.of(response)
                # Some say that a file is empty where they make it for who reads it.
                if facts.size or facts.is_encoded:
                    return facts
        with self._answered("GET", url, {"range": "bytes=0-0"}) as response:
            self._check(response, url, allowed=416)
            return Facts.of(response)

    def part(self, url: str, start: int, size: int) -> tuple[Facts, bytes] | None:
        """Bytes of a file from an offset before its end; None: the server does not give parts of this one."""
        with self._answered("GET", url, {"range": f"bytes={start}-{start + size - 1}"}) as response:
            if response.status_code == 416:
                raise Gone(shown(url))
            self._check(response, url)
            facts = Facts.of(response)
            if response.status_code != 206 or facts.start != start or facts.is_encoded:
                return None
            found = bytearray()
            for part in self.body(response):
                found += part
                if len(found) > size:
                    raise self._access.unavailable(f"{shown(url)}: more bytes than were asked for")
        return facts, bytes(found)

    @contextmanager
    def content(self, url: str) -> Iterator[httpx.Response]:
        """A response with the whole content; read by `body`."""
        with self._answered("GET", url, {}) as response:
            self._check(response, url)
            if response.status_code != 200:
                raise self._access.unavailable(f"{shown(url)}: {response.status_code} instead of the content")
            yield response

    def body(self, response: httpx.Response) -> Iterator[bytes]:
        """The bytes of a response as they were sent."""
        end = time.monotonic() + _MAX_BODY_SECONDS
        try:
            for part in response.iter_raw():
                if time.monotonic() > end:
                    raise self._access.unavailable(f"{shown(str(response.url))}: the response takes too long")
                yield part
        except httpx.HTTPError as error:
            raise self._access.unavailable(f"{shown(str(response.url))}: {error}") from error

    @contextmanager
    def _answered(self, method: str, url: str, headers: Mapping[str, str]) -> Iterator[httpx.Response]:
        for _ in range(MAX_REDIRECTS + 1):
            response = self._send(method, url, headers)
            try:
                if response.status_code not in _REDIRECTS:
                    yield response
                    return
                url = urljoin(url, response.headers.get("location", ""))
            finally:
                response.close()
        raise self._access.unavailable(f"{shown(url)}: more than {MAX_REDIRECTS} redirects")

    def _send(self, method: str, url: str, headers: Mapping[str, str]) -> httpx.Response:
        access = self._access
        if not access.allows(url):
            raise access.unavailable(f"{shown(url)}: not an allowed host")
        sent = {"accept-encoding": "identity", "cache-control": "no-cache", "user-agent": "zcbus", **headers}
        if access.authorization and is_own(url, access.url):
            sent["authorization"] = access.authorization
        encoded = {name.encode(): value.encode() for name, value in sent.items()}
        try:
            client = self._client()
            return client.send(client.build_request(method, url, headers=encoded), stream=True)
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            raise access.unavailable(f"{shown(url)}: {error or 'no response'}") from error

    def _check(self, response: httpx.Response, url: str, allowed: int = 0) -> None:
        status = response.status_code
        if status // 100 == 2 or status == allowed:
            return
        detail = f"{shown(url)}: {status} {response.reason_phrase}"
        if status in _GONE:
            raise Gone(detail)
        if status in _DENIED:
            raise self._access.denied(detail)
        raise self._access.unavailable(detail)

    def _client(self) -> httpx.Client:
        if self._http is None:
            timeout = httpx.Timeout(self._seconds, connect=min(_CONNECT_SECONDS, self._seconds))
            context = tls.context(self._access.tls)
            self._http = client(self._access.way, verify=context, timeout=timeout)
        return self._http
