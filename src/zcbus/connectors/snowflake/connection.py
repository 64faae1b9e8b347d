"""Statements by the SQL API, in requests of this process: the network rules hold for each, and nothing is fetched from
elsewhere, as the drivers do.

Each statement is begun and asked after until it has ended, so that no request waits for long. Its rows come in
partitions.
"""

import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from typing import Any

import orjson

from zcbus.connectors.errors import TableMissing
from zcbus.connectors.jdbc.statements import Row, Value
from zcbus.connectors.json_service import JsonService
from zcbus.connectors.roles import Side
from zcbus.connectors.snowflake.dialect import SNOWFLAKE_DIALECT
from zcbus.connectors.snowflake.spec import SnowflakeOptions
from zcbus.kit.errors import ZcbusError

_STATEMENTS = "/api/v2/statements"
_STATEMENT_SECONDS = 3600.0
"""For which a statement may run."""
_PAUSES = (0.1, 0.2, 0.5, 1.0, 2.0)
_RUNS, _REFUSED = 202, frozenset({400, 404, 422})
_DENIED = frozenset({401, 403})


class SnowflakeConnection(JsonService):
    """See jdbc.statements.Statements. Each statement has a session of its own."""

    def __init__(self, options: SnowflakeOptions, side: Side, seconds: float = _STATEMENT_SECONDS) -> None:
        """`seconds`: for each statement, at most. Connects with the first request."""
        super().__init__(options, side, seconds)
        self.dialect, self.options, self.side = SNOWFLAKE_DIALECT, options, side
        self._seconds, self._ended = seconds, False
        self._headers = {
            "Authorization": f"Bearer {options.token}",
            "X-Snowflake-Authorization-Token-Type": "PROGRAMMATIC_ACCESS_TOKEN",
            "Accept": "application/json",
            "Content-Type": "application/json",
            "User-Agent": "zcbus",
        }

    def rows(self, sql: str, values: Sequence[Value] = (), binary: Sequence[bool] = (), of: str = "") -> list[Row]:
        return [row for part in self.stream(sql, values, binary, of) for row in part]

    def stream(
        self, sql: str, values: Sequence[Value] = (), binary: Sequence[bool] = (), of: str = ""
    ) -> Generator[list[Row], None, None]:
        for _, part in self._parts(sql, values, of):
            yield [_read(row, binary) for row in part]

    def named(self, sql: str, of: str = "") -> list[dict[str, str | None]]:
        """All rows of a statement by the names of its columns, in small letters."""
        return [dict(zip(names, row, strict=True)) for names, part in self._parts(sql, (), of) for row in part]

    def rollback(self) -> None:
        """Queries leave no transaction open."""

    def interrupt(self) -> None:
        self._ended = True

    def __enter__(self) -> "SnowflakeConnection":
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def _parts(self, sql: str, values: Sequence[Value], of: str) -> Iterator[tuple[list[str], list[list[Any]]]]:
        """Names of the columns, and rows of one partition after the other."""
        answer = self._answer(sql, values, of)
        described, handle = answer["resultSetMetaData"], str(answer["statementHandle"])
        names = [str(one["name"]).lower() for one in described["rowType"]]
        yield names, answer["data"]
        for number in range(1, len(described.get("partitionInfo", ()))):
            _, part = self._asked("GET", f"/{handle}?partition={number}", None, of)
            yield names, part["data"]

    def _answer(self, sql: str, values: Sequence[Value], of: str) -> dict[str, Any]:
        """The answer to a statement that has ended, with its first rows."""
        options, end = self.options, time.monotonic() + self._seconds
        chosen = {"database": options.database, "warehouse": options.warehouse, "role": options.role}
        content = {
            "statement": sql,
            "timeout": int(self._seconds),
            **{name: value for name, value in chosen.items() if value},
            **({"bindings": _bindings(values)} if values else {}),
        }
        status, answer = self._asked("POST", "?async=true", content, of)
        pauses = iter(_PAUSES)
        while status == _RUNS:
            handle = str(answer["statementHandle"])
            if self._ended or time.monotonic() > end:
                self._cancel(handle)
                raise self.unavailable("interrupted" if self._ended else f"no answer within {self._seconds:.0f} s")
            time.sleep(next(pauses, _PAUSES[-1]))
            status, answer = self._asked("GET", f"/{handle}", None, of)
        return answer

    def _cancel(self, handle: str) -> None:
        """A statement that runs on costs money."""
        with suppress(ZcbusError):
            self._asked("POST", f"/{handle}/cancel", None, "")

    def _asked(self, method: str, place: str, content: Any, of: str) -> tuple[int, dict[str, Any]]:
        """Status and JSON of an answer. Raises errors of connectors."""
        body = None if content is None else orjson.dumps(content)
        status, answer = self.ask(method, self.options.url + _STATEMENTS + place, self._headers, body)
        said = answer if isinstance(answer, dict) else {}
        if status in (200, _RUNS) and said:
            return status, said
        raise self._error(status, said, f"{status} {said.get('message') or answer}", of)

    def _error(self, status: int, said: dict[str, Any], detail: str, of: str) -> ZcbusError:
        if status in _DENIED:
            return self.denied(detail)
        if status not in _REFUSED:
            return self.unavailable(detail)
        state = str(said.get("sqlState", ""))
        if state in self.dialect.states.table and of:
            return TableMissing(table=of, side=self.side)
        return self.denied(detail) if state in self.dialect.states.login else self.failed(ValueError(detail))


def _bindings(values: Sequence[Value]) -> dict[str, dict[str, str | None]]:
    return {
        str(number): {"type": "BINARY", "value": value.hex()}
        if isinstance(value, bytes)
        else {"type": "TEXT", "value": value}
        for number, value in enumerate(values, 1)
    }


def _read(row: list[Any], binary: Sequence[bool]) -> Row:
    if not any(binary):
        return tuple(row)
    return tuple(
        bytes.fromhex(value) if at < len(binary) and binary[at] and value is not None else value
        for at, value in enumerate(row)
    )
