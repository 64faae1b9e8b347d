"""Queries for callers; see queries.QueryRunner."""

import json
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pymysql
from pymysql.constants import FIELD_TYPE
from pymysql.cursors import SSCursor

from zcbus.connectors.errors import AccessDenied, SourceUnavailable
from zcbus.connectors.mysql.connection.errors import number_and_detail, translate
from zcbus.connectors.mysql.connection.grants import read_grants
from zcbus.connectors.mysql.connection.session import Session
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.queries import (
    AccountTooPowerful,
    Collected,
    Found,
    Query,
    QueryFailed,
    QueryTimedOut,
    Scalar,
    bound_in_order,
    unique_names,
    watched,
)
from zcbus.kit.errors import ZcbusError
from zcbus.model.query_text import QueryRefused

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
_POWERS = ("FILE", "SUPER")
_MAX_KNOWN = 200
_LONGEST = 1_000_000_000


class MySQLQueryRunner:
    """Rows are read as the server finds them; the session is closed if more follow than requested."""

    def __init__(self, options: ConnectionOptions, *, any_account: bool = False) -> None:
        """`any_account`: also one with powers over the server's host, whose ways there are refused by the text alone.
        Raises SourceUnavailable, AccessDenied, AccountTooPowerful."""
        self._session = Session(options, "source")
        self._options = options
        self._fenced: set[str] = set()
        self._locks = self._session.version.at_least(mariadb=(10, 5, 2), mysql=(5, 7, 5))
        grants = read_grants(self._session)
        powers = [right for right in _POWERS if grants.globally(right)]
        if powers and not any_account:
            self._session.close()
            raise AccountTooPowerful(user=options.user, rights=", ".join(powers))
        decoders = self._session.driver.decoders
        for kind in _AS_TEXT:
            decoders.pop(kind, None)
        decoders[FIELD_TYPE.JSON] = json.loads
        self.usable = True

    def run(self, query: Query) -> Found:
        with watched(query, self._session.end_process) as ended:
            try:
                return self._found(query)
            except (pymysql.err.MySQLError, OSError) as error:
                if ended.is_set():
                    self.usable = False
                    raise QueryTimedOut(milliseconds=query.timeout_ms) from error
                raise self._reason(error, query) from error
            finally:
                self._leave()

    def close(self) -> None:
        self.usable = False
        self._session.close()

    def _found(self, query: Query) -> Found:
        text, values = bound_in_order(query)
        self._prepare(text)
        self._set({f"p{place}": value for place, value in enumerate(values)})
        self._limit(query)
        used = " USING " + ", ".join(f"@zcbus_p{place}" for place in range(len(values))) if values else ""
        cursor: Any = self._session.driver.cursor(SSCursor)
        try:
            cursor.execute(f"EXECUTE zcbus_query{used}")
            found = self._read(cursor, query)
            return Found(columns_of(cursor), found.rows[: query.rows], len(found.rows) > query.rows)
        finally:
            self._give_up(cursor)

    def _prepare(self, text: str) -> None:
        """Let the server's parser check that the text is one query.

        It must be a complete statement by itself, so that its parentheses are balanced, and valid within EXISTS (…),
        which admits only a query without INTO.
        """
        self._set({"text": text, "fence": f"SELECT EXISTS (\n{text}\n)"})
        self._query("PREPARE zcbus_query FROM @zcbus_text")
        if text in self._fenced:
            return
        try:
            self._query("PREPARE zcbus_fence FROM @zcbus_fence")
        except pymysql.err.ProgrammingError as error:
            raise QueryRefused(why="no-query", near=number_and_detail(error)[1]) from error
        if len(self._fenced) < _MAX_KNOWN:
            self._fenced.add(text)

    def _set(self, values: Mapping[str, Scalar]) -> None:
        if values:
            self._query("SET " + ", ".join(f"@zcbus_{name} = {_literal(value)}" for name, value in values.items()))

    def _query(self, sql: str) -> None:
        with self._session.driver.cursor() as cursor:
            cursor.execute(sql)

    def _give_up(self, cursor: Any) -> None:
        """The driver would read all remaining rows."""
        if cursor._result is not None and cursor._result.unbuffered_active:
            cursor._result.unbuffered_active = False
            self.usable = False
        cursor.connection = None

    def _limit(self, query: Query) -> None:
        seconds = query.timeout_ms / 1000
        limit = (
            f"max_statement_time={seconds}"
            if self._session.version.mariadb
            else (f"max_execution_time={query.timeout_ms}")
        )
        most = min(query.skip + query.rows + 1, _LONGEST)
        self._query(f"SET SESSION {limit}, sql_select_limit={most}")
        self._query("START TRANSACTION READ ONLY")

    @staticmethod
    def _read(cursor: Any, query: Query) -> Collected:
        """All requested rows and one more; without a further row the end of the result is read too."""
        deadline = time.monotonic() + query.timeout_ms / 1000
        kept, passed = Collected(), 0
        while len(kept.rows) <= query.rows and (row := cursor.fetchone()) is not None:
            if time.monotonic() > deadline:
                raise QueryTimedOut(milliseconds=query.timeout_ms)
            if passed < query.skip:
                passed += 1
            else:
                kept.add(tuple(plain(value) for value in row))
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
        """Reset the session, so that no query affects the next one."""
        try:
            if self.usable:
                self._session.execute("ROLLBACK")
                if self._locks:
                    self._session.execute("DO RELEASE_ALL_LOCKS()")
        except ZcbusError:
            self.usable = False
        if not self.usable:
            self._session.driver._force_close()


def columns_of(cursor: Any) -> tuple[tuple[str, str], ...]:
    """Names and types of the rows that a cursor has."""
    described = cursor.description or ()
    names = unique_names([column[0] for column in described])
    return tuple((name, _TYPE_NAMES.get(column[1], "")) for name, column in zip(names, described, strict=True))


def _literal(value: Scalar) -> str:
    """Without any character that could end it, whatever the session's SQL mode is."""
    if value is None:
        return "NULL"
    if isinstance(value, bool | int):
        return str(int(value))
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, datetime):
        # The session's zone is UTC.
        value = value.astimezone(UTC).replace(tzinfo=None).isoformat(" ")
    data = (value if isinstance(value, str) else value.isoformat()).encode()
    return f"CONVERT(X'{data.hex()}' USING utf8mb4)"


def plain(value: object) -> object:
    """A value as JSON has it."""
    return value.hex() if isinstance(value, bytes) else value
