"""Full loads whose rows the subscriber takes from the source itself."""

import random

import pytest
from tests.integration.engine.running import Link, on_source, on_target, wait_until

from zcbus.protocol.transforms import Transform

pytestmark = pytest.mark.server
PAIRS = [
    ("postgres_server", "postgres_server"),
    ("mariadb_server", "postgres_server"),
    ("postgres_server", "mariadb_server"),
]
ROWS, FEW_ROWS = 300_000, 60_000


def create(link: Link, rows: int) -> None:
    on_source(link, "CREATE TABLE orders (id integer PRIMARY KEY, name varchar(100), amount decimal(12,2))")
    numbers = (
        f"generate_series(1, {rows}) i"
        if link.source.kind == "postgresql"
        else f"(SELECT seq i FROM seq_1_to_{rows}) n"
    )
    on_source(link, f"INSERT INTO orders SELECT i, CONCAT('name ', i), i * 1.5 FROM {numbers}")
    analyze = "ANALYZE orders" if link.source.kind == "postgresql" else "ANALYZE TABLE orders"
    on_source(link, analyze)  # small tables, by the source's estimate, go over the bus
    link.direct = True
    link.tables["orders"] = {"clean": "drop"}
    link.set_tasks()


def loading(link: Link) -> bool:
    report = link.subscriber.reports.get("orders", {})
    return report.get("state") == "full-running" or "incremental" in report.get("state", "")


@pytest.mark.wide
@pytest.mark.soak(but=["mariadb-postgres"])
def test_a_load_that_is_killed_repeatedly_resumes(link: Link) -> None:
    create(link, ROWS)
    link.start()
    chance = random.Random(11)
    for attempt in range(3):
        link.subscriber.reports.clear()
        wait_until(lambda: loading(link), 60, link.describe)
        on_source(
            link,
            f"UPDATE orders SET name = 'changed {attempt}' WHERE id % 1000 = {attempt}",
            f"DELETE FROM orders WHERE id % 1000 = {attempt + 10}",
            f"UPDATE orders SET id = id + {ROWS * (attempt + 1)} WHERE id % 1000 = {attempt + 20}",
            f"INSERT INTO orders VALUES ({-attempt - 1}, 'new', 0)",
        )
        wait_until(lambda: chance.random() < 0.1, 5)  # somewhere in the load
        link.subscriber.kill()
        link.subscriber.start()
    link.wait_for_state("orders", "incremental-running", 120)
    link.wait_until_equal()
    assert "full-error" not in {report.get("state") for report in link.subscriber.history}


@pytest.mark.wide
def test_rows_that_the_target_refuses_are_kept(link: Link) -> None:
    create(link, FEW_ROWS)
    on_target(
        link,
        "CREATE TABLE orders (id integer PRIMARY KEY, name varchar(100), amount decimal(12,2) CHECK (amount <> 1500))",
    )
    link.tables["orders"] = {"clean": "only-truncate"}
    link.set_tasks()
    link.start()
    report = link.wait_for_state("orders", "incremental-running")
    assert (report["rows_loaded"], report["row_errors"]) == (FEW_ROWS - 1, 1)
    on_target(link, "DELETE FROM orders WHERE id = 7")
    on_source(link, "UPDATE orders SET amount = 1 WHERE id IN (7, 1000)")
    link.wait_until_equal()


def test_rows_that_a_condition_leaves_out_are_not_read(link: Link) -> None:
    create(link, FEW_ROWS)
    where = "id <= 1000 AND (amount > 30 OR amount IS NULL) AND length(name) > 0"
    link.tables["orders"] |= {"transform": Transform(where=where)}
    link.set_tasks()
    link.start()
    report = link.wait_for_state("orders", "incremental-running")
    assert report["rows_loaded"] == 980
    assert report["bytes_loaded"] > 980
    found = link.target.rows("SELECT count(*), min(id), max(id) FROM orders", link.target_database)
    assert found == [(980, 21, 1000)]


@pytest.mark.wide
def test_rows_follow_an_offer_that_no_subscriber_can_use(link: Link) -> None:
    create(link, FEW_ROWS)
    task = link.subscribe_task()
    link.subscriber.task = task.model_copy(update={"source": None})
    link.start()
    wait_until(
        lambda: link.publisher.reports.get("p-orders", {}).get("state") == "incremental-release", 60, link.describe
    )
    assert link.publisher.reports["p-orders"]["rows_read"] == 0
    link.direct = False
    link.retask()
    link.wait_for_state("orders", "incremental-running")
    link.wait_until_equal()
    assert link.publisher.reports["p-orders"]["rows_read"] == FEW_ROWS
