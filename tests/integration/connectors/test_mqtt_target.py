"""Changes as messages of MQTT: acknowledged, in order, with ids by which readers drop repetitions."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.servers.mosquitto import MosquittoServer
from tests.support.processes import wait_until
from tests.support.sent_events import commit, rows, states_in, table
from zcbus.connectors.errors import RowRefused, TargetUnavailable
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import TargetSession
from zcbus.model.states import CleanMode

pytestmark = pytest.mark.server
_SECONDS = 20


@pytest.fixture(autouse=True)
def _states(tmp_path: Path) -> Iterator[None]:
    with states_in(tmp_path):
        yield


def opened(server: MosquittoServer, place: str) -> TargetSession:
    session = connector("mqtt").target(server.options(place)).open()
    session.prepare_store()
    return session


def test_changes_arrive_in_their_order_with_ids(mosquitto_server: MosquittoServer) -> None:
    place, name = mosquitto_server.fresh_database("sent"), "a+b/#"
    with mosquitto_server.subscribed(f"{place}/#") as found, opened(mosquitto_server, place) as session:
        session.create_table(table(name), CleanMode.DROP)
        session.load(table(name), rows(*((str(number), "a") for number in range(3000))))
        commit(session, 1)
        session.upsert(table(name), rows(("1", "b"), ("2", None)))
        session.delete(table(name), rows(("1", None)).select(["id"]))
        session.truncate(table(name))
        commit(session, 2)
        wait_until(lambda: len(found) == 3004, _SECONDS, str(found))
    assert {one.topic for one in found} == {f"{place}/a%2Bb%2F%23"}
    read = [orjson.loads(one.payload) for one in found]
    assert [one["key"]["id"] for one in read[:3000]] == list(range(3000))
    assert [(one["operation"], one.get("key"), one.get("row")) for one in read[3000:]] == [
        ("upsert", {"id": 1}, {"id": 1, "v": "b"}),
        ("upsert", {"id": 2}, {"id": 2, "v": None}),
        ("delete", {"id": 1}, None),
        ("truncate", None, None),
    ]
    properties: list[Any] = [one.properties for one in found]
    assert [dict(one.UserProperty)["id"] for one in properties] == [one["id"] for one in read]
    assert {one.qos for one in found} == {1}


def test_what_is_sent_again_has_the_same_ids(own_mosquitto_server: MosquittoServer) -> None:
    server = own_mosquitto_server
    with opened(server, "shop") as session, server.subscribed("shop/#") as found:
        session.create_table(table(), CleanMode.DROP)
        session.load(table(), rows(("1", "a"), ("2", "b")))
        wait_until(lambda: len(found) == 2, _SECONDS, str(found))
        server.kill()
        with pytest.raises(TargetUnavailable):
            session.load(table(), rows(("3", "c")))
        session.rollback()
        first = [orjson.loads(one.payload)["id"] for one in found]
    server.start()
    with opened(server, "shop") as session, server.subscribed("shop/#") as found:
        session.load(table(), rows(("1", "a"), ("2", "b"), ("3", "c")))
        commit(session, 1)
        wait_until(lambda: len(found) == 3, _SECONDS, str(found))
        assert [orjson.loads(one.payload)["id"] for one in found][:2] == first


def test_a_message_that_is_too_large_is_refused_alone() -> None:
    server = MosquittoServer("max_packet_size 5000")
    try:
        with opened(server, "shop") as session, server.subscribed("shop/#") as found:
            session.create_table(table(), CleanMode.DROP)
            with pytest.raises(RowRefused), session.savepoint():
                session.load(table(), rows(("1", "a"), ("2", "x" * 5000), ("3", "c")))
            session.load(table(), rows(("1", "a"), ("3", "c")))
            commit(session, 1)
            wait_until(lambda: len(found) == 2, _SECONDS, str(found))
            assert [orjson.loads(one.payload)["key"]["id"] for one in found] == [1, 3]
    finally:
        server.remove()


def test_the_connection_test_of_a_target_connects(mosquitto_server: MosquittoServer) -> None:
    tester = connector("mqtt").tester()
    assert [one.ok for one in tester.test(mosquitto_server.options("x", topics=""), "target")] == [True]
    assert not all(one.ok for one in tester.test(mosquitto_server.options("x", topics=""), "source"))
