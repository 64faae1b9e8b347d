"""Files as a target: a log of changes on disk that others read, and that kills neither shorten nor double."""

from decimal import Decimal

import pytest
from tests.integration.engine.running import Link, on_source, wait_until
from tests.integration.engine.test_comparison import comparison
from tests.integration.engine.test_delta_target import start, wait_until_same

pytestmark = pytest.mark.server
PAIRS = [("postgres_server", "written_folders")]


def records(link: Link) -> list[dict[str, object]]:
    return list(link.target.records(link.target_database, "orders").to_pylist())


@pytest.mark.wide
def test_load_changes_structure_and_comparison(link: Link) -> None:
    start(link, 1500)
    link.wait_for_state("orders", "incremental-running")
    wait_until_same(link)
    loaded = records(link)
    assert {one["_op"] for one in loaded} == {"load"}
    assert type(loaded[0]["amount"]) is Decimal
    on_source(
        link,
        "UPDATE orders SET amount = 0.1 WHERE id < 50",
        "DELETE FROM orders WHERE id BETWEEN 100 AND 119",
        "UPDATE orders SET id = id + 50000 WHERE id BETWEEN 200 AND 209",
        "ALTER TABLE orders ADD COLUMN note varchar(20) DEFAULT 'new'",
        "UPDATE orders SET note = 'last' WHERE id = 1",
    )
    record = comparison(link, "orders").compare
    wait_until(lambda: (found := record()).missing + found.extra + found.different == 0, 90, link.describe)
    assert records(link)[: len(loaded)] == [{**one, "note": None} for one in loaded], "what was written stays"
    # One value that the type does not have is a row error, and no other row waits for it.
    on_source(link, "INSERT INTO orders (id, made) VALUES (9001, 'infinity')", "INSERT INTO orders (id) VALUES (9002)")
    wait_until(lambda: link.subscriber.reports["orders"]["row_errors"] == 1, 60, link.describe)
    on_source(link, "DELETE FROM orders WHERE id = 9001", "TRUNCATE orders", "INSERT INTO orders (id) VALUES (1)")
    wait_until(
        lambda: [row["id"] for row in link.target.rows(link.target_database, "orders")] == [1], 60, link.describe
    )


@pytest.mark.wide
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
    found = records(link)
    places = [(one["_commit"], one["_order"]) for one in found]
    assert len(set(places)) == len(places)
    assert sum(one["_op"] == "load" for one in found) == 4000, "no row of the load came twice"
    link.subscriber.kill()
    assert list(link.target.path(link.target_database).glob(".zcbus/pending/*")) == []
