"""Streams of a real server: logins, certificates, network rules, the connection test, and what a stream may lose."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.servers.nats import NatsServer
from tests.support.certificate import self_signed
from zcbus.connectors.consuming.consumer import Message, TopicTrouble
from zcbus.connectors.errors import AccessDenied, SourceUnavailable
from zcbus.connectors.nats.consumer import NatsConsumer
from zcbus.connectors.nats.spec import NatsOptions
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import CheckResult
from zcbus.kit import network
from zcbus.kit.network import NetworkRules

pytestmark = pytest.mark.server


@pytest.fixture
def stream(nats_server: NatsServer) -> Iterator[str]:
    name = nats_server.fresh_database("test")
    nats_server.create(name)
    yield name
    nats_server.delete(name)


def checks(options: NatsOptions) -> list[CheckResult]:
    return connector("nats").tester().test(options, "source")


def read(consumer: NatsConsumer, count: int) -> list[Message]:
    found: list[Message] = []
    while len(found) < count:
        found += consumer.read(5.0)[0]
    return found


def test_a_connection_test_lists_streams_and_whether_they_can_be_read(nats_server: NatsServer, stream: str) -> None:
    nats_server.put(stream, [b"a", b"b"])
    reachable, listed, one = checks(nats_server.options(stream))
    assert (reachable.item, reachable.ok) == ("reachable", True)
    assert (listed.ok, listed.detail) == (True, f"1: {stream}")
    assert (one.statement, one.ok) == (f"read {stream}", True)
    _, nothing = checks(nats_server.options("no-such-stream"))
    assert (nothing.ok, nothing.blocking, nothing.detail) == (False, False, "0")
    (closed,) = checks(NatsOptions(host="127.0.0.1", port=1))
    assert (closed.item, closed.ok, closed.advice) == ("reachable", False, "address")


def test_a_row_has_subject_headers_and_time(nats_server: NatsServer, stream: str) -> None:
    nats_server.put(stream, [b"x"], "eu.paid", Trace="7")
    with closing(NatsConsumer(nats_server.options(stream))) as consumer:
        consumer.follow({(stream, 0): 0})
        (message,) = read(consumer, 1)
    assert (message.offset, message.key, message.value) == (1, f"{stream}.eu.paid".encode(), b"x")
    assert (message.headers, message.time_ms is None) == ((("Trace", b"7"),), False)


def test_large_messages_and_many_come_in_order(nats_server: NatsServer, stream: str) -> None:
    """Messages larger than a request may bring are requested alone."""
    others = [nats_server.fresh_database("other") for _ in range(200)]
    for other in others:
        nats_server.create(other)
    values = [b"%d" % number * (200_000 if number % 100 == 50 else 1) for number in range(3000)]
    nats_server.put(stream, values)
    with closing(NatsConsumer(nats_server.options(stream))) as consumer:
        consumer.follow({(name, 0): 0 for name in (stream, *others)})
        found = read(consumer, len(values))
    assert [one.value for one in found] == values
    assert [one.offset for one in found] == list(range(1, len(values) + 1))
    for other in others:
        nats_server.delete(other)


def test_deleted_messages_are_passed_and_unread_ones_are_not(nats_server: NatsServer, stream: str) -> None:
    nats_server.put(stream, [b"a", b"b", b"c", b"d"])
    for number in (2, 4):
        nats_server.delete_message(stream, number)
    with closing(NatsConsumer(nats_server.options(stream))) as consumer:
        consumer.follow({(stream, 0): 1})
        assert consumer.ends([(stream, 0)]) == {(stream, 0): 5}
        assert [one.offset for one in read(consumer, 2)] == [1, 3]
        passed: dict[Any, int] = {}
        while not passed:
            passed |= consumer.read(0.2)[1]
        assert passed == {(stream, 0): 5}
    with closing(NatsConsumer(nats_server.options(stream))) as consumer:
        nats_server.put(stream, [b"e", b"f"])
        nats_server.forget(stream, 6)
        consumer.follow({(stream, 0): 3})
        with pytest.raises(TopicTrouble) as lost:
            read(consumer, 1)
    assert (lost.value.reason, lost.value.detail) == ("messages-lost", f"{stream}: 3 … 5")


@pytest.mark.parametrize("config", [{"retention": "workqueue"}, {"retention": "interest"}, {"max_msgs_per_subject": 1}])
def test_streams_that_lose_messages_by_other_rules_are_refused(nats_server: NatsServer, config: dict[str, Any]) -> None:
    name = nats_server.fresh_database("kv")
    nats_server.create(name, **config)
    with closing(NatsConsumer(nats_server.options(name))) as consumer, pytest.raises(TopicTrouble) as refused:
        consumer.topics([name])
    assert refused.value.reason == "stream-unsuitable"
    nats_server.delete(name)


def test_a_consumer_that_the_server_lost_is_made_again(nats_server: NatsServer, stream: str) -> None:
    nats_server.put(stream, [b"a"] * 10)
    with closing(NatsConsumer(nats_server.options(stream))) as consumer:
        consumer.follow({(stream, 0): 0})
        assert len(read(consumer, 10)) == 10
        nats_server.delete_consumers(stream)
        nats_server.put(stream, [b"b"] * 10)
        assert [one.offset for one in read(consumer, 10)] == list(range(11, 21))


def test_a_killed_server_is_unavailable_and_continues() -> None:
    server = NatsServer()
    try:
        server.create("s")
        server.put("s", [b"a"] * 10)
        with closing(NatsConsumer(server.options("s"))) as consumer:
            consumer.follow({("s", 0): 0})
            before = consumer.topics(["s"])
            assert len(read(consumer, 10)) == 10
            consumer._link._fault = "nats: permissions violation"  # of a call before, which has failed
            server.kill()
            with pytest.raises(SourceUnavailable):
                read(consumer, 1)
        server.start()
        with closing(NatsConsumer(server.options("s"))) as consumer:
            assert consumer.topics(["s"]) == before
            consumer.follow({("s", 0): 5})
            assert [one.offset for one in read(consumer, 6)] == list(range(5, 11))
    finally:
        server.remove()


@pytest.mark.parametrize(
    ("arguments", "right", "wrong"),
    [
        (("--user", "u", "--pass", "p"), {"user": "u", "password": "p"}, {"user": "u", "password": "x"}),
        (("--auth", "secret"), {"token": "secret"}, {"token": "other"}),
    ],
)
def test_signing_in(arguments: tuple[str, ...], right: dict[str, str], wrong: dict[str, str]) -> None:
    server = NatsServer(*arguments)
    try:
        options = server.options("s")
        for refused in ({}, wrong):
            (denied,) = checks(NatsOptions(host=options.host, port=options.port, **refused))  # type: ignore[arg-type]
            assert (denied.item, denied.ok, denied.advice) == ("login", False, "account")
        assert checks(NatsOptions(host=options.host, port=options.port, **right))[0].ok  # type: ignore[arg-type]
        with pytest.raises(AccessDenied):
            connector("nats").source(options).identity()
    finally:
        server.remove()


def test_tls(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("certificate", "key")]
    for file, content in zip(files, self_signed(), strict=True):
        file.write_bytes(content)
    server = NatsServer("--tls", "--tlscert", str(files[0]), "--tlskey", str(files[1]))
    try:
        place = {"host": "127.0.0.1", "port": server.port}
        assert checks(NatsOptions(**place, tls="require"))[0].ok  # type: ignore[arg-type]
        for mode in ("disable", "verify-full"):
            assert not checks(NatsOptions(**place, tls=mode))[0].ok  # type: ignore[arg-type]
    finally:
        server.remove()


def test_addresses_that_the_network_rules_forbid_are_not_connected_to(nats_server: NatsServer, stream: str) -> None:
    network.use(NetworkRules(loopback=False))
    try:
        with pytest.raises(SourceUnavailable):
            NatsConsumer(nats_server.options(stream))
    finally:
        network.use(NetworkRules())


def test_jetstream_may_be_off() -> None:
    server = NatsServer(jetstream=False)
    try:
        reachable, listed = checks(server.options("s"))
        assert (reachable.ok, listed.ok) == (True, False)
        assert "JetStream is not enabled" in str(listed.detail)
    finally:
        server.remove()
