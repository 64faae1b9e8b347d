"""What is refused before a request is read, while it is read, and before anything is done with its body."""

import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

import orjson

from zcbus.connectors.webhook.schemes import Scheme
from zcbus.connectors.webhook.spec import WebhookOptions
from zcbus.connectors.webhook.verification import is_verified
from zcbus.connectors.webhook.waiting import NOT_NOW, Answer, Held, Request, Waiting
from zcbus.kit.clock import now_ms
from zcbus.kit.gateway_settings import Network, contains, parse_ip, parse_networks
from zcbus.kit.logging import get_logger

Receive = Callable[[], Awaitable[Any]]
HEALTH = "-/healthz"
"""Path that says which listener this is. No table has a name like it."""
_METHODS = ("POST", "PUT")
_SECRET_HEADERS = frozenset({"authorization", "proxy-authorization", "cookie"})
_FORMS = ("json", "debezium")
"""Of values that are JSON."""
_LOG_SECONDS = 60.0
_MAX_CHALLENGE = 500


class _Refused(Exception):
    def __init__(self, status: int, detail: str, **headers: str) -> None:
        super().__init__(detail)
        self.answer = Answer(status, detail, headers={name.replace("_", "-"): one for name, one in headers.items()})


@dataclass(frozen=True, slots=True)
class Gate:
    """One path."""

    path: str
    scheme: Scheme
    secrets: tuple[str, ...]
    tokens: tuple[str, ...] = ()
    """What a sender may show with its challenge."""


class Admission:
    """Answers each request of a listener. Of the thread of its loop."""

    def __init__(self, options: WebhookOptions, gates: Iterable[Gate], waiting: Waiting) -> None:
        """`gates`: of the paths that are read now; others of the data source are answered with 503."""
        self._options, self._waiting = options, waiting
        self._gates = {gate.path: gate for gate in gates}
        self._most = options.limit << 20
        self._senders, self._proxies = parse_networks(options.networks), parse_networks(options.proxies)
        self.refusals = Refusals(options.address)

    async def answer(self, scope: Mapping[str, Any], receive: Receive) -> Answer:
        path = str(scope["path"]).removeprefix("/")
        try:
            answer = await self._answer(path, scope, receive)
        except _Refused as refused:
            answer = refused.answer
        if answer.status != 200:
            self.refusals.count(path if path in self._options.paths() else "", answer.status)
        return answer

    async def _answer(self, path: str, scope: Mapping[str, Any], receive: Receive) -> Answer:
        headers = _headers(scope["headers"])
        sender = self._sender(scope, headers)
        gate = self._gate(path)
        query = scope["query_string"].decode("ascii", "replace")
        if scope["method"] in ("GET", "HEAD"):
            return _challenged(gate, query, is_head=scope["method"] == "HEAD")
        if scope["method"] not in _METHODS:
            raise _Refused(405, "POST or PUT", allow="POST, PUT")
        is_compressed = _is_compressed(headers)
        self._check_type(headers)
        held = self._waiting.enter()
        if held is None:
            return NOT_NOW
        try:
            body = await self._body(headers, receive, held)
            if not is_verified(gate.scheme, gate.secrets, headers, body, time.time()):
                more = {"www_authenticate": 'Basic realm="zcbus"'} if gate.scheme.name == "basic" else {}
                raise _Refused(401, "not verified", **more)
            if challenge := _json_challenge(body):
                return Answer(200, challenge, headers={"content-type": "application/json"})
            kept = tuple(self._kept(scope["headers"], gate.scheme))
            request = Request(path, now_ms(), kept, query, sender, body, is_compressed)
            return await self._waiting.answered(request, held, self._options.wait)
        finally:
            self._waiting.leave(held)

    def _gate(self, path: str) -> Gate:
        if path in self._gates:
            return self._gates[path]
        if path in self._options.paths():
            raise _Refused(503, "this path is not read at present", retry_after="30")
        raise _Refused(404, "no such path")

    def _sender(self, scope: Mapping[str, Any], headers: Mapping[str, str]) -> str:
        """The address that sends. Raises _Refused where it may not."""
        peer = scope["client"][0] if scope["client"] else ""
        if _is_in(peer, self._proxies):
            hops = [hop.strip() for hop in headers.get("x-forwarded-for", "").split(",") if hop.strip()]
            # From the right: what is left of the first untrusted hop may be forged.
            peer = next((hop for hop in reversed(hops) if not _is_in(hop, self._proxies)), peer)
        if self._senders and not _is_in(peer, self._senders):
            raise _Refused(403, "this address may not send")
        return str(peer)[:100]

    def _check_type(self, headers: Mapping[str, str]) -> None:
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        is_json = kind in ("", "application/json", "text/plain") or kind.endswith("+json")
        if self._options.value in _FORMS and not is_json:
            raise _Refused(415, "application/json", accept="application/json")

    async def _body(self, headers: Mapping[str, str], receive: Receive, held: Held) -> bytes:
        """Raises _Refused where it is too large or there is no room for it."""
        stated = headers.get("content-length", "")
        if stated.isdigit() and int(stated) > self._most:
            raise self._too_large()
        parts = bytearray()
        while True:
            event = await receive()
            if event["type"] != "http.request":
                raise _Refused(400, "disconnected")
            part = event.get("body", b"")
            if len(parts) + len(part) > self._most:
                raise self._too_large()
            if not self._waiting.grow(held, len(part)):
                raise _Refused(503, NOT_NOW.detail, retry_after="5")
            parts += part
            if not event.get("more_body", False):
                return bytes(parts)

    def _too_large(self) -> _Refused:
        # The server reads on and drops what comes: a sender that is cut off while it sends gets no answer.
        return _Refused(413, f"at most {self._options.limit} MiB")

    def _kept(self, raw: Iterable[tuple[bytes, bytes]], scheme: Scheme) -> Iterable[tuple[str, bytes]]:
        """All headers but those that hold secrets."""
        hidden = _SECRET_HEADERS | ({scheme.header} if scheme.name == "token" else set())
        for name, value in raw:
            text = name.decode("latin-1").lower()
            if text not in hidden:
                yield text, value


class Refusals:
    """Counts what was refused, and writes the numbers to the log at most once a minute: anyone can cause them."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._counts: Counter[tuple[str, int]] = Counter()
        self._next = 0.0

    def count(self, path: str, status: int) -> None:
        """`path`: empty where it is no table's."""
        self._counts[path, status] += 1
        if (now := time.monotonic()) >= self._next:
            self._next = now + _LOG_SECONDS
            self.write()

    def write(self) -> None:
        """What was refused since the last time."""
        log = get_logger("webhook")
        for (path, status), count in self._counts.items():
            log.warning("requests refused", path=path, status=status, count=count, address=self._address)
        self._counts.clear()


def _headers(raw: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """By names in lower case. Of a header that came twice none counts; hops of proxies are one list."""
    found: dict[str, str] = {}
    twice: set[str] = set()
    for name_bytes, value_bytes in raw:
        name, value = name_bytes.decode("latin-1").lower(), value_bytes.decode("latin-1")
        if name == "x-forwarded-for" and name in found:
            found[name] += f",{value}"
        elif name in found:
            twice.add(name)
        else:
            found[name] = value
    return {name: value for name, value in found.items() if name not in twice}


def _is_compressed(headers: Mapping[str, str]) -> bool:
    encoding = headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("identity", "gzip"):
        raise _Refused(415, "gzip or no content-encoding", accept_encoding="gzip")
    return encoding == "gzip"


def _challenged(gate: Gate, query: str, *, is_head: bool) -> Answer:
    """Senders that try an address first: HEAD, or a challenge with a token that was agreed on."""
    asked = {name: values[0] for name, values in parse_qs(query, max_num_fields=20).items()}
    challenge, token = asked.get("hub.challenge", ""), asked.get("hub.verify_token", "")
    if challenge and len(challenge) <= _MAX_CHALLENGE:
        scheme = Scheme("token", "token")
        if not is_verified(scheme, gate.tokens, {"token": token}, b"", 0):
            raise _Refused(403, "hub.verify_token is not the one that was agreed on")
        return Answer(200, challenge, headers={"content-type": "text/plain; charset=utf-8"})
    if is_head:
        return Answer(200)
    raise _Refused(405, "POST or PUT", allow="POST, PUT")


def _json_challenge(body: bytes) -> str:
    """The answer to `{"type": "url_verification", "challenge": …}`, which is no event; empty: it is another body."""
    if len(body) > 2 * _MAX_CHALLENGE or b"url_verification" not in body:
        return ""
    try:
        found = orjson.loads(body)
    except orjson.JSONDecodeError:
        return ""
    if not isinstance(found, dict) or found.get("type") != "url_verification":
        return ""
    challenge = found.get("challenge")
    return orjson.dumps({"challenge": challenge}).decode() if isinstance(challenge, str) else ""


def _is_in(address: str, networks: tuple[Network, ...]) -> bool:
    try:
        return contains(networks, parse_ip(address))
    except ValueError:
        return False
