"""A private HDFS with one NameNode and one DataNode, and its folders as the suites see a server."""

import csv
import io
import os
import shutil
import socket
import subprocess
import tempfile
import time
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
from pyarrow import parquet

from tests.servers.maven import ServerNotAvailable, with_dependencies
from zcbus.connectors.hdfs.spec import HdfsOptions
from zcbus.connectors.stores.hdfs import HdfsAccess, HdfsClient, HdfsRefusal, HdfsStore

_POM = Path(__file__).with_suffix(".xml")
_START_SECONDS = 90.0
_FLAGS = ("-Xmx200m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--add-opens", "java.base/java.lang=ALL-UNNAMED")
_NODES = "org.apache.hadoop.hdfs.server"
_PROPERTY = "<property><name>{}</name><value>{}</value></property>"


class HdfsServer:
    """Both nodes run; who started them is the superuser."""

    host = "127.0.0.1"
    user = "tester"

    def __init__(self) -> None:
        java = shutil.which("java")
        if java is None:
            raise ServerNotAvailable("HDFS needs Java (Debian package default-jre-headless)")
        self._folder = Path(tempfile.mkdtemp(prefix="zcbus-hdfs-"))
        self.port, rpc = _free_port(), _free_port()
        jars = with_dependencies(_POM)
        self._configure(rpc)
        self._java = [java, *_FLAGS, "-cp", f"{self._folder}:{jars}/*"]
        self._nodes: list[subprocess.Popen[bytes]] = []
        try:
            self._run("namenode.NameNode", "-format", "-nonInteractive").wait(_START_SECONDS)
            self.start()
        except BaseException:
            self.remove()
            raise

    def client(self) -> HdfsClient:
        return HdfsClient(HdfsAccess("hdfs", self.host, self.port, self.user, "disable"), 10)

    def start(self) -> None:
        self._nodes = [self._run("namenode.NameNode"), self._run("datanode.DataNode")]
        client, deadline = self.client(), time.monotonic() + _START_SECONDS
        while True:
            try:
                client.create("/started", b"1")
                break
            except (HdfsRefusal, OSError):
                if time.monotonic() > deadline or any(one.poll() is not None for one in self._nodes):
                    log = (self._folder / "log").read_text(errors="replace")[-2000:]
                    raise AssertionError(f"HDFS does not start:\n{log}") from None
                time.sleep(0.2)
        client.close()

    def stop(self) -> None:
        """As a power cut does."""
        for node in self._nodes:
            node.kill()
            node.wait()

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _run(self, node: str, *arguments: str) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "HADOOP_USER_NAME": self.user}
        with (self._folder / "log").open("ab") as log:
            command = [*self._java, f"{_NODES}.{node}", *arguments]
            return subprocess.Popen(command, cwd=self._folder, env=environment, stdout=log, stderr=log)

    def _configure(self, rpc: int) -> None:
        site = {"fs.defaultFS": f"hdfs://{self.host}:{rpc}", "hadoop.tmp.dir": self._folder / "data"}
        nodes = {
            "dfs.replication": 1,
            "dfs.namenode.http-address": f"{self.host}:{self.port}",
            "dfs.datanode.address": f"{self.host}:0",
            "dfs.datanode.http.address": f"{self.host}:0",
            "dfs.datanode.ipc.address": f"{self.host}:0",
            "dfs.datanode.hostname": self.host,
            "dfs.namenode.datanode.registration.ip-hostname-check": "false",
            "dfs.namenode.safemode.extension": 0,
            "dfs.datanode.synconclose": "true",
        }
        for name, settings in (("core-site", site), ("hdfs-site", nodes)):
            found = "".join(_PROPERTY.format(*one) for one in settings.items())
            (self._folder / f"{name}.xml").write_text(f"<configuration>{found}</configuration>")
        (self._folder / "log4j.properties").write_text("log4j.rootLogger=OFF\n")
        for name in ("hdfs", "datanode"):  # their pages are not in the artifacts
            (self._folder / "webapps" / name / "WEB-INF").mkdir(parents=True)
            (self._folder / "webapps" / name / "WEB-INF" / "web.xml").write_text("<web-app/>")


class HdfsFolders:
    """Folders of CSV files."""

    kind = "hdfs"
    schema = "files"
    """Of a source's tables."""

    def __init__(self, server: HdfsServer) -> None:
        self.server = server
        self.given: dict[str, object] = {}
        """Options of tests besides the place."""

    def fresh_database(self, prefix: str) -> str:
        name = f"/{prefix}/{uuid.uuid4().hex}"
        client = self.server.client()
        client.ask("PUT", name, "MKDIRS")
        client.close()
        return name

    def options(self, database: str) -> Any:
        server = self.server
        place = {"host": server.host, "port": server.port, "user": server.user, "folder": database}
        return HdfsOptions(**{"rest": 0, **place, **self.given})  # type: ignore[arg-type]

    def drop_database(self, name: str) -> None:
        """The folder's name is unique."""

    def put(self, database: str, file: str, header: Sequence[str], rows: Sequence[Sequence[str | None]]) -> None:
        """A whole file, by a hidden name."""
        out = io.StringIO(newline="")
        csv.writer(out).writerows((header, *rows))
        store = opened(self.server, database)
        store.put(file, out.getvalue().encode())
        store.close()

    def remove(self, database: str, file: str) -> None:
        store = opened(self.server, database)
        store.delete(file)
        store.close()


class WrittenHdfs(HdfsFolders):
    """Folders with the current rows of tables."""

    schema = "rows"

    def options(self, database: str) -> Any:
        self.given = {"gather": 0, "content": "rows", "filesize": 1}
        return super().options(database)

    def rows(self, database: str, table: str) -> list[dict[str, Any]]:
        """The current rows, as who has the folder reads them."""
        store = opened(self.server, database)
        named = orjson.loads(store.get(f"{table}/_latest.json") or b"")["files"]
        found = [parquet.read_table(pa.BufferReader(store.get(f"{table}/{one['name']}") or b"")) for one in named]
        store.close()
        return pa.concat_tables(found, promote_options="permissive").to_pylist() if found else []


def opened(server: HdfsServer, folder: str) -> HdfsStore:
    return HdfsStore(HdfsAccess("hdfs", server.host, server.port, server.user, "disable"), folder)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
