"""Topics of MQTT as a source: no message is lost through kills of workers, and repeats change no row that has a key."""

import threading
from collections.abc import Iterator
from typing import cast

import pytest
from tests.integration.engine.running import Link, wait_until
from tests.servers.mosquitto import MosquittoServer
from tests.support.proxy import Proxy

from zcbus.model.states import DdlMode
from zcbus.protocol.base import TableRef

pytestmark = pytest.mark.server
PAIRS = [("own_mosquitto_server", "postgres_server")]
COLUMNS = {"value": "json", "columns": "id bigint, name text"}


def values(first: int, count: int) -> list[bytes]:
    return [b'{"id": %d, "name": "\xe5\x90\x8d"}' % number for number in range(first, first + count)]


def held(link: Link) -> list[int]:
    rows = link.target.rows("SELECT id FROM orders ORDER BY id", link.target_database)
    return [int(row[0]) for row in rows]


def prepare(link: Link, **given: object) -> MosquittoServer:
    server = cast("MosquittoServer", link.source)
    server.given = given
    source = TableRef(schema_name="topics", table=f"{link.source_database}/#")
    link.tables["orders"] = {"ddl": DdlMode.FOLLOW, "source": source}
    link.set_tasks()
    return server


@pytest.fixture
def proxy(link: Link) -> Iterator[Proxy]:
    """Between the workers and the broker."""
    made = Proxy(cast("MosquittoServer", link.source).port)
    link.source_port = made.port
    yield made
    made.close()


@pytest.mark.wide
def test_kills_lose_no_message(link: Link) -> None:
    server = prepare(link, **COLUMNS, keys="id")
    topic = f"{link.source_database}/eu"
    link.start()
    link.wait_for_state("orders", "incremental-running")
    wanted: list[int] = []
    for number, killed in enumerate((link.publisher, link.subscriber, link.publisher), 1):
        producing = threading.Thread(target=server.put, args=(topic, values(10_000 * number, 3000)))
        producing.start()
        wanted += range(10_000 * number, 10_000 * number + 3000)
        killed.kill()
        killed.start()
        producing.join()
    server.stop()
    server.start()
    server.put(topic, values(90_000, 10))
    wanted += range(90_000, 90_010)
    wait_until(lambda: held(link) == wanted, 60, lambda: f"{len(held(link))} of {len(wanted)}\n{link.describe()}")
    columns = "name, _key, _level2, _qos, _retain"
    row = link.target.rows(f"SELECT {columns} FROM orders WHERE id = 90000", link.target_database)[0]
    assert tuple(row) == ("名", topic, "eu", 1, False)


@pytest.mark.parametrize("keys", ["id", ""])
def test_a_kill_between_write_and_acknowledgement_repeats_messages(link: Link, proxy: Proxy, keys: str) -> None:
    """With a key the repeat is the same row; without one it is a row of its own."""
    server = prepare(link, **COLUMNS, keys=keys)
    topic = f"{link.source_database}/eu"
    link.start()
    link.wait_for_state("orders", "incremental-running")
    assert proxy.mute_all() == 1
    server.put(topic, values(0, 100))
    wait_until(lambda: held(link) == list(range(100)), 30, link.describe)
    link.publisher.kill()
    link.publisher.start()
    server.put(topic, values(100, 1))
    wait_until(lambda: 100 in held(link), 30, link.describe)
    assert held(link) == sorted([*range(101), *([] if keys else range(100))])


def test_a_session_that_the_broker_lost_stops_the_table_until_the_gap_is_accepted(link: Link) -> None:
    server = prepare(link, **COLUMNS, keys="id")
    topic = f"{link.source_database}/eu"
    link.start()
    link.wait_for_state("orders", "incremental-running")
    server.put(topic, values(0, 10))
    wait_until(lambda: held(link) == list(range(10)), 30, link.describe)
    server.lose_sessions()
    wait_until(lambda: link.publisher.reports["p-orders"]["state"] == "publish-failed", 60, link.describe)
    assert link.publisher.reports["p-orders"]["reason"]["facts"]["reason"] == "session-lost"
    server.put(topic, values(10, 10))
    link.gaps["orders"], link.generations["orders"] = 1, 2
    link.retask()
    wait_until(lambda: link.publisher.reports["p-orders"]["state"] == "incremental-release", 60, link.describe)
    link.wait_for_state("orders", "incremental-running")
    server.put(topic, values(20, 10))
    wait_until(lambda: 29 in held(link), 30, link.describe)
    assert set(held(link)) >= {*range(10), *range(20, 30)}
