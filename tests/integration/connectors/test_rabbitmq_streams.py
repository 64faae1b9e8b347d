"""Streams of a real RabbitMQ broker: the connection test, a message's row, gaps of offsets, and events that are sent to
one."""

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import orjson
import pytest

from tests.servers.rabbitmq import RabbitServer
from tests.support.processes import wait_until
from tests.support.proxy import Proxy
from tests.support.sent_events import commit, rows, states_in, table
from zcbus.connectors.consuming.consumer import Message, TopicTrouble
from zcbus.connectors.errors import SourceUnavailable
from zcbus.connectors.rabbitmq.streams import RabbitStreams
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import CheckResult
from zcbus.model.states import CleanMode

pytestmark = pytest.mark.server
_SECONDS = 30.0


@pytest.fixture
def stream(rabbit_server: RabbitServer) -> str:
    name = rabbit_server.fresh_database("stream")
    rabbit_server.create_stream(name)
    return name


@contextmanager
def reading(server: RabbitServer, stream: str, begin: int = 0, **given: object) -> Iterator[RabbitStreams]:
    with closing(RabbitStreams(server.options(stream, reading="streams", **given))) as streams:
        streams.follow({(stream, 0): begin})
        yield streams


def read(streams: RabbitStreams, count: int) -> list[Message]:
    found: list[Message] = []

    def is_read() -> bool:
        found.extend(streams.read(0.5)[0])
        return len(found) >= count

    wait_until(is_read, _SECONDS, f"{count} messages")
    return found


def checks(server: RabbitServer, topics: str) -> list[CheckResult]:
    return connector("rabbitmq").tester().test(server.options(topics, reading="streams"), "source")


def test_the_connection_test_says_what_each_stream_has(rabbit_server: RabbitServer, stream: str) -> None:
    rabbit_server.put(stream, [b"a", b"b"])
    rabbit_server.create(f"{stream}.queue", "quorum")
    reachable, filled, missing, queue = checks(rabbit_server, f"{stream}, {stream}.missing, {stream}.queue")
    assert reachable.ok
    assert (filled.ok, filled.detail) == (True, "0 … 2")
    assert (missing.ok, queue.ok) == (False, False)
    assert "x-queue-type" in queue.detail
    assert [one.ok for one in checks(rabbit_server, "")] == [True, False]


def test_a_message_is_the_same_row_whenever_it_is_read(rabbit_server: RabbitServer, stream: str) -> None:
    headers = {"text": "值", "number": 3}
    rabbit_server.put(stream, [b"x"], headers, message_id="m-1", timestamp=1_700_000_000)
    rabbit_server.put(stream, [b"y"])
    with reading(rabbit_server, stream) as streams:
        one, other = read(streams, 2)
    assert (one.key, one.value, one.time_ms, one.more) == (stream.encode(), b"x", 1_700_000_000_000, ["", "m-1"])
    assert dict(one.headers) == {"text": "值".encode(), "number": b"3"}
    assert (other.time_ms, other.more, list(other.headers)) == (None, ["", None], [])
    with reading(rabbit_server, stream) as streams:
        assert read(streams, 2) == [one, other]
    with reading(rabbit_server, stream, other.offset) as streams:
        assert read(streams, 1) == [other]


def test_more_than_the_prefetch_and_a_cut(rabbit_server: RabbitServer, stream: str) -> None:
    rabbit_server.put_many(stream, [b"%d" % number for number in range(1000)])
    proxy = Proxy(rabbit_server.port)
    with reading(rabbit_server, stream, port=proxy.port, prefetch=10, gaps="pass") as streams:
        found = read(streams, 1000)
        assert [one.value for one in found] == [b"%d" % number for number in range(1000)]
        assert streams.ends([(stream, 0)]) == {(stream, 0): found[-1].offset + 1}
        proxy.reset_all()
        with pytest.raises(SourceUnavailable):
            read(streams, 1)
    proxy.close()


def test_a_gap_stops_the_table_unless_it_is_passed(
    rabbit_server: RabbitServer, stream: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One offset is the broker's own where it begins a segment. More may have been messages: here, more than none."""
    first, second = rabbit_server.put_many(stream, [b"a", b"b"])
    with reading(rabbit_server, stream) as streams:
        assert len(read(streams, 2)) == 2
    monkeypatch.setattr("zcbus.connectors.rabbitmq.streams._OF_SEGMENTS", 0)
    with reading(rabbit_server, stream) as streams, pytest.raises(TopicTrouble) as gap:
        read(streams, 2)
    assert (gap.value.reason, gap.value.detail) == ("stream-gap", f"{stream}: {first + 1} … {second - 1}")
    with reading(rabbit_server, stream, gaps="pass") as streams:
        assert [one.value for one in read(streams, 2)] == [b"a", b"b"]


def test_asking_while_messages_come(rabbit_server: RabbitServer) -> None:
    """The broker ends a connection that rejects a stream's message, as the library does when a consumer ends."""
    name = rabbit_server.fresh_database("busy")
    rabbit_server.create(name, "stream")
    producing = threading.Thread(target=rabbit_server.put, args=(name, [b"x" * 1000] * 3000))
    producing.start()
    ends = [0]
    with reading(rabbit_server, name) as streams:
        while producing.is_alive():
            streams.topics([name])
            ends.append(streams.ends([(name, 0)])[name, 0])
            assert streams.firsts([(name, 0)]) == {(name, 0): 0}
        assert streams.ends([(name, 0)]) == {(name, 0): 3000}
    assert ends == sorted(ends)
    with closing(RabbitStreams(rabbit_server.options(name, reading="streams"))) as other:
        assert list(other.topics([name])) == [name]


def test_events_are_sent_to_a_stream(rabbit_server: RabbitServer, tmp_path: Path) -> None:
    name = rabbit_server.fresh_database("sent")
    rabbit_server.create(f"{name}.orders", "stream")
    with states_in(tmp_path), connector("rabbitmq").target(rabbit_server.options(name)).open() as session:
        session.prepare_store()
        session.create_table(table(), CleanMode.DROP)
        session.load(table(), rows(*((str(number), "a") for number in range(300))))
        commit(session, 1)
    with reading(rabbit_server, f"{name}.orders") as streams:
        events = [orjson.loads(one.value or b"") for one in read(streams, 300)]
    assert [one["key"]["id"] for one in events] == list(range(300))
