"""Statements and descriptions by the REST interface, in requests of this process: the network rules hold for each.

Each request waits for some seconds at most; a query is asked after until it has ended. Its rows come in pages.
"""

import threading
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import quote, urlencode

import orjson

from zcbus.connectors.bigquery import sign_in
from zcbus.connectors.bigquery.dialect import BIGQUERY_DIALECT
from zcbus.connectors.bigquery.spec import BigQueryOptions
from zcbus.connectors.errors import TableMissing
from zcbus.connectors.jdbc.statements import Row, Value
from zcbus.connectors.json_service import JsonService
from zcbus.connectors.roles import Side
from zcbus.kit.errors import ZcbusError

_STATEMENT_SECONDS = 3600.0
"""For which a query may run."""
_WAIT_MILLISECONDS = 5_000
"""For which a request waits for its end."""
_PAGE_ROWS = 10_000
_EARLIER_SECONDS = 60.0
"""A token is renewed so long before its end."""
_BUSY = frozenset({"rateLimitExceeded", "quotaExceeded", "backendError", "internalError", "jobRateLimitExceeded"})
_MISSING, _UNSIGNED, _DENIED, _WRONG = 404, 401, 403, 400


class BigQueryConnection(JsonService):
    """See jdbc.statements.Statements. Each query is a transaction of its own."""

    def __init__(self, options: BigQueryOptions, side: Side, seconds: float = _STATEMENT_SECONDS) -> None:
        """`seconds`: for each query, at most. Connects with the first request."""
        super().__init__(options, side, seconds)
        self.dialect, self.options, self.side = BIGQUERY_DIALECT, options, side
        self._seconds, self._ended = seconds, False
        self._token, self._until, self._lock = "", 0.0, threading.Lock()

    def rows(self, sql: str, values: Sequence[Value] = (), binary: Sequence[bool] = (), of: str = "") -> list[Row]:
        return [row for part in self.stream(sql, values, binary, of) for row in part]

    def stream(
        self, sql: str, values: Sequence[Value] = (), binary: Sequence[bool] = (), of: str = ""
    ) -> Generator[list[Row], None, None]:
        for page in self._pages(sql, values, of):
            yield [_read(row["f"], binary) for row in page.get("rows", ())]

    def get(self, place: str, of: str = "", **query: str) -> dict[str, Any]:
        """What the interface says of a place below the project. Raises TableMissing where it is not there."""
        return self._asked("GET", place, query, None, of)

    def rollback(self) -> None:
        """Queries leave no transaction open."""

    def interrupt(self) -> None:
        self._ended = True

    def __enter__(self) -> "BigQueryConnection":
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def _pages(self, sql: str, values: Sequence[Value], of: str) -> Iterator[dict[str, Any]]:
        answer, end = (
            self._asked("POST", "/queries", {}, self._query(sql, values), of),
            time.monotonic() + self._seconds,
        )
        job = answer["jobReference"]
        place = f"/queries/{quote(str(job['jobId']), safe='')}"
        query = {"maxResults": str(_PAGE_ROWS), "timeoutMs": str(_WAIT_MILLISECONDS)}
        query |= {"location": str(job["location"])} if job.get("location") else {}
        while not answer.get("jobComplete"):
            if self._ended or time.monotonic() > end:
                self._cancel(str(job["jobId"]), query)
                raise self.unavailable("interrupted" if self._ended else f"no answer within {self._seconds:.0f} s")
            answer = self._asked("GET", place, query, None, of)
        yield answer
        while token := answer.get("pageToken"):
            answer = self._asked("GET", place, {**query, "pageToken": str(token)}, None, of)
            yield answer

    def _query(self, sql: str, values: Sequence[Value]) -> dict[str, Any]:
        return {
            "query": sql,
            "useLegacySql": False,
            "maxResults": _PAGE_ROWS,
            "timeoutMs": _WAIT_MILLISECONDS,
            "parameterMode": "POSITIONAL",
            "queryParameters": [_parameter(value) for value in values],
            **({"location": self.options.location} if self.options.location else {}),
        }

    def _cancel(self, job: str, query: Mapping[str, str]) -> None:
        """A query that runs on costs money."""
        chosen = {name: value for name, value in query.items() if name == "location"}
        with suppress(ZcbusError):
            self._asked("POST", f"/jobs/{quote(job, safe='')}/cancel", chosen, None, "")

    def _asked(self, method: str, place: str, query: Mapping[str, str], content: Any, of: str) -> dict[str, Any]:
        """JSON of an answer. Raises errors of connectors."""
        url = f"{self.options.url}/bigquery/v2/projects/{quote(self.options.database, safe=':')}{place}"
        url += f"?{urlencode(query)}" if query else ""
        body = None if content is None else orjson.dumps(content)
        status, answer = self.ask(method, url, self._headers(), body)
        if status == _UNSIGNED:
            self._token = ""
            status, answer = self.ask(method, url, self._headers(), body)
        if status == 200 and isinstance(answer, dict):
            return answer
        raise self._error(status, answer, of)

    def _error(self, status: int, answer: Any, of: str) -> ZcbusError:
        said = answer.get("error", {}) if isinstance(answer, dict) else {}
        detail = f"{status} {said.get('message') or answer}" if said else f"{status} {answer}"
        reasons = {str(one.get("reason")) for one in said.get("errors", ())}
        if status == _MISSING and of:
            return TableMissing(table=of, side=self.side)
        if status in (_DENIED, _WRONG, _MISSING) and reasons & _BUSY:
            return self.unavailable(detail)
        if status in (_UNSIGNED, _DENIED):
            return self.denied(detail)
        return self.failed(ValueError(detail)) if status in (_WRONG, _MISSING) else self.unavailable(detail)

    def _headers(self) -> dict[str, str]:
        with self._lock:
            if not self._token or time.monotonic() >= self._until:
                self._token, seconds = self._new_token()
                self._until = time.monotonic() + max(0.0, seconds - _EARLIER_SECONDS)
            signed = {"Authorization": f"Bearer {self._token}"}
        return {**signed, "Content-Type": "application/json", "Accept": "application/json", "User-Agent": "zcbus"}

    def _new_token(self) -> tuple[str, float]:
        try:
            place, body = sign_in.token_place(self.options.key), sign_in.request(self.options.key)
        except sign_in.KeyUnusable as error:
            raise self.denied(str(error)) from error
        headers = {"Content-Type": "application/x-www-form-urlencoded", "User-Agent": "zcbus"}
        status, answer = self.ask("POST", place, headers, body)
        if status == 200 and isinstance(answer, dict) and answer.get("access_token"):
            return str(answer["access_token"]), float(answer.get("expires_in", 3600))
        detail = f"token: {status} {answer}"
        raise self.unavailable(detail) if status == 429 or status >= 500 else self.denied(detail)


def _parameter(value: Value) -> dict[str, Any]:
    text = value.hex() if isinstance(value, bytes) else value
    return {"parameterType": {"type": "STRING"}, "parameterValue": {"value": text}}


def _read(fields: Sequence[Mapping[str, Any]], binary: Sequence[bool]) -> Row:
    values = [one["v"] for one in fields]
    if not any(binary):
        return tuple(values)
    return tuple(
        bytes.fromhex(value) if at < len(binary) and binary[at] and value is not None else value
        for at, value in enumerate(values)
    )
