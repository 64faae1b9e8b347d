"""Databases that speak SQL, and a REST service over the files of one of them."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, ClassVar

from tests.integration.engine.matrix.rows import COLUMNS, Row, Rows
from tests.integration.engine.matrix.sides import TABLE, Destination, Origin, Run

_AT_ONCE = 50
"""Rows of a statement."""
_NAMES = ", ".join(COLUMNS)


class Sql(Origin):
    """Each statement is a transaction of its own."""

    columns: ClassVar[str]
    escape: ClassVar[str] = "\\"
    """A backslash within a text."""
    deletes = True
    names: ClassVar[str] = _NAMES

    def make(self, run: Run) -> None:
        self._run(run, [f"CREATE TABLE {TABLE} ({self.columns})"])
        run.tables[TABLE] = {}

    def insert(self, run: Run, rows: Rows) -> None:
        found = [f"({self.values(row)})" for row in rows.values()]
        parts = (found[first : first + _AT_ONCE] for first in range(0, len(found), _AT_ONCE))
        self._run(run, (f"INSERT INTO {TABLE} ({self.names}) VALUES {', '.join(part)}" for part in parts))

    def update(self, run: Run, rows: Rows) -> None:
        self._run(run, (f"UPDATE {TABLE} SET {self.changes(row)} WHERE id = {row.id}" for row in rows.values()))

    def delete(self, run: Run, rows: Rows) -> None:
        self._run(run, (f"DELETE FROM {TABLE} WHERE id = {number}" for number in rows))

    def values(self, row: Row) -> str:
        """Of an INSERT."""
        return ", ".join(map(self._literal, row))

    def changes(self, row: Row) -> str:
        """Of an UPDATE."""
        return ", ".join(f"{name} = {self._literal(getattr(row, name))}" for name in COLUMNS if name != "id")

    def _literal(self, value: object) -> str:
        if value is None:
            return "NULL"
        if isinstance(value, datetime):
            return f"'{value.isoformat(' ', 'milliseconds')}'"
        if isinstance(value, str):
            return "'{}'".format(value.replace("'", "''").replace("\\", self.escape))
        return str(value)

    def _run(self, run: Run, statements: Iterable[str]) -> None:
        with run.source.connect(run.source_database) as connection:
            cursor = connection.cursor()
            for statement in statements:
                cursor.execute(statement)


class Polled(Sql):
    """By a watermark, which each statement sets."""

    deletes = False
    names = f"{_NAMES}, updated_at"
    now: ClassVar[str] = "CURRENT_TIMESTAMP"

    def values(self, row: Row) -> str:
        return f"{super().values(row)}, {self.now}"

    def changes(self, row: Row) -> str:
        return f"{super().changes(row)}, updated_at = {self.now}"


class PostgreSQLOrigin(Sql):
    kind, server = "postgresql", "postgres_server"
    columns = "id integer PRIMARY KEY, name varchar(100), amount numeric(12,2), made timestamp"


class MySQLOrigin(Sql):
    kind, server = "mysql", "mariadb_server"
    columns = "id integer PRIMARY KEY, name varchar(100), amount decimal(12,2), made datetime(3)"
    escape = "\\\\"


class OceanBaseOrigin(Polled):
    kind, server = "oceanbase", "oceanbase_server"
    columns = f"{MySQLOrigin.columns}, updated_at timestamp(6) NOT NULL"
    escape = "\\\\"
    now = "current_timestamp(6)"


class SQLiteOrigin(Polled):
    kind, server = "sqlite", "sqlite_folder"
    columns = (
        "id INTEGER PRIMARY KEY NOT NULL, name VARCHAR(100), amount DECIMAL(12,2), made DATETIME, "
        "updated_at DATETIME NOT NULL"
    )
    now = "strftime('%Y-%m-%d %H:%M:%f', 'now')"


class DuckDBOrigin(Polled):
    kind, server = "duckdb", "duckdb_folder"
    columns = (
        "id INTEGER PRIMARY KEY, name VARCHAR, amount DECIMAL(12,2), made TIMESTAMP, updated_at TIMESTAMP NOT NULL"
    )
    now = "CAST(now() AS TIMESTAMP)"


class _Java(Polled):
    columns = (
        "id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(100), amount DECIMAL(12,2), made TIMESTAMP, "
        "updated_at TIMESTAMP NOT NULL"
    )


class H2Origin(_Java):
    kind, server = "h2", "h2_server"


class HsqldbOrigin(_Java):
    kind, server = "hsqldb", "hsqldb_server"


class DerbyOrigin(_Java):
    kind, server = "derby", "derby_server"


class HttpOrigin(Polled):
    """Its columns are declared by the types of those of the file."""

    kind, server = "http", "datasette_server"
    columns = (
        "id INTEGER PRIMARY KEY NOT NULL, name VARCHAR(100), amount TEXT, made TIMESTAMP, updated_at TIMESTAMP NOT NULL"
    )
    now = SQLiteOrigin.now


class _Queried(Destination):
    names: ClassVar[str] = _NAMES

    def rows(self, run: Run) -> Iterable[Mapping[str, Any]]:
        found = run.target.rows(f"SELECT {self.names} FROM {TABLE}", run.target_database)
        return [dict(zip(COLUMNS, row, strict=True)) for row in found]


class PostgreSQLDestination(_Queried):
    kind, server = "postgresql", "postgres_server"


class MySQLDestination(_Queried):
    kind, server = "mysql", "mariadb_server"


class OceanBaseDestination(_Queried):
    kind, server = "oceanbase", "oceanbase_server"


class SQLiteDestination(_Queried):
    kind, server = "sqlite", "sqlite_folder"


class DuckDBDestination(_Queried):
    """Its driver has no times with zones unless another package is there."""

    names = "id, name, amount, CAST(made AS VARCHAR)"
    kind, server = "duckdb", "duckdb_folder"


class H2Destination(_Queried):
    kind, server = "h2", "h2_server"


class HsqldbDestination(_Queried):
    kind, server = "hsqldb", "hsqldb_server"
