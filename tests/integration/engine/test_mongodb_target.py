"""MongoDB as a target: rows, changes and changes of structure arrive, also through kills of workers and server."""

import pytest
from tests.integration.engine.orders import start, wait_until_same
from tests.integration.engine.running import Link, on_source
from tests.integration.engine.test_comparison import comparison

from zcbus.model.comparison import RepairState

pytestmark = pytest.mark.server
PAIRS = [("postgres_server", "mongodb_server")]
Row = tuple[str | None, ...]


def sent(link: Link, columns: str) -> list[Row]:
    rows = link.source.rows(f"SELECT {columns} FROM orders ORDER BY id", link.source_database)
    return [tuple(None if value is None else str(value) for value in row) for row in rows]


def held(link: Link, columns: str) -> list[Row]:
    """Read without the connector."""
    documents = link.target.rows(link.target_database, "orders")
    rows = [[one.get(name) for name in columns.split(", ")] for one in sorted(documents, key=lambda one: one["_id"])]
    return [tuple(None if value is None else str(value) for value in row) for row in rows]


def test_load_changes_structure_and_comparison(link: Link) -> None:
    start(link, 60)
    link.wait_for_state("orders", "incremental-running")
    wait_until_same(link, sent, held)
    on_source(
        link,
        "UPDATE orders SET amount = 0.1 WHERE id < 20",
        "DELETE FROM orders WHERE id BETWEEN 30 AND 35",
        "UPDATE orders SET id = id + 50000 WHERE id BETWEEN 40 AND 45",
        "INSERT INTO orders VALUES (9000, NULL, NULL, '')",
        "ALTER TABLE orders ADD COLUMN note varchar(20) DEFAULT 'new'",
        "ALTER TABLE orders RENAME COLUMN amount TO price",
        "UPDATE orders SET price = 7 WHERE id = 9000",
        "ALTER TABLE orders DROP COLUMN name",
        "UPDATE orders SET note = 'last' WHERE id = 1",
    )
    wait_until_same(link, sent, held, "id, price, body, note")
    with link.target.database(link.target_database) as database:
        orders = database["orders"]
        orders.update_one({"_id": 7}, {"$set": {"price": "0.00"}})
        orders.delete_one({"_id": 8})
        orders.insert_one({"_id": 99999, "id": 99999, "price": "1.00"})
    record = comparison(link, "orders").compare()
    assert (record.missing, record.extra, record.different) == (1, 1, 1)
    repaired = comparison(link, "orders", repair=1).repair(record)
    assert (repaired.repair_state, repaired.repaired) == (RepairState.DONE, 3)
    wait_until_same(link, sent, held, "id, price, body, note")
    on_source(link, "TRUNCATE orders", "INSERT INTO orders (id, price) VALUES (1, 99999999.99)")
    wait_until_same(link, sent, held, "id, price, body, note")


def test_kills_neither_lose_nor_double_changes(link: Link) -> None:
    """Each change adds to what was there, so one that is lost or done twice shows."""
    start(link, 60)
    link.wait_for_state("orders", "full-running")
    link.subscriber.kill()
    link.subscriber.start()
    link.wait_for_state("orders", "incremental-running")
    for round_ in range(1, 4):
        first = 10_000 * round_
        on_source(
            link,
            f"INSERT INTO orders SELECT n, 'n ' || n, 1, '' FROM generate_series({first}, {first + 50}) n",
            "UPDATE orders SET amount = amount + 1",
            f"DELETE FROM orders WHERE id % 97 = {round_}",
        )
        if round_ == 2:
            link.target.kill()
            link.target.start()
        else:
            link.subscriber.kill()
            link.subscriber.start()
    wait_until_same(link, sent, held)
