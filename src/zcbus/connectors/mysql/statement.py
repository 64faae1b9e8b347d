"""Statements of people; see statements.StatementRunner."""

import time
from typing import Any

import pymysql
from pymysql.cursors import SSCursor

from zcbus.connectors.mysql.query import MySQLQueryRunner, columns_of, plain
from zcbus.connectors.mysql.query_rules import QUERY_RULES
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.queries import Collected, Found, Query, QueryTimedOut, watched
from zcbus.connectors.statements import MAX_ROW_BYTES, Changed, Statement
from zcbus.model.query_text import QueryText, parse


class MySQLStatementRunner(MySQLQueryRunner):
    """The driver sends one statement only: multiple statements are not enabled."""

    def __init__(self, options: ConnectionOptions) -> None:
        """Raises SourceUnavailable, AccessDenied."""
        super().__init__(options, any_account=True)
        self._session.driver.most_at_once = MAX_ROW_BYTES

    def explain(self, statement: Statement) -> Found:
        """Servers run parts of a query for its plan, and all of it for EXPLAIN ANALYZE: so it has to be one that could
        be read as well. Raises QueryRefused besides."""
        text = parse(statement.text, QUERY_RULES).literal
        with watched(_query(statement), self._session.end_process):
            try:
                self._prepare(text)
            except (pymysql.err.MySQLError, OSError) as error:
                raise self._reason(error, _query(statement)) from error
        explained = Statement(f"EXPLAIN {text}", statement.rows, statement.timeout_ms)
        return self._run(explained, "START TRANSACTION READ ONLY", "ROLLBACK").found or Found((), [], more=False)

    def change(self, statement: Statement) -> Changed:
        return self._run(statement, "START TRANSACTION", "COMMIT")

    def cancel(self) -> None:
        self._session.end_process()

    def _run(self, statement: Statement, begin: str, end: str) -> Changed:
        query = _query(statement)
        with watched(query, self._session.end_process) as ended:
            try:
                self._query(begin)
                changed = self._changed(statement)
                self._query(end)
                return changed
            except (pymysql.err.MySQLError, OSError) as error:
                if ended.is_set():
                    self.usable = False
                    raise QueryTimedOut(milliseconds=query.timeout_ms) from error
                raise self._reason(error, query) from error
            finally:
                self._leave()

    def _changed(self, statement: Statement) -> Changed:
        cursor: Any = self._session.driver.cursor(SSCursor)
        try:
            cursor.execute(statement.text)
            if not cursor.description:
                return Changed(max(cursor.rowcount, 0), None)
            return Changed(0, self._taken(cursor, statement))
        finally:
            self._give_up(cursor)

    @staticmethod
    def _taken(cursor: Any, statement: Statement) -> Found:
        """All rows are read, so that the statement runs to its end; rows beyond the limit are discarded."""
        kept, count = Collected(), 0
        deadline = time.monotonic() + statement.timeout_ms / 1000
        while (row := cursor.fetchone()) is not None:
            count += 1
            if count <= statement.rows:
                kept.add(tuple(plain(value) for value in row))
            if time.monotonic() > deadline:
                raise QueryTimedOut(milliseconds=statement.timeout_ms)
        return Found(columns_of(cursor), kept.rows, count > statement.rows)


def _query(statement: Statement) -> Query:
    return Query(QueryText((statement.text,)), {}, statement.rows, timeout_ms=statement.timeout_ms)
