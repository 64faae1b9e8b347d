"""The engine of ClickHouse, asked by HTTP: a kind whose databases a connection names."""

import importlib.util
import json
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx

from tests.servers import clickhouse_bridge
from tests.servers.maven import ServerNotAvailable
from zcbus.connectors.clickhouse.spec import ClickHouseOptions

_START_SECONDS = 60.0


class ClickHouseServer:
    """A running process with the engine; no server program is to be had, see clickhouse_bridge."""

    kind = "clickhouse"
    host = "127.0.0.1"

    def __init__(self) -> None:
        if importlib.util.find_spec("chdb") is None:
            raise ServerNotAvailable("the engine of ClickHouse (package chdb-core) is not made for this machine")
        self._folder = Path(tempfile.mkdtemp(prefix="zcbus-clickhouse-"))
        with socket.socket() as found:
            found.bind((self.host, 0))
            self.port = int(found.getsockname()[1])
        self._number = 0
        self._process: subprocess.Popen[bytes] | None = None
        self.client = httpx.Client(base_url=f"http://{self.host}:{self.port}", trust_env=False, timeout=60)
        self.start()

    def options(self, database: str, **fields: Any) -> ClickHouseOptions:
        return ClickHouseOptions(**{"host": self.host, "port": self.port, "database": database, **fields})

    def fresh_database(self, prefix: str = "test") -> str:
        self._number += 1
        name = f"{prefix}_{self._number}"
        self.ask(f"CREATE DATABASE `{name}` ENGINE = Atomic")
        return name

    def drop_database(self, name: str) -> None:
        self.ask(f"DROP DATABASE IF EXISTS `{name}` SYNC")

    def ask(self, statement: str, database: str = "default") -> str:
        """The answer to a statement, without the connector."""
        answer = self.client.post("/", params={"database": database}, content=statement.encode())
        if answer.status_code != 200:
            raise RuntimeError(answer.text)
        return answer.text

    def rows(self, database: str, table: str) -> list[dict[str, Any]]:
        """The rows of a table, read without the connector; in any order. None where there is no such table."""
        try:
            lines = self.ask(f"SELECT * EXCEPT (_zcbus_version) FROM `{table}` FINAL FORMAT JSONEachRow", database)
        except RuntimeError as error:
            if "UNKNOWN_TABLE" in str(error):
                return []
            raise
        return [json.loads(line) for line in lines.splitlines()]

    def start(self) -> None:
        command = [sys.executable, clickhouse_bridge.__file__, str(self._folder / "data"), str(self.port)]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        deadline = time.monotonic() + _START_SECONDS
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise RuntimeError((self._folder / "log").read_text()[-3000:])
            time.sleep(0.05)

    def kill(self) -> None:
        """SIGKILL; its data stays."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def remove(self) -> None:
        self.kill()
        self.client.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _answers(self) -> bool:
        try:
            return self.client.get("/ping").status_code == 200
        except httpx.TransportError:
            return False
