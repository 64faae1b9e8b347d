"""Discovery of tables that are altered at the same time."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.servers.mariadb import MariaDBServer
from zcbus.connectors.mysql.connector import connector
from zcbus.model.schema import TableName

pytestmark = pytest.mark.server
_ROUNDS = 200
_ALTERS = (
    "ALTER TABLE parts DROP PARTITION high",
    "ALTER TABLE parts ADD PARTITION (PARTITION high VALUES LESS THAN (200))",
    "ALTER TABLE parts TRUNCATE PARTITION low",
    "ALTER TABLE parts MODIFY v int NULL, ENGINE = InnoDB",
)


@pytest.fixture(params=["mariadb_server", "mysql_server"])
def server(request: pytest.FixtureRequest) -> MariaDBServer:
    found: MariaDBServer = request.getfixturevalue(request.param)
    return found


@contextmanager
def altered(server: MariaDBServer, database: str) -> Iterator[None]:
    """One table is altered continuously, and always back."""
    over = threading.Event()

    def work() -> None:
        with server.connect(database) as connection, connection.cursor() as cursor:
            while not over.is_set():
                for statement in _ALTERS:
                    cursor.execute(statement)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@pytest.mark.soak(but=["mariadb_server"])
def test_a_table_that_is_altered_meanwhile_is_described_consistently(server: MariaDBServer) -> None:
    database = server.fresh_database()
    server.execute("CREATE TABLE plain (id int PRIMARY KEY, v int)", database)
    server.execute(
        "CREATE TABLE parts (id int PRIMARY KEY, v int) PARTITION BY RANGE (id) "
        "(PARTITION low VALUES LESS THAN (100), PARTITION high VALUES LESS THAN (200))",
        database,
    )
    names = [TableName(database, "parts"), TableName(database, "plain")]
    with altered(server, database), connector().discoverer(server.options(database)) as discoverer:
        for _ in range(_ROUNDS):
            found = discoverer.describe(names)
            assert [(one.names, one.primary_key) for one in found] == [(("id", "v"), ("id",))] * 2
