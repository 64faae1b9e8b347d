"""A private Cassandra server: a kind without SQL sessions, whose databases are keyspaces."""

import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml
from cassandra import DriverException
from cassandra.auth import PlainTextAuthProvider
from cassandra.cluster import EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile, NoHostAvailable, Session
from cassandra.policies import RoundRobinPolicy
from cassandra.query import tuple_factory
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.serialization import pkcs12

from tests.servers.maven import ServerNotAvailable, with_dependencies
from tests.support.certificate import self_signed
from zcbus.connectors.cassandra.spec import CassandraOptions

_POM = Path(__file__).with_suffix(".xml")
_START_SECONDS = 90.0
_MEMORY = "384m"
_OPENED = """
    java.base/java.io java.base/java.lang java.base/java.lang.reflect java.base/java.net java.base/java.nio
    java.base/java.util java.base/java.util.concurrent java.base/java.util.concurrent.atomic
    java.base/jdk.internal.math java.base/jdk.internal.misc java.base/jdk.internal.module java.base/jdk.internal.perf
    java.base/jdk.internal.ref java.base/jdk.internal.reflect java.base/jdk.internal.util.jar java.base/sun.nio.ch
    java.management.rmi/com.sun.jmx.remote.internal.rmi java.management/com.sun.jmx.remote.security
    java.rmi/sun.rmi.registry java.rmi/sun.rmi.server java.rmi/sun.rmi.transport java.rmi/sun.rmi.transport.tcp
    java.sql/java.sql jdk.management/com.sun.management.internal jdk.unsupported/sun.misc
"""
"""Packages of Java 17 that the server reaches into."""
_FLAGS = (
    f"-Xms{_MEMORY}",
    f"-Xmx{_MEMORY}",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-Djava.security.manager=allow",
    "-Dcassandra-foreground=yes",
    "-Dcassandra.superuser_setup_delay_ms=0",
    "-Dcassandra.skip_wait_for_gossip_to_settle=0",
    "-Dcassandra.ring_delay_ms=0",
)


class CassandraServer:
    """A running server with one node, which asks for a password."""

    kind = "cassandra"
    host = "127.0.0.1"
    user = password = "cassandra"

    def __init__(self) -> None:
        java = shutil.which("java")
        if java is None:
            raise ServerNotAvailable("Cassandra needs Java (Debian package default-jre-headless)")
        self._folder = Path(tempfile.mkdtemp(prefix="zcbus-cassandra-"))
        self.certificate = self._folder / "certificate.pem"
        self.port, storage = _free_port(), _free_port()
        self._number = 0
        self._process: subprocess.Popen[bytes] | None = None
        seeds = {"class_name": "org.apache.cassandra.locator.SimpleSeedProvider"}
        settings = {
            "cluster_name": "tests",
            "num_tokens": 4,
            "partitioner": "org.apache.cassandra.dht.Murmur3Partitioner",
            "commitlog_sync": "batch",
            "data_file_directories": [str(self._folder / "data")],
            **{
                f"{name}_directory": str(self._folder / name)
                for name in ("commitlog", "saved_caches", "hints", "cdc_raw")
            },
            "listen_address": self.host,
            "rpc_address": self.host,
            "storage_port": storage,
            "native_transport_port": self.port,
            "endpoint_snitch": "SimpleSnitch",
            "auto_snapshot": False,
            "authenticator": "PasswordAuthenticator",
            "authorizer": "CassandraAuthorizer",
            "role_manager": "CassandraRoleManager",
            "seed_provider": [{**seeds, "parameters": [{"seeds": f"{self.host}:{storage}"}]}],
        }
        settings["client_encryption_options"] = {"enabled": True, "optional": True, **self._keystore()}
        configuration = self._folder / "cassandra.yaml"
        configuration.write_text(yaml.safe_dump(settings))
        (self._folder / "logback.xml").write_text('<configuration><root level="WARN"/></configuration>')
        opened = [
            flag
            for one in _OPENED.split()
            for flag in ("--add-exports", f"{one}=ALL-UNNAMED", "--add-opens", f"{one}=ALL-UNNAMED")
        ]
        self._command = [
            java,
            *opened,
            *_FLAGS,
            f"-Dcassandra.config={configuration.as_uri()}",
            f"-Dcassandra.storagedir={self._folder}",
            f"-Dlogback.configurationFile={self._folder / 'logback.xml'}",
            "-cp",
            f"{with_dependencies(_POM)}/*",
            "org.apache.cassandra.service.CassandraDaemon",
        ]
        try:
            self.start()
        except BaseException:
            self.remove()
            raise

    def options(self, database: str, **fields: Any) -> CassandraOptions:
        given = {"host": self.host, "port": self.port, "user": self.user, "password": self.password, "interval": 1}
        return CassandraOptions(**{**given, "keyspace": database, **fields})

    def fresh_database(self, prefix: str = "test") -> str:
        self._number += 1
        name = f"{prefix.lower()}_{self._number}"
        replication = "{'class': 'SimpleStrategy', 'replication_factor': 1}"
        self.execute(f"CREATE KEYSPACE {name} WITH replication = {replication}", "system")
        return name

    def drop_database(self, name: str) -> None:
        self.execute(f"DROP KEYSPACE IF EXISTS {name}", "system")

    def execute(self, statement: str, database: str) -> None:
        """A statement as other kinds have it too: rows of an INSERT one by one, and types of Cassandra."""
        if statement.startswith("INSERT") and " VALUES " in statement:
            self._insert(statement, database)
            return
        self.rows_of(_translated(statement), database)

    def rows_of(self, statement: str, database: str) -> list[tuple[Any, ...]]:
        """The answer to a statement in the server's own language."""
        with self.session(database) as session:
            return list(session.execute(statement, timeout=60))

    @contextmanager
    def session(self, database: str) -> Iterator[Session]:
        """A session of the driver, without the connector."""
        login = PlainTextAuthProvider(self.user, self.password)
        profile = ExecutionProfile(RoundRobinPolicy(), row_factory=tuple_factory)
        cluster = Cluster(
            [self.host],
            port=self.port,
            auth_provider=login,
            protocol_version=4,
            execution_profiles={EXEC_PROFILE_DEFAULT: profile},
        )
        try:
            yield cluster.connect(database)
        finally:
            cluster.shutdown()

    def rows(self, database: str, table: str) -> list[dict[str, Any]]:
        """The rows of a table as JSON, read without the connector's types; in any order."""
        found = self.rows_of(f'SELECT JSON * FROM "{table}"', database)
        return [yaml.safe_load(one) for (one,) in found]

    def _keystore(self) -> dict[str, Any]:
        """TLS at the same port for those who ask for it; its certificate is in `certificate`."""
        certificate, key = self_signed()
        self.certificate.write_bytes(certificate)
        store = pkcs12.serialize_key_and_certificates(
            b"server",
            serialization.load_pem_private_key(key, None),  # type: ignore[arg-type]
            x509.load_pem_x509_certificate(certificate),
            None,
            serialization.BestAvailableEncryption(self.password.encode()),
        )
        path = self._folder / "keystore"
        path.write_bytes(store)
        return {"keystore": str(path), "keystore_password": self.password, "store_type": "PKCS12"}

    def start(self) -> None:
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command, cwd=self._folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log
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
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()

    def remove(self) -> None:
        self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _answers(self) -> bool:
        try:
            with socket.create_connection((self.host, self.port), 1.0):
                pass
            self.rows_of("SELECT release_version FROM system.local", "system")
        except (OSError, DriverException, NoHostAvailable):
            return False
        return True

    def _insert(self, statement: str, database: str) -> None:
        head, _, values = statement.partition(" VALUES ")
        table = head.split()[-1]
        with self.session(database) as session:
            query = (
                "SELECT column_name, kind, position, type FROM system_schema.columns "
                "WHERE keyspace_name = %s AND table_name = %s"
            )
            named = {row[0] for row in session.execute(query, [database, table])}
            columns = ", ".join(sorted(named, key=_ORDER.index))
            for row in re.findall(r"\(((?:[^()']|'(?:[^']|'')*')*)\)", values):
                session.execute(f"INSERT INTO {table} ({columns}) VALUES ({row})")


_ORDER = ["id", "k", "name", "updated_at", "note"]
"""Of columns in the suite's tables: the server sorts them by name."""


def _translated(statement: str) -> str:
    found = re.sub(r"VARCHAR\(\d+\)", "text", statement)
    return found.replace(" NOT NULL", "").replace("ADD COLUMN", "ADD")


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
