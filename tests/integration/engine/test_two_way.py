"""Links in both directions and in a ring: every change gets everywhere once and never back."""

import contextlib
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.integration.engine.running import Link, wait_until
from tests.servers.base import Server

pytestmark = [pytest.mark.server, pytest.mark.timeout(180)]

RINGS = {
    "postgresql-and-postgresql": ("postgres_server", "postgres_server"),
    "mariadb-and-postgresql": ("mariadb_server", "postgres_server"),
    "ring-of-three": ("postgres_server", "mariadb_server", "postgres18_server"),
}
TABLE = "CREATE TABLE orders (id integer PRIMARY KEY, name varchar(100))"
Database = tuple[Server, str]


@pytest.fixture(params=sorted(RINGS))
def databases(request: pytest.FixtureRequest) -> list[Database]:
    servers: list[Server] = [request.getfixturevalue(name) for name in RINGS[request.param]]
    return [(server, server.fresh_database(f"ring{number}")) for number, server in enumerate(servers)]


@contextlib.contextmanager
def running(databases: list[Database], tmp_path: Path) -> Iterator[list[Link]]:
    """Links from each database to the next. All but the last begin with a full load, one after the other."""
    with ExitStack() as stack:
        links = []
        for number, (server, database) in enumerate(databases):
            target, target_database = databases[(number + 1) % len(databases)]
            load = "incremental" if number == len(databases) - 1 else "full+incremental"
            tables = {"orders": {"load": load, "clean": "truncate"}}
            link = Link(server, target, database, target_database, tmp_path / str(number), tables)
            stack.callback(link.close)
            link.start()
            link.wait_for_state("orders", "incremental-running")
            # Changes before the capture has begun do not matter.
            wait_until(lambda link=link: _is_captured(link), 60, link.describe)
            links.append(link)
        yield links


def _is_captured(link: Link) -> bool:
    return bool(link.publisher.reports.get("p-orders", {}).get("state") == "incremental-release")


def names(database: Database) -> list[str]:
    return sorted(str(row[0]) for row in database[0].rows("SELECT name FROM orders", database[1]))


@pytest.mark.wide
@pytest.mark.soak(but=["ring-of-three", "mariadb-and-postgresql"])
def test_changes_get_everywhere_once_and_not_back(databases: list[Database], tmp_path: Path) -> None:
    for server, database in databases:
        server.execute(TABLE, database)
    databases[0][0].execute("INSERT INTO orders VALUES (1000, 'from the start')", databases[0][1])
    with running(databases, tmp_path) as links:
        expected = ["from the start"]
        for turn in range(2):
            for number, (server, database) in enumerate(databases):
                name = f"from {number} in turn {turn}"
                server.execute(f"INSERT INTO orders VALUES ({10 * number + turn}, '{name}')", database)
                server.execute(f"UPDATE orders SET name = '{name} changed' WHERE name = '{name}'", database)
                expected.append(f"{name} changed")
            # What would come back of the first turn lies before the second one in every log.
            wait_until(
                lambda: all(names(one) == sorted(expected) for one in databases),
                60,
                lambda: "\n".join([str([names(one) for one in databases]), *(link.describe() for link in links)]),
            )
        for link in links:
            assert link.subscriber.stop() == 0
            report = link.subscriber.reports["orders"]
            # A target may write an update as a row that goes and one that comes.
            assert report["inserts"] - report["deletes"] == 2 * (len(links) - 1)
