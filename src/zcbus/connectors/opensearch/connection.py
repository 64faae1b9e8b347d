"""Requests to a cluster, answered or raised as connector errors."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

import httpx
import orjson

from zcbus.connectors.formats.json_text import parse
from zcbus.connectors.opensearch.spec import OpenSearchOptions
from zcbus.connectors.roles import Side
from zcbus.connectors.server_client import server_client
from zcbus.connectors.server_errors import SHOWN, ServerErrors
from zcbus.connectors.tls import is_untrusted

WAIT_SECONDS = 120.0
"""For an answer."""
_MAX_ANSWER_BYTES = 256 << 20
_PASSING = frozenset({408, 429, 500, 502, 503, 504})
_BLOCKED = "cluster_block_exception"
"""Error type of blocked writes, on a full disk for example: an operator can repair it."""
_FLOODED = "flood-stage watermark"
"""In the text of a block on a full disk."""


TOO_LONG = "answer-too-long"
"""Reason of our own: more is asked for at once than we keep in memory."""


class Refusal(Exception):
    """The server does not do it. `code`: its name of the reason."""

    def __init__(self, status: int, code: str, reason: str) -> None:
        super().__init__(f"{status} {code}: {reason}"[:SHOWN])
        self.status, self.code = status, code


class OpenSearchConnection(ServerErrors):
    """Used by one thread at a time. Errors: SourceUnavailable or TargetUnavailable, AccessDenied,
    DatabaseFailed."""

    def __init__(self, options: OpenSearchOptions, wait: float = WAIT_SECONDS, side: Side = "target") -> None:
        """`wait`: seconds for each answer, at most. Connects with the first request. Raises TargetUnavailable where the
        host is no name or address."""
        super().__init__(options, side)
        self.options = options
        account = (options.user, options.password) if options.user else None
        try:
            self._http = server_client(options.host, options.port, options.tls, account, wait, options.way)
        except httpx.InvalidURL as error:
            raise self.unavailable(str(error)) from error

    def ask(self, method: str, path: str, body: object = None, **query: str) -> Any:
        """The answer to a request, or None where the server has no such thing. `body`: JSON; bytes: as they are."""
        try:
            return self.try_(method, path, body, **query)
        except Refusal as refusal:
            if refusal.status == 404:
                return None
            raise self.failed(refusal) from refusal

    def try_(self, method: str, path: str, body: object = None, **query: str) -> Any:
        """As `ask`. Raises Refusal for what the server does not do, unless that passes or is a matter of rights."""
        return self._answered(method, path, body, query, orjson.loads)

    def search(self, index: str, search: Mapping[str, Any]) -> list[Any]:
        """The documents of an index that a search finds, values as json_text.parse has them. Raises as `try_`."""
        query = {"allow_partial_search_results": "false"}
        answer = self._answered("POST", path(index, "_search"), search, query, lambda text: parse(text.decode()))
        found: list[Any] = answer["hits"]["hits"]
        return found

    def _answered(
        self, method: str, path: str, body: object, query: Mapping[str, str], parse: Callable[[bytes], Any]
    ) -> Any:
        lines = isinstance(body, bytes)
        content = body if lines else None if body is None else orjson.dumps(body)
        kind = {"content-type": "application/x-ndjson" if lines else "application/json"} if content else {}
        try:
            with self._http.stream(method, path, params=query, content=content, headers=kind) as response:  # type: ignore[arg-type]
                status, answer = response.status_code, self._body(response)
        except (httpx.HTTPError, OSError, UnicodeError) as error:
            if is_untrusted(error):
                raise self.denied(str(error)) from error
            raise self.unavailable(str(error) or type(error).__name__) from error
        try:
            found = parse(answer) if answer else {}
        except ValueError:
            found = {"error": answer[:SHOWN].decode(errors="replace")}
        if status // 100 != 2:
            raise self.refused(status, found)
        return found

    def documents(self, index: str, ids: Sequence[str]) -> dict[str, Any]:
        """Those documents of an index that are there, by id, as they are now."""
        if not ids:
            return {}
        try:
            found = self.try_("POST", path(index, "_mget"), {"ids": ids})["docs"]
        except Refusal as refusal:
            if refusal.code != TOO_LONG or len(ids) == 1:
                raise self.failed(refusal) from refusal
            half = len(ids) // 2
            return self.documents(index, ids[:half]) | self.documents(index, ids[half:])
        for one in found:
            code, reason = reason_of(one.get("error", {}))
            # What cannot be read, as while the index is being opened, is not missing.
            if "error" in one and code != "index_not_found_exception":
                raise self.unavailable(f"{code}: {reason}")
        return {one["_id"]: one for one in found if one.get("found")}

    def refused(self, status: int, answer: Any) -> Exception:
        """The error for a failed answer or an item of one: a Refusal unless it is temporary or a matter of rights."""
        error = answer.get("error") if isinstance(answer, dict) else None
        code, reason = reason_of(error if error is not None else answer)
        if code == _BLOCKED or status in _PASSING:
            return self.unavailable(f"{status} {code}: {reason}")
        if status in (401, 403):
            return self.denied(f"{status} {code}: {reason}")
        return Refusal(status, code, reason)

    def is_full(self, detail: str) -> bool:
        return _FLOODED in detail or super().is_full(detail)

    def close(self) -> None:
        """Never raises. Idempotent."""
        self._http.close()

    def __enter__(self) -> "OpenSearchConnection":
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def _body(self, response: httpx.Response) -> bytes:
        found = bytearray()
        for part in response.iter_bytes():
            found += part
            if len(found) > _MAX_ANSWER_BYTES:
                raise Refusal(response.status_code, TOO_LONG, f"more than {_MAX_ANSWER_BYTES >> 20} MiB")
        return bytes(found)


def path(*parts: str) -> str:
    """A path of names."""
    return "".join(f"/{quote(part, safe='')}" for part in parts)


def reason_of(error: object) -> tuple[str, str]:
    """An error's name and text, with its cause's."""
    if not isinstance(error, dict):
        return "", str(error)
    cause = error.get("caused_by")
    texts = [str(one["reason"]) for one in (error, cause) if isinstance(one, dict) and one.get("reason")]
    return str(error.get("type") or ""), ": ".join(texts)
