"""Rows that have no value under an expression or a condition are row errors like those that a target refuses: kept,
passed over, counted, decided; in a full load as among changes."""

import pytest
from tests.integration.engine.running import Link, on_source, wait_until
from tests.integration.engine.test_row_errors import decide, errors

from zcbus.model.row_errors import OPEN, Decision, RowError, RowErrorStatus
from zcbus.protocol.transforms import ColumnExpression, ColumnMask, Transform

pytestmark = pytest.mark.server
PAIRS = [("postgres_server", "mariadb_server"), ("mariadb_server", "postgres_server")]
NUMBER = ColumnExpression(column="number", expression="CAST(region AS integer)")
MASK = ColumnMask(column="name", method="fixed", value="hidden")


def begin(link: Link, *rows: str, state: str = "incremental-running", **fields: object) -> None:
    """A table with these rows, and another one."""
    on_source(
        link,
        "CREATE TABLE orders (id integer PRIMARY KEY, name varchar(50), region varchar(10))",
        "CREATE TABLE items (id integer PRIMARY KEY)",
        *(f"INSERT INTO orders VALUES {row}" for row in rows),
    )
    link.tables = {"orders": {"transform": Transform(expressions=(NUMBER,), masks=(MASK,)), **fields}, "items": {}}
    link.set_tasks()
    link.start()
    link.wait_for_state("orders", state)
    link.wait_for_state("items", "incremental-running")


def numbers(link: Link, *expected: tuple[int, int | None]) -> None:
    query = "SELECT id, number FROM orders ORDER BY id"
    wait_until(lambda: link.target.rows(query, link.target_database) == list(expected), 30, link.describe)


def found(link: Link, *statuses: RowErrorStatus) -> dict[str | None, RowError]:
    return {error.key["id"]: error for error in errors(link, *statuses)}


def wait_for_errors(link: Link, count: int) -> dict[str | None, RowError]:
    """Open ones."""
    wait_until(lambda: len(found(link, *OPEN)) == count, 30, lambda: f"{errors(link)}\n{link.describe()}")
    return found(link, *OPEN)


def large_text(link: Link) -> str:
    """Uncompressed, so that it is not in the row."""
    return "text STORAGE EXTERNAL" if link.source.kind == "postgresql" else "longtext"


def settled(link: Link) -> None:
    wait_until(lambda: not found(link, RowErrorStatus.PROCESSING), 30, link.describe)


def test_rows_of_a_load(link: Link) -> None:
    rows = [f"({number}, 'a', '{number}')" for number in range(40)]
    rows[7], rows[23] = "(7, 'a', 'seven')", "(23, 'a', 'more')"
    begin(link, *rows)
    kept = wait_for_errors(link, 2)
    numbers(link, *((number, number) for number in range(40) if number not in (7, 23)))
    assert link.subscriber.reports["orders"]["rows_loaded"] == 38
    assert kept["7"].operation == "load"
    assert kept["7"].after == {"id": "7", "name": "hidden", "region": "seven"}
    assert (kept["7"].code, kept["7"].lacks) == ("expression-failed", ("number",))
    assert "seven" in kept["7"].detail
    assert kept["7"].detail.startswith("number: ")
    assert kept["7"].statement.startswith("INSERT INTO ")


def test_changes_among_others(link: Link) -> None:
    begin(link, "(1, 'a', '1')", "(2, 'a', '2')")
    on_source(
        link,
        "INSERT INTO orders VALUES (3, 'a', 'three'), (4, 'a', '4')",
        "UPDATE orders SET region = 'two' WHERE id = 2",
        "UPDATE orders SET region = '11' WHERE id = 1",
        "INSERT INTO items VALUES (1)",
    )
    kept = wait_for_errors(link, 2)
    numbers(link, (1, 11), (2, 2), (4, 4))
    link.wait_for_state("orders", "incremental-running")
    assert (kept["2"].operation, kept["2"].before) == ("update", {"id": "2"})
    assert kept["2"].after == {"id": "2", "name": "hidden", "region": "two"}
    assert (kept["3"].operation, kept["3"].before) == ("insert", {})
    wait_until(lambda: link.rows(link.target, link.target_database, "items") == [(1,)], 30, link.describe)

    on_source(link, "UPDATE orders SET region = '22' WHERE id = 2", "DELETE FROM orders WHERE id = 3")
    numbers(link, (1, 11), (2, 22), (4, 4))
    wait_for_errors(link, 0)
    assert {error.note for error in errors(link)} == {"overtaken"}


@pytest.mark.soak(but=["mariadb-postgres"])
def test_retry_edit_and_skip(link: Link) -> None:
    begin(link)
    on_source(link, *(f"INSERT INTO orders VALUES ({number}, 'a', 'x{number}')" for number in range(1, 6)))
    ids = {key: error.id for key, error in wait_for_errors(link, 5).items()}
    decide(link, Decision.RETRY, ids["1"])
    decide(link, Decision.RETRY, ids["2"], after={"region": "2"})  # its number follows
    decide(link, Decision.RETRY, ids["3"], after={"number": "33"})
    decide(link, Decision.SKIP, ids["4"])
    settled(link)
    now = found(link)
    assert [now[str(number)].status.value for number in range(1, 6)] == [
        "not-processed",
        "processed",
        "processed",
        "processed",
        "not-processed",
    ]
    assert now["1"].attempts == 2
    assert "x1" in now["1"].detail
    numbers(link, (2, 2), (3, 33))

    other = NUMBER.model_copy(update={"expression": "try_cast(region AS integer)"})
    link.tables["orders"]["transform"] = Transform(expressions=(other,), masks=(MASK,))
    link.retask()
    link.wait_for_state("orders", "incremental-running")
    assert decide(link, Decision.RETRY) == 2  # number 1 and number 5, by the expression of today
    settled(link)
    wait_for_errors(link, 0)
    numbers(link, (1, None), (2, 2), (3, 33), (5, None))


def test_no_more_than_may_be_passed_over(link: Link) -> None:
    begin(link, error_limit=1)
    on_source(link, *(f"INSERT INTO orders VALUES ({number}, 'a', 'x{number}')" for number in (1, 2)))
    on_source(link, "INSERT INTO orders VALUES (3, 'a', '3')", "INSERT INTO items VALUES (1)")
    report = link.wait_for_state("orders", "incremental-error")
    assert report["reason"]["code"] == "row-errors-over-limit"
    wait_until(lambda: link.rows(link.target, link.target_database, "items") == [(1,)], 30, link.describe)
    blocking = [error for error in errors(link, *OPEN) if error.blocking]
    assert [error.key for error in blocking] == [{"id": "2"}]
    decide(link, Decision.RETRY, blocking[0].id, after={"number": "22"})
    link.tables["orders"]["retry"] = 1
    link.retask()
    numbers(link, (2, 22), (3, 3))
    link.wait_for_state("orders", "incremental-running")


def test_a_condition_that_has_no_value_for_a_row(link: Link) -> None:
    transform = Transform(where="CAST(region AS integer) > 1")
    begin(link, "(1, 'a', '1')", "(2, 'a', 'two')", "(3, 'a', '3')", transform=transform)
    ids = "SELECT id FROM orders ORDER BY id"
    kept = wait_for_errors(link, 1)
    assert kept["2"].after == {"id": "2", "name": "a", "region": "two"}
    assert kept["2"].detail.startswith("where: ")
    assert kept["2"].lacks == ()
    on_source(link, "INSERT INTO orders VALUES (4, 'a', 'four'), (5, 'a', '5')")
    kept = wait_for_errors(link, 2)
    assert link.target.rows(ids, link.target_database) == [(3,), (5,)]
    decide(link, Decision.RETRY, kept["2"].id, after={"region": "2"})
    decide(link, Decision.RETRY, kept["4"].id, after={"region": "0"})  # does not fulfil the condition
    wait_for_errors(link, 0)
    assert link.target.rows(ids, link.target_database) == [(2,), (3,), (5,)]


def test_values_computed_from_unsent_columns_stay_missing(link: Link) -> None:
    """PostgreSQL leaves large values out of an update: what is made of them stays without a value."""
    large = ColumnExpression(column="size", expression="CAST(left(body, 1) AS integer) + length(body)")
    begin(link)
    on_source(link, f"CREATE TABLE papers (id integer PRIMARY KEY, body {large_text(link)}, v integer)")
    link.tables["papers"] = {"transform": Transform(expressions=(large,))}
    link.retask()
    link.wait_for_state("papers", "incremental-running")
    on_source(link, "INSERT INTO papers VALUES (1, repeat('x', 100000), 1)")
    wait_for_errors(link, 1)
    on_source(link, "UPDATE papers SET v = 2")
    wait_until(lambda: found(link, *OPEN)["1"].after.get("v") == "2", 30, link.describe)
    assert link.target.rows("SELECT * FROM papers", link.target_database) == []
    on_source(link, "UPDATE papers SET body = '7'")
    wait_for_errors(link, 0)
    assert link.target.rows("SELECT size, v FROM papers", link.target_database) == [(8, 2)]
