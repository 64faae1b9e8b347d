"""Conditions, expressions, masks and names between real databases."""

import pytest
from tests.integration.engine.running import Link, on_source, wait_until

from zcbus.protocol.transforms import ColumnExpression, ColumnMask, NameRule, Transform

pytestmark = pytest.mark.server
PAIRS = [("postgres_server", "mariadb_server"), ("mariadb_server", "postgres_server")]


def begin(link: Link, transform: Transform) -> None:
    on_source(
        link,
        "CREATE TABLE orders (id integer PRIMARY KEY, name varchar(50), region varchar(10), amount decimal(30,10))",
        "INSERT INTO orders VALUES (1, 'Ann', 'CN', 12345678901234567890.0123456789), (2, 'Bob', 'DE', 2), "
        "(3, '李小龙', 'CN', NULL), (4, NULL, NULL, 4)",
    )
    link.tables["orders"] = {"transform": transform}
    link.set_tasks()
    link.start()
    link.wait_for_state("orders", "incremental-running")


def target_is(link: Link, query: str, *expected: tuple[object, ...]) -> None:
    found: list[list[tuple[object, ...]]] = [[]]

    def equal() -> bool:
        found[0] = [
            tuple(str(v) if v is not None else v for v in row) for row in link.target.rows(query, link.target_database)
        ]
        return found[0] == list(expected)

    wait_until(equal, 30, lambda: f"{found[0]} is not {expected}\n{link.describe()}")


def test_rows_move_in_and_out_of_a_condition(link: Link) -> None:
    begin(link, Transform(where="region = 'CN'"))
    ids = "SELECT id FROM orders ORDER BY id"
    target_is(link, ids, ("1",), ("3",))
    on_source(
        link,
        "UPDATE orders SET region = 'CN' WHERE id = 2",
        "UPDATE orders SET region = 'DE' WHERE id = 3",
        "INSERT INTO orders VALUES (5, 'Eve', 'CN', 5), (6, 'Fay', 'DE', 6)",
    )
    target_is(link, ids, ("1",), ("2",), ("5",))
    on_source(
        link,
        "UPDATE orders SET id = 15 WHERE id = 5",
        "UPDATE orders SET id = 16, region = 'CN' WHERE id = 6",
        "UPDATE orders SET id = 11, region = 'DE' WHERE id = 1",
        "INSERT INTO orders VALUES (7, 'Gus', 'CN', 7)",
        "UPDATE orders SET region = NULL WHERE id = 7",
        "DELETE FROM orders WHERE id = 2",
    )
    target_is(link, ids, ("15",), ("16",))


def test_values_names_and_masks(link: Link) -> None:
    begin(
        link,
        Transform(
            expressions=(
                ColumnExpression(column="region", expression="coalesce(lower(region), '?')"),
                ColumnExpression(column="gross", expression="amount + 1", type="decimal(31,10)"),
                ColumnExpression(column="big", expression="amount > 100"),
            ),
            masks=(ColumnMask(column="name", method="partial", first=1),),
            names=NameRule(prefix="c_"),
            target_where="c_id < 100",
        ),
    )
    columns = "SELECT c_id, c_name, c_region, c_amount, gross FROM orders ORDER BY c_id"
    first = ("1", "A**", "cn", "12345678901234567890.0123456789", "12345678901234567891.0123456789")
    third, fourth = ("3", "李**", "cn", None, None), ("4", None, "?", "4.0000000000", "5.0000000000")
    target_is(link, columns, first, ("2", "B**", "de", "2.0000000000", "3.0000000000"), third, fourth)
    on_source(
        link,
        "UPDATE orders SET name = 'Wolfgang', region = 'AT' WHERE id = 2",
        "UPDATE orders SET id = 101 WHERE id = 3",
        "DELETE FROM orders WHERE id = 4",
        "INSERT INTO orders VALUES (200, 'Zoe', 'CN', 1)",
    )
    target_is(link, columns, first, ("2", "W*******", "at", "2.0000000000", "3.0000000000"))
    big = link.target.rows("SELECT c_id FROM orders WHERE big", link.target_database)
    assert big == [(1,)]


def test_hashed_keys(link: Link) -> None:
    begin(link, Transform(masks=(ColumnMask(column="id", method="hash"),)))
    target_is(link, "SELECT count(*), count(DISTINCT id), min(length(id)) FROM orders", ("4", "4", "64"))
    on_source(link, "DELETE FROM orders WHERE id < 3", "UPDATE orders SET id = 33 WHERE id = 3")
    on_source(link, "UPDATE orders SET name = 'x' WHERE id = 4")
    target_is(link, "SELECT name FROM orders ORDER BY name", ("x",), ("李小龙",))


def test_an_expression_that_no_row_can_have_a_value_under_stops_this_table_alone(link: Link) -> None:
    binary = "bytea" if link.source.kind == "postgresql" else "blob"
    on_source(link, f"CREATE TABLE items (id integer PRIMARY KEY, data {binary})")
    number = ColumnExpression(column="number", expression="CAST(data AS integer)")
    link.tables["items"] = {"transform": Transform(expressions=(number,))}
    begin(link, Transform())
    on_source(link, "INSERT INTO items VALUES (1, '1')", "INSERT INTO orders VALUES (9, 'a', 'CN', 1)")
    report = link.wait_for_state("items", "incremental-error")
    assert report["reason"]["code"] == "expression-failed"
    target_is(link, "SELECT count(*) FROM orders", ("5",))


def test_columns_of_a_table_that_is_there_are_found_ignoring_case(link: Link) -> None:
    quote = '"' if link.target.kind == "postgresql" else "`"
    columns = "^ID^ integer PRIMARY KEY, ^Name^ varchar(50), ^REGION^ varchar(10), amount decimal(30,10)"
    link.target.execute(f"CREATE TABLE orders ({columns})".replace("^", quote), link.target_database)
    begin(link, Transform())
    on_source(link, "UPDATE orders SET name = 'x' WHERE id = 4", "DELETE FROM orders WHERE id = 1")
    on_source(link, "INSERT INTO orders VALUES (9, 'new', 'CN', 1)")
    query = "SELECT ^ID^, ^Name^, ^REGION^ FROM orders ORDER BY 1".replace("^", quote)
    target_is(link, query, ("2", "Bob", "DE"), ("3", "李小龙", "CN"), ("4", "x", None), ("9", "new", "CN"))
