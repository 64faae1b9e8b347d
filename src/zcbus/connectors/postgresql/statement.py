"""Statements of people; see statements.StatementRunner."""

import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import psycopg
from psycopg import generators
from psycopg.pq import ExecStatus
from psycopg.pq.abc import PGresult
from psycopg.rows import tuple_row

from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql.query import CURSOR, PostgreSQLQueryRunner
from zcbus.connectors.queries import (
    AccountTooPowerful,
    AnswerTooLarge,
    Collected,
    Found,
    Query,
    QueryTimedOut,
    unique_names,
    watched,
)
from zcbus.connectors.statements import MAX_ROW_BYTES, Changed, Statement
from zcbus.kit.errors import ZcbusError
from zcbus.model.query_text import QueryText

_COPIES = frozenset({ExecStatus.COPY_IN, ExecStatus.COPY_OUT, ExecStatus.COPY_BOTH})
# PostgreSQL has the role since version 14.
_CONFINED = """
SELECT pg_catalog.bool_or(pg_catalog.pg_has_role(oid, 'MEMBER'))
FROM pg_catalog.pg_roles WHERE rolname = 'pg_read_all_data'"""
_SAME_NAMES = """
SELECT pg_catalog.set_config('search_path', coalesce(
  (SELECT pg_catalog.string_agg(pg_catalog.quote_ident(name), ', ' ORDER BY place)
   FROM pg_catalog.unnest(pg_catalog.current_schemas(false)) WITH ORDINALITY AS found (name, place)), ''), true)"""


class PostgreSQLStatementRunner(PostgreSQLQueryRunner):
    """Values of `explain` and `change` are PostgreSQL's own texts."""

    def __init__(self, options: ConnectionOptions) -> None:
        """Raises SourceUnavailable, AccessDenied."""
        self._powers = ""
        super().__init__(options)
        self._connection.limit_rows(MAX_ROW_BYTES)

    def _check_powers(self, powers: str) -> None:
        """Any account will do: reading is confined, and a change is a right of its own."""
        self._powers = powers

    def _confine(self) -> None:
        """Read as a role that sees every table and has no power over the server's host, whatever a view, a function or
        an operator of the database would do with that power. Raises AccountTooPowerful."""
        if not self._powers:
            return
        server = self._connection
        found = server.execute(_CONFINED).fetchone()
        if found is None or not found[0]:
            raise AccountTooPowerful(user=self._options.user, rights=self._powers)
        # Names are found as the account finds them. Rows that policies hide from the role are an error, not left out.
        server.execute(_SAME_NAMES)
        server.execute("SET LOCAL row_security = off")
        server.execute("SET LOCAL ROLE pg_read_all_data")

    def _fetched(self, cursor: Any, most: int) -> Iterator[tuple[object, ...]]:
        """One by one: a part of 500 rows may hold gigabytes."""
        with self._connection.cursor(row_factory=tuple_row) as fetching:
            rows: Any = fetching.stream(f'FETCH FORWARD {most} FROM "{CURSOR}"')
            with closing(rows):
                for row in rows:
                    self._connection.begin_row()
                    yield row

    def explain(self, statement: Statement) -> Found:
        found = self._run(Statement(f"EXPLAIN (FORMAT TEXT) {statement.text}", statement.rows, statement.timeout_ms))
        return found.found or Found((), [], more=False)

    def change(self, statement: Statement) -> Changed:
        self._connection.read_only = False
        return self._run(statement, commit=True)

    def cancel(self) -> None:
        self._end()

    def _reason(self, error: psycopg.Error, query: Query) -> ZcbusError:
        limit = self._connection.limit
        if limit is not None and limit.exceeded:
            return AnswerTooLarge(bytes=limit.most)
        return super()._reason(error, query)

    def _run(self, statement: Statement, *, commit: bool = False) -> Changed:
        query = Query(QueryText((statement.text,)), {}, statement.rows, timeout_ms=statement.timeout_ms)
        with watched(query, self._end) as ended:
            try:
                changed = self._changed(statement)
                if commit:
                    self._connection.commit()
                return changed
            except psycopg.Error as error:
                if ended.is_set():
                    raise QueryTimedOut(milliseconds=query.timeout_ms) from error
                raise self._reason(error, query) from error
            finally:
                self._leave()

    def _changed(self, statement: Statement) -> Changed:
        """The extended protocol accepts one statement only; rows beyond the limit are discarded."""
        # It begins the transaction.
        self._connection.execute("SELECT set_config('statement_timeout', %s, true)", [str(statement.timeout_ms)])
        server = self._connection.pgconn
        with self._connection.lock:
            server.send_query_params(statement.text.encode(), None)
            server.set_single_row_mode()
            self._connection.wait(generators.send(server))
            return self._taken(statement)

    def _taken(self, statement: Statement) -> Changed:
        columns: tuple[tuple[str, str], ...] = ()
        kept, count, affected = Collected(), 0, 0
        deadline = time.monotonic() + statement.timeout_ms / 1000
        while (result := self._connection.wait(generators.fetch(self._connection.pgconn))) is not None:
            self._connection.begin_row()
            self._check(result)
            if result.nfields and not columns:
                columns = self._described(result)
            if result.status == ExecStatus.SINGLE_TUPLE:
                count += 1
                if count <= statement.rows:
                    kept.add(_row(result))
            else:
                affected = result.command_tuples or 0
            if time.monotonic() > deadline:
                raise QueryTimedOut(milliseconds=statement.timeout_ms)
        return Changed(affected, Found(columns, kept.rows, count > statement.rows) if columns else None)

    def _check(self, result: PGresult) -> None:
        if result.status in _COPIES:
            # Later messages of the connection go to the copy.
            self._connection.close()
            raise psycopg.errors.FeatureNotSupported("COPY FROM STDIN / TO STDOUT")
        if result.status == ExecStatus.FATAL_ERROR:
            raise psycopg.errors.error_from_result(result)

    def _described(self, result: PGresult) -> tuple[tuple[str, str], ...]:
        types = self._connection.adapters.types
        names = unique_names([(result.fname(place) or b"").decode() for place in range(result.nfields)])
        kinds = [types.get(result.ftype(place)) for place in range(result.nfields)]
        return tuple((name, kind.name if kind is not None else "text") for name, kind in zip(names, kinds, strict=True))


def _row(result: PGresult) -> tuple[object, ...]:
    values = (result.get_value(0, place) for place in range(result.nfields))
    return tuple(None if value is None else value.decode() for value in values)
