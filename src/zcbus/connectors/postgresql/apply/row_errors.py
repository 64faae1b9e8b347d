"""The row error table of a PostgreSQL target; see connectors.row_errors."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from zcbus.connectors.postgresql.apply.checkpoints import CheckpointStore
from zcbus.connectors.postgresql.connection.session import Connection
from zcbus.connectors.sql.row_errors import TABLE, Spelling, SqlRowErrorStore, create_statement

_LOCK = 0x7A636275735F7265
"""Key of the advisory lock under which the table is created."""


class _Statements:
    """The session as the shared store uses it."""

    def __init__(
        self, connection: Connection, translated: Callable[[], AbstractContextManager[None]], begin: Callable[[], None]
    ) -> None:
        self._connection, self._translated, self._begin = connection, translated, begin

    def execute(self, sql: str, params: Sequence[object] = ()) -> int:
        with self._translated():
            self._begin()
            return self._connection.execute(sql, list(params)).rowcount

    def rows(self, sql: str, params: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        with self._translated():
            self._begin()
            return self._connection.execute(sql, list(params)).fetchall()


def prepare(connection: Connection, checkpoints: CheckpointStore) -> None:
    """Create the row error table in the schema of the checkpoints if it is missing; commits."""
    name = checkpoints.sibling_table(TABLE)
    row = connection.execute("SELECT pg_catalog.to_regclass(%s) IS NULL", [name]).fetchone()
    if row is not None and row[0]:
        with connection.transaction():
            connection.execute("SELECT pg_catalog.pg_advisory_xact_lock(%s)", [_LOCK])
            connection.execute(create_statement(Spelling(name)))


def store(
    connection: Connection,
    checkpoints: CheckpointStore,
    translated: Callable[[], AbstractContextManager[None]],
    begin: Callable[[], None],
) -> SqlRowErrorStore:
    """The store of one session; `prepare` must have run once."""
    return SqlRowErrorStore(_Statements(connection, translated, begin), Spelling(checkpoints.sibling_table(TABLE)))
