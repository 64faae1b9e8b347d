"""Topics of a real MQTT broker: sign-in, certificates, network rules, the connection test, a message's row."""

import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.servers.mosquitto import MosquittoServer
from tests.support.certificate import self_signed
from tests.support.proxy import Proxy
from zcbus.connectors.consuming.acknowledging.reader import Delivery
from zcbus.connectors.consuming.consumer import TopicTrouble
from zcbus.connectors.errors import AccessDenied, SourceUnavailable
from zcbus.connectors.mqtt.filters import subscription_identifier
from zcbus.connectors.mqtt.reader import MqttReader
from zcbus.connectors.mqtt.spec import MqttOptions
from zcbus.connectors.options import OptionsInvalid, parse
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import CheckResult
from zcbus.kit import network
from zcbus.kit.network import NetworkRules

pytestmark = pytest.mark.server


def checks(options: MqttOptions) -> list[CheckResult]:
    return connector("mqtt").tester().test(options, "source")


@pytest.fixture
def topic(mosquitto_server: MosquittoServer) -> str:
    return mosquitto_server.fresh_database("test")


@contextmanager
def reading(server: MosquittoServer, *topics: str, node: str = "node", **given: object) -> Iterator[MqttReader]:
    """A reader of these topics, whose session is removed at the end."""
    reader = MqttReader(server.options("", topics=", ".join(topics), **given), node)
    with closing(reader):
        assert not reader.begin(topics, [], [])
        yield reader
    reader.forget()


def read(reader: MqttReader, count: int) -> list[Delivery]:
    found: list[Delivery] = []
    while len(found) < count:
        found += reader.read(5.0)
    return found


def tokens(deliveries: list[Delivery]) -> list[Any]:
    return [one.token for one in deliveries if one.token is not None]


def test_a_connection_test_checks_session_and_subscriptions(mosquitto_server: MosquittoServer, topic: str) -> None:
    options = mosquitto_server.options(topic, topics=f"{topic}/+/a, {topic}/#")
    reachable, session, *subscriptions = checks(options)
    assert (reachable.item, reachable.ok) == ("reachable", True)
    assert (session.item, session.ok, session.detail) == ("session", True, f"{168 * 3600} s")
    assert [(one.ok, one.detail) for one in subscriptions] == [(True, "QoS 1")] * 2
    (closed,) = checks(MqttOptions(host="127.0.0.1", port=1, topics="a"))
    assert (closed.item, closed.ok, closed.advice) == ("reachable", False, "address")
    *_, shared = checks(mosquitto_server.options(topic, topics="$share/g/a"))
    assert (shared.statement, shared.ok, shared.blocking) == ("subscribe $share/g/a", False, True)


@contextmanager
def answering(expiry: int, qos: int) -> Iterator[int]:
    """Port of a broker that answers one client's connection and one subscription: with the seconds for which it keeps
    sessions, and the QoS it grants."""

    def serve() -> None:
        client, _ = listener.accept()
        with client:
            client.recv(4096)
            client.sendall(bytes([0x20, 8, 0, 0, 5, 0x11]) + expiry.to_bytes(4, "big"))
            number = client.recv(4096)[2:4]
            client.sendall(bytes([0x90, 4]) + number + bytes([0, qos]))
            client.recv(4096)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(10)
        thread = threading.Thread(target=serve)
        thread.start()
        yield listener.getsockname()[1]
        thread.join()


def test_brokers_that_keep_too_little_fail_the_test() -> None:
    """Mosquitto grants any interval and QoS."""
    with answering(3600, 1) as port:
        _, session, subscription = checks(MqttOptions(host="127.0.0.1", port=port, topics="a"))
    assert (session.ok, session.blocking, session.detail) == (False, False, "3600 s")
    assert subscription.ok
    with answering(0, 0) as port:
        _, session, subscription = checks(MqttOptions(host="127.0.0.1", port=port, topics="a"))
    assert (session.ok, session.blocking) == (False, True)
    assert (subscription.ok, subscription.blocking, subscription.detail) == (False, True, "a: 0x00")


def test_a_topic_that_may_not_be_read_is_denied() -> None:
    """Mosquitto grants the subscription and delivers nothing."""
    with (
        answering(3600, 0x87) as port,
        closing(MqttReader(MqttOptions(host="127.0.0.1", port=port, topics="a"))) as one,
    ):
        with pytest.raises(TopicTrouble) as denied:
            one.begin(["a"], [], [])
        assert denied.value.reason == "topic-denied"


def test_a_row_has_topic_levels_properties_and_flags(mosquitto_server: MosquittoServer, topic: str) -> None:
    filters = (f"{topic}/+/b/#", f"{topic}/x/b/+")
    mosquitto_server.put(f"{topic}/x/b/c", [b"kept"], retain=True)
    with reading(mosquitto_server, *filters) as reader:
        found = read(reader, 2)
        assert [(one.topic, one.value, one.more) for one in found] == [
            (filters[0], b"kept", ["1", "t", "x", "c"]),
            (filters[1], b"kept", ["1", "t", "c"]),
        ]
        reader.acknowledge(tokens(found))
        mosquitto_server.put(f"{topic}/y/b/d/e", [b"x"], qos=2, headers=[("k", "v"), ("k", "w")])
        (one,) = read(reader, 1)
        assert (one.key, one.more) == (f"{topic}/y/b/d/e".encode(), ["1", "f", "y", "d/e"])
        assert one.headers == [("k", b"v"), ("k", b"w")]
        assert one.time_ms is not None


def test_messages_without_acknowledgement_are_read_with_a_warning(
    mosquitto_server: MosquittoServer, topic: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with reading(mosquitto_server, f"{topic}/#") as reader:
        mosquitto_server.put(f"{topic}/a", [b"x", b"y"], qos=0)
        found = read(reader, 2)
        assert [(one.token, one.more[0]) for one in found] == [(None, "0")] * 2
    assert "".join(capsys.readouterr()).count("messages with QoS 0 may be lost") == 1


def test_a_subscription_keeps_its_name_over_connections(mosquitto_server: MosquittoServer, topic: str) -> None:
    """Messages of a topic that is left out belong to no other one."""
    one, other = f"{topic}/#", f"{topic}/+"
    assert subscription_identifier(one) != subscription_identifier(other)
    options = mosquitto_server.options("", topics=f"{one}, {other}")
    with closing(MqttReader(options, topic)) as reader:
        reader.begin([one, other], [], [])
    mosquitto_server.put(f"{topic}/a", [b"x"])
    with closing(MqttReader(options, topic)) as reader:
        assert not reader.begin([other], [one], [one, other])
        found = read(reader, 1)
        reader.acknowledge(tokens(found))
        reader.ask()
        while not reader.is_drained():
            found += reader.read(1.0)
    assert [delivery.topic for delivery in found] == [other]
    reader.forget()


def test_a_drained_broker_differs_from_one_that_waits(mosquitto_server: MosquittoServer, topic: str) -> None:
    with reading(mosquitto_server, f"{topic}/#", window=10) as reader:
        mosquitto_server.put(f"{topic}/a", [b"%d" % number for number in range(25)])
        found: list[Delivery] = []
        while len(found) < 25:
            reader.ask()
            part = read(reader, 1)
            found += part
            # The answer may come with the last messages.
            assert not reader.is_drained() or len(found) == 25
            reader.acknowledge(tokens(part))
        assert [one.value for one in found] == [b"%d" % number for number in range(25)]
        reader.ask()
        # Answers to earlier questions come before, and end a read.
        while not reader.is_drained():
            assert reader.read(5.0) == []


def test_a_cut_connection_is_unavailable_and_what_was_not_acknowledged_comes_again(
    mosquitto_server: MosquittoServer, topic: str
) -> None:
    proxy = Proxy(mosquitto_server.port)
    with reading(mosquitto_server, f"{topic}/#", port=proxy.port) as reader:
        mosquitto_server.put(f"{topic}/a", [b"a", b"b"])
        first = read(reader, 2)
        proxy.reset_all()
        with pytest.raises(SourceUnavailable):
            read(reader, 1)
        again = MqttReader(reader._options, "node")
        with closing(again):
            assert not again.begin([f"{topic}/#"], [], [f"{topic}/#"])
            assert [one.value for one in read(again, 2)] == [one.value for one in first]
    proxy.close()


def test_another_client_of_the_name_takes_the_session_over(mosquitto_server: MosquittoServer, topic: str) -> None:
    topics = f"{topic}/#"
    with reading(mosquitto_server, topics) as reader, reading(mosquitto_server, topics):  # noqa: SIM117
        with pytest.raises(SourceUnavailable):
            read(reader, 1)


def test_signing_in(tmp_path: Path) -> None:
    passwords = tmp_path / "passwords"
    subprocess.run(["mosquitto_passwd", "-b", "-c", passwords, "u", "p"], check=True)
    server = MosquittoServer(f"password_file {passwords}", is_anonymous=False)
    try:
        for refused in ({}, {"user": "u", "password": "x"}):
            (denied,) = checks(server.options("a", **refused))
            assert (denied.item, denied.ok, denied.advice) == ("login", False, "account")
        assert all(one.ok for one in checks(server.options("a", user="u", password="p")))
        with pytest.raises(AccessDenied):
            MqttReader(server.options("a", user="u"), "node").begin(["a"], [], [])
    finally:
        server.remove()


def test_tls(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("certificate", "key")]
    for file, content in zip(files, self_signed(), strict=True):
        file.write_bytes(content)
    server = MosquittoServer(f"certfile {files[0]}", f"keyfile {files[1]}")
    try:
        assert checks(server.options("a", tls="require"))[0].ok
        for mode in ("disable", "verify-full"):
            assert not checks(server.options("a", tls=mode))[0].ok
    finally:
        server.remove()


def test_addresses_that_the_network_rules_forbid_are_not_connected_to(mosquitto_server: MosquittoServer) -> None:
    network.use(NetworkRules(loopback=False))
    try:
        (refused,) = checks(mosquitto_server.options("a"))
        assert (refused.item, refused.ok) == ("reachable", False)
    finally:
        network.use(NetworkRules())


@pytest.mark.parametrize("topics", ["a/#/b", "a+", "+a/b", "a,#b"])
def test_topic_filters_are_checked(topics: str) -> None:
    with pytest.raises(OptionsInvalid):
        parse(MqttOptions, {"host": "h", "topics": topics})
