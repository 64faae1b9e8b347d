"""Queries by which an author would get past the limits of a data service, run against real servers."""

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.servers.base import Server
from tests.servers.mysql import MySQLServer
from tests.support.readers import reader_of

from zcbus.connectors.mysql.connection.grants import Grants
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.queries import AccountTooPowerful, Found, Query, QueryFailed, QueryTimedOut
from zcbus.connectors.registry import connector, query_rules
from zcbus.model.query_text import QueryRefused, QueryText, parse

pytestmark = pytest.mark.server

NBSP, CONTROL = "\u00a0", "\x01"
TIMEOUT_MS = 1_000
REFUSALS = (QueryRefused, QueryFailed)


@dataclass(frozen=True)
class Database:
    """A database with a reader that a data service would use."""

    server: Server
    options: ConnectionOptions

    def ask(self, sql: str, options: ConnectionOptions | None = None, timeout_ms: int = TIMEOUT_MS) -> Found:
        query = Query(parse(sql, query_rules(self.server.kind)), {}, 10, 0, timeout_ms)
        with closing(connector(self.server.kind).query_runner(options or self.options)) as runner:
            return runner.run(query)


def database_of(server: Server) -> Iterator[Database]:
    name = server.fresh_database()
    server.execute("CREATE TABLE goods (id INT PRIMARY KEY, name VARCHAR(50))", name)
    server.execute("INSERT INTO goods VALUES (1,'tea'),(2,'cup')", name)
    with reader_of(server, name) as options:
        yield Database(server, options)
    server.drop_database(name)


@pytest.fixture(params=["mariadb_server", "mysql_server"])
def mysql(request: pytest.FixtureRequest) -> Iterator[Database]:
    yield from database_of(request.getfixturevalue(request.param))


@pytest.fixture(params=["postgres_server", "postgres12_server"])
def postgresql(request: pytest.FixtureRequest) -> Iterator[Database]:
    yield from database_of(request.getfixturevalue(request.param))


HIDDEN = [
    f"SELECT 1 --{NBSP}x INTO OUTFILE '{{file}}' FROM (SELECT 1 AS `{NBSP}x`) t",
    f"SELECT 1 --{CONTROL}'\nINTO OUTFILE '{{file}}' -- '",
    "SELECT 1 /*! INTO OUTFILE '{file}' */",
    "SELECT 1 /*!50000 INTO OUTFILE '{file}' */",
    "(SELECT 1) INTO OUTFILE '{file}'",
    "SELECT 1 INTO/**/OUTFILE '{file}'",
    "SELECT 1) q INTO OUTFILE '{file}' -- ",
    "SELECT 1 INTO DUMPFILE '{file}'",
    "WITH a AS (SELECT 1 AS b) SELECT b FROM a INTO OUTFILE '{file}'",
    "SELECT 1 INTO @a",
]


@pytest.mark.parametrize("hidden", HIDDEN)
def test_no_file_is_written(mysql: Database, hidden: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither by what we read of the text, nor by what the server reads, were the account allowed to."""
    file = tmp_path / "stolen"
    for folder in (tmp_path, tmp_path.parent, tmp_path.parent.parent):
        folder.chmod(0o777)
    text = hidden.format(file=file)
    with pytest.raises(QueryRefused):
        parse(text, query_rules("mysql"))
    monkeypatch.setattr(Grants, "globally", lambda *_: False)
    query = Query(QueryText((text,)), {}, 10, 0, TIMEOUT_MS)
    options = mysql.server.options(mysql.options.database)
    with closing(connector("mysql").query_runner(options)) as runner, pytest.raises(REFUSALS):
        runner.run(query)
    assert not file.exists()


def test_an_account_that_could_do_more_than_read_is_refused(mysql: Database) -> None:
    with pytest.raises(AccountTooPowerful) as refused:
        mysql.ask("SELECT 1", mysql.server.options(mysql.options.database))
    assert "FILE" in str(refused.value.facts["rights"])
    mysql.server.execute(f"GRANT FILE ON *.* TO {mysql.options.user}@'%'")
    with pytest.raises(AccountTooPowerful) as refused:
        mysql.ask("SELECT 1")
    assert refused.value.facts == {"user": mysql.options.user, "rights": "FILE"}


def test_a_superuser_is_refused(postgresql: Database) -> None:
    with pytest.raises(AccountTooPowerful) as refused:
        postgresql.ask("SELECT 1", postgresql.server.options(postgresql.options.database))
    assert refused.value.facts["rights"] == "SUPERUSER"
    postgresql.server.execute(f"GRANT pg_read_server_files TO {postgresql.options.user}")
    with pytest.raises(AccountTooPowerful):
        postgresql.ask("SELECT 1")


@pytest.mark.parametrize(
    "lifting",
    [
        "SELECT set_config('statement_timeout', '0', false), generate_series(1, 3)",
        "SELECT \"set_config\"('statement_timeout', '0', false)",
        "SELECT pg_catalog . set_config ('statement_timeout', '0', false)",
        "SELECT U&\"set!005Fconfig\" UESCAPE '!' ('statement_timeout', '0', false)",
        "SELECT pg_advisory_lock(1)",
        "SELECT pg_try_advisory_lock/**/(1)",
        "SELECT pg_sleep(30)",
        "SELECT query_to_xml('select pg_advisory_lock(1)', true, true, '')",
        "SELECT 1 --\r; DROP TABLE goods",
        "SELECT pg_notify('a', 'b')",
        "SELECT pg_terminate_backend(1)",
        "SELECT lo_create(0)",
    ],
)
def test_functions_with_effects_are_refused(postgresql: Database, lifting: str) -> None:
    began = time.monotonic()
    with pytest.raises(REFUSALS):
        postgresql.ask(lifting)
    assert time.monotonic() - began < 10
    assert postgresql.server.rows("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'")[0][0] == 0


def test_functions_without_effects_are_allowed(postgresql: Database) -> None:
    found = postgresql.ask(
        "SELECT count(*), upper(max(name)), now() IS NULL, random() < 2 FROM goods WHERE id IN (1, 2)"
    )
    assert found.rows == [(2, "TEA", False, True)]


@pytest.mark.parametrize(
    "lifting",
    [
        "SELECT GET_LOCK('a', 0)",
        "SELECT `GET_LOCK`('a', 0)",
        "SELECT GET_LOCK /* */ ('a', 0)",
        "SELECT SLEEP(30)",
        "SELECT BENCHMARK(1000000000, SHA2('a', 512))",
        "SELECT @a := 1",
        "SELECT LOAD_FILE('/etc/passwd')",
        "SELECT /*+ MAX_EXECUTION_TIME(0) */ 1",
        "SELECT /*+ SET_VAR(max_execution_time=0) */ 1",
        "SELECT 1 PROCEDURE ANALYSE()",
    ],
)
def test_functions_with_effects_are_refused_by_mysql_too(mysql: Database, lifting: str) -> None:
    began = time.monotonic()
    with pytest.raises(REFUSALS):
        mysql.ask(lifting)
    assert time.monotonic() - began < 10


def test_a_function_of_postgresql_lifts_no_limit(postgresql: Database) -> None:
    body = "BEGIN PERFORM set_config(''statement_timeout'', ''0'', false); RETURN 1; END"
    made = f"CREATE FUNCTION lift() RETURNS int LANGUAGE plpgsql STABLE AS '{body}'"
    postgresql.server.execute(made, postgresql.options.database)
    forever = (
        "SELECT lift() + count(*) FROM generate_series(1, 100000) a, generate_series(1, 100000) b "
        "UNION ALL SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 100000) b WHERE a + b < 0"
    )
    _ends_in_time(postgresql, forever)


def test_a_function_of_postgresql_that_survives_being_cancelled_is_ended(postgresql: Database) -> None:
    body = (
        "BEGIN LOOP BEGIN PERFORM pg_sleep(60); EXCEPTION WHEN query_canceled THEN NULL; END; END LOOP; RETURN 1; END"
    )
    made = f"CREATE FUNCTION stay() RETURNS int LANGUAGE plpgsql STABLE AS '{body}'"
    postgresql.server.execute(made, postgresql.options.database)
    _ends_in_time(postgresql, "SELECT stay()")


def test_a_function_of_mysql_lifts_no_limit(mysql: Database) -> None:
    variable = "max_execution_time" if isinstance(mysql.server, MySQLServer) else "max_statement_time"
    made = f"CREATE FUNCTION lift() RETURNS INT DETERMINISTIC BEGIN SET SESSION {variable} = 0; RETURN SLEEP(30); END"
    mysql.server.execute(made, mysql.options.database)
    _ends_in_time(mysql, "SELECT lift(), lift()")


def _ends_in_time(place: Database, forever: str) -> None:
    """The time is kept by the caller of the database, whatever runs there."""
    began = time.monotonic()
    with pytest.raises((QueryTimedOut, QueryFailed)):
        place.ask(forever)
    assert time.monotonic() - began < 10
    deadline = time.monotonic() + 10
    while _at_work(place):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _at_work(place: Database) -> list[str]:
    if place.server.kind == "postgresql":
        running = "SELECT query FROM pg_stat_activity WHERE state = 'active' AND usename = %s"
        return [row[0] for row in place.server.rows(running, None, [place.options.user])]
    rows = place.server.rows("SHOW PROCESSLIST")
    return [str(row[7]) for row in rows if row[1] == place.options.user and row[4] == "Execute"]
