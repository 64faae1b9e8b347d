"""Queues of a real RabbitMQ broker: sign-in, rights, certificates, network rules, the connection test, a message's row,
what is taken by others, queues that are made again."""

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest

from tests.servers.rabbitmq import RabbitServer
from tests.support.certificate import self_signed
from tests.support.processes import wait_until
from tests.support.proxy import Proxy
from zcbus.connectors.consuming.acknowledging.reader import Delivery
from zcbus.connectors.consuming.consumer import TopicTrouble
from zcbus.connectors.errors import AccessDenied, SourceUnavailable
from zcbus.connectors.options import OptionsInvalid, parse
from zcbus.connectors.rabbitmq.reader import RabbitReader
from zcbus.connectors.rabbitmq.spec import RabbitOptions
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import CheckResult
from zcbus.kit import network
from zcbus.kit.network import NetworkRules

pytestmark = pytest.mark.server
_SECONDS = 30.0


def checks(options: RabbitOptions) -> list[CheckResult]:
    return connector("rabbitmq").tester().test(options, "source")


@pytest.fixture(params=["quorum", "classic"])
def queue(request: pytest.FixtureRequest, rabbit_server: RabbitServer) -> str:
    name = rabbit_server.fresh_database(request.param)
    rabbit_server.create(name, request.param)
    return name


@contextmanager
def reading(server: RabbitServer, *queues: str, begun: tuple[str, ...] = (), **given: object) -> Iterator[RabbitReader]:
    with closing(RabbitReader(server.options(", ".join(queues), **given), "node")) as reader:
        assert not reader.begin(queues, [], begun)
        yield reader


def read(reader: RabbitReader, count: int) -> list[Delivery]:
    found: list[Delivery] = []
    deadline = time.monotonic() + _SECONDS
    while len(found) < count:
        found += reader.read(1.0)
        assert time.monotonic() < deadline, found
    return found


def is_drained(reader: RabbitReader) -> bool:
    """The answer to a question that is asked now; nothing comes before it."""
    reader.ask()
    answers: list[Any] = []
    note = reader._note_answer
    reader._note_answer = lambda one: (answers.append(one), note(one))  # type: ignore[method-assign,assignment,func-returns-value]
    deadline = time.monotonic() + _SECONDS
    while not answers:
        assert not reader.read(1.0)
        assert time.monotonic() < deadline
    reader._note_answer = note  # type: ignore[method-assign]
    return reader.is_drained()


def test_a_connection_test_checks_rights_and_queues(rabbit_server: RabbitServer, queue: str) -> None:
    rabbit_server.put(queue, [b"a"])
    rabbit_server.create(f"{queue}.stream", "stream")
    options = rabbit_server.options(f"{queue}, {queue}.missing, {queue}.stream")
    reachable, marker, *queues = checks(options)
    assert (reachable.item, reachable.ok, marker.ok) == ("reachable", True, True)
    assert [(one.statement, one.ok, one.blocking) for one in queues] == [
        (f"read queue {queue}", True, True),
        (f"read queue {queue}.missing", False, True),
        (f"read queue {queue}.stream", False, True),
    ]
    assert "x-queue-type = stream" in queues[2].detail
    assert rabbit_server.count(queue) == 1  # nothing was taken
    (closed,) = checks(RabbitOptions(host="127.0.0.1", port=1, user="u", topics="a"))
    assert (closed.item, closed.ok, closed.advice) == ("reachable", False, "address")
    assert "Connection refused" in closed.detail


def test_rights(rabbit_server: RabbitServer) -> None:
    """The user may sign in; each further right makes the next check pass."""
    user = rabbit_server.fresh_database("user")
    rabbit_server.create("rights")
    rabbit_server.control("add_user", user, "secret")
    for given in ({"user": user, "password": "wrong"}, {"user": user, "password": "secret"}, {"vhost": "none"}):
        (denied,) = checks(rabbit_server.options("rights", **given))
        assert (denied.item, denied.ok, denied.advice) == ("login", False, "account"), denied
        assert "secret" not in denied.detail
    with pytest.raises(AccessDenied), closing(RabbitReader(rabbit_server.options("rights", user=user))) as reader:
        reader.topics(["rights"])

    def outcome(*rights: str) -> list[bool]:
        rabbit_server.control("set_permissions", "-p", "/", user, *rights)
        return [one.ok for one in checks(rabbit_server.options("rights", user=user, password="secret"))]

    assert outcome("", "", "") == [True, False, False]
    assert outcome(r"^zcbus\.", "", "") == [True, True, False]
    assert outcome(r"^zcbus\.", "", "^rights$") == [True, True, False]
    assert outcome(r"^zcbus\.", "^rights$", r"^(zcbus\..*|rights)$") == [True, True, True]


def test_a_row_has_routing_key_exchange_headers_and_identity(rabbit_server: RabbitServer, queue: str) -> None:
    headers = {"text": "值", "bytes": b"\xff", "number": 3, "list": [1, {"a": None}]}
    rabbit_server.put(queue, [b"x"], headers, message_id="m-1", timestamp=1_700_000_000)
    rabbit_server.put(queue, [b"y"])
    with reading(rabbit_server, queue) as reader:
        one, other = read(reader, 2)
    assert (one.topic, one.key, one.value) == (queue, queue.encode(), b"x")
    assert (one.time_ms, one.more) == (1_700_000_000_000, ["", "m-1", "f"])
    assert dict(one.headers) == {
        "text": "值".encode(),
        "bytes": b"\xff",
        "number": b"3",
        "list": b'[1,{"a":null}]',
    }
    assert (other.value, other.more, other.headers) == (b"y", ["", None, "f"], [])
    assert other.time_ms is not None
    assert abs(other.time_ms - time.time() * 1000) < 60_000


def test_what_was_not_acknowledged_comes_again_after_a_cut(rabbit_server: RabbitServer, queue: str) -> None:
    proxy = Proxy(rabbit_server.port)
    with reading(rabbit_server, queue, port=proxy.port) as reader:
        rabbit_server.put(queue, [b"a", b"b", b"c"])
        found = read(reader, 3)
        reader.acknowledge([found[0].token])
        assert is_drained(reader)  # so the broker has the acknowledgement
        proxy.reset_all()
        with pytest.raises(SourceUnavailable):
            read(reader, 1)
        wait_until(lambda: rabbit_server.count(queue) == 2, _SECONDS, "what was unacknowledged is back")
    with reading(rabbit_server, queue, begun=(queue,)) as reader:
        assert [(one.value, one.more[2]) for one in read(reader, 2)] == [(b"b", "t"), (b"c", "t")]
    proxy.close()


def test_acknowledgements_of_before_the_end_are_sent(rabbit_server: RabbitServer, queue: str) -> None:
    for _ in range(3):
        rabbit_server.put(queue, [b"a", b"b", b"c"])
        with reading(rabbit_server, queue) as reader:
            reader.acknowledge([one.token for one in read(reader, 3)])
        assert rabbit_server.count(queue) == 0


def test_a_drained_queue_differs_from_one_that_waits(rabbit_server: RabbitServer, queue: str) -> None:
    rabbit_server.put(queue, [b"%d" % number for number in range(25)])
    with reading(rabbit_server, queue, prefetch=10) as reader:
        found: list[Delivery] = []
        while len(found) < 20:
            part = read(reader, 10)
            assert not is_drained(reader)
            found += part
            reader.acknowledge([one.token for one in part])
        found += read(reader, 5)
        assert [one.value for one in found] == [b"%d" % number for number in range(25)]
        assert is_drained(reader)


def test_a_queue_that_is_made_again_is_noticed(rabbit_server: RabbitServer, queue: str) -> None:
    """Also one that nothing was bound to but our exchange."""
    with reading(rabbit_server, queue) as reader:
        rabbit_server.delete(queue)
        with pytest.raises(SourceUnavailable):
            read(reader, 1)
    with closing(RabbitReader(rabbit_server.options(queue), "node")) as reader:
        assert reader.topics([queue]) == {}
    rabbit_server.create(queue)
    with closing(RabbitReader(rabbit_server.options(queue), "node")) as reader:
        assert reader.begin([queue], [], [queue]) == [queue]
    with reading(rabbit_server, queue):
        pass
    with closing(RabbitReader(rabbit_server.options(queue), "node")) as reader:
        assert not reader.begin([queue], [], [queue])
        reader.forget()
    with closing(RabbitReader(rabbit_server.options(queue), "node")) as reader:
        assert reader.begin([queue], [], [queue]) == [queue]


def test_another_consumer_is_waited_for_and_one_that_comes_later_stops_the_table(
    rabbit_server: RabbitServer, queue: str
) -> None:
    options = rabbit_server.options(queue)
    with rabbit_server.channel() as channel:
        channel.basic_consume(queue, lambda *_: None)
        with closing(RabbitReader(options, "node")) as reader:
            assert list(reader.topics([queue])) == [queue]
            with pytest.raises(SourceUnavailable, match="another consumer"):
                reader.begin([queue], [], [])
    with reading(rabbit_server, queue) as reader, rabbit_server.channel() as channel:
        if queue.startswith("classic"):  # others are kept out
            with pytest.raises(Exception, match="exclusive use"):
                channel.basic_consume(queue, lambda *_: None)
            return
        channel.basic_consume(queue, lambda *_: None)
        with pytest.raises(TopicTrouble) as shared:
            is_drained(reader)
        assert shared.value.reason == "queue-shared"


def test_a_queue_of_another_connection_is_unsuitable(rabbit_server: RabbitServer) -> None:
    name = rabbit_server.fresh_database("exclusive")
    with rabbit_server.channel() as channel, closing(RabbitReader(rabbit_server.options(name), "node")) as reader:
        channel.queue_declare(name, exclusive=True)
        with pytest.raises(TopicTrouble) as trouble:
            reader.topics([name])
    assert trouble.value.reason == "queue-unsuitable"


@pytest.mark.wide
def test_tls() -> None:
    server = RabbitServer(certificate=self_signed())
    try:
        server.create("a")
        assert all(one.ok for one in checks(server.options("a", tls="require")))
        for mode in ("disable", "verify-full"):
            assert not checks(server.options("a", tls=mode))[0].ok
    finally:
        server.remove()


def test_addresses_that_the_network_rules_forbid_are_not_connected_to(rabbit_server: RabbitServer) -> None:
    network.use(NetworkRules(loopback=False))
    try:
        (refused,) = checks(rabbit_server.options("a"))
        assert (refused.item, refused.ok) == ("reachable", False)
    finally:
        network.use(NetworkRules())


@pytest.mark.parametrize("more", [{"topics": "a\nb"}, {"vhost": ""}, {"prefetch": 0}, {"user": ""}])
def test_options_are_checked(more: dict[str, object]) -> None:
    with pytest.raises(OptionsInvalid):
        parse(RabbitOptions, {"host": "h", "user": "u", "topics": "a", **more})  # type: ignore[arg-type]
