"""Letting ourselves in at a real broker: SASL and TLS, and clear errors where it does not let us in."""

import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.servers.kafka import KafkaServer
from zcbus.bus.contract import Retention
from zcbus.bus.kafka import clients
from zcbus.bus.kafka.bus import KafkaBus
from zcbus.bus.kafka.errors import BusAway, BusRefused
from zcbus.kit.bus_settings import BusSettings
from zcbus.kit.setting_source import SettingsError

pytestmark = pytest.mark.server


@pytest.mark.parametrize(
    ("security", "sasl"),
    [("tls", ""), ("sasl", "PLAIN"), ("sasl", "SCRAM-SHA-256"), ("sasl", "SCRAM-SHA-512"), ("sasl+tls", "PLAIN")],
)
def test_writing_and_reading(secure_kafka: tuple[KafkaServer, str], security: str, sasl: str) -> None:
    broker, ca = secure_kafka
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
    """Reported within seconds, long before an answer would count as missing."""
    bus, began = KafkaBus(settings), time.monotonic()
    try:
        with pytest.raises(BusRefused) as caught:
            bus.info("t")
        assert time.monotonic() - began < clients.CALL_SECONDS - 1
        return caught.value
    finally:
        bus.close()


def test_a_wrong_password_is_reported(secure_kafka: tuple[KafkaServer, str]) -> None:
    broker, _ = secure_kafka
    error = _refused(replace(broker.secured("secure", "sasl", "SCRAM-SHA-256"), password="wrong-one"))
    assert "authentication" in str(error).lower()
    assert "wrong-one" not in str(error)


def test_an_untrusted_certificate_is_reported(secure_kafka: tuple[KafkaServer, str]) -> None:
    broker, _ = secure_kafka
    assert "certificate" in str(_refused(broker.secured("secure", "tls"))).lower()


def test_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
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
