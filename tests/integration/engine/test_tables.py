"""The table is the unit of state: reload, pause, failure and structure of one table while the others run on."""

import pytest
from tests.integration.engine.running import Link, on_source, on_target, wait_until

from zcbus.model.states import DdlMode, LoadMode

pytestmark = pytest.mark.server
PAIRS = [("postgres_server", "postgres_server"), ("mariadb_server", "mariadb_server")]


def create(link: Link, *tables: str, count: int = 20) -> None:
    for table in tables:
        on_source(link, f"CREATE TABLE {table} (id integer PRIMARY KEY, name varchar(100))")
        insert(link, table, 0, count)


def insert(link: Link, table: str, start: int, count: int) -> None:
    rows = ", ".join(f"({number}, 'name {number}')" for number in range(start, start + count))
    on_source(link, f"INSERT INTO {table} (id, name) VALUES {rows}")


def start(link: Link, **fields: object) -> None:
    for table in ("orders", "items"):
        link.tables[table] = dict(fields)
    link.set_tasks()
    link.start()


def run_both(link: Link, **fields: object) -> None:
    create(link, "orders", "items")
    start(link, **fields)
    for table in link.tables:
        link.wait_for_state(table, "incremental-running")
    link.wait_until_equal()


@pytest.mark.wide
def test_reload_one_table_while_the_other_runs_on(link: Link) -> None:
    run_both(link)
    on_target(link, "DELETE FROM orders WHERE id < 5", "INSERT INTO orders VALUES (-1, 'not from the source')")
    link.generations["orders"] = 2
    link.retask()
    insert(link, "items", 100, 10)
    wait_until(
        lambda: (
            link.subscriber.reports["orders"]["generation"] == 2
            and link.subscriber.reports["orders"]["state"] == "incremental-running"
        ),
        60,
        link.describe,
    )
    insert(link, "orders", 100, 10)
    link.wait_until_equal()
    states = {report["state"] for report in link.subscriber.history if report.get("table") == "items"}
    assert not any(
        "error" in state or "full" in state for state in states - {"full-allowed", "full-running"} - {"full-finished"}
    )
    wait_until(lambda: link.subscriber.reports["items"]["inserts"] == 10, 10, link.describe)
    assert link.subscriber.reports["items"]["generation"] == 1


def test_a_suspended_table_waits_and_catches_up(link: Link) -> None:
    run_both(link)
    link.tables["orders"]["suspended"] = True
    link.retask()
    link.wait_for_state("orders", "suspended")
    insert(link, "orders", 100, 10)
    insert(link, "items", 100, 10)
    wait_until(lambda: not link.difference("items"), 30, link.describe)
    assert link.difference("orders")
    link.subscriber.kill()
    link.subscriber.start()
    link.wait_for_state("orders", "suspended")
    insert(link, "orders", 200, 10)
    link.tables["orders"]["suspended"] = False
    link.retask()
    link.wait_for_state("orders", "incremental-running")
    link.wait_until_equal()
    wait_until(lambda: link.subscriber.reports["orders"]["inserts"] == 20, 10, link.describe)


@pytest.mark.wide
@pytest.mark.parametrize("restarted", [False, True])
def test_a_table_that_returns_resumes_at_its_position(link: Link, restarted: bool) -> None:
    """To a process that let it go, and to one that never had it."""
    run_both(link)
    orders = link.tables.pop("orders")
    link.subscriber.give(link.subscribe_task())
    insert(link, "items", 100, 10)
    wait_until(lambda: not link.difference("items"), 30, link.describe)
    insert(link, "orders", 100, 10)
    # What is written by hand would be overwritten by another load.
    on_target(link, "UPDATE orders SET name = 'by hand' WHERE id = 0")
    if restarted:
        link.subscriber.kill()
        link.subscriber.start()
        insert(link, "items", 200, 1)
        wait_until(lambda: not link.difference("items"), 30, link.describe)
    link.tables["orders"] = orders
    link.subscriber.give(link.subscribe_task())
    wait_until(lambda: link.subscriber.reports["orders"]["inserts"] == 10, 60, link.describe)
    assert link.difference("orders")
    on_source(link, "UPDATE orders SET name = 'again' WHERE id = 0")
    link.wait_until_equal()
    assert link.subscriber.reports["orders"]["state"] == "incremental-running"


def test_a_table_that_fails_does_not_stop_the_other(link: Link) -> None:
    run_both(link, error_limit=0)
    on_target(link, "ALTER TABLE orders ADD CONSTRAINT small CHECK (id < 1000)")
    on_source(link, "BEGIN; INSERT INTO orders VALUES (5000, 'refused'); INSERT INTO items VALUES (5000, 'ok'); COMMIT")
    report = link.wait_for_state("orders", "incremental-error")
    assert report["reason"]["code"] == "row-errors-over-limit"
    assert "small" in report["reason"]["facts"]["detail"]
    assert report["errors"] >= 1
    insert(link, "items", 100, 10)
    insert(link, "orders", 100, 10)
    wait_until(lambda: not link.difference("items"), 30, link.describe)
    drop = {
        "postgresql": "ALTER TABLE orders DROP CONSTRAINT small",
        "mysql": "ALTER TABLE orders DROP CONSTRAINT small",
    }
    on_target(link, drop[link.target.kind])
    link.wait_for_state("orders", "incremental-running")
    link.wait_until_equal()


def test_a_target_table_that_disappears(link: Link) -> None:
    run_both(link)
    on_target(link, "DROP TABLE orders")
    insert(link, "orders", 100, 1)
    insert(link, "items", 100, 10)
    report = link.wait_for_state("orders", "incremental-error")
    assert report["reason"]["code"] == "table-missing"
    wait_until(lambda: not link.difference("items"), 30, link.describe)
    link.generations["orders"] = 2
    link.retask()
    link.wait_for_state("orders", "incremental-running")
    link.wait_until_equal()


def test_new_columns_are_followed(link: Link) -> None:
    run_both(link, ddl=DdlMode.FOLLOW)
    on_source(link, "ALTER TABLE orders ADD COLUMN note varchar(50)", "UPDATE orders SET note = 'x' WHERE id < 3")
    insert(link, "orders", 100, 10)
    link.wait_until_equal()
    on_source(link, "ALTER TABLE orders DROP COLUMN name")
    on_source(link, "INSERT INTO orders (id, note) VALUES (300, 'after')")
    link.wait_until_equal()
    assert link.subscriber.reports["orders"]["state"] == "incremental-running"


def test_a_changed_structure_stops_the_table_where_asked(link: Link) -> None:
    run_both(link, ddl=DdlMode.STOP)
    on_source(link, "ALTER TABLE orders ADD COLUMN note varchar(50)")
    insert(link, "orders", 100, 10)
    report = link.wait_for_state("orders", "incremental-error")
    assert report["reason"]["code"] == "schema-changed"
    assert report["reason"]["facts"]["added"] == "note"
    link.tables["orders"]["ddl"] = DdlMode.FOLLOW
    link.retask()
    link.wait_until_equal()


def test_new_columns_are_ignored_where_asked(link: Link) -> None:
    run_both(link, ddl=DdlMode.IGNORE)
    on_source(link, "ALTER TABLE orders ADD COLUMN note varchar(50)", "INSERT INTO orders VALUES (100, 'a', 'b')")
    query = "SELECT * FROM orders WHERE id = 100"
    wait_until(lambda: link.target.rows(query, link.target_database) == [(100, "a")], 30, link.describe)


def test_truncate(link: Link) -> None:
    run_both(link)
    on_source(link, "TRUNCATE TABLE orders")
    insert(link, "orders", 500, 3)
    link.wait_until_equal()


def test_full_load_only(link: Link) -> None:
    create(link, "orders", "items")
    start(link, load=LoadMode.FULL)
    for table in link.tables:
        assert link.wait_for_state(table, "full-finished")["rows_loaded"] == 20
    assert not any(map(link.difference, link.tables))
    link.subscriber.kill()
    link.subscriber.start()
    link.wait_for_state("orders", "full-finished")


def test_changes_only(link: Link) -> None:
    create(link, "orders", "items", count=5)
    start(link, load=LoadMode.INCREMENTAL)
    for table in link.tables:
        link.wait_for_state(table, "incremental-running")
    wait_until(lambda: link.publisher.reports[""]["position"] != "", 30, link.describe)
    insert(link, "orders", 100, 10)
    query = "SELECT count(*), min(id) FROM orders"

    def applied() -> bool:
        exists = link.target_has("orders")
        return exists and link.target.rows(query, link.target_database) == [(10, 100)]

    wait_until(applied, 30, link.describe)


def test_a_table_without_key_is_refused_until_columns_are_chosen(link: Link) -> None:
    on_source(link, "CREATE TABLE orders (id integer NOT NULL, name varchar(100))")
    create(link, "items")
    if link.source.kind == "postgresql":
        on_source(link, "ALTER TABLE orders REPLICA IDENTITY FULL")
    insert(link, "orders", 0, 20)
    start(link)
    link.wait_for_state("items", "incremental-running")
    assert link.publisher.reports["p-orders"]["state"] == "no-primary-key"
    assert link.publisher.reports["p-orders"]["reason"]["code"] == "table-without-key"
    link.tables["orders"]["key"] = ("id",)
    link.retask()
    link.wait_for_state("orders", "incremental-running")
    on_source(link, "UPDATE orders SET id = id + 100 WHERE id < 5", "DELETE FROM orders WHERE id = 7")
    link.wait_until_equal()


def test_columns_by_other_names_and_not_all(link: Link) -> None:
    create(link, "orders", "items")
    columns = ({"source": "id", "target": "number"},)
    start(link, columns=columns)
    link.wait_for_state("orders", "incremental-running")
    insert(link, "orders", 100, 2)
    query = "SELECT * FROM orders WHERE number >= 100 ORDER BY 1"
    wait_until(lambda: link.target.rows(query, link.target_database) == [(100,), (101,)], 30, link.describe)
