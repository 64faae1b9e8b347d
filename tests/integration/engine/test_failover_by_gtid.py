"""A replica replaces a source whose log has positions of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.integration.engine.running import Link, on_source, wait_until
from tests.servers.mariadb import MariaDBServer, missing_programs
from tests.servers.maven import ServerNotAvailable
from tests.servers.mysql import MySQLServer
from tests.servers.postgresql import PostgreSQLServer
from tests.servers.replication import promote, start_pair

from zcbus.model.states import DdlMode

pytestmark = [pytest.mark.server, pytest.mark.fault]
Servers = tuple[MariaDBServer, MariaDBServer]


@pytest.fixture(params=[MariaDBServer, MySQLServer], ids=["mariadb", "mysql"])
def servers(request: pytest.FixtureRequest) -> Iterator[Servers]:
    """A primary and its replica."""
    if request.param is MariaDBServer and missing_programs():
        pytest.skip(f"not installed: {', '.join(missing_programs())} (Debian package mariadb-server)")
    try:
        pair = start_pair(request.param)
    except ServerNotAvailable as reason:
        pytest.skip(str(reason))
    yield pair
    for server in pair:
        server.remove()


@pytest.fixture
def link(servers: Servers, postgres_server: PostgreSQLServer, tmp_path: Path) -> Iterator[Link]:
    """One that runs, with three rows."""
    source, target = servers[0].fresh_database("src"), postgres_server.fresh_database("dst")
    link = Link(servers[0], postgres_server, source, target, tmp_path, {"t": {"ddl": DdlMode.FOLLOW}})
    # MySQL's log is read from the beginning of its file on, over rows of a structure that is not there any more.
    on_source(link, "CREATE TABLE t (id int PRIMARY KEY, old int)", "INSERT INTO t VALUES (1, 1)")
    on_source(link, "ALTER TABLE t DROP old, ADD a text", "UPDATE t SET a = 'x'")
    link.set_tasks()
    link.start()
    link.wait_for_state("t", "incremental-running")
    on_source(link, "INSERT INTO t VALUES (2, 'y')", "INSERT INTO t VALUES (3, 'z')")
    link.wait_until_equal()
    yield link
    link.close()


@pytest.mark.wide
def test_a_link_continues_from_another_server_that_lacks_nothing(servers: Servers, link: Link) -> None:
    primary, replica = servers
    wait_until(lambda: replica.rows("SELECT count(*) FROM t", link.source_database) == [(3,)], 60)
    replica.execute("STOP SLAVE")
    on_source(link, "INSERT INTO t VALUES (4, 'read before the replica has it')")
    link.wait_until_equal()
    move_to(link, replica)
    wait_until(lambda: "a replica answers that lacks" in detail(link), 60, link.describe)
    replica.execute("START SLAVE")
    primary.execute("INSERT INTO t VALUES (9, 'through the replica')", link.source_database)
    wait_until(lambda: replica.rows("SELECT count(*) FROM t", link.source_database) == [(5,)], 60)
    link.wait_until_equal()
    promote(replica)
    on_source(link, "INSERT INTO t VALUES (5, 'a')", "ALTER TABLE t ADD b int", "UPDATE t SET b = id WHERE id > 2")
    link.wait_until_equal()
    link.publisher.kill()
    on_source(link, "DELETE FROM t WHERE id = 1", "INSERT INTO t VALUES (6, 'e', 5)")
    link.publisher.start()
    link.wait_until_equal()
    wait_until(lambda: sum(applied(link)) >= 11, 60, link.describe)
    assert applied(link) == (6, 4, 1), "nothing came twice"

    # The first server lacks what its successor wrote, and takes writes: the two went apart.
    move_to(link, primary)
    assert link.publisher.wait_for_end(60) == 3
    assert "which was read already" in detail(link)
    on_source(link, "INSERT INTO t VALUES (7, 'only here')")
    link.generations["t"] = 2  # one way on: the table is loaded again, from what there is now
    link.set_tasks()
    link.publisher.start()
    link.subscriber.give(link.subscribe_task())
    link.wait_until_equal()
    on_source(link, "INSERT INTO t VALUES (8, 'f')")
    link.wait_until_equal()


def move_to(link: Link, server: MariaDBServer) -> None:
    """Give the publisher the new address of the source."""
    link.source = server
    link.publisher.give(link.publish_task())


def detail(link: Link) -> str:
    reason = link.publisher.reports[""]["reason"] or {"facts": {}}
    return str(reason["facts"].get("detail", ""))


def applied(link: Link) -> tuple[int, int, int]:
    """How many changes arrived, by what they do."""
    report = link.subscriber.reports["t"]
    return report["inserts"], report["updates"], report["deletes"]
