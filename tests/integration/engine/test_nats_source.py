"""Streams of NATS as a source: every message arrives exactly once, through kills of workers and server."""

import threading
from typing import cast

import pytest
from tests.integration.engine.running import Link, wait_until
from tests.servers.nats import NatsServer

from zcbus.model.states import DdlMode
from zcbus.protocol.base import TableRef

pytestmark = pytest.mark.server
PAIRS = [("own_nats_server", "postgres_server")]


def values(first: int, count: int) -> list[bytes]:
    return [b'{"id": %d, "name": "\xe5\x90\x8d"}' % number for number in range(first, first + count)]


def held(link: Link) -> list[int]:
    rows = link.target.rows("SELECT id FROM orders ORDER BY _offset", link.target_database)
    return [int(row[0]) for row in rows]


@pytest.mark.soak
def test_kills_lose_and_double_no_message(link: Link) -> None:
    """Loaded are the messages that the stream has, then all that come."""
    server, stream = cast("NatsServer", link.source), link.source_database
    server.create(stream)
    server.put(stream, values(0, 4000))
    server.given = {"value": "json", "columns": "id bigint, name text"}
    source = TableRef(schema_name="topics", table=stream)
    link.tables["orders"] = {"ddl": DdlMode.FOLLOW, "source": source}
    link.set_tasks()
    link.start()
    link.wait_for_state("orders", "incremental-running")
    wanted = list(range(4000))
    for number, killed in enumerate((link.publisher, link.subscriber, link.publisher, server), 1):
        producing = threading.Thread(target=server.put, args=(stream, values(10_000 * number, 3000)))
        producing.start()
        wanted += range(10_000 * number, 10_000 * number + 3000)
        if killed is server:
            producing.join()
        killed.kill()
        killed.start()
        producing.join()
    wait_until(lambda: held(link) == wanted, 60, lambda: f"{len(held(link))} of {len(wanted)}\n{link.describe()}")
    row = link.target.rows("SELECT name, _key, _partition, _offset FROM orders WHERE id = 0", link.target_database)[0]
    assert tuple(row) == ("名", f"{stream}.a", 0, 1)
    server.forget(stream, 3999)
    link.publisher.kill()
    server.put(stream, values(90_000, 10))
    server.forget(stream, 16_005)
    link.publisher.start()
    wait_until(lambda: link.publisher.reports["p-orders"]["state"] == "publish-failed", 30, link.describe)
    assert link.publisher.reports["p-orders"]["reason"]["facts"]["reason"] == "messages-lost"
