"""Rows that the target refuses are kept with what they would have brought, while all other rows flow."""

from typing import Any

import pytest
from tests.integration.engine.running import Link, connection, on_source, on_target, wait_until

from zcbus.connectors.registry import connector
from zcbus.engine.requests.row_errors import decide_row_errors, list_row_errors
from zcbus.model.row_errors import OPEN, Decision, RowError, RowErrorStatus
from zcbus.protocol.requests import DecideRowErrors, ListRowErrors

pytestmark = pytest.mark.server
PAIRS = [("postgres_server", "mariadb_server"), ("mariadb_server", "postgres_server")]


def run(link: Link, **fields: object) -> None:
    """A link with two tables; the target of `orders` is stricter than its source."""
    for table in ("orders", "items"):
        on_source(link, f"CREATE TABLE {table} (id integer PRIMARY KEY, name varchar(100), amount integer)")
        values = ", ".join(f"({number}, 'name {number}', {number})" for number in range(20))
        on_source(link, f"INSERT INTO {table} VALUES {values}")
        link.tables[table] = dict(fields) if table == "orders" else {}
    link.set_tasks()
    link.start()
    for table in link.tables:
        link.wait_for_state(table, "incremental-running")
    link.wait_until_equal()
    if link.target.kind == "postgresql":
        on_target(link, "ALTER TABLE orders ALTER COLUMN name TYPE varchar(20), ALTER COLUMN amount SET NOT NULL")
    else:
        on_target(link, "ALTER TABLE orders MODIFY name varchar(20), MODIFY amount integer NOT NULL")
    on_target(
        link,
        "ALTER TABLE orders ADD CONSTRAINT small CHECK (amount < 1000)",
        "ALTER TABLE orders ADD CONSTRAINT once UNIQUE (name)",
    )


def errors(link: Link, *statuses: RowErrorStatus) -> list[RowError]:
    task = link.subscribe_task()
    request = ListRowErrors(
        target=task.target, subscription=task.subscription, statuses=statuses, sort="found", descending=False
    )
    return list(list_row_errors(request, connector).lines)


def decide(link: Link, decision: Decision, *ids: str, after: dict[str, str | None] | None = None) -> int:
    target = connection(link.target, link.target_database)
    request = DecideRowErrors(
        target=target, subscription=link.subscribe_task().subscription, decision=decision, ids=ids, after=after
    )
    return decide_row_errors(request, connector).count


def target_rows(link: Link, where: str) -> list[tuple[Any, ...]]:
    return link.target.rows(f"SELECT id, name, amount FROM orders WHERE {where} ORDER BY id", link.target_database)


DIRTY = (
    "INSERT INTO orders VALUES (100, 'without an amount', NULL)",
    "UPDATE orders SET amount = 5000 WHERE id = 3",
    "UPDATE orders SET name = 'far too long for the target' WHERE id = 4",
    "INSERT INTO orders VALUES (101, 'name 7', 1)",
    "INSERT INTO orders VALUES (102, 'far too long for the target as well', 1)",
)


def test_planted_dirty_rows_are_isolated_while_the_rest_flows(link: Link) -> None:
    run(link)
    statements = [*DIRTY]
    for number in range(200, 400):
        statements.insert(number % 5, f"INSERT INTO orders VALUES ({number}, 'good {number}', 1)")
    on_source(link, "INSERT INTO items VALUES (500, 'clean', 1)")
    with link.source.connect(link.source_database) as session:
        cursor = session.cursor()
        for statement in ("BEGIN", *statements, "COMMIT"):
            cursor.execute(statement)
    wait_until(lambda: len(target_rows(link, "id BETWEEN 200 AND 399")) == 200, 60, link.describe)
    wait_until(lambda: not link.difference("items"), 30, link.describe)
    wait_until(lambda: link.subscriber.reports["orders"]["row_errors"] == 5, 30, link.describe)
    link.wait_for_state("orders", "incremental-running")
    found = {error.key["id"]: error for error in errors(link)}
    assert set(found) == {"100", "3", "4", "101", "102"}
    assert {error.status for error in found.values()} == {RowErrorStatus.NOT_PROCESSED}
    assert found["3"].operation == "update"
    assert (found["3"].before, found["3"].after) == ({"id": "3"}, {"id": "3", "name": "name 3", "amount": "5000"})
    assert found["100"].after == {"id": "100", "name": "without an amount", "amount": None}
    assert "small" in found["3"].detail
    assert found["101"].statement.startswith("INSERT INTO ")
    assert target_rows(link, "id = 3") == [(3, "name 3", 3)]


def test_retry_edit_and_skip(link: Link) -> None:
    run(link)
    on_source(link, *DIRTY)
    wait_until(lambda: len(errors(link)) == 5, 60, link.describe)
    by_key = {error.key["id"]: error.id for error in errors(link)}
    on_target(link, "ALTER TABLE orders DROP CONSTRAINT small")
    assert decide(link, Decision.RETRY, by_key["3"]) == 1
    assert decide(link, Decision.RETRY, by_key["100"], after={"amount": "7"}) == 1
    assert decide(link, Decision.RETRY, by_key["102"], after={"name": "shorter"}) == 1
    assert decide(link, Decision.SKIP, by_key["101"]) == 1
    assert decide(link, Decision.RETRY) == 1  # the one without a decision: number 4

    def settled() -> bool:
        return not errors(link, RowErrorStatus.PROCESSING)

    wait_until(settled, 30, link.describe)
    now = {error.key["id"]: error for error in errors(link)}
    assert {key: error.status.value for key, error in now.items()} == {
        "3": "processed",
        "100": "processed",
        "102": "processed",
        "101": "processed",
        "4": "not-processed",
    }
    assert now["4"].attempts == 2
    assert now["101"].note == "skipped"
    assert target_rows(link, "id IN (3, 100, 101, 102)") == [
        (3, "name 3", 5000),
        (100, "without an amount", 7),
        (102, "shorter", 1),
    ]
    assert decide(link, Decision.SKIP, by_key["3"]) == 0  # it is over
    wait_until(lambda: link.subscriber.reports["orders"]["row_errors"] == 1, 10, link.describe)


def test_row_errors_that_the_target_accepts_later_recover(link: Link) -> None:
    run(link)
    on_source(link, DIRTY[1])
    wait_until(lambda: len(errors(link)) == 1, 60, link.describe)
    on_target(link, "ALTER TABLE orders DROP CONSTRAINT small")
    wait_until(lambda: not errors(link, *OPEN), 60, link.describe)
    (error,) = errors(link)
    assert (error.status, error.note) == (RowErrorStatus.SUCCESS, "retried")
    assert target_rows(link, "id = 3") == [(3, "name 3", 5000)]


def test_later_changes_of_a_refused_row(link: Link) -> None:
    run(link)
    on_source(link, *DIRTY)
    wait_until(lambda: len(errors(link)) == 5, 60, link.describe)
    link.subscriber.kill()
    on_source(
        link,
        "UPDATE orders SET amount = 8 WHERE id = 100",  # mends it
        "UPDATE orders SET id = 103, amount = 6000 WHERE id = 3",  # still refused, under another key
        "UPDATE orders SET amount = 9 WHERE id = 103",  # mends it
        "DELETE FROM orders WHERE id = 101",  # never was there
        "UPDATE orders SET amount = 2 WHERE id = 102",  # still refused
        "UPDATE orders SET name = 'short again' WHERE id = 4",
    )
    link.subscriber.start()
    wait_until(lambda: len(errors(link, *OPEN)) == 1, 60, lambda: f"{errors(link)} {link.describe()}")
    left = errors(link, *OPEN)[0]
    assert (left.key, left.after["amount"]) == ({"id": "102"}, "2")
    assert {error.note for error in errors(link, RowErrorStatus.SUCCESS)} == {"overtaken"}
    assert target_rows(link, "id IN (3, 4, 100, 101, 102, 103)") == [
        (4, "short again", 4),
        (100, "without an amount", 8),
        (103, "name 3", 9),
    ]
    on_source(link, "UPDATE orders SET name = 'fits' WHERE id = 102")
    link.wait_until_equal()
    assert not errors(link, *OPEN)


def test_a_table_stops_at_its_limit_until_a_decision(link: Link) -> None:
    run(link, error_limit=1)
    on_source(link, *DIRTY[:3])
    report = link.wait_for_state("orders", "incremental-error")
    assert report["reason"]["code"] == "row-errors-over-limit"
    on_source(link, "INSERT INTO items VALUES (500, 'clean', 1)", "INSERT INTO orders VALUES (300, 'waits', 1)")
    wait_until(lambda: not link.difference("items"), 30, link.describe)
    assert not target_rows(link, "id = 300")
    wait_until(lambda: any(error.blocking for error in errors(link)), 10, link.describe)
    blocking = next(error for error in errors(link) if error.blocking)
    assert blocking.key == {"id": "3"}
    decide(link, Decision.SKIP, blocking.id)
    wait_until(lambda: any(e.blocking and e.key == {"id": "4"} for e in errors(link)), 60, link.describe)
    # What was decided about the first is done together with the change behind it.
    blocking = next(error for error in errors(link) if error.blocking and error.key == {"id": "4"})
    decide(link, Decision.RETRY, blocking.id, after={"name": "edited"})
    wait_until(lambda: target_rows(link, "id = 300") == [(300, "waits", 1)], 60, link.describe)
    assert target_rows(link, "id IN (3, 4)") == [(3, "name 3", 3), (4, "edited", 4)]
    link.wait_for_state("orders", "incremental-running")
    statuses = sorted((error.key["id"], error.status.value, error.note) for error in errors(link))
    assert statuses == [("100", "not-processed", ""), ("3", "processed", "skipped"), ("4", "processed", "retried")]


def test_skip_count(link: Link) -> None:
    run(link, error_limit=0, dml_skip=2)
    on_source(link, *DIRTY[:3])
    report = link.wait_for_state("orders", "incremental-error")
    assert report["reason"]["code"] == "row-errors-over-limit"
    before = len(errors(link, RowErrorStatus.PROCESSED))
    assert before <= 2  # those of transactions before its own are through
    link.tables["orders"].update(skip_revision=1, dml_skip=5)
    link.retask()
    link.wait_for_state("orders", "incremental-running")
    skipped = errors(link)
    assert sorted(error.key["id"] or "" for error in skipped) == ["100", "3", "4"]
    assert {(error.status.value, error.note) for error in skipped} <= {
        ("processed", "skip-count"),
        ("success", "retried"),
    }
    expect_left(link, 5 - (3 - before))


def expect_left(link: Link, count: int) -> None:
    """So many failing changes of `orders` are still skipped."""
    wait_until(lambda: link.subscriber.reports["orders"]["skip_revision"] == 1, 30, link.describe)
    wait_until(lambda: link.subscriber.reports["orders"]["dml_skip_left"] == count, 30, link.describe)


def test_a_reload_does_not_give_used_skips_back(link: Link) -> None:
    run(link, error_limit=0, dml_skip=1, skip_revision=1)
    expect_left(link, 1)
    on_source(link, DIRTY[0])
    expect_left(link, 0)
    on_source(link, "DELETE FROM orders WHERE id = 100")
    link.generations["orders"] = 2
    link.retask()
    wait_until(lambda: link.subscriber.reports["orders"]["generation"] == 2, 30, link.describe)
    link.wait_for_state("orders", "incremental-running")
    expect_left(link, 0)
    on_source(link, DIRTY[0])
    report = link.wait_for_state("orders", "incremental-error")
    assert report["reason"]["code"] == "row-errors-over-limit"


def test_rows_of_a_full_load(link: Link) -> None:
    on_source(link, "CREATE TABLE orders (id integer PRIMARY KEY, name varchar(100))")
    values = ", ".join(f"({number}, 'name {number}')" for number in range(1000))
    on_source(link, f"INSERT INTO orders VALUES {values}", "UPDATE orders SET name = 'much too long' WHERE id = 500")
    on_target(link, "CREATE TABLE orders (id integer PRIMARY KEY, name varchar(10))")
    link.tables["orders"] = {}
    link.set_tasks()
    link.start()
    link.wait_for_state("orders", "incremental-running")
    found = errors(link)
    assert [(error.operation.value, error.key, error.status.value) for error in found] == [
        ("load", {"id": "500"}, "not-processed")
    ]
    assert link.target.rows("SELECT count(*) FROM orders", link.target_database) == [(999,)]
    on_source(link, "UPDATE orders SET name = 'short' WHERE id = 500")
    link.wait_until_equal()
    assert not errors(link, *OPEN)


def test_a_character_that_the_target_does_not_have_is_kept_with_its_column(link: Link) -> None:
    """PostgreSQL has no NUL in texts; a MySQL column of an older character set lacks the characters behind U+FFFF."""
    run(link)
    if link.target.kind == "mysql":
        on_target(link, "ALTER TABLE orders MODIFY name varchar(20) CHARACTER SET utf8mb3")
        odd, value = "'face 😀'", "face 😀"
    else:
        odd, value = "concat('nul ', char(0))", "nul \0"
    on_source(
        link,
        "INSERT INTO orders VALUES (600, 'before', 1)",
        f"INSERT INTO orders VALUES (601, {odd}, 1)",
        f"UPDATE orders SET name = {odd} WHERE id = 5",
        "INSERT INTO orders VALUES (602, 'behind', 1)",
    )
    wait_until(lambda: len(errors(link, *OPEN)) == 2, 60, lambda: f"{errors(link)} {link.describe()}")
    wait_until(lambda: len(target_rows(link, "id IN (600, 602)")) == 2, 60, link.describe)
    assert target_rows(link, "id IN (5, 601)") == [(5, "name 5", 5)]
    for error in errors(link, *OPEN):
        assert error.after["name"] == value
        assert "name" in error.detail


def test_a_day_without_a_month_or_a_day_is_no_other_value(link: Link) -> None:
    """The zero date has an equivalent. All others would be the same one, as keys too."""
    if link.target.kind != "postgresql":
        pytest.skip("all its days have a month")
    on_source(link, "CREATE TABLE days (id integer PRIMARY KEY, d date, t datetime)")
    on_source(
        link, "SET sql_mode = ''; INSERT INTO days VALUES (1, '0000-00-00', '0000-00-00'), (2, '2024-00-10', NULL)"
    )
    link.tables["days"] = {}
    link.set_tasks()
    link.start()
    link.wait_for_state("days", "incremental-running")
    on_source(
        link, "SET sql_mode = ''; INSERT INTO days VALUES (3, NULL, '2024-02-00 10:00:00'), (4, '2024-02-01', NULL)"
    )
    read = "SELECT id, d::text, t::text FROM days ORDER BY id"
    expected = [(1, "-infinity", "-infinity"), (4, "2024-02-01", None)]
    wait_until(lambda: link.target.rows(read, link.target_database) == expected, 60, link.describe)
    wait_until(lambda: {one.key["id"] for one in errors(link, *OPEN)} == {"2", "3"}, 60, link.describe)
