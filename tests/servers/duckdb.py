"""DuckDB as the suites see a server."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from tests.servers.files import FileDatabases
from zcbus.connectors.duckdb.shared import CATALOG, borrow, give_back

_WAIT_SECONDS = 60.0


class DuckDBFolder(FileDatabases):
    """See FileDatabases. In this process a file is open once only, so the suites share it with the connector."""

    kind = "duckdb"

    def create_database(self, name: str) -> None:
        self.execute("SELECT 1", name)

    @contextmanager
    def connect(self, database: str, *, writes: bool = True) -> Iterator[Any]:
        path = (self.folder / database).resolve()
        shared = borrow(path, path.parent)
        try:
            connection = shared.enter(writes=writes, wait=_WAIT_SECONDS, interrupted=lambda: False)
            try:
                yield _Connection(connection)
            finally:
                shared.leave(connection, writes=writes)
        finally:
            give_back(path)

    def execute(self, sql: str, database: str) -> None:
        with self.connect(database) as connection:
            connection.execute(sql)

    def rows(self, sql: str, database: str) -> Sequence[tuple[Any, ...]]:
        with self.connect(database, writes=False) as connection:
            return list(connection.execute(sql).fetchall())


class _Connection:
    """Whose cursor is itself: one of DuckDB's has a transaction of its own."""

    def __init__(self, connection: Any) -> None:
        connection.execute(f"USE {CATALOG}")
        self.execute = connection.execute

    def cursor(self) -> "_Connection":
        return self
