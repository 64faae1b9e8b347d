"""Tables are verified during apply: planted differences are found while both sides change, and nothing else."""

from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.integration.engine.running import Link, connection, on_source, on_target, wait_until
from tests.integration.engine.test_comparison import comparison, load, start
from tests.integration.engine.test_comparison import counts as found_by
from tests.servers.base import Server

from zcbus.engine.requests.differences import list_differences
from zcbus.engine.verification import progress_store
from zcbus.protocol.comparison_requests import ListDifferences
from zcbus.protocol.tasks import SubscribeTask, VerificationOrder, VerificationRequest

pytestmark = pytest.mark.server
PAIRS = [("postgres_server", "mariadb_server"), ("mariadb_server", "postgres_server")]
NOTHING = (0, 0, 0)


def task_of(link: Link, percent: float = 100, **requests: tuple[int, int]) -> SubscribeTask:
    """`requests`: number and repair by table."""
    wanted = tuple(VerificationRequest(table=name, number=n, repair=r) for name, (n, r) in requests.items())
    source = connection(link.source, link.source_database)
    order = VerificationOrder(source=source, percent=percent, requests=wanted)
    return link.subscribe_task().model_copy(update={"verification": order})


def reported(link: Link, table: str) -> dict[str, Any]:
    """What the table's report says of its verification."""
    found: dict[str, Any] | None = link.subscriber.reports.get(table, {}).get("verification")
    return found or {}


def counts(verification: dict[str, Any]) -> tuple[int, int, int]:
    return verification["missing"], verification["extra"], verification["different"]


def wait_for(link: Link, table: str, condition: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The report of a table once a condition is true of it."""
    wait_until(lambda: bool(reported(link, table)) and condition(reported(link, table)), 60, link.describe)
    return reported(link, table)


@pytest.mark.wide
@pytest.mark.soak(but=["postgres-mariadb"])
def test_planted_differences_are_found_under_load_and_no_others_and_are_repaired(link: Link) -> None:
    start(link)
    with load(link):
        link.subscriber.give(task_of(link))
        clean = wait_for(link, "goods", lambda one: one["verified_until"] is not None)
        assert (counts(clean), clean["reason"]) == (NOTHING, None)
        assert clean["rows_total"] >= 1400
        assert counts(wait_for(link, "words", lambda one: one["verified_until"] is not None)) == NOTHING
        on_target(link, "DELETE FROM goods WHERE id BETWEEN 1001 AND 1007")
        on_target(link, "UPDATE goods SET price = 0, name = NULL WHERE id BETWEEN 1101 AND 1110")
        on_target(link, "UPDATE goods SET id = id + 5000 WHERE id BETWEEN 1201 AND 1203")
        on_target(link, "DELETE FROM words WHERE word = 'B1'", "INSERT INTO words VALUES ('a4', 4)")
        link.subscriber.give(task_of(link, goods=(1, 0), words=(1, 0)))
        found = wait_for(link, "goods", lambda one: one["asked"] == 1)
        assert (counts(found), found["capped"]) == ((10, 3, 10), False)
        assert found["verified_until"] == clean["verified_until"]
        assert counts(wait_for(link, "words", lambda one: one["asked"] == 1)) == (1, 1, 0)
        lines = list_differences(ListDifferences(service="subscribe-1", comparison="goods", limit=50), link.data_dir)
        assert (lines.key, lines.total) == (("id",), 23)
        assert {one.key for one in lines.lines if one.kind == "different"} == {(str(n),) for n in range(1101, 1111)}
        link.subscriber.give(task_of(link, goods=(1, 1), words=(1, 1)))
        repaired = wait_for(link, "goods", lambda one: one["repair"] == 1)
        assert (repaired["repaired"], counts(repaired)) == (23, NOTHING)
        assert counts(wait_for(link, "words", lambda one: one["repair"] == 1)) == NOTHING
        again = wait_for(link, "goods", lambda one: one["verified_until"] != clean["verified_until"])
        assert datetime.fromisoformat(again["verified_until"]) > datetime.fromisoformat(clean["verified_until"])
    assert found_by(comparison(link, "goods").compare()) == (0, 0, 0, 0)
    assert found_by(comparison(link, "words").compare()) == (0, 0, 0, 0)
    assert all(reported(link, table)["reason"] is None for table in link.tables), link.describe()


@pytest.mark.wide
@pytest.mark.parametrize("pair", PAIRS[:1], ids=["postgres-mariadb"])
def test_a_killed_worker_resumes_and_the_setting_ends_it(link: Link) -> None:
    values = ", ".join(f"({number}, 'v')" for number in range(1, 20_001))
    on_source(link, "CREATE TABLE longer (id bigint PRIMARY KEY, v varchar(10))", f"INSERT INTO longer VALUES {values}")
    link.tables["longer"] = {}
    link.set_tasks()
    link.start()
    link.wait_for_state("longer", "incremental-running")
    link.subscriber.give(task_of(link, percent=0.2))
    wait_for(link, "longer", lambda one: one["pass_rows"] > 0)
    folder = progress_store.folder_of(link.data_dir, "subscribe-1")

    def kept() -> progress_store.PassProgress:
        return progress_store.read(folder, "longer") or progress_store.PassProgress(0)

    wait_until(lambda: kept().pass_rows > 0, 60, link.describe)
    link.subscriber.kill()
    before = kept()
    link.subscriber.reports.clear()
    link.subscriber.history.clear()
    link.subscriber.task = task_of(link, percent=100)
    link.subscriber.start()
    done = wait_for(link, "longer", lambda one: one["verified_until"] is not None)
    assert datetime.fromisoformat(done["verified_until"]) == before.began_at
    assert done["rows_total"] == 20_000
    shown = [report["verification"] for report in link.subscriber.history if report.get("verification")]
    assert min(one["pass_rows"] for one in shown if one["verified_until"] is None) >= before.pass_rows
    link.subscriber.give(link.subscribe_task())
    wait_until(lambda: not reported(link, "longer"), 30, link.describe)


@pytest.mark.wide
def test_a_change_on_its_way_back_to_the_source_is_no_difference(
    postgres_server: Server, mariadb_server: Server, tmp_path: Path
) -> None:
    source, target = postgres_server.fresh_database("src"), mariadb_server.fresh_database("dst")
    postgres_server.execute("CREATE TABLE orders (id int PRIMARY KEY, name varchar(20))", source)
    postgres_server.execute("INSERT INTO orders SELECT n, 'v' FROM generate_series(1, 20000) n", source)
    there = Link(postgres_server, mariadb_server, source, target, tmp_path / "there", {"orders": {}})
    back = Link(mariadb_server, postgres_server, target, source, tmp_path / "back", {"orders": {"load": "incremental"}})
    with closing(there), closing(back):
        there.start().wait_for_state("orders", "incremental-running")
        back.start().wait_for_state("orders", "incremental-running")
        wait_until(lambda: back.publisher.reports.get("p-orders", {}).get("state") == "incremental-release", 60)
        back.subscriber.kill()
        on_target(there, "UPDATE orders SET name = 'changed there' WHERE id = 20000")
        there.subscriber.give(task_of(there, orders=(1, 0)))
        # The row is in the last range, which differs until the link back runs again.
        wait_for(there, "orders", lambda one: one["pass_rows"] >= 15_000 or one["asked"] == 1)
        back.subscriber.start()
        done = wait_for(there, "orders", lambda one: one["asked"] == 1)
        assert (counts(done), done["verified_until"] is not None) == (NOTHING, True)
        shown = [report["verification"] for report in there.subscriber.history if report.get("verification")]
        assert {counts(one) for one in shown} == {NOTHING}
        assert postgres_server.rows("SELECT name FROM orders WHERE id = 20000", source) == [("changed there",)]
