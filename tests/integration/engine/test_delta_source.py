"""Delta tables as a source: rows, changes and deletes arrive from the feed, also through kills."""

from typing import Any

import pyarrow as pa
import pytest
from deltalake import write_deltalake
from tests.integration.engine.running import Link, wait_until
from tests.integration.engine.test_comparison import comparison

pytestmark = pytest.mark.server
PAIRS = [("delta_folder", "postgres_server")]
SCHEMA = pa.schema([pa.field("id", pa.int32()), pa.field("name", pa.string()), pa.field("price", pa.decimal128(9, 2))])


def rows(first: int, count: int) -> pa.Table:
    numbers = range(first, first + count)
    prices = pa.array([f"{one % 1000}.50" for one in numbers]).cast(pa.decimal128(9, 2))
    return pa.table([pa.array(numbers, pa.int32()), pa.array([f"名 {one}" for one in numbers]), prices], schema=SCHEMA)


def orders(link: Link) -> Any:
    return link.source.table(link.source_database, "orders")


def sent(link: Link) -> list[tuple[Any, ...]]:
    return sorted(tuple(row.values()) for row in link.source.rows(link.source_database, "orders"))


def held(link: Link) -> list[tuple[Any, ...]]:
    if not link.target_has("orders"):
        return []
    query = "SELECT id, name, price FROM orders ORDER BY id"
    return [tuple(row) for row in link.target.rows(query, link.target_database)]


def wait_until_same(link: Link) -> None:
    wait_until(
        lambda: held(link) == sent(link), 90, lambda: f"{len(held(link))} of {len(sent(link))}\n{link.describe()}"
    )


def start(link: Link, count: int) -> None:
    path = link.source.path(link.source_database, "orders")
    write_deltalake(path, rows(1, count), configuration={"delta.enableChangeDataFeed": "true"})
    link.tables["orders"] = {"key": ("id",)}
    link.set_tasks()
    link.start()


@pytest.mark.wide
def test_load_changes_deletes_and_kills(link: Link) -> None:
    start(link, 3000)
    link.wait_for_state("orders", "incremental-running")
    wait_until_same(link)
    for round_ in range(1, 4):
        write_deltalake(orders(link), rows(10_000 * round_, 500), mode="append")
        orders(link).update(predicate=f"id % 7 = {round_}", updates={"price": "CAST(price + 1 AS DECIMAL(9,2))"})
        orders(link).update(predicate=f"id = {round_}", updates={"id": f"CAST({90_000 + round_} AS INT)"})
        orders(link).delete(f"id % 97 = {round_}")
        for worker in (link.publisher, link.subscriber):
            worker.kill()
            worker.start()
    wait_until_same(link)
    record = comparison(link, "orders").compare()
    assert (record.missing, record.extra, record.different) == (0, 0, 0)
    # A gap in the feed stops the table, and nothing else is claimed of it.
    orders(link).alter.set_table_properties({"delta.enableChangeDataFeed": "false"})
    wait_until(lambda: "feed-missing" in link.describe(), 60, link.describe)
