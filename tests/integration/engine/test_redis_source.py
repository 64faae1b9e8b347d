"""Streams of Redis as a source: every entry arrives exactly once, through kills of workers and server."""

import threading
from typing import Any, cast

import pytest
from tests.integration.engine.running import Link, wait_until
from tests.servers.valkey import ValkeyServer

from zcbus.model.states import DdlMode
from zcbus.protocol.base import TableRef

pytestmark = pytest.mark.server
PAIRS = [("own_valkey_server", "postgres_server")]
STREAM = "shop:orders"


def put(link: Link, first: int, count: int) -> None:
    """With ids by the server's clock, as usual."""
    server = cast("ValkeyServer", link.source)
    with server.client(link.source_database) as client:
        for begin in range(first, first + count, 500):
            with client.pipeline() as pipeline:
                for number in range(begin, min(begin + 500, first + count)):
                    pipeline.xadd(STREAM, {"id": str(number), "name": "名", "extra": "x"})
                pipeline.execute()


def held(link: Link) -> list[int]:
    return [int(row[0]) for row in link.target.rows("SELECT id FROM orders ORDER BY id", link.target_database)]


def state(link: Link) -> dict[str, Any]:
    return link.publisher.reports["p-orders"]


def test_kills_lose_and_double_no_entry(link: Link) -> None:
    """Loaded are the entries that the stream has, then all that come. What the target has may be trimmed."""
    server = cast("ValkeyServer", link.source)
    put(link, 0, 4000)
    server.given = {"columns": "shop:*: id bigint, name text"}
    link.tables["orders"] = {"ddl": DdlMode.FOLLOW, "source": TableRef(schema_name="topics", table=STREAM)}
    link.set_tasks()
    link.start()
    link.wait_for_state("orders", "incremental-running")
    wanted = list(range(4000))
    for number, killed in enumerate((link.publisher, link.subscriber, link.publisher, server), 1):
        producing = threading.Thread(target=put, args=(link, 10_000 * number, 3000))
        producing.start()
        wanted += range(10_000 * number, 10_000 * number + 3000)
        if killed is server:
            producing.join()
        killed.kill()
        killed.start()
        producing.join()
    wait_until(lambda: held(link) == wanted, 60, lambda: f"{len(held(link))} of {len(wanted)}\n{link.describe()}")
    query = "SELECT name, _headers::text, _partition, _offset FROM orders WHERE id = 7"
    row = link.target.rows(query, link.target_database)[0]
    with server.client(link.source_database) as client:
        ids = [entry for entry, fields in client.xrange(STREAM, count=100) if fields["id"] == "7"]
        assert tuple(row) == ("名", '[["extra","x"]]', 0, ids[0])
        client.xtrim(STREAM, 0)
        put(link, 80_000, 10)
        wait_until(lambda: len(held(link)) == len(wanted) + 10, 30, link.describe)
        link.publisher.kill()
        put(link, 90_000, 10)
        client.xtrim(STREAM, 9, approximate=False)
        link.publisher.start()
    wait_until(lambda: state(link)["state"] == "publish-failed", 30, link.describe)
    assert state(link)["reason"]["facts"]["reason"] == "messages-lost"
