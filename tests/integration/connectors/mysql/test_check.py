"""Connection test and discovery with few rights."""

from collections.abc import Iterator

import pytest

from tests.integration.connectors.mysql.support import describe
from tests.servers.mariadb import MariaDBServer
from tests.servers.oceanbase import OceanBaseServer
from zcbus.connectors import registry
from zcbus.connectors.errors import AccessDenied
from zcbus.connectors.mysql.connector import connector
from zcbus.connectors.mysql.spec import MySQLOptions
from zcbus.connectors.oceanbase.spec import OceanBaseOptions
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.roles import CheckResult, Side
from zcbus.model.schema import TableName

pytestmark = pytest.mark.server


@pytest.fixture
def database(mariadb_server: MariaDBServer) -> Iterator[str]:
    name = mariadb_server.fresh_database()
    yield name
    mariadb_server.drop_database(name)


def _user(server: MariaDBServer, database: str, *grants: str) -> ConnectionOptions:
    name = f"u_{database}"
    server.execute(f"CREATE OR REPLACE USER {name} IDENTIFIED BY 'pässword'")
    for grant in grants:
        server.execute(f"GRANT {grant} TO {name}")
    return MySQLOptions(server.host, server.port, name, "pässword", database)


def _run(options: ConnectionOptions, side: Side) -> dict[str, CheckResult]:
    """By item; the first of those that share one."""
    results = connector().tester().test(options, side)
    return {result.item: result for result in reversed(results)}


def test_enough_rights_for_a_source(mariadb_server: MariaDBServer, database: str) -> None:
    options = _user(mariadb_server, database, f"SELECT ON {database}.*", "REPLICATION SLAVE, BINLOG MONITOR ON *.*")
    results = _run(options, "source")
    assert all(result.ok for result in results.values())
    assert set(results) == {
        "reachable",
        "login",
        "version",
        "permissions",
        "log-settings",
        "log-retention",
        "replication-rights",
    }
    mariadb_server.execute("CREATE TABLE t (id int PRIMARY KEY)", database)
    source = connector().source(options)
    position = source.prepare("test", [])
    with source.open_snapshot() as snapshot, source.open_changes("test", [], position):
        assert snapshot.position >= position


def test_a_read_only_replica_serves_as_source_where_it_keeps_a_log_of_its_own() -> None:
    silent, logging = (
        MariaDBServer("--read-only=1", "--server-id=2", *extra) for extra in ([], ["--log-slave-updates"])
    )
    try:
        for server, ok in ((silent, False), (logging, True)):
            server.execute("CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT=1, MASTER_USER='x'")
            results = connector().tester().test(server.options(), "source")
            assert all(result.ok for result in results) is ok
            found = [result.remedy for result in results if not result.ok]
            assert ok or "log_slave_updates=ON" in found[0]
    finally:
        silent.remove()
        logging.remove()


def test_missing_rights_are_named_with_their_remedy(mariadb_server: MariaDBServer, database: str) -> None:
    options = _user(mariadb_server, database, f"INSERT ON {database}.*")
    source, target = _run(options, "source"), _run(options, "target")
    assert not source["permissions"].ok
    assert source["permissions"].remedy == f"GRANT SELECT ON `{database}`.* TO '{options.user}'@'%';"
    assert "REPLICATION SLAVE" in source["replication-rights"].remedy
    assert "CREATE TEMPORARY TABLES" in target["permissions"].remedy
    assert "INSERT" not in target["permissions"].remedy
    with pytest.raises(AccessDenied):
        connector().source(options).prepare("test", [])


def test_rights_from_a_role_count(mariadb_server: MariaDBServer, database: str) -> None:
    role = f"r_{database}"
    mariadb_server.execute(f"CREATE OR REPLACE ROLE {role}; GRANT ALL ON {database}.* TO {role}")
    options = _user(mariadb_server, database, role)
    mariadb_server.execute(f"GRANT USAGE ON *.* TO {options.user}; SET DEFAULT ROLE {role} FOR {options.user}")
    assert all(result.ok for result in _run(options, "target").values())


def test_the_first_failure_stops_the_test(mariadb_server: MariaDBServer, database: str) -> None:
    good = mariadb_server.options(database)
    unreachable = MySQLOptions(good.host, 1, good.user, good.password, database)
    assert [(item, result.ok) for item, result in _run(unreachable, "source").items()] == [("reachable", False)]
    wrong = MySQLOptions(good.host, good.port, good.user, "s3cret", database)
    results = _run(wrong, "source")
    assert [(item, result.ok) for item, result in results.items()] == [("login", False), ("reachable", True)]
    assert "s3cret" not in str(results)
    absent = MySQLOptions(good.host, good.port, good.user, good.password, "not_there")
    assert _run(absent, "target")["login"].remedy == "CREATE DATABASE `not_there`;"


def test_settings_of_the_log_are_checked() -> None:
    server = MariaDBServer(
        "--binlog-format=MIXED", "--binlog-row-image=MINIMAL", "--expire-logs-days=2.5", "--local-infile=0"
    )
    try:
        source, target = _run(server.options(), "source"), _run(server.options(), "target")
        assert not source["log-settings"].ok
        assert "binlog_format = 'ROW'" in source["log-settings"].remedy
        assert "binlog_row_image = 'FULL'" in source["log-settings"].remedy
        retention = source["log-retention"]
        assert (retention.ok, retention.blocking, retention.detail) == (False, False, "60 h")
        assert "= 259200;" in retention.remedy or "= 3;" in retention.remedy
        assert (target["local-infile"].ok, target["local-infile"].blocking) == (False, False)
    finally:
        server.remove()


def test_tables_that_cannot_be_chosen_say_why(mariadb_server: MariaDBServer, database: str) -> None:
    mariadb_server.execute(
        "CREATE TABLE plain (id int PRIMARY KEY, v int) COMMENT 'ä 表'; CREATE TABLE bare (v int, UNIQUE (v));"
        "CREATE TABLE kept (id int PRIMARY KEY) WITH SYSTEM VERSIONING; CREATE VIEW seen AS SELECT * FROM plain;"
        "CREATE TABLE merged (v int, UNIQUE (v)) ENGINE=MERGE",
        database,
    )
    with connector().discoverer(mariadb_server.options(database)) as discoverer:
        found = {table.name.table: table for table in discoverer.tables(database)}
        everywhere = discoverer.tables()
    assert {name: table.refused for name, table in found.items()} == {
        "bare": "",
        "kept": "system-versioned",
        "merged": "foreign-engine",
        "plain": "",
    }
    assert found["plain"].comment == "ä 表"
    assert (found["plain"].has_primary_key, found["plain"].has_unique_key) == (True, True)
    assert (found["bare"].has_primary_key, found["bare"].has_unique_key) == (False, False)
    assert TableName(database, "plain") in [table.name for table in everywhere]


def test_columns_defaults_and_keys_are_read_from_the_catalogue(mariadb_server: MariaDBServer, database: str) -> None:
    mariadb_server.execute(
        "CREATE TABLE t (id int AUTO_INCREMENT PRIMARY KEY, n int NOT NULL DEFAULT 5, s varchar(9) DEFAULT 'it''s', "
        "c datetime DEFAULT CURRENT_TIMESTAMP, x int DEFAULT NULL, p text, g int AS (n * 2) STORED, "
        "UNIQUE u1 (n, s), UNIQUE u2 (n), UNIQUE u3 (p(10)))",
        database,
    )
    schema = describe(mariadb_server.options(database), "t")
    assert schema.unique_keys == (("n",),)
    assert schema.column("id").identity
    assert schema.column("g").generated
    assert [schema.column(name).default for name in ("n", "s", "c", "x", "p")] == [
        "5",
        "'it''s'",
        "current_timestamp()",
        None,
        None,
    ]


@pytest.mark.parametrize(("side", "advice"), [("source", "no-log"), ("target", "no-temporary-tables")])
def test_a_server_that_only_speaks_the_protocol_is_reported(
    oceanbase_server: OceanBaseServer, side: Side, advice: str
) -> None:
    """A server with log_bin=ON and every right, without a log and without temporary tables."""
    server = oceanbase_server
    results = (
        connector()
        .tester()
        .test(MySQLOptions(server.host, server.port, server.user, server.password, server.default_database), side)
    )
    assert [result.advice for result in results if not result.ok] == [advice]


@pytest.mark.parametrize("side", ["source", "target"])
def test_a_variant_passes_as_its_own_kind(oceanbase_server: OceanBaseServer, side: Side) -> None:
    results = registry.connector("oceanbase").tester().test(oceanbase_server.options(), side)
    assert [(result.item, result.ok) for result in results] == [
        (item, True) for item in ("reachable", "login", "version", "permissions")
    ]


def test_another_product_is_not_taken_for_a_variant(mariadb_server: MariaDBServer) -> None:
    """Its settings would be unknown to the server."""
    options = mariadb_server.options()
    asked = OceanBaseOptions(options.host, options.port, options.user, options.password, options.database)
    failed = registry.connector("oceanbase").tester().test(asked, "target")[-1]
    assert (failed.ok, failed.item, failed.advice) == (False, "version", "other-product")
