"""Changes as messages of NATS: in order, with ids by which the stream drops repetitions."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.servers.nats import NatsServer
from tests.support.sent_events import commit, rows, states_in, table
from zcbus.connectors.errors import DatabaseFailed, RowRefused, TargetUnavailable
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import TargetSession
from zcbus.model.states import CleanMode

pytestmark = pytest.mark.server


@pytest.fixture(autouse=True)
def _states(tmp_path: Path) -> Iterator[None]:
    with states_in(tmp_path):
        yield


@pytest.fixture
def stream(nats_server: NatsServer) -> Iterator[str]:
    name = nats_server.fresh_database("sent")
    nats_server.create(name)
    yield name
    nats_server.delete(name)


def opened(server: NatsServer, stream: str) -> TargetSession:
    session = connector("nats").target(server.options(stream)).open()
    session.prepare_store()
    return session


def events(server: NatsServer, stream: str) -> list[dict[str, Any]]:
    return [orjson.loads(value) for _, _, value in server.messages(stream)]


def test_changes_arrive_in_their_order_with_ids(nats_server: NatsServer, stream: str) -> None:
    place = table("订单 1.x*")
    with opened(nats_server, stream) as session:
        session.create_table(place, CleanMode.DROP)
        session.load(place, rows(*((str(number), "a") for number in range(3000))))
        commit(session, 1)
        session.upsert(place, rows(("1", "b"), ("2", None)))
        session.delete(place, rows(("1", None)).select(["id"]))
        session.truncate(place)
        commit(session, 2)
    found = nats_server.messages(stream)
    assert {subject for subject, _, _ in found} == {f"{stream}.订单%201%2Ex%2A"}
    read = [orjson.loads(value) for _, _, value in found]
    assert [one["key"]["id"] for one in read[:3000]] == list(range(3000))
    assert [(one["operation"], one.get("key"), one.get("row")) for one in read[3000:]] == [
        ("upsert", {"id": 1}, {"id": 1, "v": "b"}),
        ("upsert", {"id": 2}, {"id": 2, "v": None}),
        ("delete", {"id": 1}, None),
        ("truncate", None, None),
    ]
    assert [headers["Nats-Msg-Id"] for _, headers, _ in found] == [one["id"] for one in read]
    assert len({one["id"] for one in read}) == len(read)


def test_the_stream_drops_what_is_sent_again(nats_server: NatsServer, stream: str) -> None:
    with opened(nats_server, stream) as session:
        session.create_table(table(), CleanMode.DROP)
        session.load(table(), rows(("1", "a"), ("2", "b")))
    with opened(nats_server, stream) as session:
        assert session.checkpoints("s") == []
        session.load(table(), rows(("1", "a"), ("2", "b"), ("3", "c")))
        commit(session, 1)
        session.upsert(table(), rows(("1", "a")))
        commit(session, 2)
    assert [one["key"]["id"] for one in events(nats_server, stream)] == [1, 2, 3, 1]


def test_a_message_that_is_too_large_is_refused_alone(nats_server: NatsServer, stream: str) -> None:
    with opened(nats_server, stream) as session:
        session.create_table(table(), CleanMode.DROP)
        with pytest.raises(RowRefused, match="takes") as refused, session.savepoint():
            session.load(table(), rows(("1", "a"), ("2", "x" * (2 << 20)), ("3", "c")))
        assert "bytes" in str(refused.value.facts["detail"])
        session.load(table(), rows(("1", "a"), ("3", "c")))
        commit(session, 1)
    assert [one["key"]["id"] for one in events(nats_server, stream)] == [1, 3]


def test_a_subject_that_no_stream_keeps_stops(nats_server: NatsServer) -> None:
    with opened(nats_server, "nothing-keeps-this") as session:
        session.create_table(table(), CleanMode.DROP)
        with pytest.raises(DatabaseFailed, match="no stream keeps the subject"):
            session.load(table(), rows(("1", "a")))


def test_a_full_stream_and_a_server_that_is_away_are_tried_again(own_nats_server: NatsServer) -> None:
    own_nats_server.create("small", max_msgs=2, discard="new")
    with opened(own_nats_server, "small") as session:
        session.create_table(table(), CleanMode.DROP)
        with pytest.raises(TargetUnavailable, match="maximum messages"):
            session.load(table(), rows(("1", "a"), ("2", "b"), ("3", "c")))
        session.rollback()
        own_nats_server.kill()
        with pytest.raises(TargetUnavailable):
            session.load(table(), rows(("1", "a")))
        session.rollback()
        own_nats_server.start()
        own_nats_server.forget("small", 100)
        session.load(table(), rows(("4", "a")))
        commit(session, 1)
    assert [one["key"]["id"] for one in events(own_nats_server, "small")] == [4]


def test_the_connection_test_finds_whether_a_stream_keeps_the_subjects(nats_server: NatsServer, stream: str) -> None:
    tester = connector("nats").tester()
    assert [one.ok for one in tester.test(nats_server.options(stream), "target")] == [True, True]
    assert [one.ok for one in tester.test(nats_server.options("nothing-keeps-this"), "target")] == [True, False]
