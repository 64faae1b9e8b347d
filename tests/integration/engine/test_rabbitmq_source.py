"""Queues of RabbitMQ as a source: no message is lost through kills of workers and of the broker, and repeats change no
row that has a key."""

import threading
from collections.abc import Iterator
from typing import cast

import pytest
from tests.integration.engine.running import Link, wait_until
from tests.servers.rabbitmq import RabbitServer

from zcbus.model.states import DdlMode
from zcbus.protocol.base import TableRef

pytestmark = pytest.mark.server
PAIRS = [("rabbit_server", "postgres_server")]
COLUMNS = {"value": "json", "columns": "id bigint, name text", "keys": "id"}


def values(first: int, count: int) -> list[bytes]:
    return [b'{"id": %d, "name": "\xe5\x90\x8d"}' % number for number in range(first, first + count)]


def held(link: Link) -> list[int]:
    rows = link.target.rows("SELECT id FROM orders ORDER BY id", link.target_database)
    return [int(row[0]) for row in rows]


@pytest.fixture
def server(link: Link) -> Iterator[RabbitServer]:
    """With a queue that is named as the source's database."""
    server = cast("RabbitServer", link.source)
    server.create(link.source_database)
    server.given = dict(COLUMNS)
    source = TableRef(schema_name="topics", table=link.source_database)
    link.tables["orders"] = {"ddl": DdlMode.FOLLOW, "source": source}
    link.set_tasks()
    yield server
    server.given = {}


@pytest.mark.soak
def test_kills_lose_no_message(link: Link, server: RabbitServer) -> None:
    queue = link.source_database
    server.put(queue, values(0, 10))  # what the queue has comes first
    link.start()
    link.wait_for_state("orders", "incremental-running")
    wanted = list(range(10))
    for number, killed in enumerate((link.publisher, link.subscriber, link.publisher), 1):
        producing = threading.Thread(target=server.put, args=(queue, values(10_000 * number, 300)))
        producing.start()
        wanted += range(10_000 * number, 10_000 * number + 300)
        killed.kill()
        killed.start()
        producing.join()
    server.kill()
    server.start()
    server.put(queue, values(90_000, 10), message_id="m")
    wanted += range(90_000, 90_010)
    wait_until(lambda: held(link) == wanted, 60, lambda: f"{len(held(link))} of {len(wanted)}\n{link.describe()}")
    columns = "name, _key, _exchange, _message_id"
    row = link.target.rows(f"SELECT {columns} FROM orders WHERE id = 90000", link.target_database)[0]
    assert tuple(row) == ("名", queue, "", "m")
    wait_until(lambda: server.count(queue) == 0, 30, link.describe)


def test_envelopes_insert_update_and_delete_rows(link: Link, server: RabbitServer) -> None:
    queue = link.source_database
    server.given |= {"value": "debezium"}
    link.set_tasks()
    server.put(queue, [b'{"op": "c", "after": {"id": %d, "name": "a"}}' % number for number in (1, 2, 3)])
    server.put(queue, [b'{"op": "u", "after": {"id": 2, "name": "b"}}', b'{"op": "d", "before": {"id": 1}}'])
    link.start()
    link.wait_for_state("orders", "incremental-running")
    wanted = [("2", "b"), ("3", "a")]

    def held_rows() -> list[tuple[str, str]]:
        rows = link.target.rows("SELECT id, name FROM orders ORDER BY id", link.target_database)
        return [(str(number), name) for number, name in rows]

    wait_until(lambda: held_rows() == wanted, 30, lambda: f"{held_rows()}\n{link.describe()}")


def test_a_queue_that_is_made_again_stops_the_table_until_the_gap_is_accepted(link: Link, server: RabbitServer) -> None:
    queue = link.source_database
    link.start()
    link.wait_for_state("orders", "incremental-running")
    server.put(queue, values(0, 10))
    wait_until(lambda: held(link) == list(range(10)), 30, link.describe)
    link.publisher.kill()
    server.delete(queue)
    server.create(queue)
    link.publisher.start()
    wait_until(lambda: link.publisher.reports.get("p-orders", {}).get("state") == "publish-failed", 60, link.describe)
    assert link.publisher.reports["p-orders"]["reason"]["facts"]["reason"] == "session-lost"
    link.gaps["orders"], link.generations["orders"] = 1, 2
    link.retask()
    link.wait_for_state("orders", "incremental-running")
    server.put(queue, values(20, 10))
    wait_until(lambda: held(link) == [*range(10), *range(20, 30)], 30, link.describe)
