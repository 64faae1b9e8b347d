"""Queries for callers; see queries.QueryRunner."""

import time
from typing import Any

import psycopg
from psycopg.adapt import Loader
from psycopg.rows import tuple_row

from zcbus.connectors.errors import AccessDenied, SourceUnavailable
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql.connection.errors import translate
from zcbus.connectors.postgresql.connection.session import connect
from zcbus.connectors.queries import Collected, Found, Query, QueryFailed, QueryTimedOut, bound, unique_names
from zcbus.kit.errors import ZcbusError

_PART = 500
"""Rows that are fetched together."""
_CANCELLED = "57014"
_ONLY_READS = "25006"
_DATA_STAYS_JSON = frozenset({"json", "jsonb", "int2", "int4", "int8", "oid", "float4", "float8", "bool"})


class _Text(Loader):
    """A value as PostgreSQL writes it: keeps what Python's types cannot hold (infinity, year 10000, NaN)."""

    def load(self, data: Any) -> str:
        return bytes(data).decode()


class _Hexadecimal(Loader):
    def load(self, data: Any) -> str:
        return bytes(data).decode().removeprefix("\\x")


class PostgreSQLQueryRunner:
    """Rows come through a cursor of the server, so nothing but what is asked for is sent."""

    def __init__(self, options: ConnectionOptions) -> None:
        """Raises SourceUnavailable, AccessDenied."""
        self._options = options
        self._connection = connect(options, "source", autocommit=False, usual_names=True)
        self._connection.read_only = True
        for kind in self._connection.adapters.types:
            if kind.name not in _DATA_STAYS_JSON:
                self._connection.adapters.register_loader(kind.oid, _Text)
        self._connection.adapters.register_loader("bytea", _Hexadecimal)

    @property
    def usable(self) -> bool:
        return not self._connection.closed

    def run(self, query: Query) -> Found:
        try:
            return self._found(query)
        except psycopg.Error as error:
            raise self._reason(error, query) from error
        finally:
            self._leave()

    def close(self) -> None:
        self._connection.close()

    def _found(self, query: Query) -> Found:
        text, values = bound(query)
        deadline = time.monotonic() + query.timeout_ms / 1000
        self._connection.execute("SELECT set_config('statement_timeout', %s, true)", [str(query.timeout_ms)])
        with self._connection.cursor(name="caller", row_factory=tuple_row) as cursor:
            cursor.execute(text, values)
            if query.skip:
                cursor.scroll(query.skip)
            kept = Collected()
            while (wanted := query.rows + 1 - len(kept.rows)) and (part := cursor.fetchmany(min(_PART, wanted))):
                for row in part:
                    kept.add(row)
                if time.monotonic() > deadline:
                    raise QueryTimedOut(milliseconds=query.timeout_ms)
            return Found(self._columns(cursor), kept.rows[: query.rows], len(kept.rows) > query.rows)

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
        """Nothing of a query may be left behind for the next one."""
        try:
            self._connection.rollback()
        except psycopg.Error:
            self._connection.close()
