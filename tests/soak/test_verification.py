"""A hundred differences planted in a hundred tables while all of them change: continuous verification finds each
of them and no other, within its share of a core, and repairs them.

VERIFIED_ROWS: of each table (default 2,000), half of which change and come back to what they were. What verification
costs is printed next to the same load without it, in processor time of the worker and of both servers.
"""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from bench.processor import of_tree

from tests.integration.engine.running import Link, on_source, on_target, wait_until
from tests.integration.engine.test_verification import NOTHING, counts, reported, task_of

pytestmark = [pytest.mark.fault, pytest.mark.timeout(14_400)]

TABLES = 100
ROWS = int(os.environ.get("VERIFIED_ROWS", "2000"))
PERCENT = 1.0
_MEASURED_SECONDS = 60.0
_PASS_SECONDS = 3600.0
_TRANSACTIONS_PER_SECOND = 200
PAIRS = [("postgres_server", "mariadb_server"), ("mariadb_server", "postgres_server")]


@pytest.fixture(params=PAIRS, ids=lambda pair: "-".join(name.removesuffix("_server") for name in pair))
def link(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Link]:
    source, target = (request.getfixturevalue(name) for name in request.param)
    link = Link(source, target, source.fresh_database("src"), target.fresh_database("dst"), tmp_path)
    yield link
    link.close()


def start(link: Link) -> None:
    rows = ", ".join(f"({n}, 'n{n}', {n}.5)" for n in range(1, ROWS + 1))
    for number in range(TABLES):
        on_source(link, f"CREATE TABLE t{number} (id bigint PRIMARY KEY, name varchar(40), price numeric(12,2))")
        on_source(link, f"INSERT INTO t{number} VALUES {rows}")
        link.tables[f"t{number}"] = {}
    link.set_tasks()
    link.start()
    for table in link.tables:
        link.wait_for_state(table, "incremental-running", 300)


@contextmanager
def load(link: Link) -> Iterator[None]:
    """Rows of the first half of every table go to other values and come back, table by table."""
    over = threading.Event()

    def work() -> None:
        with link.source.connect(link.source_database) as session:
            cursor, step = session.cursor(), 0
            while not over.wait(1 / _TRANSACTIONS_PER_SECOND):
                step += 1
                table, number = f"t{step % TABLES}", step * 7919 % (ROWS // 2) + 1
                cursor.execute(f"UPDATE {table} SET price = 0 - price WHERE id BETWEEN {number} AND {number + 5}")
                cursor.execute(f"DELETE FROM {table} WHERE id = {number}")
                cursor.execute(f"INSERT INTO {table} VALUES ({number}, 'n{number}', {number}.5)")
                session.commit()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def plant(link: Link) -> dict[str, tuple[int, int, int]]:
    """One difference in the second half of each table; returns what is to be found by table."""
    planted: dict[str, tuple[int, int, int]] = {}
    for number, table in enumerate(link.tables):
        row = ROWS // 2 + 100 + number
        match number % 3:
            case 0:
                on_target(link, f"DELETE FROM {table} WHERE id = {row}")
                planted[table] = (1, 0, 0)
            case 1:
                on_target(link, f"INSERT INTO {table} VALUES ({ROWS + row}, 'x', 1)")
                planted[table] = (0, 1, 0)
            case _:
                on_target(link, f"UPDATE {table} SET name = NULL WHERE id = {row}")
                planted[table] = (0, 0, 1)
    return planted


def measure(link: Link, what: str) -> None:
    """Print the share of a core that worker and servers take under the load of the moment."""
    pids = {"worker": link.subscriber.pid, "source": link.source.pid, "target": link.target.pid}
    before, began = {name: of_tree(pid or 0) for name, pid in pids.items()}, time.monotonic()
    time.sleep(_MEASURED_SECONDS)
    took = time.monotonic() - began
    shares = {name: 100 * (of_tree(pid or 0) - before[name]) / took for name, pid in pids.items()}
    print(what, *(f"{name} {share:.1f} %" for name, share in shares.items()), sep=", ", flush=True)


def test_a_hundred_planted_differences_are_all_found_none_is_false_and_all_are_repaired(link: Link) -> None:
    start(link)
    with load(link):
        measure(link, "without verification")
        link.subscriber.give(task_of(link, PERCENT))
        began = time.monotonic()
        measure(link, "with verification")
        wait_until(
            lambda: all(reported(link, table).get("verified_until") for table in link.tables),
            _PASS_SECONDS,
            link.describe,
        )
        print(f"{TABLES} tables of {ROWS} rows verified once in {time.monotonic() - began:.0f} s", flush=True)
        assert {counts(reported(link, table)) for table in link.tables} == {NOTHING}
        planted = plant(link)
        began = time.monotonic()
        wait_until(
            lambda: all(counts(reported(link, table)) != NOTHING for table in link.tables), _PASS_SECONDS, link.describe
        )
        print(f"{TABLES} differences found in {time.monotonic() - began:.0f} s", flush=True)
        assert {table: counts(reported(link, table)) for table in link.tables} == planted
        link.subscriber.give(task_of(link, PERCENT, **dict.fromkeys(link.tables, (1, 1))))
        wait_until(
            lambda: all(reported(link, table)["repair"] == 1 for table in link.tables), _PASS_SECONDS, link.describe
        )
        assert {reported(link, table)["repaired"] for table in link.tables} == {1}
        assert {counts(reported(link, table)) for table in link.tables} == {NOTHING}
    link.wait_until_equal()
