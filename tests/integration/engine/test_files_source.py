"""A folder of CSV files as a source: records arrive as they are, through kills, and follow what becomes of files."""

from typing import cast

import pytest
from tests.integration.engine.running import Link, wait_until
from tests.integration.engine.test_comparison import comparison
from tests.servers.csv_folder import CsvFolders

from zcbus.model.comparison import RepairState
from zcbus.model.states import DdlMode

pytestmark = pytest.mark.server
PAIRS = [
    ("csv_folders", "postgres_server"),
    ("csv_folders", "mariadb_server"),
    ("sftp_folders", "postgres_server"),
    ("ftp_folders", "postgres_server"),
    ("web_folders", "postgres_server"),
]
HEADER = ("id", "name")


def folders(link: Link) -> CsvFolders:
    return cast("CsvFolders", link.source)


def put(link: Link, file: str, first: int, count: int, name: str = "名") -> None:
    rows = [(str(number), f"{name} {number}") for number in range(first, first + count)]
    folders(link).put(link.source_database, file, HEADER, rows)


def held(link: Link, columns: str = "_file, _record, id, name") -> list[tuple[object, ...]]:
    if not link.target_has("orders"):
        return []
    query = f"SELECT {columns} FROM orders ORDER BY _file, _record"
    return [tuple(row) for row in link.target.rows(query, link.target_database)]


def wait_for(link: Link, wanted: dict[str, tuple[int, int, str]]) -> None:
    """Files → their first id, how many records they have, and the names' first word."""
    rows = [
        (file, record + 1, str(first + record), f"{name} {first + record}")
        for file, (first, count, name) in sorted(wanted.items())
        for record in range(count)
    ]
    wait_until(lambda: held(link) == rows, 60, lambda: f"{len(held(link))} of {len(rows)}\n{link.describe()}")


def start(link: Link, **options: object) -> None:
    folders(link).given = {"removed": "delete", **options}
    link.tables["orders"] = {"ddl": DdlMode.FOLLOW}
    link.set_tasks()
    link.start()
    link.wait_for_state("orders", "incremental-running")


@pytest.mark.wide
@pytest.mark.soak(but=["csv_folders-*"])
def test_load_changes_and_removal(link: Link) -> None:
    put(link, "orders/a.csv", 1, 3000)
    put(link, "orders/deep/b.csv", 5000, 2)
    start(link)
    wait_for(link, {"orders/a.csv": (1, 3000, "名"), "orders/deep/b.csv": (5000, 2, "名")})
    put(link, "orders/c.csv", 7000, 500)
    put(link, "orders/a.csv", 1, 10, "new")
    folders(link).path(link.source_database, "orders/deep/b.csv").unlink()
    wait_for(link, {"orders/a.csv": (1, 10, "new"), "orders/c.csv": (7000, 500, "名")})
    report = link.subscriber.reports["orders"]
    assert report["state"] == "incremental-running"
    record = comparison(link, "orders").compare()
    assert (record.missing, record.extra, record.different) == (0, 0, 0)


@pytest.mark.soak(but=["csv_folders-mariadb"])
def test_kills_lose_and_double_nothing(link: Link) -> None:
    put(link, "orders/0.csv", 1, 200)
    start(link)
    wanted = {"orders/0.csv": (1, 200, "名")}
    for number in range(1, 5):
        first = 10_000 * number
        put(link, f"orders/{number}.csv", first, 3000)
        put(link, "orders/0.csv", 1, 200 - number, f"r{number}")
        wanted |= {f"orders/{number}.csv": (first, 3000, "名"), "orders/0.csv": (1, 200 - number, f"r{number}")}
        killed = link.publisher if number % 2 else link.subscriber
        wait_until(lambda: len(held(link)) > 200, 60, link.describe)
        killed.kill()
        killed.start()
    wait_for(link, wanted)


@pytest.mark.soak(but=["csv_folders-mariadb", "ftp_folders-postgres"])
def test_a_file_that_grows_by_lines(link: Link) -> None:
    put(link, "orders.csv", 1, 5)
    start(link, growing=True)
    wait_for(link, {"orders.csv": (1, 5, "名")})
    path = folders(link).path(link.source_database, "orders.csv")
    for number in range(6, 60):
        with path.open("a", encoding="utf-8") as out:
            out.write(f"{number},名 {number}\n")
    wait_for(link, {"orders.csv": (1, 59, "名")})


@pytest.mark.soak(but=["csv_folders-*"])
def test_a_new_column_and_declared_types(link: Link) -> None:
    put(link, "orders/a.csv", 1, 2)
    start(link, types="id bigint, orders.price decimal(10,2)")
    folders(link).put(link.source_database, "orders/b.csv", ("id", "price"), [("007", "1.5")])
    wait_until(lambda: len(held(link, "id")) == 3, 60, link.describe)
    assert [tuple(map(str, row)) for row in held(link, "id, name, price")] == [
        ("1", "名 1", "None"),
        ("2", "名 2", "None"),
        ("7", "None", "1.50"),
    ]


@pytest.mark.wide
@pytest.mark.soak(but=["csv_folders-postgres", "web_folders-postgres"])
def test_a_file_that_is_not_as_the_others_stops_the_table(link: Link) -> None:
    put(link, "orders/a.csv", 1, 2)
    start(link)
    folders(link).path(link.source_database, "orders/bad.csv").write_text("id,name\n9\n")
    wait_until(lambda: link.publisher.reports["p-orders"]["state"] == "publish-failed", 30, link.describe)
    facts = link.publisher.reports["p-orders"]["reason"]["facts"]
    assert facts["reason"] == "file-unreadable"
    assert "orders/bad.csv, record 1" in facts["detail"]


@pytest.mark.wide
@pytest.mark.soak(but=["csv_folders-mariadb", "sftp_folders-postgres"])
def test_differing_rows_are_found_and_repaired(link: Link) -> None:
    put(link, "orders/a.csv", 1, 300)
    start(link)
    wait_for(link, {"orders/a.csv": (1, 300, "名")})
    for statement in ("DELETE FROM orders WHERE _record < 11", "UPDATE orders SET name = 'x' WHERE _record = 200"):
        link.target.execute(statement, link.target_database)
    record = comparison(link, "orders").compare()
    assert (record.missing, record.extra, record.different) == (10, 0, 1)
    repaired = comparison(link, "orders", repair=1).repair(record)
    assert (repaired.repair_state, repaired.repaired) == (RepairState.DONE, 11)
    wait_for(link, {"orders/a.csv": (1, 300, "名")})
