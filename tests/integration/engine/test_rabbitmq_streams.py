"""Streams of RabbitMQ as a source: every message arrives exactly once, through kills of workers and of the broker."""

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
COLUMNS = {"reading": "streams", "value": "json", "columns": "id bigint, name text"}


@pytest.fixture
def server(link: Link) -> Iterator[RabbitServer]:
    """With a stream that is named as the source's database."""
    server = cast("RabbitServer", link.source)
    server.create(link.source_database, "stream")
    server.given = dict(COLUMNS)
    source = TableRef(schema_name="topics", table=link.source_database)
    link.tables["orders"] = {"ddl": DdlMode.FOLLOW, "source": source}
    link.set_tasks()
    yield server
    server.given = {}


def values(first: int, count: int) -> list[bytes]:
    return [b'{"id": %d, "name": "\xe5\x90\x8d"}' % number for number in range(first, first + count)]


def held(link: Link) -> list[int]:
    rows = link.target.rows("SELECT id FROM orders ORDER BY _offset", link.target_database)
    return [int(row[0]) for row in rows]


def test_kills_lose_and_double_no_message(link: Link, server: RabbitServer) -> None:
    """Loaded are the messages that the stream has, then all that come."""
    stream = link.source_database
    server.put(stream, values(0, 500))
    link.start()
    link.wait_for_state("orders", "incremental-running")
    wanted = list(range(500))
    for number, killed in enumerate((link.publisher, link.subscriber), 1):
        producing = threading.Thread(target=server.put, args=(stream, values(10_000 * number, 500)))
        producing.start()
        wanted += range(10_000 * number, 10_000 * number + 500)
        killed.kill()
        killed.start()
        producing.join()
    server.kill()
    server.start()
    wait_until(lambda: server.serves(stream), 30, link.describe)
    server.put(stream, values(90_000, 10))
    wanted += range(90_000, 90_010)
    wait_until(lambda: held(link) == wanted, 60, lambda: f"{len(held(link))} of {len(wanted)}\n{link.describe()}")
    row = link.target.rows("SELECT name, _key, _partition, _offset FROM orders WHERE id = 0", link.target_database)[0]
    assert tuple(row) == ("名", stream, 0, 0)


def test_a_stream_that_is_made_again_stops_the_table(link: Link, server: RabbitServer) -> None:
    stream = link.source_database
    server.put(stream, values(0, 5))
    link.start()
    link.wait_for_state("orders", "incremental-running")
    server.put(stream, values(5, 5))
    wait_until(lambda: held(link) == list(range(10)), 30, link.describe)
    server.delete(stream)
    server.create(stream, "stream")
    server.put(stream, values(100, 20))
    wait_until(lambda: link.publisher.reports.get("p-orders", {}).get("state") == "publish-failed", 60, link.describe)
    assert link.publisher.reports["p-orders"]["reason"]["facts"]["reason"] == "topic-replaced"
