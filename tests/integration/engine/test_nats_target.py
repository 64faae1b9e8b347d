"""NATS as a target: events arrive in the order of each key through kills, and say what the rows are."""

from typing import cast

import orjson
import pytest
from tests.integration.engine.orders import start, wait_until_same
from tests.integration.engine.running import Link, on_source
from tests.servers.nats import NatsServer

pytestmark = [pytest.mark.server, pytest.mark.wide]
PAIRS = [("postgres_server", "own_nats_server")]
Row = tuple[str | None, ...]


def sent(link: Link, columns: str) -> list[Row]:
    rows = link.source.rows(f"SELECT {columns} FROM orders ORDER BY id", link.source_database)
    return [tuple(None if value is None else str(value) for value in row) for row in rows]


def held(link: Link, columns: str) -> list[Row]:
    """The rows as a reader has them that drops repetitions by their ids."""
    rows: dict[int, dict[str, object]] = {}
    seen: set[str] = set()
    for _, headers, value in cast("NatsServer", link.target).messages(link.target_database):
        event = orjson.loads(value)
        assert headers["Nats-Msg-Id"] == event["id"]
        if event["id"] in seen or event["operation"] == "structure":
            continue
        seen.add(event["id"])
        row = {**rows.pop(event["key"]["id"], {}), **event.get("row", {})}
        if event["operation"] != "delete":
            rows[cast("int", row["id"])] = row
    names = columns.split(", ")
    return [tuple(None if row[name] is None else str(row[name]) for name in names) for _, row in sorted(rows.items())]


def test_events_through_kills_of_the_service_and_the_server(link: Link) -> None:
    server = cast("NatsServer", link.target)
    server.create(link.target_database)
    start(link, 600)
    link.wait_for_state("orders", "incremental-running")
    for round_ in range(1, 4):
        first = 10_000 * round_
        on_source(
            link,
            f"INSERT INTO orders SELECT n, 'n ' || n, 1, '' FROM generate_series({first}, {first + 100}) n",
            "UPDATE orders SET amount = amount + 1 WHERE id % 3 = 0",
            f"DELETE FROM orders WHERE id % 97 = {round_}",
            f"UPDATE orders SET id = -id WHERE id % 89 = {round_} AND body = ''",
        )
        if round_ == 2:
            server.kill()
            server.start()
        else:
            link.subscriber.kill()
            link.subscriber.start()
    wait_until_same(link, sent, held)
