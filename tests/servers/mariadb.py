"""A private MariaDB 10.11 from Debian's package, as an unprivileged user in a temporary folder."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pymysql

from tests.servers.base import Server
from tests.servers.maven import made_once
from tests.support.processes import die_with_parent

NOBODY = 65534
_LOG_SIZE = "--innodb-log-file-size=64M"
_PROGRAMS = ("mariadbd", "mariadb-install-db")
_OPTIONS = (
    "--bind-address=127.0.0.1",
    "--log-bin=binlog",
    "--binlog-format=ROW",
    "--binlog-row-image=FULL",
    "--binlog-row-metadata=FULL",
    "--server-id=1",
    "--local-infile=1",
    "--skip-name-resolve",
    "--character-set-server=utf8mb4",
    "--innodb-buffer-pool-size=128M",
    _LOG_SIZE,
    "--innodb-fast-shutdown=2",
    "--max-allowed-packet=64M",
    "--performance-schema=OFF",
    "--default-time-zone=+08:00",
)


def missing_programs() -> list[str]:
    """The programs that are not installed; empty where MariaDB can be started."""
    return [program for program in _PROGRAMS if _find(program) is None]


class MariaDBServer(Server):
    """Started by the constructor. Row binlog, LOAD DATA LOCAL allowed; `extra` options come last and win.

    `files` are put into the server's folder beforehand; `tls` names those with its certificate and key.
    """

    kind = "mysql"
    user = "root"
    password = "root-secret"
    _create_user = "CREATE OR REPLACE USER"

    def __init__(
        self, *extra: str, files: Mapping[str, bytes] | None = None, tls: tuple[str, str] | None = None
    ) -> None:
        self._extra = extra
        self._folder = Path(tempfile.mkdtemp(prefix="zcbus-mariadb-"))
        self._process: subprocess.Popen[bytes] | None = None
        self.port = _free_port()
        if os.getuid() == 0:
            os.chown(self._folder, NOBODY, NOBODY)
        for name, content in (files or {}).items():
            (self._folder / name).write_bytes(content)
        if tls is not None:
            self._extra += (f"--ssl-cert={self._folder / tls[0]}", f"--ssl-key={self._folder / tls[1]}")
        self._install()
        self.start()
        self.create_database(self.default_database)

    @property
    def default_database(self) -> str:
        return "defaultdb"

    @property
    def pid(self) -> int | None:
        """Process id while it runs."""
        return None if self._process is None else self._process.pid

    @contextmanager
    def connect(self, database: str | None = None) -> Iterator[Any]:
        connection = pymysql.connect(
            host=self.host,
            port=self.port,
            user=self.user,
            password=self.password,
            database=database or self.default_database,
            autocommit=True,
            charset="utf8mb4",
            local_infile=True,
            ssl_disabled=True,
            client_flag=pymysql.constants.CLIENT.MULTI_STATEMENTS,
        )
        try:
            yield connection
        finally:
            connection.close()

    def execute(self, sql: str, database: str | None = None, params: Sequence[object] = ()) -> None:
        with self.connect(database) as connection, connection.cursor() as cursor:
            cursor.execute(sql, params or None)
            while cursor.nextset():
                pass

    def rows(self, sql: str, database: str | None = None, params: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        with self.connect(database) as connection, connection.cursor() as cursor:
            cursor.execute(sql, params or None)
            return list(cursor.fetchall())

    def create_database(self, name: str) -> None:
        self._administer(f"CREATE DATABASE `{name}` CHARACTER SET utf8mb4")

    def drop_database(self, name: str) -> None:
        self._administer(f"DROP DATABASE IF EXISTS `{name}`")

    def start(self) -> None:
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._daemon, *self._place(), f"--port={self.port}", *_OPTIONS, *self._extra],
                stdout=log,
                stderr=log,
                preexec_fn=die_with_parent,
                **self._identity(),
            )
        self._wait_until_it_answers()

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def remove(self) -> None:
        self.kill()
        shutil.rmtree(self._folder)

    @property
    def _daemon(self) -> str:
        return _program("mariadbd")

    def _administer(self, sql: str) -> None:
        with self.connect("mysql") as connection, connection.cursor() as cursor:
            cursor.execute(sql)

    def _place(self) -> list[str]:
        folder = self._folder
        return [
            "--no-defaults",
            f"--datadir={self._data}",
            f"--socket={folder}/socket",
            f"--pid-file={folder}/pid",
            f"--tmpdir={folder}",
            f"--init-file={self._init_file}",
        ]

    def _identity(self) -> dict[str, Any]:
        """Arguments for subprocess: the server refuses to run as root."""
        common: dict[str, Any] = {
            "cwd": self._folder,
            # In a shared folder for temporary files each server that starts removes those of the others.
            "env": {
                "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
                "HOME": str(self._folder),
                "TMPDIR": str(self._folder),
            },
            "start_new_session": True,
        }
        if os.getuid() == 0:
            common |= {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        return common

    def _install(self) -> None:
        """An empty data folder whose root logs in by password over TCP."""
        self._init_file.write_text(
            "SET sql_log_bin=0;\n"
            f"{self._create_user} root@'127.0.0.1' IDENTIFIED BY '{self.password}';\n"
            "GRANT ALL ON *.* TO root@'127.0.0.1' WITH GRANT OPTION;\n"
        )
        self._init_file.chmod(0o644)
        empty = made_once(f"{self._build}.data", self._keep_empty)
        subprocess.run(["cp", "-a", "--reflink=auto", str(empty), str(self._data)], check=True)

    def _keep_empty(self, folder: Path) -> None:
        """An empty server's data, which takes seconds to make, for all servers to begin with."""
        made = subprocess.run(
            self._make_data, check=False, capture_output=True, text=True, errors="replace", **self._identity()
        )
        if made.returncode:
            raise RuntimeError(
                f"{self._make_data[0]} ended with {made.returncode}: {made.stdout[-2000:]}{made.stderr[-2000:]}"
            )
        (self._data / "auto.cnf").unlink(missing_ok=True)  # MySQL's identifier of a server; each makes its own
        subprocess.run(["mv", str(self._data), str(folder)], check=True)

    @property
    def _build(self) -> str:
        """Names the program: another one begins with other data."""
        program = Path(self._daemon).resolve().stat()
        return f"mariadb-{program.st_size:x}-{program.st_mtime_ns:x}"

    @property
    def _make_data(self) -> list[str]:
        """The command that makes the data folder."""
        return [
            _program("mariadb-install-db"),
            "--no-defaults",
            f"--datadir={self._data}",
            "--auth-root-authentication-method=normal",
            "--skip-test-db",
            "--skip-name-resolve",
            _LOG_SIZE,
        ]

    @property
    def _data(self) -> Path:
        return self._folder / "data"

    @property
    def _init_file(self) -> Path:
        """Statements that run at each start: they make the administrator."""
        return self._folder / "init.sql"

    def _wait_until_it_answers(self, seconds: float = 60.0) -> None:
        deadline = time.monotonic() + seconds
        while True:
            try:
                self._administer("SELECT 1")
            except pymysql.err.OperationalError:
                if self._process is None or self._process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError((self._folder / "log").read_text(errors="replace")[-3000:]) from None
                time.sleep(0.02)
            else:
                return

    def _end(self, number: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(60)
            self._process = None


def _find(program: str) -> str | None:
    return shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")


def _program(name: str) -> str:
    path = _find(name)
    if path is None:
        raise FileNotFoundError(f"{name} is not installed (Debian package mariadb-server)")
    return path


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
