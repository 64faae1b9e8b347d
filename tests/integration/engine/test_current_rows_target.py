"""Current rows in files as a target, in every store: kills leave what readers see complete, and lose nothing."""

import pytest
from tests.integration.engine.running import Link, on_source, wait_until
from tests.integration.engine.test_delta_target import held, start, wait_until_same

pytestmark = [pytest.mark.server, pytest.mark.soak]
PAIRS = [
    ("postgres_server", "written_row_folders"),
    ("postgres_server", "written_sftp_folders"),
    ("postgres_server", "written_bucket"),
    ("postgres_server", "written_hdfs"),
]


def test_kills_neither_lose_nor_double_changes(link: Link) -> None:
    """Each change adds to what was there, so one that is lost or done twice shows."""
    start(link, 3000)
    link.wait_for_state("orders", "full-running")
    link.subscriber.kill()
    link.subscriber.start()
    link.wait_for_state("orders", "incremental-running")
    for round_ in range(1, 4):
        first = 10_000 * round_
        on_source(
            link,
            f"INSERT INTO orders SELECT n, 'n ' || n, 1, '' FROM generate_series({first}, {first + 500}) n",
            "UPDATE orders SET amount = amount + 1",
            f"DELETE FROM orders WHERE id % 97 = {round_}",
        )
        link.subscriber.kill()
        rows = held(link, "id")
        assert len(set(rows)) == len(rows) > 0, "a reader sees each row once at any time"
        link.subscriber.start()
    wait_until_same(link)
    on_source(link, "TRUNCATE orders", "INSERT INTO orders (id) VALUES (1)")
    wait_until(lambda: held(link, "id") == [(1,)], 60, link.describe)


def test_files_follow_the_structure(link: Link) -> None:
    start(link, 200)
    link.wait_for_state("orders", "incremental-running")
    on_source(
        link,
        "ALTER TABLE orders ADD COLUMN note varchar(20) DEFAULT 'new'",
        "ALTER TABLE orders RENAME COLUMN amount TO price",
        "UPDATE orders SET note = 'last' WHERE id = 1",
    )
    wait_until_same(link, "id, name, price, body, made, note")
