"""Queries for callers; see queries.QueryRunner."""

import json
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pymysql
from pymysql.constants import FIELD_TYPE
from pymysql.cursors import SSCursor

from zcbus.connectors.errors import AccessDenied, SourceUnavailable
from zcbus.connectors.mysql.connection.errors import number_and_detail, translate
from zcbus.connectors.mysql.connection.session import Session
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.queries import Collected, Found, Query, QueryFailed, QueryTimedOut, Scalar, bound, unique_names
from zcbus.kit.errors import ZcbusError

_AS_TEXT = (
    FIELD_TYPE.DECIMAL,
    FIELD_TYPE.NEWDECIMAL,
    FIELD_TYPE.DATE,
    FIELD_TYPE.TIME,
    FIELD_TYPE.DATETIME,
    FIELD_TYPE.TIMESTAMP,
)
_TYPE_NAMES = {number: name.lower() for name, number in vars(FIELD_TYPE).items() if isinstance(number, int)}
_TIMED_OUT = frozenset({1969, 3024})
_LONGEST = 1_000_000_000


class MySQLQueryRunner:
    """Rows are read as the server finds them; a session is given up where more would come than is asked for."""

    def __init__(self, options: ConnectionOptions) -> None:
        """Raises SourceUnavailable, AccessDenied."""
        self._session = Session(options, "source")
        self._options = options
        decoders = self._session.driver.decoders
        for kind in _AS_TEXT:
            decoders.pop(kind, None)
        decoders[FIELD_TYPE.JSON] = json.loads
        self.usable = True

    def run(self, query: Query) -> Found:
        try:
            return self._found(query)
        except (pymysql.err.MySQLError, OSError) as error:
            raise self._reason(error, query) from error
        finally:
            self._leave()

    def close(self) -> None:
        self.usable = False
        self._session.close()

    def _found(self, query: Query) -> Found:
        text, values = bound(query)
        self._prepare(query)
        cursor: Any = self._session.driver.cursor(SSCursor)
        try:
            cursor.execute(text, _without_zones(values))
            found = self._read(cursor, query)
            return Found(_columns(cursor), found.rows[: query.rows], len(found.rows) > query.rows)
        finally:
            self._give_up(cursor)

    def _give_up(self, cursor: Any) -> None:
        """The driver would read all that still comes."""
        if cursor._result is not None and cursor._result.unbuffered_active:
            cursor._result.unbuffered_active = False
            self.usable = False
        cursor.connection = None

    def _prepare(self, query: Query) -> None:
        seconds = query.timeout_ms / 1000
        limit = (
            f"max_statement_time={seconds}"
            if self._session.version.mariadb
            else (f"max_execution_time={query.timeout_ms}")
        )
        most = min(query.skip + query.rows + 1, _LONGEST)
        self._session.execute(f"SET SESSION {limit}, sql_select_limit={most}")
        self._session.execute("START TRANSACTION READ ONLY")

    @staticmethod
    def _read(cursor: Any, query: Query) -> Collected:
        """All that is wanted and one row more; where the server has no further one, that it has none is read too."""
        deadline = time.monotonic() + query.timeout_ms / 1000
        kept, passed = Collected(), 0
        while len(kept.rows) <= query.rows and (row := cursor.fetchone()) is not None:
            if time.monotonic() > deadline:
                raise QueryTimedOut(milliseconds=query.timeout_ms)
            if passed < query.skip:
                passed += 1
            else:
                kept.add(tuple(_plain(value) for value in row))
        if len(kept.rows) > query.rows:
            cursor.fetchone()
        return kept

    def _reason(self, error: Exception, query: Query) -> ZcbusError:
        number, detail = number_and_detail(error)
        if number in _TIMED_OUT:
            return QueryTimedOut(milliseconds=query.timeout_ms)
        reason = translate(error, self._options, "source")
        return reason if isinstance(reason, SourceUnavailable | AccessDenied) else QueryFailed(detail=detail)

    def _leave(self) -> None:
        """Nothing of a query may be left behind for the next one."""
        try:
            if self.usable:
                self._session.execute("ROLLBACK")
        except ZcbusError:
            self.usable = False
        if not self.usable:
            self._session.driver._force_close()


def _columns(cursor: Any) -> tuple[tuple[str, str], ...]:
    described = cursor.description or ()
    names = unique_names([column[0] for column in described])
    return tuple((name, _TYPE_NAMES.get(column[1], "")) for name, column in zip(names, described, strict=True))


def _without_zones(values: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """The session's zone is UTC, and the driver would leave a zone out."""
    return {
        name: value.astimezone(UTC).replace(tzinfo=None) if isinstance(value, datetime) else value
        for name, value in values.items()
    }


def _plain(value: object) -> object:
    return value.hex() if isinstance(value, bytes) else value
