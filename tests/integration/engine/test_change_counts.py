"""What the publisher counts is what the subscription handled, though both are killed again and again."""

import random
import time

import pytest
from tests.integration.engine.running import Link, on_source, on_target, wait_until

pytestmark = [pytest.mark.server, pytest.mark.timeout(300)]
PAIRS = [("postgres_server", "postgres_server")]
ROUNDS = 12
ROWS = 25


def _settled(link: Link, table: str) -> tuple[int, int] | None:
    """Changes by the publisher and as the subscription handled them, from the same record on; None: not compared."""
    published, counts = (
        link.publisher.reports.get(f"p-{table}", {}),
        link.subscriber.reports.get(table, {}).get("counts"),
    )
    if counts is None or counts["epoch"] is None or counts["epoch"] != published.get("epoch"):
        return None
    return published["changes"] - counts["base"], counts["handled"]


@pytest.mark.wide
def test_kills_of_both_services_leave_no_difference(link: Link) -> None:
    on_source(link, "CREATE TABLE orders (id integer PRIMARY KEY, n integer)")
    link.tables["orders"] = {}
    link.set_tasks()
    link.start()
    link.wait_for_state("orders", "incremental-running")
    on_target(link, "ALTER TABLE orders ADD CHECK (n < 1000)")
    chance = random.Random(21)
    for number in range(ROUNDS):
        first = number * ROWS
        on_source(
            link,
            f"INSERT INTO orders SELECT n, n FROM generate_series({first}, {first + ROWS - 1}) n",
            f"UPDATE orders SET n = {2000 if number % 4 == 0 else -1} WHERE id = {first}",
        )
        time.sleep(chance.uniform(0.0, 0.6))  # the random moment is the point
        killed = link.publisher if chance.random() < 0.5 else link.subscriber
        killed.kill()
        killed.reports.clear()
        killed.start()
    expected = ROUNDS * (ROWS + 1)
    wait_until(lambda: _settled(link, "orders") == (expected, expected), 90, link.describe)
    # The next control totals prove it once more.
    on_source(link, "DELETE FROM orders WHERE id = 1")
    wait_until(lambda: _settled(link, "orders") == (expected + 1, expected + 1), 60, link.describe)
    counts = link.subscriber.reports["orders"]["counts"]
    assert (counts["difference"], counts["refused"], counts["filtered"]) == (0, ROUNDS // 4, 0)
