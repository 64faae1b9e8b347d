"""A real Valkey server: connection test, logins, and keys of other applications."""

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from tests.servers.valkey import ValkeyServer
from tests.support.certificates import own_certificate
from zcbus.connectors.errors import AccessDenied, RowRefused, TableRefused, TargetUnavailable
from zcbus.connectors.redis.spec import RedisOptions
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import CheckResult, MappedColumn, TargetSession, TargetTable
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.states import CleanMode
from zcbus.model.types import DataType, Kind

pytestmark = pytest.mark.server
GUIDE = Path(__file__).parents[3] / "docs" / "how-to" / "prepare-databases.md"
TYPE = DataType(Kind.TEXT, "text")
SOURCE = TableSchema(TableName("public", "t"), "postgresql", (Column("k", TYPE, nullable=False),), ("k",))
TABLE = TargetTable(TableName("redis", "t"), (MappedColumn("k", "k", TYPE, nullable=False),), ("k",), SOURCE)


@pytest.fixture
def database(valkey_server: ValkeyServer) -> Iterator[str]:
    name = valkey_server.fresh_database()
    yield name
    valkey_server.drop_database(name)


def open_session(options: RedisOptions) -> TargetSession:
    return connector("redis").target(options).open()


def checks(options: RedisOptions) -> dict[str, CheckResult]:
    return {one.item: one for one in connector("redis").tester().test(options, "target")}


def put(options: RedisOptions, key: str) -> None:
    with open_session(options) as session:
        session.prepare_store()
        session.create_table(TABLE, CleanMode.NONE)
        session.load(TABLE, pa.RecordBatch.from_pydict({"k": [key]}))
        session.commit()


def test_all_checks_pass_for_the_administrator(valkey_server: ValkeyServer, database: str) -> None:
    found = checks(valkey_server.options(database))
    assert list(found) == [
        *("reachable", "login", "version", "cluster", "primary"),
        *("permissions", "eviction", "persistence"),
    ]
    assert all(one.ok for one in found.values())
    with valkey_server.client(database) as client:
        assert client.keys("*") == [], "a test changes nothing"


def test_rights_are_those_of_the_remedy(valkey_server: ValkeyServer, database: str) -> None:
    limited = {"user": "writer", "password": "secret", "template": "shop:{table}:{key}"}
    options = valkey_server.options(database, **limited)
    with valkey_server.client() as client:
        client.execute_command("ACL", "SETUSER", "writer", "on", ">secret", "~other:*", "+@read", "+select", "+info")
        refused = checks(options)["permissions"]
        assert not refused.ok
        assert refused.blocking
        with pytest.raises(AccessDenied):
            put(options, "1")
        client.execute_command(*refused.remedy.split())
        assert checks(options)["permissions"].ok
        put(options, "1")
        unknown = checks(options)["persistence"]
        assert (unknown.ok, unknown.blocking) == (False, False)
        client.execute_command("ACL", "DELUSER", "writer")


def test_the_user_of_the_guide_can_do_it_all(valkey_server: ValkeyServer, database: str) -> None:
    (statement,) = [line for line in GUIDE.read_text("utf-8").splitlines() if line.startswith("ACL SETUSER")]
    options = valkey_server.options(database, user="zcbus", password="secret", template="shop:{table}:{key}")
    with valkey_server.client() as client:
        client.execute_command(*statement.split())
        assert all(one.ok for one in checks(options).values())
        put(options, "1")
        client.execute_command("ACL", "DELUSER", "zcbus")
    with valkey_server.client(database) as client:
        assert client.hgetall("shop:t:1") == {"k": "1"}


def test_wrong_credentials_are_refused(valkey_server: ValkeyServer) -> None:
    for wrong in ({"user": "nobody", "password": "x"}, {"database": 9999}):
        options = RedisOptions(**{"host": valkey_server.host, "port": valkey_server.port, **wrong})
        assert [one.ok for one in checks(options).values()] == [True, False]
    with pytest.raises(AccessDenied):
        open_session(valkey_server.options("0", user="nobody", password="x"))
    with pytest.raises(TargetUnavailable):
        open_session(RedisOptions(host=valkey_server.host, port=1))


@contextmanager
def server(*settings: str) -> Iterator[ValkeyServer]:
    made = ValkeyServer(*settings)
    try:
        yield made
    finally:
        made.remove()


def test_a_cluster_and_a_replica_are_refused(valkey_server: ValkeyServer) -> None:
    with server("--cluster-enabled", "yes") as cluster:
        found = checks(RedisOptions(host=cluster.host, port=cluster.port))["cluster"]
        assert (found.ok, found.blocking, found.advice) == (False, True, "single-server")
    with server("--replicaof", f"{valkey_server.host} {valkey_server.port}") as replica:
        found = checks(RedisOptions(host=replica.host, port=replica.port))["primary"]
        assert (found.ok, found.blocking) == (False, True)
        assert found.remedy == f"{valkey_server.host}:{valkey_server.port}"


def test_possible_losses_of_a_server_are_reported() -> None:
    with server("--requirepass", "secret", "--maxmemory", "64mb", "--maxmemory-policy", "allkeys-lru") as lossy:
        options = RedisOptions(host=lossy.host, port=lossy.port)
        assert [one.ok for one in checks(options).values()] == [True, False]
        options = RedisOptions(host=lossy.host, port=lossy.port, password="secret")
        found = checks(options)
        assert (found["eviction"].ok, found["eviction"].blocking) == (False, True)
        with connect(options) as client:
            client.execute_command("CONFIG", "SET", "maxmemory-policy", "volatile-ttl", "appendfsync", "everysec")
            found = checks(options)
            assert found["eviction"].ok
            assert (found["persistence"].ok, found["persistence"].blocking) == (False, False)
            kept = RedisOptions(host=lossy.host, port=lossy.port, password="secret", ttl=60)
            assert (checks(kept)["eviction"].ok, checks(kept)["eviction"].blocking) == (False, False)


@contextmanager
def connect(options: RedisOptions) -> Iterator[Any]:
    import redis

    with redis.Redis(options.host, options.port, options.database, password=options.password) as client:
        yield client


def test_a_full_server_takes_nothing_of_a_transaction() -> None:
    with server("--maxmemory", "8mb", "--maxmemory-policy", "noeviction") as full:
        options = RedisOptions(host=full.host, port=full.port)
        put(options, "first")
        with open_session(options) as session:
            for first in range(0, 200_000, 50_000):
                keys = [f"{number:0100}" for number in range(first, first + 50_000)]
                session.load(TABLE, pa.RecordBatch.from_pydict({"k": keys}))
            with pytest.raises(TargetUnavailable):
                session.commit()
        with full.client() as client:
            assert client.keys("t:*") == ["t:first"]


def test_a_transaction_that_cannot_be_sent_completely_is_discarded(valkey_server: ValkeyServer, database: str) -> None:
    options = valkey_server.options(database, form="json")
    number = DataType(Kind.INT32, "int")
    source = TableSchema(TableName("public", "t"), "postgresql", (Column("k", number, nullable=False),), ("k",))
    table = TargetTable(TABLE.name, (MappedColumn("k", "k", number, nullable=False),), ("k",), source)
    with open_session(options) as session:
        session.create_table(table, CleanMode.NONE)
        for keys in (["1", "no number"], ["2"]):
            session.load(table, pa.RecordBatch.from_pydict({"k": keys}))
            if len(keys) > 1:
                with pytest.raises(RowRefused):
                    session.commit()
                session.rollback()
        session.commit()
    with valkey_server.client(database) as client:
        assert client.keys("t:*") == ["t:2"]


def test_keys_of_others_are_left_alone(valkey_server: ValkeyServer, database: str) -> None:
    options = valkey_server.options(database)
    with valkey_server.client(database) as client:
        client.set("t:of:others", "x")
        with open_session(options) as session, pytest.raises(TableRefused) as refused:
            session.create_table(TABLE, CleanMode.DROP)
        assert refused.value.facts["reason"] == "keys-of-others"
        assert client.get("t:of:others") == "x"
        client.delete("t:of:others")
        put(options, "1")
        client.set("t:of:others", "later")
        client.set("t:2", "no hash")
        with connector("redis").reader(options, "target") as reader:
            (schema,) = connector("redis").discoverer(options).describe([TABLE.name])
            found = [rows.to_pylist() for rows, _ in reader.read(schema, ("k",), None, 100)]
        assert found == [[{"k": "1"}]]
        put(options, "2")
        assert client.hgetall("t:2") == {"k": "2"}


@pytest.mark.wide
def test_over_tls(valkey_server: ValkeyServer, database: str, tmp_path: Path) -> None:
    """A server behind a TLS proxy, as is common; its certificate has no trusted issuer."""
    certificate, key = own_certificate(tmp_path)
    with closing(TlsFront(certificate, key, valkey_server.port)) as front:
        options = RedisOptions(host="localhost", port=front.port, database=int(database), tls="require")
        put(options, "1")
        with pytest.raises(AccessDenied):
            open_session(RedisOptions(host="localhost", port=front.port, tls="verify-full"))
        with pytest.raises(TargetUnavailable):
            open_session(RedisOptions(host="localhost", port=valkey_server.port, tls="require"))
    with valkey_server.client(database) as client:
        assert client.hgetall("t:1") == {"k": "1"}


class TlsFront:
    """Decrypts connections and passes them on."""

    def __init__(self, certificate: str, key: str, port: int) -> None:
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate, key)
        self._behind = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                plain, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(plain,), daemon=True).start()

    def _serve(self, plain: socket.socket) -> None:
        try:
            with self._context.wrap_socket(plain, server_side=True) as client:
                self._pass_on(client)
        except OSError:
            plain.close()

    def _pass_on(self, client: ssl.SSLSocket) -> None:
        """A client that asks and then listens needs no second thread."""
        with socket.create_connection(("127.0.0.1", self._behind)) as server:
            while data := client.recv(1 << 16):
                server.sendall(data)
                server.settimeout(0.05)
                with_more = True
                while with_more:
                    try:
                        client.sendall(server.recv(1 << 16))
                    except TimeoutError:
                        with_more = False
