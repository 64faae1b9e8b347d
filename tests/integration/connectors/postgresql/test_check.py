"""Connection tests report each check separately, with its correction."""

from dataclasses import replace

import pytest

from tests.integration.connectors.postgresql.conftest import Database
from tests.servers.postgresql import PostgreSQLServer
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql import origin
from zcbus.connectors.postgresql.check import PostgreSQLTester

pytestmark = pytest.mark.server


def changed(options: ConnectionOptions, **changes: object) -> ConnectionOptions:
    return replace(options, **changes)


@pytest.mark.parametrize("side", ["source", "target"])
def test_all_is_well_for_the_superuser(database: Database, side: str) -> None:
    results = PostgreSQLTester().test(database.options, side)  # type: ignore[arg-type]
    advice = [(result.item, result.blocking, result.detail) for result in results if not result.ok]
    unlimited = ("log-retention", False, "max_slot_wal_keep_size = -1")
    assert advice == ([unlimited] if side == "source" else [])
    # Findings are in no language: Python's words for yes and no are English.
    assert not [result.detail for result in results if "True" in result.detail or "False" in result.detail]
    items = [result.item for result in results]
    assert items[:3] == ["reachable", "login", "version"]
    assert ("replication-rights" in items) == (side == "source")


def test_a_wrong_password_is_the_login_check(database: Database) -> None:
    *_, last = PostgreSQLTester().test(changed(database.options, password="wrong"), "source")
    assert (last.item, last.ok, last.blocking) == ("login", False, True)
    assert "password authentication failed" in last.detail
    assert "ALTER ROLE" in last.remedy
    assert last.advice == "account"


def test_a_missing_database_is_distinguished_from_a_refused_login(database: Database) -> None:
    *_, last = PostgreSQLTester().test(changed(database.options, database="not_there"), "source")
    assert (last.item, last.ok, last.advice) == ("login", False, "database")
    assert last.remedy.startswith('CREATE DATABASE "not_there"')


def test_a_closed_port_is_the_first_check(database: Database) -> None:
    (only,) = PostgreSQLTester().test(changed(database.options, port=1), "source")
    assert (only.item, only.ok) == ("reachable", False)


def test_an_unprivileged_user_gets_every_missing_right(database: Database) -> None:
    user = f"poor_{database.name}"
    database.execute(
        f"CREATE TABLE t (i int); CREATE ROLE {user} LOGIN PASSWORD 'x'; REVOKE ALL ON SCHEMA public FROM public"
    )
    poor = changed(database.options, user=user, password="x")
    source = [result for result in PostgreSQLTester().test(poor, "source") if not result.ok]
    assert [(result.item, result.blocking) for result in source] == [
        ("permissions", False),
        ("permissions", False),
        ("permissions", True),
        ("log-retention", False),
        ("replication-rights", True),
    ]
    assert all(result.remedy for result in source)
    target = [result for result in PostgreSQLTester().test(poor, "target") if not result.ok]
    assert [result.blocking for result in target] == [True, False]


def test_a_server_that_keeps_too_little_log() -> None:
    settings = {"wal_level": "replica", "max_replication_slots": "1", "max_slot_wal_keep_size": "1GB"}
    server = PostgreSQLServer(16, settings)
    try:
        server.execute("SELECT pg_create_physical_replication_slot('taken')")
        failed = [result for result in PostgreSQLTester().test(server.options(), "source") if not result.ok]
    finally:
        server.remove()
    assert [result.item for result in failed] == ["log-settings", "log-settings"]
    assert "wal_level = 'logical'" in failed[0].remedy
    assert "max_replication_slots" in failed[1].remedy


def test_links_in_both_directions_are_warned_of_if_the_log_has_no_origins(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    database.execute("CREATE TABLE zcbus_lane (i int); CREATE PUBLICATION zcbus_other")
    assert version_checks(database) == [[True], [True]]
    monkeypatch.setattr(origin, "FIRST_VERSION", 1_000_000)
    assert version_checks(database) == [[True, False], [True, False]]


def test_the_oldest_version_warns_of_links_in_both_directions(postgres12_server: PostgreSQLServer) -> None:
    database = postgres12_server.fresh_database()
    options = postgres12_server.options(database)

    def failed() -> list[tuple[str, bool, str]]:
        tests = [PostgreSQLTester().test(options, side) for side in ("source", "target")]
        return [(check.item, check.blocking, check.remedy) for checks in tests for check in checks if not check.ok]

    assert failed() == []
    postgres12_server.execute("CREATE TABLE zcbus_lane (i int); CREATE PUBLICATION zcbus_other", database)
    assert failed() == [("version", False, "PostgreSQL 14")] * 2


def version_checks(database: Database) -> list[list[bool]]:
    """Whether the checks of the version passed, of a source and of a target."""
    both = [PostgreSQLTester().test(database.options, side) for side in ("source", "target")]
    return [[result.ok for result in results if result.item == "version"] for results in both]
