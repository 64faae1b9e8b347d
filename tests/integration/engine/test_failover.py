"""A standby replaces the source."""

import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.integration.engine.running import Link, on_source, wait_until
from tests.servers.mariadb import MariaDBServer
from tests.servers.postgresql import PostgreSQLServer

from zcbus.connectors.postgresql.check import PostgreSQLTester
from zcbus.demo.embedded import Version, program
from zcbus.demo.privileges import ordinary_user

pytestmark = [pytest.mark.server, pytest.mark.fault]
SETTINGS = {"hot_standby_feedback": "on", "max_slot_wal_keep_size": "1GB"}


@pytest.fixture
def version(request: pytest.FixtureRequest) -> Version:
    """Of both servers; slots that standbys keep too came with 17."""
    return getattr(request, "param", 18)


@pytest.fixture
def primary(version: Version) -> Iterator[PostgreSQLServer]:
    server = PostgreSQLServer(version, SETTINGS)
    yield server
    server.remove()


@pytest.fixture
def standby(primary: PostgreSQLServer, version: Version) -> Iterator[PostgreSQLServer]:
    primary.execute("SELECT pg_create_physical_replication_slot('standby')")
    server = PostgreSQLServer(version, SETTINGS, copy=lambda folder: copy(primary, folder, version))
    yield server
    server.remove()


def copy(primary: PostgreSQLServer, folder: Path, version: Version) -> None:
    """A base backup that follows the primary."""
    place = f"host=127.0.0.1 port={primary.port} user={primary.user} password={primary.password} dbname=postgres"
    words = ["-D", str(folder), "-d", place, "-R", "-S", "standby", "-X", "stream", "-c", "fast", "--no-sync"]
    subprocess.run([*ordinary_user().prefix, str(program("pg_basebackup", version)), *words], check=True)


@pytest.mark.wide
def test_a_link_continues_from_a_promoted_standby(
    primary: PostgreSQLServer, standby: PostgreSQLServer, mariadb_server: MariaDBServer, tmp_path: Path
) -> None:
    link = Link(primary, mariadb_server, primary.fresh_database("src"), mariadb_server.fresh_database("dst"), tmp_path)
    try:
        on_source(link, "CREATE TABLE t (id int PRIMARY KEY, a text)", "INSERT INTO t VALUES (1, 'x')")
        link.tables["t"] = {}
        link.set_tasks()
        link.start()
        link.wait_for_state("t", "incremental-running")
        wait_until(lambda: has_slot(standby), 60, link.describe)
        on_source(link, "INSERT INTO t VALUES (2, 'y')")
        link.wait_until_equal()
        wait_until(lambda: standby.rows("SELECT count(*) FROM t", link.source_database) == [(2,)], 30)
        assert refused(standby, link.source_database) == []
        link.source_port = standby.port
        link.publisher.give(link.publish_task())
        wait_until(lambda: waits(link, "a standby answers that is not promoted"), 30, link.describe)
        primary.kill()
        standby.execute("SELECT pg_promote()")
        link.source = standby
        on_source(link, "INSERT INTO t VALUES (3, 'z')")
        link.wait_until_equal()
    finally:
        link.close()


@pytest.mark.wide
@pytest.mark.parametrize("version", [16, 18], indirect=True)
def test_a_standby_is_a_source_and_stays_one_when_it_is_promoted(
    primary: PostgreSQLServer, standby: PostgreSQLServer, mariadb_server: MariaDBServer, tmp_path: Path
) -> None:
    database = primary.fresh_database("src")
    primary.execute("CREATE TABLE t (id int PRIMARY KEY, a text); INSERT INTO t VALUES (1, 'x')", database)
    wait_until(lambda: standby.rows("SELECT 1 FROM pg_database WHERE datname = %s", None, (database,)) != [], 60)
    primary.execute("CREATE ROLE reader LOGIN REPLICATION PASSWORD 'r'")
    wait_until(lambda: standby.rows("SELECT 1 FROM pg_roles WHERE rolname = 'reader'") != [], 60)
    remedies = [remedy for item, blocking, remedy in refused(standby, database, "reader") if blocking]
    assert any(remedy.startswith("GRANT pg_read_all_stats TO") for remedy in remedies)
    link = Link(standby, mariadb_server, database, mariadb_server.fresh_database("dst"), tmp_path, {"t": {}})
    try:
        link.set_tasks()
        link.start()
        link.wait_for_state("t", "incremental-running")
        primary.execute("INSERT INTO t VALUES (2, 'y'); CREATE TABLE u (id int PRIMARY KEY, a text)", database)
        primary.execute("INSERT INTO u VALUES (1, 'u')", database)
        wait_until(lambda: standby.rows("SELECT count(*) FROM t", database) == [(2,)], 60)
        link.wait_until_equal()
        link.tables["u"] = {}
        link.retask()
        link.wait_for_state("u", "incremental-running")
        primary.execute("UPDATE u SET a = 'v'; DELETE FROM t WHERE id = 1", database)
        primary.kill()
        standby.execute("SELECT pg_promote()")
        on_source(link, "INSERT INTO u VALUES (2, 'here')")
        link.wait_until_equal()
    finally:
        link.close()
    assert standby.rows("SELECT slot_name FROM pg_replication_slots WHERE slot_name LIKE 'zcbus%'") == []
    assert standby.rows("SELECT pubname FROM pg_publication", database) == []


def refused(standby: PostgreSQLServer, database: str, user: str = "") -> list[tuple[str, bool, str]]:
    """What the connection test says against a standby as a source. `user`: one whose password is its first letter."""
    options = standby.options(database)
    options = replace(options, user=user, password=user[0]) if user else options
    results = PostgreSQLTester().test(options, "source")
    return [(result.item, result.blocking, result.remedy) for result in results if not result.ok]


def has_slot(standby: PostgreSQLServer) -> bool:
    """Whether the standby has taken the link's slot over for good."""
    standby.execute("SELECT pg_sync_replication_slots()")
    return standby.rows("SELECT slot_name FROM pg_replication_slots WHERE synced AND NOT temporary") != []


def waits(link: Link, detail: str) -> bool:
    reason = link.publisher.reports.get("", {}).get("reason") or {"facts": {}}
    return bool(reason["facts"].get("detail") == detail)
