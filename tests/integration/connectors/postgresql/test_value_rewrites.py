"""A TRUNCATE that the catalog shows ahead of the log is distinguished from a rewrite of values."""

from collections.abc import Iterator

import pytest

from tests.integration.connectors.postgresql.conftest import Database
from tests.integration.connectors.postgresql.test_capture import T, changes, count, open_stream, read_until
from tests.integration.connectors.postgresql.test_commit_order import lists_commits
from tests.servers.postgresql import PostgreSQLServer
from zcbus.connectors.errors import TableRefused
from zcbus.connectors.postgresql.capture import table_watch
from zcbus.connectors.postgresql.capture.source import PostgreSQLSource
from zcbus.connectors.postgresql.capture.stream import PostgreSQLChangeStream

pytestmark = pytest.mark.server

RENAME = "ALTER TABLE t RENAME a TO b"
UPPER = "ALTER TABLE t ALTER a TYPE varchar(9) USING upper(a)"
NUMBER = "ALTER TABLE t ALTER a TYPE integer USING length(a)"
WIDER = "ALTER TABLE t ALTER a TYPE varchar(20)"
TRUNCATE = "TRUNCATE t"
EMPTY_AND_FILL = "BEGIN; TRUNCATE t; INSERT INTO t VALUES (5, 'late'); COMMIT"


@pytest.fixture
def database(postgres12_server: PostgreSQLServer) -> Iterator[Database]:
    """Of a server that lists commits in their order, so that no proof waits for luck."""
    name = postgres12_server.fresh_database()
    made = Database(postgres12_server, name)
    if not lists_commits(made):
        pytest.skip("the server has no test_decoding")
    made.execute("CREATE TABLE t (k int PRIMARY KEY, a varchar(9)); INSERT INTO t VALUES (1, 'one')")
    yield made
    postgres12_server.drop_database(name)


@pytest.fixture
def stream(database: Database) -> Iterator[PostgreSQLChangeStream]:
    source = PostgreSQLSource(database.options)
    with open_stream(source, T) as opened:
        yield opened
    source.drop("n")


def insert(database: Database, *keys: int) -> None:
    for key in keys:
        database.execute(f"INSERT INTO t VALUES ({key}, 'v{key}')")


@pytest.mark.parametrize(
    ("alter", "truncate"), [(RENAME, TRUNCATE), (UPPER, EMPTY_AND_FILL)], ids=["renamed", "rewritten"]
)
def test_a_truncate_read_late_is_followed(
    database: Database, stream: PostgreSQLChangeStream, alter: str, truncate: str
) -> None:
    """Also one behind a rewrite: it leaves none of the values."""
    insert(database, 2)
    database.execute(alter)
    insert(database, 3)
    database.execute(truncate)
    insert(database, 4)
    frames = read_until(stream, lambda found: any(row[:1] == ("4",) for *_, row in changes(found)))
    operations = [(operation, row[0]) for _, operation, _, row in changes(frames)]
    assert operations[-1] == ("INSERT", "4")
    assert operations.index(("INSERT", "3")) < operations.index(("TRUNCATE", None))
    # Nothing is left to suspect: a rewrite from here on still stops the table.
    database.execute(UPPER.replace(" a ", " b ").replace("(a)", "(b)") if alter is RENAME else UPPER)
    insert(database, 6)
    with pytest.raises(TableRefused, match="values-rewritten"):
        read_until(stream, lambda found: count(found) >= 1)


@pytest.mark.parametrize(
    "statements",
    [
        (TRUNCATE, UPPER),
        (
            "BEGIN; TRUNCATE t; INSERT INTO t VALUES (5, 'late'); SAVEPOINT s; " + UPPER + "; RELEASE s;"
            " ALTER TABLE t SET (fillfactor = 90); COMMIT",
        ),
        (UPPER, "ALTER TABLE t SET (fillfactor = 90)"),
        (RENAME, "VACUUM FULL t"),
        ("CREATE TABLE u (k int); INSERT INTO u VALUES (1)", UPPER, "TRUNCATE u"),
    ],
    ids=["behind", "within", "without", "vacuum", "other-table"],
)
def test_a_rewrite_that_no_truncate_undoes_stops_the_table(
    database: Database, stream: PostgreSQLChangeStream, statements: tuple[str, ...]
) -> None:
    for statement in statements:
        database.execute(statement)
    insert(database, 6)
    with pytest.raises(TableRefused, match="values-rewritten"):
        read_until(stream, lambda found: False)


@pytest.mark.parametrize("statement", [UPPER, NUMBER], ids=["same-type", "other-type"])
def test_a_rewritten_table_stops_without_another_row(
    database: Database, stream: PostgreSQLChangeStream, monkeypatch: pytest.MonkeyPatch, statement: str
) -> None:
    """Before, it was noticed with the next row, whenever that came."""
    monkeypatch.setattr(table_watch, "_CHECK_SECONDS", 0.0)
    insert(database, 2)
    read_until(stream, lambda found: count(found) == 1)
    database.execute(statement)
    with pytest.raises(TableRefused, match="values-rewritten"):
        read_until(stream, lambda found: False)


@pytest.mark.parametrize(
    "statements", [(NUMBER, TRUNCATE), (WIDER,), (NUMBER, "INSERT INTO t VALUES (6, 7)")], ids=["empty", "kept", "row"]
)
def test_another_type_is_followed_where_no_value_is_in_doubt(
    database: Database, stream: PostgreSQLChangeStream, monkeypatch: pytest.MonkeyPatch, statements: tuple[str, ...]
) -> None:
    """The table was emptied afterwards, was not stored again, or a row of the log has the new type."""
    insert(database, 2)
    read_until(stream, lambda found: count(found) == 1)
    monkeypatch.setattr(table_watch, "_CHECK_SECONDS", 0.0)
    for statement in statements:
        database.execute(statement)
    for key in (8, 9):
        database.execute(f"INSERT INTO t VALUES ({key}, '{key}')")
        read_until(stream, lambda found: count(found) >= 1)


LONGER = "ALTER TABLE t ALTER a TYPE text USING a || '!'"
"""Seen in the type of the rows that follow, so that subscribers stop and load again."""


def test_a_rewrite_that_its_own_rows_show_is_shown_once(database: Database, stream: PostgreSQLChangeStream) -> None:
    """A table that was loaded again behind it continues."""
    insert(database, 2)
    database.execute(f"BEGIN; {LONGER}; UPDATE t SET a = 'x' WHERE k = 1; COMMIT")
    insert(database, 3)
    frames = read_until(stream, lambda found: any(row[:1] == ("3",) for *_, row in changes(found)))
    last = [table for frame in frames for table in frame.tables][-1]  # type: ignore[union-attr]
    assert [column.name for column in last.schema.columns if column.rewritten] == ["a"]
    database.execute("ALTER TABLE t ALTER a TYPE text USING upper(a)")
    insert(database, 4)
    with pytest.raises(TableRefused, match="values-rewritten"):
        read_until(stream, lambda found: count(found) >= 1)


def test_a_rewrite_next_to_one_that_rows_show_stops_the_table(
    database: Database, stream: PostgreSQLChangeStream
) -> None:
    """A subscriber of the other column would not learn of it."""
    database.execute("ALTER TABLE t ADD b integer DEFAULT 1")
    insert_with_b = "INSERT INTO t VALUES ({0}, 'v{0}', {0})"
    database.execute(insert_with_b.format(2))
    read_until(stream, lambda found: count(found) == 1)
    database.execute(
        f"BEGIN; ALTER TABLE t ALTER b TYPE integer USING b * 2; {LONGER}; UPDATE t SET a = 'x' WHERE k = 1; COMMIT"
    )
    database.execute(insert_with_b.format(3))
    with pytest.raises(TableRefused, match="values-rewritten"):
        read_until(stream, lambda found: any(row[:1] == ("3",) for *_, row in changes(found)))
