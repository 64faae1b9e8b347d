"""Statements by MySQL's protocol, whose values are texts."""

import contextlib
import re
import socket
from collections.abc import Generator, Sequence
from typing import Any

from pymysql.cursors import SSCursor

from zcbus.connectors.doris.dialect import DORIS_DIALECT
from zcbus.connectors.doris.spec import DorisOptions
from zcbus.connectors.jdbc.statements import Row, Value
from zcbus.connectors.mysql.connection.errors import translated
from zcbus.connectors.mysql.connection.session import Session
from zcbus.connectors.roles import Side

_LIVENESS_SECONDS = 600.0
"""For which the server may send nothing."""
_FETCHED = 1000
_PARTS = re.compile(r"(`(?:[^`]|``)*`|'(?:[^'\\]|''|\\.)*')|\?", re.DOTALL)


class DorisConnection:
    """See jdbc.statements.Statements. Each statement is a transaction of its own."""

    def __init__(self, options: DorisOptions, side: Side, seconds: float = _LIVENESS_SECONDS) -> None:
        self.dialect, self.options, self.side = DORIS_DIALECT, options, side
        self._session = Session(options, side, timeout=seconds)
        self._driver: Any = self._session.driver
        # Without decoders every value stays the text that the server sent.
        self._driver.decoders = {}

    @property
    def version(self) -> str:
        """What the server says that it is."""
        return self._session.version.text

    def rows(self, sql: str, values: Sequence[Value] = (), binary: Sequence[bool] = (), of: str = "") -> list[Row]:
        return [row for part in self.stream(sql, values, binary, of) for row in part]

    def stream(
        self, sql: str, values: Sequence[Value] = (), binary: Sequence[bool] = (), of: str = ""
    ) -> Generator[list[Row], None, None]:
        with translated(self.options, self.side, of), self._driver.cursor(SSCursor) as cursor:
            cursor.execute(self._bound(sql, values))
            while part := cursor.fetchmany(_FETCHED):
                yield [tuple(map(_text, row)) for row in part]

    def rollback(self) -> None:
        """Queries leave no transaction open."""

    def interrupt(self) -> None:
        with contextlib.suppress(OSError, AttributeError):
            self._driver._sock.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._session.close()

    def __enter__(self) -> "DorisConnection":
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def _bound(self, sql: str, values: Sequence[Value]) -> str:
        """The statement with its values as literals: prepared statements are for look-ups by key only there."""
        waiting = iter(values)

        def part(match: re.Match[str]) -> str:
            return match[1] or self._literal(next(waiting))

        return _PARTS.sub(part, sql)

    def _literal(self, value: Value) -> str:
        return "NULL" if value is None else str(self._driver.escape(value))


def _text(value: Any) -> str | None:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value
