"""Iceberg as a target: as Delta Lake, but for what rows and structure look like to others."""

from decimal import Decimal

import pytest
from pyiceberg.expressions import EqualTo
from tests.integration.engine.running import Link, on_source, wait_until
from tests.integration.engine.test_comparison import comparison
from tests.integration.engine.test_delta_target import start, wait_until_same

from zcbus.model.comparison import RepairState

pytestmark = pytest.mark.server
PAIRS = [("postgres_server", "iceberg_folder")]


def test_load_changes_structure_and_comparison(link: Link) -> None:
    start(link, 1500)
    link.wait_for_state("orders", "incremental-running")
    wait_until_same(link)
    assert type(link.target.rows(link.target_database, "orders")[0]["amount"]) is Decimal
    on_source(
        link,
        "UPDATE orders SET amount = 0.1 WHERE id < 50",
        "DELETE FROM orders WHERE id BETWEEN 100 AND 119",
        "UPDATE orders SET id = id + 50000 WHERE id BETWEEN 200 AND 209",
        "ALTER TABLE orders ADD COLUMN note varchar(20) DEFAULT 'new'",
        "ALTER TABLE orders RENAME COLUMN amount TO price",
        "ALTER TABLE orders DROP COLUMN name",
        "UPDATE orders SET note = 'last' WHERE id = 1",
    )
    wait_until_same(link, "id, price, body, made, note")
    table = link.target.table(link.target_database, "orders")
    assert "name" not in [one.name for one in table.schema().fields]
    table.delete(EqualTo("id", 8))
    record = comparison(link, "orders").compare()
    assert (record.missing, record.extra, record.different) == (1, 0, 0)
    repaired = comparison(link, "orders", repair=1).repair(record)
    assert (repaired.repair_state, repaired.repaired) == (RepairState.DONE, 1)
    wait_until_same(link, "id, price, body, made, note")
    # One value that the type does not have is a row error, and no other row waits for it.
    on_source(link, "INSERT INTO orders (id, made) VALUES (9001, 'infinity')", "INSERT INTO orders (id) VALUES (9002)")
    wait_until(lambda: link.subscriber.reports["orders"]["row_errors"] == 1, 60, link.describe)
    on_source(link, "DELETE FROM orders WHERE id = 9001")
    wait_until_same(link, "id, price, body, made, note")
    on_source(link, "TRUNCATE orders", "INSERT INTO orders (id) VALUES (1)")
    wait_until_same(link, "id, price, body, made, note")


@pytest.mark.soak
def test_kills_neither_lose_nor_double_changes(link: Link) -> None:
    """Each change adds to what was there, so one that is lost or done twice shows."""
    start(link, 4000)
    link.wait_for_state("orders", "full-running")
    link.subscriber.kill()
    link.subscriber.start()
    link.wait_for_state("orders", "incremental-running")
    for round_ in range(1, 5):
        first = 10_000 * round_
        on_source(
            link,
            f"INSERT INTO orders SELECT n, 'n ' || n, 1, '' FROM generate_series({first}, {first + 500}) n",
            "UPDATE orders SET amount = amount + 1",
            f"DELETE FROM orders WHERE id % 97 = {round_}",
        )
        link.subscriber.kill()
        link.subscriber.start()
    wait_until_same(link)
