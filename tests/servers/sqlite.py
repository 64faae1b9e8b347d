"""SQLite as the suites see a server: a folder of files."""

import os
import sqlite3
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from zcbus.connectors.sqlite.spec import SQLiteOptions

TENANT = "default"


class SQLiteFolder:
    """The folder for files of this process; workers that it starts inherit it."""

    kind = "sqlite"

    def __init__(self) -> None:
        self._made = tempfile.TemporaryDirectory(prefix="zcbus-sqlite-")
        self.folder = Path(self._made.name) / TENANT
        self.folder.mkdir()
        self._before = os.environ.get("ZCBUS_FILES_DIR")
        os.environ["ZCBUS_FILES_DIR"] = self._made.name
        self._number = 0

    def fresh_database(self, prefix: str) -> str:
        self._number += 1
        name = f"{prefix}_{self._number}.db"
        self.execute("PRAGMA user_version = 0", name)
        return name

    def options(self, database: str) -> SQLiteOptions:
        return SQLiteOptions(file=database, tenant=TENANT)

    def connect(self, database: str) -> Any:
        return closing(sqlite3.connect(self.folder / database, isolation_level=None))

    def execute(self, sql: str, database: str) -> None:
        with self.connect(database) as connection:
            connection.executescript(sql)

    def rows(self, sql: str, database: str) -> Sequence[tuple[Any, ...]]:
        with self.connect(database) as connection:
            return list(connection.execute(sql).fetchall())

    def drop_database(self, name: str) -> None:
        for path in self.folder.glob(f"{name}*"):
            path.unlink()

    def remove(self) -> None:
        if self._before is None:
            os.environ.pop("ZCBUS_FILES_DIR")
        else:
            os.environ["ZCBUS_FILES_DIR"] = self._before
        self._made.cleanup()
