"""SQLite as the suites see a server."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from typing import Any

from tests.servers.files import FileDatabases


class SQLiteFolder(FileDatabases):
    """See FileDatabases."""

    kind = "sqlite"

    def create_database(self, name: str) -> None:
        self.execute("PRAGMA user_version = 0", name)

    def connect(self, database: str) -> Any:
        return closing(sqlite3.connect(self.folder / database, isolation_level=None))

    def execute(self, sql: str, database: str) -> None:
        with self.connect(database) as connection:
            connection.executescript(sql)

    def rows(self, sql: str, database: str) -> Sequence[tuple[Any, ...]]:
        with self.connect(database) as connection:
            return list(connection.execute(sql).fetchall())
