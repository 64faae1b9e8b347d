"""Queries for callers; see queries.QueryRunner."""

import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import psycopg
from psycopg.adapt import Loader
from psycopg.rows import tuple_row

from zcbus.connectors.errors import AccessDenied, SourceUnavailable
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql.connection.errors import translate
from zcbus.connectors.postgresql.connection.session import Connection, connect
from zcbus.connectors.queries import (
    AccountTooPowerful,
    Collected,
    Found,
    Query,
    QueryFailed,
    QueryTimedOut,
    bound,
    unique_names,
    watched,
)
from zcbus.kit.errors import ZcbusError
from zcbus.model.query_text import QueryRefused

_PART = 500
"""Rows that are fetched together."""
CURSOR = "caller"
"""Name of the cursor of the server."""
_CANCELLED = "57014"
_ONLY_READS = "25006"
_POWERS = """
SELECT string_agg(power, ', ') FROM (
  SELECT 'SUPERUSER' AS power FROM pg_catalog.pg_roles WHERE rolname = current_user AND rolsuper
  UNION ALL
  SELECT rolname FROM pg_catalog.pg_roles
  WHERE rolname IN ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program')
    AND pg_catalog.pg_has_role(current_user, oid, 'MEMBER')
    AND NOT (SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user)
) AS powers"""
# Volatile for PostgreSQL, but without effect on anything.
_HARMLESS = [
    "clock_timestamp",
    "gen_random_uuid",
    "pg_database_size",
    "pg_indexes_size",
    "pg_is_in_recovery",
    "pg_relation_size",
    "pg_table_size",
    "pg_total_relation_size",
    "random",
    "random_normal",
    "timeofday",
    "uuidv4",
    "uuidv7",
]
_VOLATILE = """
SELECT min(p.proname) FROM pg_catalog.pg_proc p
WHERE p.proname = ANY(%s) AND p.provolatile = 'v'
  AND NOT (p.pronamespace = 'pg_catalog'::pg_catalog.regnamespace AND p.proname = ANY(%s))"""
_CLEAN = "ROLLBACK; SELECT pg_catalog.pg_advisory_unlock_all()"
_STARTED = "SELECT backend_start FROM pg_catalog.pg_stat_activity WHERE pid = pg_catalog.pg_backend_pid()"
# A process number may belong to another session by now.
_TERMINATE = """
SELECT pg_catalog.pg_terminate_backend(pid) FROM pg_catalog.pg_stat_activity
WHERE pid = %s AND backend_start = %s::timestamptz"""
_CONNECT_SECONDS = 5
_MAX_KNOWN = 1000
_DATA_STAYS_JSON = frozenset({"json", "jsonb", "int2", "int4", "int8", "oid", "float4", "float8", "bool"})


class _Text(Loader):
    """A value in PostgreSQL's text form, for values beyond Python's types (infinity, year 10000, NaN)."""

    def load(self, data: Any) -> str:
        return bytes(data).decode()


class _Hexadecimal(Loader):
    def load(self, data: Any) -> str:
        return bytes(data).decode().removeprefix("\\x")


class PostgreSQLQueryRunner:
    """Rows come through a server-side cursor, so only the requested ones are sent."""

    def __init__(self, options: ConnectionOptions) -> None:
        """Raises SourceUnavailable, AccessDenied, AccountTooPowerful."""
        self._options = options
        self._connection = connect(options, "source", autocommit=False, usual_names=True)
        self._connection.read_only = True
        self._checked: set[frozenset[str]] = set()
        try:
            powers, self._started = self._begin()
            self._check_powers(powers)
        except BaseException:
            self._connection.close()
            raise
        for kind in self._connection.adapters.types:
            if kind.name not in _DATA_STAYS_JSON:
                self._connection.adapters.register_loader(kind.oid, _Text)
        self._connection.adapters.register_loader("bytea", _Hexadecimal)

    def _begin(self) -> tuple[str, str]:
        """Powers of the account over the server's host, and since when the server's session is."""
        try:
            powers = self._connection.execute(_POWERS).fetchone()
            started = self._connection.execute(_STARTED).fetchone()
            self._connection.rollback()
        except psycopg.Error as error:
            raise translate(error, self._options, "source") from error
        held = str(powers[0] or "") if powers is not None else ""
        return held, str(started[0]) if started is not None else ""

    def _check_powers(self, powers: str) -> None:
        """Raises AccountTooPowerful."""
        if powers:
            raise AccountTooPowerful(user=self._options.user, rights=powers)

    @property
    def usable(self) -> bool:
        return not self._connection.closed

    def run(self, query: Query) -> Found:
        with watched(query, self._end) as ended:
            try:
                return self._found(query)
            except psycopg.Error as error:
                if ended.is_set():
                    raise QueryTimedOut(milliseconds=query.timeout_ms) from error
                raise self._reason(error, query) from error
            finally:
                self._leave()

    def close(self) -> None:
        self._connection.close()

    def _found(self, query: Query) -> Found:
        text, values = bound(query)
        deadline = time.monotonic() + query.timeout_ms / 1000
        self._connection.execute("SELECT set_config('statement_timeout', %s, true)", [str(query.timeout_ms)])
        self._refuse_effects(query.text.functions)
        self._confine()
        with self._connection.cursor(name=CURSOR, row_factory=tuple_row) as cursor:
            cursor.execute(text, values)
            if query.skip:
                cursor.scroll(query.skip)
            kept = Collected()
            for row in self._fetched(cursor, query.rows + 1):
                kept.add(row)
                if time.monotonic() > deadline:
                    raise QueryTimedOut(milliseconds=query.timeout_ms)
            return Found(self._columns(cursor), kept.rows[: query.rows], len(kept.rows) > query.rows)

    def _confine(self) -> None:
        """Give up, for the transaction, what reading needs no right for. Raises QueryRefused."""

    def _fetched(self, cursor: Any, most: int) -> Iterator[tuple[object, ...]]:
        """At most so many rows."""
        while most and (part := cursor.fetchmany(min(_PART, most))):
            most -= len(part)
            yield from part

    def _refuse_effects(self, functions: frozenset[str]) -> None:
        """Refuse functions that take locks, wait, change settings or run a text as a statement, as far as the server
        knows them."""
        if functions in self._checked:
            return
        found = self._connection.execute(_VOLATILE, [sorted(functions), _HARMLESS]).fetchone()
        if found is not None and found[0] is not None:
            raise QueryRefused(why="function", near=found[0])
        if len(self._checked) < _MAX_KNOWN:
            self._checked.add(functions)

    def _end(self) -> None:
        with suppress(psycopg.Error, ZcbusError), self._connect_canceller() as canceller:
            canceller.execute(_TERMINATE, [self._connection.info.backend_pid, self._started])

    def _connect_canceller(self) -> Connection:
        return connect(self._options, "source", timeout=_CONNECT_SECONDS)

    def _columns(self, cursor: Any) -> tuple[tuple[str, str], ...]:
        described = cursor.description or ()
        types = self._connection.adapters.types
        names = unique_names([column.name for column in described])
        kinds = [types.get(column.type_code) for column in described]
        return tuple((name, kind.name if kind is not None else "text") for name, kind in zip(names, kinds, strict=True))

    def _reason(self, error: psycopg.Error, query: Query) -> ZcbusError:
        if error.sqlstate == _CANCELLED:
            return QueryTimedOut(milliseconds=query.timeout_ms)
        reason = translate(error, self._options, "source")
        known = isinstance(reason, SourceUnavailable | AccessDenied) and error.sqlstate != _ONLY_READS
        return reason if known else QueryFailed(detail=str(error.diag.message_primary or error).strip())

    def _leave(self) -> None:
        """Reset the session, so that no query affects the next one."""
        try:
            self._connection.rollback()
            self._connection.pgconn.exec_(_CLEAN.encode())
        except psycopg.Error:
            self._connection.close()
