"""A private OpenSearch server: a kind without SQL, whose databases are prefixes of indexes' names."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import httpx
import orjson

from tests.servers.maven import ServerNotAvailable, archive_of
from tests.servers.small_sql import created, inserted, updated
from zcbus.connectors.opensearch.connection import OpenSearchConnection
from zcbus.connectors.opensearch.indexes import Indexes
from zcbus.connectors.opensearch.spec import SCHEMA, OpenSearchOptions
from zcbus.model.schema import TableName

_ARTIFACT = "org.opensearch.distribution.integ-test-zip:opensearch:2.19.1:zip"
_START_SECONDS = 90.0
_MEMORY = "384m"
_NOBODY = 65534
"""The server refuses to run as root."""


class OpenSearchServer:
    """A running server with one node."""

    kind = "opensearch"
    host = "127.0.0.1"

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="zcbus-opensearch-"))
        self.port, transport = _free_port(), _free_port()
        self._number = 0
        self._process: subprocess.Popen[bytes] | None = None
        java = shutil.which("java")
        if java is None:
            raise ServerNotAvailable("OpenSearch needs Java (Debian package default-jre-headless)")
        self._java = Path(java).resolve().parents[1]
        with zipfile.ZipFile(archive_of(_ARTIFACT)) as archive:
            archive.extractall(self._folder)
        (self._home,) = self._folder.glob("opensearch-*")
        settings = {
            "discovery.type": "single-node",
            "http.port": self.port,
            "transport.port": transport,
            "network.host": self.host,
            "path.data": self._folder / "data",
            "path.logs": self._folder / "logs",
            "cluster.routing.allocation.disk.threshold_enabled": "false",
            "cluster.max_shards_per_node": 5000,
            "action.destructive_requires_name": "false",
        }
        (self._home / "config" / "opensearch.yml").write_text(
            "".join(f"{name}: {one}\n" for name, one in settings.items())
        )
        options = (f"-Xms{_MEMORY}", f"-Xmx{_MEMORY}", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
        (self._home / "config" / "jvm.options").write_text("\n".join((*options, "-Djava.security.manager=allow", "")))
        for name in ("data", "logs", "temporary"):
            (self._folder / name).mkdir()
        if os.getuid() == 0:
            for one in (self._folder, *self._folder.rglob("*")):
                os.chown(one, _NOBODY, _NOBODY)
        self.client = httpx.Client(base_url=f"http://{self.host}:{self.port}", trust_env=False, timeout=60)
        self.start()

    def options(self, database: str, **fields: Any) -> OpenSearchOptions:
        return OpenSearchOptions(**{"host": self.host, "port": self.port, "prefix": database, "interval": 1, **fields})

    def fresh_database(self, prefix: str = "test") -> str:
        self._number += 1
        return f"{prefix.lower()}{self._number}-"

    def drop_database(self, name: str) -> None:
        self.client.delete(f"/{name}*").raise_for_status()

    def execute(self, statement: str, database: str) -> None:
        """A statement of the suites: tables are defined as the platform does it, rows are written without it."""
        words = statement.split()
        if words[0] == "CREATE":
            with OpenSearchConnection(self.options(database)) as connection:
                Indexes(connection).define(created(statement, SCHEMA))
            return
        with OpenSearchConnection(self.options(database)) as connection:
            name = TableName(SCHEMA, words[2] if words[0] == "INSERT" else words[1])
            schema = Indexes(connection).schemas([name])[name]
        if words[0] == "INSERT":
            rows = [dict(zip(schema.names, row, strict=True)) for row in inserted(statement)]
            lines = [
                line
                for row in rows
                for line in (
                    {"index": {"_id": ":".join(str(row[one]) for one in schema.primary_key)}},
                    {column: value for column, value in row.items() if value is not None},
                )
            ]
            self.send(f"/{database}{name.table}/_bulk", lines)
        elif words[0] == "UPDATE":
            changes, _, key = updated(statement)
            self.send(f"/{database}{name.table}/_update/{key}", [{"doc": changes}])
        else:
            raise NotImplementedError(statement)

    def send(self, place: str, lines: Iterable[Mapping[str, Any]]) -> None:
        """A request of lines of JSON, each of which is carried out."""
        body = b"".join(orjson.dumps(one) + b"\n" for one in lines)
        sent = self.client.post(place, content=body, headers={"content-type": "application/x-ndjson"})
        sent.raise_for_status()
        assert not sent.json().get("errors"), sent.text

    def rows(self, database: str, table: str) -> list[dict[str, Any]]:
        """The documents of an index, read without the connector; in any order."""
        self.client.post(f"/{database}{table}/_refresh")
        found = self.client.post(f"/{database}{table}/_search", json={"size": 10_000}).json()
        return [hit["_source"] for hit in found["hits"]["hits"]] if "hits" in found else []

    def start(self) -> None:
        environment = {
            **os.environ,
            "OPENSEARCH_JAVA_HOME": str(self._java),
            "OPENSEARCH_TMPDIR": str(self._folder / "temporary"),
            "HOME": str(self._folder),
        }
        who: dict[str, Any] = {"user": _NOBODY, "group": _NOBODY, "extra_groups": ()} if os.getuid() == 0 else {}
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                ["/bin/bash", self._home / "bin" / "opensearch"],
                cwd=self._folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                **who,
            )
        deadline = time.monotonic() + _START_SECONDS
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise RuntimeError((self._folder / "log").read_text()[-3000:])
            time.sleep(0.1)

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
            return self.client.get("/_cluster/health").status_code == 200
        except httpx.TransportError:
            return False


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
