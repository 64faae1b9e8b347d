"""Topics of a real cluster: logins, certificates, addresses of brokers, and the connection test."""

import gc
from pathlib import Path
from typing import Any

import pytest

from tests.servers.kafka import Broker, KafkaServer
from tests.servers.kafka_topics import KafkaTopics
from tests.support.processes import wait_until
from zcbus.connectors.errors import AccessDenied, SourceUnavailable
from zcbus.connectors.kafka.spec import KafkaOptions
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import CheckResult
from zcbus.kit import network
from zcbus.kit.network import AddressRefused, NetworkRules
from zcbus.model.schema import TableName

pytestmark = pytest.mark.server


def checks(**options: Any) -> list[CheckResult]:
    return connector("kafka").tester().test(KafkaOptions(**options), "source")


def test_a_connection_test_lists_topics_and_whether_they_can_be_read(kafka_topics: KafkaTopics) -> None:
    name = kafka_topics.fresh_database("test")
    kafka_topics.create(name, 2)
    kafka_topics.put(name, [b"a", b"b"])
    reachable, listed, read = checks(servers=kafka_topics.broker.servers(), topics=f"{name}*")
    assert (reachable.item, reachable.ok) == ("reachable", True)
    assert (listed.ok, listed.detail) == (True, f"1: {name}")
    assert (read.statement, read.ok, read.detail) == (f"read {name}", True, "2 × 2")
    _, nothing = checks(servers=kafka_topics.broker.servers(), topics="no-such-topic")
    assert (nothing.ok, nothing.blocking, nothing.detail) == (False, False, "0")


def test_topics_are_found_by_their_names_without_the_brokers_own(kafka_topics: KafkaTopics) -> None:
    name = kafka_topics.fresh_database("find")
    for topic in (f"{name}.a", f"{name}.b", f"{name}-c"):
        kafka_topics.create(topic)
    kafka_topics.transaction(f"{name}.a", [b"x"], commits=True)  # has the broker make a topic of its own
    options = KafkaOptions(servers=kafka_topics.broker.servers(), topics=f"{name}.*, __*")
    with connector("kafka").discoverer(options) as discoverer:
        assert [one.name.table for one in discoverer.tables()] == [f"{name}.a", f"{name}.b"]


@pytest.mark.soak(but=["SASLTLS-sasl+tls-SCRAM-SHA-512", "TLS-tls-PLAIN"])
@pytest.mark.parametrize(
    ("listener", "security", "mechanism"),
    [
        ("SASL", "sasl", "PLAIN"),
        ("SASL", "sasl", "SCRAM-SHA-256"),
        ("SASL", "sasl", "SCRAM-SHA-512"),
        ("TLS", "tls", "PLAIN"),
        ("SASLTLS", "sasl+tls", "SCRAM-SHA-512"),
    ],
)
def test_signing_in(secure_kafka: tuple[KafkaServer, str], listener: str, security: str, mechanism: str) -> None:
    broker, ca = secure_kafka
    account = {"user": broker.user, "password": broker.password} if "sasl" in security else {}
    place: dict[str, Any] = {"servers": broker.servers(listener), "security": security, "mechanism": mechanism}
    authority = Path(ca).read_text()
    for text in (authority, authority.replace("\n", " ")):
        assert checks(**place, **account, ca=text)[0].ok
    if account:
        (denied,) = checks(**place, ca=authority, user=broker.user, password="wrong")
        assert (denied.item, denied.ok, denied.advice) == ("login", False, "account")
        with pytest.raises(AccessDenied):
            connector("kafka").source(KafkaOptions(**place, ca=authority, user="x", password="y")).identity()
    if "tls" in security:
        assert not checks(**place, **account)[0].ok


def test_connections_end_with_their_user(kafka_topics: KafkaTopics) -> None:
    """Each of thousands of topics may be asked for its size over connections of its own."""
    name = kafka_topics.fresh_database("many")
    kafka_topics.create(name)
    options = kafka_topics.options(name)
    with connector("kafka").discoverer(options) as discoverer:
        (schema,) = discoverer.describe([TableName("topics", name)])
    gc.disable()
    try:
        before = threads()
        for _ in range(5):
            assert connector("kafka").source(options).estimate(schema) == 0
        # Each leaves at least two unless they are ended; one that this process starts for something else does not
        # count.
        wait_until(lambda: threads() < before + 5, 10, "the connections' threads end")
    finally:
        gc.enable()


def threads() -> int:
    """Of this process, the libraries' own among them."""
    return len(list(Path("/proc/self/task").iterdir()))


@pytest.mark.parametrize("rules", [NetworkRules(loopback=False)])
def test_servers_that_the_rules_do_not_allow_are_not_reached(
    kafka_broker: Broker, rules: NetworkRules, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network.rules, "_rules", rules)
    (refused,) = checks(servers=kafka_broker.servers())
    assert not refused.ok
    assert "not allowed" in refused.detail


def test_brokers_that_a_cluster_names_are_checked_too(kafka_broker: Broker, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cluster that one may reach sends its clients elsewhere."""
    asked: list[str] = []

    def only_the_first(host: str, port: int) -> list[str]:
        asked.append(f"{host}:{port}")
        if len(asked) > 1:
            raise AddressRefused(host)
        return [host]

    monkeypatch.setattr(network, "addresses", only_the_first)
    with pytest.raises(SourceUnavailable) as refused:
        connector("kafka").source(KafkaOptions(servers=kafka_broker.servers())).identity()
    assert "not allowed" in str(refused.value.facts["detail"])
    assert asked[-1] == kafka_broker.servers()
