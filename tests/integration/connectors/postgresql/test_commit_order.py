"""DDL and writers of a table may have their ids in either order: the order of their locks decides."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest

from tests.integration.connectors.postgresql.conftest import Database
from tests.integration.connectors.postgresql.test_capture import T, changes, open_stream, read_until
from tests.servers.postgresql import PostgreSQLServer
from tests.support.processes import wait_until
from zcbus.connectors.errors import TableRefused
from zcbus.connectors.postgresql.capture.source import PostgreSQLSource
from zcbus.model.changes import ChangeFrame

pytestmark = pytest.mark.server

_WAITS = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 't'::regclass"
_REPLACE = "ALTER TABLE t DROP COLUMN b, ADD COLUMN b int"


@pytest.fixture(params=["postgres_server", "postgres12_server"])
def database(request: pytest.FixtureRequest) -> Iterator[Database]:
    """Of a server without and of one with the plugin that lists commits."""
    server: PostgreSQLServer = request.getfixturevalue(request.param)
    name = server.fresh_database()
    yield Database(server, name)
    server.drop_database(name)


@pytest.fixture
def source(database: Database) -> Iterator[PostgreSQLSource]:
    database.execute("CREATE TABLE t (k int PRIMARY KEY, b int); CREATE TABLE u (k int)")
    made = PostgreSQLSource(database.options)
    yield made
    made.drop("n")


@contextmanager
def altered_behind_a_writer(database: Database, statement: str) -> Iterator[Any]:
    """A transaction that has the table, and no id yet, while the statement has an id and waits for the table."""
    with database.server.connect(database.name) as writer:
        writer.autocommit = False
        writer.execute("SELECT count(*) FROM t")
        alters = threading.Thread(target=database.execute, args=[statement])
        alters.start()
        wait_until(lambda: database.rows(_WAITS) == [(1,)], 10, "the statement waits")
        yield writer
        writer.commit()
        alters.join()


@contextmanager
def altered_before_a_writer(database: Database, statement: str) -> Iterator[Any]:
    """A transaction that has an id, and uses the table after the statement has altered it."""
    with database.server.connect(database.name) as writer:
        writer.autocommit = False
        writer.execute("INSERT INTO u VALUES (1)")
        database.execute(statement)
        yield writer
        writer.commit()


def names(frames: list[ChangeFrame]) -> list[tuple[tuple[str, ...], tuple[int, ...]]]:
    """Names and numbers of the columns of each frame's table."""
    return [
        (part.schema.names, tuple(column.number for column in part.schema.columns))
        for frame in frames
        for part in frame.tables
    ]


def lists_commits(database: Database) -> bool:
    """Whether the server has the plugin."""
    try:
        # Temporary: it goes with the session, which may end a moment later.
        name = "'probe_' || pg_backend_pid()"
        database.execute(f"SELECT pg_create_logical_replication_slot({name}, 'test_decoding', true)")
    except psycopg.errors.UndefinedFile:
        return False
    return True


def test_an_older_alteration_may_come_behind_a_row(database: Database, source: PostgreSQLSource) -> None:
    with open_stream(source, T) as stream:
        with altered_behind_a_writer(database, "ALTER TABLE t ADD COLUMN n int") as writer:
            writer.execute("INSERT INTO t VALUES (1, 7)")
        database.execute("INSERT INTO t VALUES (2, 8, 9)")
        frames = read_until(stream, lambda found: len(changes(found)) == 2)
    assert [row for *_, row in changes(frames)] == [("1", "7"), ("2", "8", "9")]


@pytest.mark.parametrize("way", [altered_behind_a_writer, altered_before_a_writer])
def test_a_replaced_column_is_identified_by_commits_or_not_at_all(
    database: Database, source: PostgreSQLSource, way: Any
) -> None:
    with open_stream(source, T) as stream:
        with way(database, _REPLACE) as writer:
            writer.execute("INSERT INTO t VALUES (1, 7)")
        database.execute("INSERT INTO t VALUES (2, 8)")
        if lists_commits(database):
            numbers = [part for _, part in names(read_until(stream, lambda found: len(changes(found)) == 2))]
            assert numbers == ([(1, 2), (1, 3)] if way is altered_behind_a_writer else [(1, 3)])
        else:
            with pytest.raises(TableRefused, match="columns-not-identified"):
                read_until(stream, lambda found: len(changes(found)) == 2)


def test_a_row_well_behind_an_alteration_needs_no_list(database: Database, source: PostgreSQLSource) -> None:
    with open_stream(source, T) as stream:
        database.execute(_REPLACE)
        deadline = time.monotonic() + 2.5
        while time.monotonic() < deadline:
            stream.read(0.2)
        database.execute("INSERT INTO t VALUES (2, 8)")
        assert names(read_until(stream, lambda found: bool(changes(found)))) == [(("k", "b"), (1, 3))]
