"""Everything over an encrypted connection: our own readers take the bytes from the driver's socket."""

import datetime
from collections.abc import Iterator
from dataclasses import replace

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.integration.connectors.mysql.support import (
    batch,
    binlog_position,
    captured,
    changes_after,
    describe,
    flat,
    target_table,
)
from tests.servers.mariadb import MariaDBServer, missing_programs
from zcbus.connectors.errors import AccessDenied
from zcbus.connectors.mysql.connector import connector

pytestmark = pytest.mark.server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MariaDBServer]:
    if missing_programs():
        pytest.skip(f"not installed: {', '.join(missing_programs())} (Debian package mariadb-server)")
    certificate, key = _self_signed()
    made = MariaDBServer(files={"cert.pem": certificate, "key.pem": key}, tls=("cert.pem", "key.pem"))
    yield made
    made.remove()


def _self_signed() -> tuple[bytes, bytes]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return certificate.public_bytes(serialization.Encoding.PEM), secret


@pytest.mark.parametrize("tls", ["prefer", "require"])
def test_every_role_over_tls(server: MariaDBServer, tls: str) -> None:
    database = server.fresh_database()
    options = replace(server.options(database), tls=tls)
    server.execute("CREATE TABLE t (id int PRIMARY KEY, v varchar(200))", database)
    after = binlog_position(server)
    server.execute("INSERT INTO t SELECT seq, repeat('x', 200) FROM seq_1_to_50000", database)
    schema = describe(options, "t")
    with connector().source(options).open_snapshot() as snapshot:
        assert sum(rows.num_rows for rows, _ in snapshot.read(schema, ("id",), None, 7000)) == 50_000
    assert len(flat(changes_after(options, captured(database, t="id"), after))) == 50_000
    with connector().target(options).open() as session:
        session.upsert(target_table(schema, database), batch(id=["1", "50001"], v=["y", "z" * 200]))
        session.commit()
    assert server.rows("SELECT v FROM t WHERE id = 1", database) == [("y",)]
    states = server.rows("SHOW STATUS LIKE 'Ssl_finished_accepts'")
    assert int(states[0][1]) > 0


def test_a_self_signed_certificate_is_refused(server: MariaDBServer) -> None:
    options = replace(server.options(), tls="verify-full")
    with pytest.raises(AccessDenied) as refused:
        connector().discoverer(options)
    assert "certificate" in str(refused.value.facts["detail"]).lower()
    results = connector().tester().test(options, "source")
    assert [result.ok for result in results] == [True, False]


def test_a_server_without_tls_cannot_be_required_to_have_it(mariadb_server: MariaDBServer) -> None:
    with pytest.raises(AccessDenied):
        connector().discoverer(replace(mariadb_server.options(), tls="require"))
