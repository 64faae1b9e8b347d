"""DuckDB as a target: rows, changes and changes of structure arrive, also through kills and during a comparison."""

from decimal import Decimal

import duckdb
import pytest
from tests.integration.engine.running import Link, on_source, on_target, wait_until
from tests.integration.engine.test_comparison import comparison
from tests.integration.engine.test_row_errors import decide, errors

from zcbus.model.comparison import RepairState
from zcbus.model.row_errors import OPEN, Decision, RowErrorStatus
from zcbus.model.states import DdlMode

pytestmark = pytest.mark.server
PAIRS = [("postgres_server", "duckdb_folder"), ("mariadb_server", "duckdb_folder")]
COLUMNS = "id integer PRIMARY KEY, name varchar(100) UNIQUE, amount decimal(12,2), day date"


def held(link: Link, columns: str = "id, name, amount, day") -> list[tuple[object, ...]]:
    """The target's rows with exact numbers and days as texts."""
    try:
        rows = link.target.rows(f"SELECT {columns} FROM orders ORDER BY id", link.target_database)
    except (duckdb.CatalogException, duckdb.BinderException):  # not all of the columns are there yet
        return []
    return [tuple(map(str, row)) for row in rows]


def sent(link: Link, columns: str = "id, name, amount, day") -> list[tuple[object, ...]]:
    rows = link.source.rows(f"SELECT {columns} FROM orders ORDER BY id", link.source_database)
    return [tuple(f"{one:.2f}" if isinstance(one, Decimal) else str(one) for one in row) for row in rows]


def different(link: Link, columns: str) -> str:
    """For a failed wait."""
    there, here = set(held(link, columns)), set(sent(link, columns))
    return f"missing {list(here - there)[:3]}, extra {list(there - here)[:3]}\n{link.describe()}"


def wait_until_same(link: Link, columns: str = "id, name, amount, day") -> None:
    wait_until(lambda: held(link, columns) == sent(link, columns), 60, lambda: different(link, columns))


def start(link: Link, rows: int) -> None:
    on_source(link, f"CREATE TABLE orders ({COLUMNS})")
    values = ", ".join(f"({n}, '名 {n}', {n}.50, '2024-02-29')" for n in range(1, rows + 1))
    on_source(link, f"INSERT INTO orders VALUES {values}")
    link.tables["orders"] = {"ddl": DdlMode.FOLLOW}
    link.set_tasks()
    link.start()
    link.wait_for_state("orders", "incremental-running")
    wait_until_same(link)


def test_load_changes_and_structure(link: Link) -> None:
    start(link, 3000)
    on_source(
        link,
        "UPDATE orders SET amount = 0.1 WHERE id < 50",
        "DELETE FROM orders WHERE id BETWEEN 100 AND 119",
        "UPDATE orders SET id = id + 50000 WHERE id BETWEEN 200 AND 209",
        "INSERT INTO orders VALUES (9000, NULL, NULL, NULL)",
    )
    wait_until_same(link)
    on_source(
        link,
        "ALTER TABLE orders ADD COLUMN note varchar(20) DEFAULT 'new'",
        "INSERT INTO orders (id, name, note) VALUES (9001, 'x', 'y')",
        "ALTER TABLE orders RENAME COLUMN amount TO price",
        "UPDATE orders SET price = 7 WHERE id = 9001",
        "ALTER TABLE orders DROP COLUMN day",
        "UPDATE orders SET note = 'last' WHERE id = 1",
    )
    wait_until_same(link, "id, name, price, note")
    assert link.subscriber.reports["orders"]["state"] == "incremental-running"


def test_kills_neither_lose_nor_double_changes(link: Link) -> None:
    start(link, 200)
    for round_ in range(4):
        first = 1000 * (round_ + 1)
        values = ", ".join(f"({n}, 'n {n}', 1, NULL)" for n in range(first, first + 500))
        on_source(link, f"INSERT INTO orders VALUES {values}", "UPDATE orders SET amount = amount + 1")
        link.subscriber.kill()
        link.subscriber.start()
    wait_until_same(link)


@pytest.mark.soak(but=["mariadb-duckdb_folder"])
def test_refused_rows_are_kept_while_the_rest_flows(link: Link) -> None:
    start(link, 20)
    on_target(link, "CREATE UNIQUE INDEX once ON orders (amount)")
    on_source(
        link,
        "UPDATE orders SET amount = 7.50 WHERE id = 3",
        "INSERT INTO orders VALUES (100, 'hundred', 9.50, NULL), (101, 'next', 101, NULL)",
        "DELETE FROM orders WHERE id = 5",
        "UPDATE orders SET name = 'flows' WHERE id = 6",
    )
    wait_until(lambda: [row for row in held(link) if row[1] == "flows"], 30, link.describe)
    wait_until(lambda: len(errors(link, *OPEN)) == 2, 30, link.describe)
    assert {error.key["id"] for error in errors(link, *OPEN)} == {"3", "100"}
    assert ("101", "next", "101.00", "None") in held(link)
    on_target(link, "DROP INDEX once")
    # The engine may try one by itself in between.
    decide(link, Decision.RETRY, *(error.id for error in errors(link, *OPEN)))
    wait_until(lambda: not errors(link, *OPEN), 30, link.describe)
    wait_until_same(link)
    assert {error.status for error in errors(link)} <= {RowErrorStatus.PROCESSED}


@pytest.mark.soak(but=["postgres-duckdb_folder"])
def test_a_comparison_reads_while_rows_change_and_repairs(link: Link) -> None:
    start(link, 3000)
    on_target(link, "UPDATE orders SET amount = 0 WHERE id = 7", "DELETE FROM orders WHERE id = 8")
    on_target(link, "INSERT INTO orders VALUES (99999, 'extra', 1, NULL)")
    for round_ in range(5):
        on_source(link, f"UPDATE orders SET amount = amount + 1 WHERE id % 5 = {round_} AND id > 100")
    record = comparison(link, "orders").compare()
    assert (record.missing, record.extra, record.different) == (1, 1, 1)
    repaired = comparison(link, "orders", repair=1).repair(record)
    assert (repaired.repair_state, repaired.repaired) == (RepairState.DONE, 3)
    wait_until_same(link)
