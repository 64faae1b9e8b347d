"""Links whose rows are written by ordinary statements."""

from typing import Any

import pytest
from tests.integration.engine.running import Link, on_source, on_target, wait_until

from zcbus.model.states import LoadType

pytestmark = pytest.mark.server
PAIRS = [("mariadb_server", "postgres_server"), ("postgres_server", "mariadb_server")]


def test_loads_changes_and_row_errors(link: Link) -> None:
    link.load_type = LoadType.STATEMENTS
    link.direct = True
    on_source(
        link,
        "CREATE TABLE orders (code varchar(20) PRIMARY KEY, name varchar(100), amount decimal(10, 2))",
        *(f"INSERT INTO orders VALUES ('c{number}', 'it''s {number}\t', {number}.50)" for number in range(50)),
    )
    link.tables["orders"] = {}
    link.set_tasks()
    link.start()
    link.wait_for_state("orders", "incremental-running")
    link.wait_until_equal()
    on_target(link, "ALTER TABLE orders ADD CONSTRAINT small CHECK (amount < 1000)")
    on_source(
        link,
        "UPDATE orders SET name = 'new' WHERE code = 'c1'",
        "UPDATE orders SET code = 'moved' WHERE code = 'c2'",
        "DELETE FROM orders WHERE code IN ('c3', 'c4')",
        "INSERT INTO orders VALUES ('large', 'refused', 5000), ('null', NULL, NULL)",
    )
    wait_until(lambda: link.subscriber.reports["orders"].get("row_errors") == 1, 60, link.describe)
    wanted = link.source.rows("SELECT * FROM orders WHERE code <> 'large'", link.source_database)
    wait_until(lambda: in_order(link.target.rows("SELECT * FROM orders", link.target_database)) == in_order(wanted), 60)


def in_order(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return sorted(rows, key=lambda row: str(row[0]))
