"""Letting ourselves in at a real broker: SASL and TLS, and clear errors where it does not let us in."""

import datetime
import ipaddress
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID

from tests.servers.kafka import KafkaServer
from tests.servers.maven import ServerNotAvailable
from zcbus.bus.contract import Retention
from zcbus.bus.kafka import clients
from zcbus.bus.kafka.bus import KafkaBus
from zcbus.bus.kafka.errors import BusAway, BusRefused
from zcbus.kit.bus_settings import BusSettings
from zcbus.kit.settings import SettingsError

pytestmark = pytest.mark.server


def _certificate() -> tuple[bytes, bytes]:
    """A certificate for localhost that signs itself, and its key."""
    key = rsa.generate_private_key(65537, 2048)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(names, False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), True)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return certificate.public_bytes(serialization.Encoding.PEM), secret


@pytest.fixture(scope="module")
def broker_and_ca(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[KafkaServer, str]]:
    certificate, key = _certificate()
    ca = tmp_path_factory.mktemp("tls") / "ca.pem"
    ca.write_bytes(certificate)
    try:
        broker = KafkaServer(key + certificate)
    except ServerNotAvailable as reason:
        pytest.skip(str(reason))
    yield broker, str(ca)
    broker.remove()


@pytest.mark.parametrize(
    ("security", "sasl"),
    [("tls", ""), ("sasl", "PLAIN"), ("sasl", "SCRAM-SHA-256"), ("sasl", "SCRAM-SHA-512"), ("sasl+tls", "PLAIN")],
)
def test_writing_and_reading(broker_and_ca: tuple[KafkaServer, str], security: str, sasl: str) -> None:
    broker, ca = broker_and_ca
    settings = broker.secured("secure", security, sasl or "PLAIN", ca if "tls" in security else "")
    bus = KafkaBus(settings)
    try:
        topic = f"{security.replace('+', '-')}/{sasl or 'none'}"
        with bus.writer(topic, Retention()) as writer:
            writer.append([b"x"])
        with bus.reader(topic, 0) as reader:
            assert [bytes(record.payload) for record in reader.read(1, 1, 10)] == [b"x"]
    finally:
        bus.close()


def _refused(settings: BusSettings) -> BusRefused:
    """Told within seconds, long before an answer would count as missing."""
    bus, began = KafkaBus(settings), time.monotonic()
    try:
        with pytest.raises(BusRefused) as caught:
            bus.info("t")
        assert time.monotonic() - began < clients.CALL_SECONDS - 1
        return caught.value
    finally:
        bus.close()


def test_a_wrong_password_is_told(broker_and_ca: tuple[KafkaServer, str]) -> None:
    broker, _ = broker_and_ca
    error = _refused(replace(broker.secured("secure", "sasl", "SCRAM-SHA-256"), password="wrong-one"))
    assert "authentication" in str(error).lower()
    assert "wrong-one" not in str(error)


def test_a_certificate_of_nobody_is_told(broker_and_ca: tuple[KafkaServer, str]) -> None:
    broker, _ = broker_and_ca
    assert "certificate" in str(_refused(broker.secured("secure", "tls"))).lower()


def test_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clients, "CALL_SECONDS", 1.0)
    bus = KafkaBus(BusSettings("kafka://127.0.0.1:9"))
    with pytest.raises(BusAway):
        bus.info("t")
    bus.close()


def test_properties_that_the_client_does_not_know() -> None:
    with pytest.raises(SettingsError) as caught:
        KafkaBus(BusSettings("kafka://127.0.0.1:9", client_properties={"no.such": "secret-value"}))
    assert "secret-value" not in str(caught.value)


def test_certificates_are_read_from_files(tmp_path: Path) -> None:
    broken = tmp_path / "ca.pem"
    broken.write_text("no certificate")
    with pytest.raises(SettingsError):
        KafkaBus(BusSettings("kafka://127.0.0.1:9", "tls", ca=str(broken)))
