"""A thousand differences planted while both sides change: all are found, none is false, all are repaired.

COMPARED_ROWS: of the table (default 200,000), half of which change all the time and come back to what they were.
"""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.integration.engine.running import Link, on_source, on_target
from tests.integration.engine.test_comparison import comparison, counts
from zcbus.model.comparison import RepairState

pytestmark = [pytest.mark.fault, pytest.mark.timeout(1800)]

ROWS = int(os.environ.get("COMPARED_ROWS", "200000"))
MISSING, EXTRA, DIFFERENT = 400, 300, 300
_AT_ONCE = 10_000
PAIRS = [
    ("postgres_server", "postgres_server"),
    ("postgres_server", "mariadb_server"),
    ("mariadb_server", "postgres_server"),
    ("mariadb_server", "mariadb_server"),
]


@pytest.fixture(params=PAIRS, ids=lambda pair: "-".join(name.removesuffix("_server") for name in pair))
def link(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Link]:
    source, target = (request.getfixturevalue(name) for name in request.param)
    link = Link(source, target, source.fresh_database("src"), target.fresh_database("dst"), tmp_path)
    yield link
    link.close()


def start(link: Link) -> None:
    on_source(link, "CREATE TABLE goods (id bigint PRIMARY KEY, name varchar(40), price numeric(12,2))")
    for first in range(1, ROWS + 1, _AT_ONCE):
        last = min(first + _AT_ONCE, ROWS + 1)
        on_source(link, "INSERT INTO goods VALUES " + ", ".join(f"({n}, 'n{n}', {n}.5)" for n in range(first, last)))
    link.tables.update(goods={})
    link.set_tasks()
    link.start()
    link.wait_for_state("goods", "incremental-running")


@contextmanager
def load(link: Link) -> Iterator[None]:
    """Rows of the first half go to other values and come back, one transaction after the other."""
    over, steps = threading.Event(), [0]

    def work() -> None:
        with link.source.connect(link.source_database) as session:
            cursor = session.cursor()
            while not over.is_set():
                steps[0] += 1
                number = steps[0] * 7919 % (ROWS // 2) + 1
                cursor.execute(f"UPDATE goods SET price = 0 - price WHERE id BETWEEN {number} AND {number + 20}")
                cursor.execute("UPDATE goods SET price = 0 - price WHERE id = 17")
                cursor.execute(f"DELETE FROM goods WHERE id = {number}")
                cursor.execute(f"INSERT INTO goods VALUES ({number}, 'n{number}', {number}.5)")
                session.commit()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        print(f"{steps[0]} transactions meanwhile")


def plant(link: Link) -> None:
    """In the second half."""
    first = ROWS // 2 + 100
    on_target(link, f"DELETE FROM goods WHERE id >= {first} AND id < {first + MISSING}")
    first += MISSING
    on_target(link, f"UPDATE goods SET name = NULL WHERE id >= {first} AND id < {first + DIFFERENT}")
    extra = ", ".join(f"({ROWS + 5 * number}, 'x', 1)" for number in range(1, EXTRA + 1))
    on_target(link, f"INSERT INTO goods VALUES {extra}")


def test_a_thousand_planted_differences_are_all_found_none_is_false_and_all_are_repaired(link: Link) -> None:
    start(link)
    with load(link):
        clean = comparison(link, "goods").compare()
        assert (counts(clean), clean.reason) == ((0, 0, 0, 0), None), clean.differences[:3]
        plant(link)
        began = time.monotonic()
        record = comparison(link, "goods").compare()
        assert counts(record) == (MISSING, EXTRA, DIFFERENT, 0), record.differences[:3]
        counted = comparison(link, "goods", method="count").compare()
        assert counts(counted)[1:] == (0, 0, 0), counted
        assert counted.missing in (0, MISSING - EXTRA), counted
        assert counted.missing or counted.unsettled, counted
        print(f"{ROWS} rows compared in {time.monotonic() - began:.1f} s, {record.unsettled} changing")
        repaired = comparison(link, "goods", repair=1).repair(record)
        found = MISSING + EXTRA + DIFFERENT
        assert (repaired.repair_state, repaired.repaired, counts(repaired)) == (RepairState.DONE, found, (0, 0, 0, 0))
    assert counts(comparison(link, "goods").compare()) == (0, 0, 0, 0)
