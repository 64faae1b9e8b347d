"""Requests to an interface: signed, limited in pace and size, tried again where that helps, and answered as JSON.

Connections are made by sockets of Python, so that the network rules of the process hold for each of them. Nothing of
the process's environment counts, redirections are not followed, and nothing leaves the origin of the address but
requests for a token, which the document names.
"""

import math
import re
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import islice
from typing import Any
from urllib.parse import urlencode, urlsplit

import httpx

from zcbus.connectors.errors import AccessDenied, SourceUnavailable
from zcbus.connectors.formats.json_text import parse, text_of
from zcbus.connectors.http import body, paths
from zcbus.connectors.http.auth import Credentials, NoToken, Request, Signer
from zcbus.connectors.http.document import ExpectPart, Interface
from zcbus.connectors.http.spec import HttpOptions
from zcbus.connectors.http.templates import filled, parameters
from zcbus.connectors.http_transport import client
from zcbus.kit.retry import growing_pauses

_CONNECT_SECONDS = 10.0
_MAX_PAUSE = 60.0
"""A service that wants a longer one is asked again later."""
_MAX_ANSWER_SECONDS = 600.0
"""For which an answer may be on its way, however steadily it comes."""
_INTERACTIVE_SECONDS = 15.0
"""In which callers that wait may send requests."""
_MAX_VALUES = 4_000_000
"""In one answer: each takes a hundred bytes of memory and more, and may be written in two."""
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]")
_BUSY = frozenset({408, 425, 429, 500, 502, 503, 504})
_SHOWN = 300


Decoder = Callable[[bytes, int], Any]
"""The value of a body that came with a status. Raises HttpRefusal."""


class HttpRefusal(Exception):
    """The service answered that it does not do it."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(f"{status} {detail}"[:_SHOWN])
        self.status = status


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer of the service."""

    url: str
    value: Any
    """JSON; numbers as they are written."""
    links: Mapping[str, str]
    """Targets of the header Link, by relation: URLs, which may be relative to `url`."""


@dataclass(frozen=True, slots=True)
class Message:
    """What is sent besides the address. `headers`: a function makes them for each attempt."""

    method: str
    headers: Mapping[str, str] | Callable[[], Mapping[str, str]]
    content: bytes


class Client:
    """For one connection. Raises SourceUnavailable, AccessDenied, HttpRefusal. Thread-safe."""

    def __init__(self, options: HttpOptions, interface: Interface, patient: bool = True) -> None:
        """`patient`: waits and retries where the service asks for it. Otherwise, for callers that wait: one attempt of
        10 seconds per request, none sent after 15 seconds."""
        self._options, self._limits = options, interface.limits
        self._attempts = interface.limits.attempts if patient else 1
        self._given = {**parameters(options.parameters), "account": options.account}
        self._headers = {"Accept": "application/json", "User-Agent": "zcbus", **interface.headers}
        credentials = Credentials(options.account, options.secret, options.refresh)
        self._signer = Signer(interface, credentials, self._exchange)
        self._http: httpx.Client | None = None
        self._lock = threading.Lock()
        self._next = 0.0
        self._end = math.inf if patient else time.monotonic() + _INTERACTIVE_SECONDS
        self._seconds = float(interface.limits.seconds) if patient else min(10.0, interface.limits.seconds)
        self._longest = max(_MAX_ANSWER_SECONDS, self._seconds) if patient else self._seconds

    def ask(
        self,
        place: str,
        query: Mapping[str, str],
        *,
        method: str = "GET",
        headers: Mapping[str, str] | None = None,
        content: bytes = b"",
        expect: ExpectPart | None = None,
    ) -> Answer:
        """One answer. `place`: a path behind the address, or a URL of the same origin. Raises ValueMissing besides."""
        answer = self._asked(place, query, Message(method, headers or {}, content), self._value)
        self._expected(answer, expect)
        return answer

    def submit(self, place: str, query: Mapping[str, str], message: Message) -> int:
        """Send something whose answer has no content that matters; its status. Raises as `ask`, HttpRefusal with the
        status of any other than 2xx."""
        return int(self._asked(place, query, message, lambda _, status: status).value)

    def _asked(self, place: str, query: Mapping[str, str], message: Message, decode: Decoder) -> Answer:
        path, asked = self._own(place)
        fixed = {name: filled(value, self._given) for name, value in self._headers.items()}

        def request() -> Request:
            # Created for each attempt: tokens and signatures expire within minutes.
            given = message.headers() if callable(message.headers) else message.headers
            new = Request(message.method, "", {**fixed, **given}, dict(query), message.content)
            new.target = _target(path, asked, new.query)
            self._signer.sign(new)
            new.target = _target(path, asked, new.query)
            return new

        renewed = False
        while True:
            renewals = self._signer.renewals
            try:
                return self._send_with_retries(request, self._origin, decode)
            except NoToken as error:
                raise self._denied(f"token: {error} is not in the answer") from error
            except HttpRefusal as refused:
                if refused.status == 401 and not renewed and self._signer.renew(renewals):
                    renewed = True
                    continue
                if refused.status in (401, 403):
                    raise self._denied(str(refused)) from refused
                raise

    def sign_in(self) -> None:
        """Have a token handed out, if the document's way to sign in has one. Raises AccessDenied, SourceUnavailable."""
        try:
            self._signer.sign(Request("GET", "/"))
        except NoToken as error:
            raise self._denied(f"token: {error} is not in the answer") from error

    def text(self, place: str) -> str:
        """The body behind a path of the address, without signing in. Raises HttpRefusal, SourceUnavailable."""
        path, query = self._own(place)
        request = Request("GET", _target(path, query, {}), {"User-Agent": "zcbus"}, {}, b"")
        return str(self._send_with_retries(lambda: request, self._origin, _decoded).value)

    def close(self) -> None:
        """Idempotent."""
        if self._http is not None:
            self._http.close()
            self._http = None

    def unavailable(self, detail: str) -> SourceUnavailable:
        """The error for an answer that is none."""
        shown = self._without_secrets(detail)[:_SHOWN]
        return SourceUnavailable(kind=self._options.kind, address=self._options.address, detail=shown)

    def _denied(self, detail: str) -> AccessDenied:
        options, detail = self._options, self._without_secrets(detail)
        return AccessDenied(kind=options.kind, address=options.address, user=options.account, detail=detail)

    def _without_secrets(self, text: str) -> str:
        """Services repeat what they were asked with."""
        for secret in self._signer.secrets():
            text = text.replace(secret, "***")
        return text

    @property
    def _origin(self) -> str:
        parts = urlsplit(self._options.url)
        return f"{parts.scheme}://{parts.netloc}"

    def _own(self, place: str) -> tuple[str, str]:
        """Path and query of a place at the address's origin. Nothing else of a URL that service or document gave
        becomes part of a request."""
        if place.startswith(("http://", "https://")):
            if not _same_origin(place, self._origin):
                raise HttpRefusal(0, f"{_shown(place)}: another host than {self._options.url}")
            parts = urlsplit(place)
            return parts.path, parts.query
        if place and place[0] not in "/?":
            raise HttpRefusal(0, f"{_shown(place)}: no path")
        path, _, query = place.partition("#")[0].partition("?")
        return urlsplit(self._options.url).path.rstrip("/") + path, query

    def _send_with_retries(self, request: Callable[[], Request], origin: str, decode: Decoder | None = None) -> Answer:
        pauses = list(islice(growing_pauses(first=0.5), self._attempts - 1))
        while True:
            try:
                return self._sent(request(), origin, decode or self._value)
            except _Busy as busy:
                if not pauses or busy.seconds > _MAX_PAUSE:
                    raise self.unavailable(str(busy)) from busy
                pause = max(busy.seconds, pauses.pop(0))
            except httpx.HTTPError as error:
                if not isinstance(error, httpx.RemoteProtocolError | httpx.ReadError) or not pauses:
                    raise self.unavailable(str(error) or "no answer") from error
                pause = pauses.pop(0)
            except OSError as error:
                raise self.unavailable(str(error)) from error
            time.sleep(pause)

    def _sent(self, request: Request, origin: str, decode: Decoder) -> Answer:
        self._pace()
        whole = origin + request.target
        headers = {"Accept-Encoding": body.ENCODINGS, **request.headers}
        if request.content:
            headers.setdefault("Content-Type", "application/json")
        for name, value in headers.items():
            # The library's own error would contain the value.
            if _CONTROLS.search(value):
                raise HttpRefusal(0, f"{name}: no value of a header")
        encoded = {name.encode(): value.encode() for name, value in headers.items()}
        try:
            stream = self._client().stream(request.method, whole, headers=encoded, content=request.content or None)
            with stream as response:
                self._check(response)
                found = body.read(response, self._limits.answer_mib << 20, self._longest)
                links = {name or "": one["url"] for name, one in response.links.items() if "url" in one}
        except httpx.InvalidURL as error:
            raise HttpRefusal(0, f"{_shown(whole)}: no URL") from error
        except body.BodyRefused as error:
            raise HttpRefusal(response.status_code, str(error)) from error
        return Answer(whole, decode(found, response.status_code), links)

    def _value(self, found: bytes, status: int) -> Any:
        if sum(map(found.count, (b",", b"[", b"{"))) > _MAX_VALUES:
            raise HttpRefusal(status, f"answer of more than {_MAX_VALUES} values")
        try:
            return parse(found.decode("utf-8-sig")) if found.strip() else None
        except (ValueError, RecursionError) as error:
            raise HttpRefusal(status, self._without_secrets(f"no JSON: {error}")) from error

    def _check(self, response: httpx.Response) -> None:
        status = response.status_code
        if status // 100 == 2:
            return
        if status in _BUSY or (status == 403 and _is_limit(response)):
            seconds = _requested_pause(response)
            raise _Busy(f"{status} {response.reason_phrase}" + (f", {seconds:.0f} s" if seconds else ""), seconds)
        if status // 100 == 3:
            raise HttpRefusal(status, f"redirects to {_shown(response.headers.get('location', ''))}")
        detail = body.beginning(response, _SHOWN, self._seconds).decode("utf-8", "replace").strip()
        shown = self._without_secrets(detail or response.reason_phrase)
        if any(text in detail for text in self._limits.busy):
            raise _Busy(f"{status} {shown}", 0.0)
        raise HttpRefusal(status, shown)

    def _expected(self, answer: Answer, expect: ExpectPart | None) -> None:
        if expect is None:
            return
        found = text_of(paths.first(answer.value, expect.path))
        if found != expect.value:
            message = paths.first(answer.value, expect.message) if expect.message else ""
            raise HttpRefusal(200, self._without_secrets(f"{expect.path} = {found}: {message}"))

    def _exchange(self, place: str, headers: Mapping[str, str], content: bytes) -> Any:
        """A request for a token, which may go to another host."""
        if place.startswith(("http://", "https://")):
            parts = urlsplit(place)
            origin, target = f"{parts.scheme}://{parts.netloc}", _target(parts.path, parts.query, {})
        else:
            origin, target = self._origin, _target(*self._own(place), {})
        request = Request("POST", target, {"Accept": "application/json", **headers}, {}, content)
        try:
            return self._send_with_retries(lambda: request, origin).value
        except HttpRefusal as refused:
            raise self._denied(f"token: {refused}") from refused

    def _pace(self) -> None:
        with self._lock:
            now = time.monotonic()
            begin = max(now, self._next)
            if begin > self._end:
                raise self.unavailable(f"not read within {_INTERACTIVE_SECONDS:.0f} s")
            self._next = begin + 1 / self._limits.requests_per_second
        if begin > now:
            time.sleep(begin - now)

    def _client(self) -> httpx.Client:
        with self._lock:
            if self._http is None:
                timeout = httpx.Timeout(self._seconds, connect=min(_CONNECT_SECONDS, self._seconds))
                self._http = client(self._options.way, timeout=timeout)
            return self._http


def _decoded(found: bytes, status: int) -> str:
    try:
        return found.decode("utf-8-sig")
    except UnicodeError as error:
        raise HttpRefusal(status, "no text in UTF-8") from error


class _Busy(Exception):
    """The service may do it later."""

    def __init__(self, detail: str, seconds: float) -> None:
        super().__init__(detail)
        self.seconds = seconds


def _target(path: str, query: str, added: Mapping[str, str]) -> str:
    whole = "&".join(filter(None, (query, urlencode(added))))
    return (path or "/") + (f"?{whole}" if whole else "")


def _same_origin(url: str, other: str) -> bool:
    try:
        return _place(url) == _place(other)
    except ValueError:  # a port, or an address of IPv6, that is none
        return False


def _place(url: str) -> tuple[str, str, int]:
    parts = urlsplit(url)
    return parts.scheme, (parts.hostname or "").lower(), parts.port or (443 if parts.scheme == "https" else 80)


def _shown(url: str) -> str:
    """Without the query, which may have secrets."""
    return url.partition("?")[0][:200]


def _is_limit(response: httpx.Response) -> bool:
    headers = response.headers
    return "retry-after" in headers or headers.get("x-ratelimit-remaining") == "0"


def _requested_pause(response: httpx.Response) -> float:
    """Seconds, by Retry-After (RFC 9110, a number or a date) or when a limit is said to end."""
    text = response.headers.get("retry-after", "")
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError, OverflowError):
        pass
    reset = response.headers.get("x-ratelimit-reset", "")
    if response.headers.get("x-ratelimit-remaining") == "0" and reset.isdecimal():
        return max(0.0, float(reset) - time.time())
    return 0.0
