"""Changes as messages of RabbitMQ: confirmed, in order, with ids by which readers drop repetitions."""

import threading
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from tests.servers.rabbitmq import RabbitServer
from tests.support.sent_events import commit, rows, states_in, table
from zcbus.connectors.errors import AccessDenied, DatabaseFailed, TargetUnavailable
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import TargetSession
from zcbus.model.states import CleanMode

pytestmark = pytest.mark.server


@pytest.fixture(autouse=True)
def _states(tmp_path: Path) -> Iterator[None]:
    with states_in(tmp_path):
        yield


@pytest.fixture
def place(rabbit_server: RabbitServer) -> str:
    """What routing keys begin with. Queues for two tables take them."""
    name = rabbit_server.fresh_database("sent")
    for one in ("orders", "%2Eodd%20"):
        rabbit_server.create(f"{name}.{one}")
    return name


def opened(server: RabbitServer, place: str, **options: object) -> TargetSession:
    session = connector("rabbitmq").target(server.options(place, **options)).open()
    session.prepare_store()
    return session


def test_changes_arrive_in_their_order_with_ids(rabbit_server: RabbitServer, place: str) -> None:
    with opened(rabbit_server, place) as session:
        for name in ("orders", ".odd "):
            session.create_table(table(name), CleanMode.DROP)
            session.load(table(name), rows(*((str(number), "a") for number in range(600))))
        commit(session, 1)
        session.upsert(table(), rows(("1", "b"), ("2", None)))
        session.delete(table(), rows(("1", None)).select(["id"]))
        session.truncate(table())
        commit(session, 2)
    found = rabbit_server.take(f"{place}.orders")
    read = [orjson.loads(body) for _, body in found]
    assert [one["key"]["id"] for one in read[:600]] == list(range(600))
    assert [(one["operation"], one.get("key"), one.get("row")) for one in read[600:]] == [
        ("upsert", {"id": 1}, {"id": 1, "v": "b"}),
        ("upsert", {"id": 2}, {"id": 2, "v": None}),
        ("delete", {"id": 1}, None),
        ("truncate", None, None),
    ]
    assert [properties.message_id for properties, _ in found] == [one["id"] for one in read]
    assert {properties.delivery_mode for properties, _ in found} == {2}
    assert rabbit_server.count(f"{place}.%2Eodd%20") == 600


def test_what_is_sent_again_has_the_same_ids(rabbit_server: RabbitServer, place: str) -> None:
    with opened(rabbit_server, place) as session:
        session.create_table(table(), CleanMode.DROP)
        session.load(table(), rows(("1", "a"), ("2", "b")))
    with opened(rabbit_server, place) as session:
        session.load(table(), rows(("1", "a"), ("2", "b"), ("3", "c")))
        commit(session, 1)
    ids = [properties.message_id for properties, _ in rabbit_server.take(f"{place}.orders")]
    assert ids[:2] == ids[2:4]
    assert len(set(ids)) == 3


def test_messages_that_no_queue_takes_stop(rabbit_server: RabbitServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zcbus.connectors.rabbitmq.emitter._ROUTED_SECONDS", 1.0)
    with opened(rabbit_server, "nothing-takes-this") as session:
        session.create_table(table(), CleanMode.DROP)
        with pytest.raises(DatabaseFailed, match="no queue takes messages"):
            session.load(table(), rows(("1", "a")))
    with opened(rabbit_server, "x", exchange="missing") as session:
        session.create_table(table(), CleanMode.DROP)
        with pytest.raises(DatabaseFailed, match="exchange missing"):
            session.load(table(), rows(("1", "a")))


def test_a_queue_that_comes_soon_gets_all_messages_once(rabbit_server: RabbitServer) -> None:
    """As after a start of the broker, which routes before it has found its queues."""
    name = rabbit_server.fresh_database("late")
    late = threading.Timer(1.0, rabbit_server.create, (f"{name}.orders",))
    with opened(rabbit_server, name) as session:
        session.create_table(table(), CleanMode.DROP)
        late.start()
        session.load(table(), rows(*((str(number), "a") for number in range(300))))
        commit(session, 1)
    found = [orjson.loads(body)["key"]["id"] for _, body in rabbit_server.take(f"{name}.orders")]
    assert found == list(range(300))


def test_a_queue_that_refuses_is_tried_again(rabbit_server: RabbitServer) -> None:
    name = rabbit_server.fresh_database("full")
    rabbit_server.create(f"{name}.orders", "classic", **{"x-max-length": 2, "x-overflow": "reject-publish"})
    with opened(rabbit_server, name) as session:
        session.create_table(table(), CleanMode.DROP)
        with pytest.raises(TargetUnavailable, match="not confirmed"):
            session.load(table(), rows(*((str(number), "a") for number in range(20))))
        session.rollback()
        rabbit_server.take(f"{name}.orders")
        session.load(table(), rows(("30", "a")))
        commit(session, 1)
    assert [orjson.loads(body)["key"]["id"] for _, body in rabbit_server.take(f"{name}.orders")] == [30]


def test_a_user_who_may_not_publish_is_denied(rabbit_server: RabbitServer, place: str) -> None:
    rabbit_server.control("add_user", "reader", "secret")
    rabbit_server.control("set_permissions", "reader", "", "", ".*")
    with opened(rabbit_server, place, user="reader", password="secret") as session:
        session.create_table(table(), CleanMode.DROP)
        with pytest.raises(AccessDenied, match="access to exchange"):
            session.load(table(), rows(("1", "a")))


def test_a_source_needs_queues_and_a_target_none(rabbit_server: RabbitServer) -> None:
    tester = connector("rabbitmq").tester()
    assert [one.ok for one in tester.test(rabbit_server.options(""), "source")] == [True, True, False]
    assert all(one.ok for one in tester.test(rabbit_server.options(""), "target"))


def test_the_connection_test_finds_whether_there_is_the_exchange(rabbit_server: RabbitServer) -> None:
    tester = connector("rabbitmq").tester()
    assert [one.ok for one in tester.test(rabbit_server.options("x"), "target")] == [True]
    checks = tester.test(rabbit_server.options("x", exchange="amq.topic"), "target")
    assert [one.ok for one in checks] == [True, True]
    checks = tester.test(rabbit_server.options("x", exchange="missing"), "target")
    assert [one.ok for one in checks] == [True, False]
