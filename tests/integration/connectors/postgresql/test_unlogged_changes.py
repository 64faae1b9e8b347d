"""Changes of values and columns that the log does not record stop the table, or keep it from being captured."""

from collections.abc import Iterator

import pytest

from tests.integration.connectors.postgresql.conftest import Database
from tests.integration.connectors.postgresql.test_capture import T, count, open_stream, read_until
from zcbus.connectors.errors import TableRefused
from zcbus.connectors.postgresql.capture import table_watch
from zcbus.connectors.postgresql.capture.source import PostgreSQLSource
from zcbus.connectors.roles import CapturedTable

pytestmark = pytest.mark.server


@pytest.fixture
def source(database: Database) -> Iterator[PostgreSQLSource]:
    made = PostgreSQLSource(database.options)
    yield made
    made.drop("n")


def test_a_generated_column_that_becomes_an_ordinary_one(database: Database, source: PostgreSQLSource) -> None:
    """Before, it was taken for an added column, and older rows got no value."""
    database.execute(
        "CREATE TABLE t (k int PRIMARY KEY, twice int GENERATED ALWAYS AS (k * 2) STORED); INSERT INTO t VALUES (1)"
    )
    with open_stream(source, T) as stream:
        database.execute("INSERT INTO t VALUES (2)")
        read_until(stream, lambda found: count(found) == 1)
        database.execute("ALTER TABLE t ALTER twice DROP EXPRESSION; INSERT INTO t VALUES (3, 7)")
        with pytest.raises(TableRefused, match="columns-not-identified"):
            read_until(stream, lambda found: False)


def test_a_column_is_added_behind_a_generated_one(database: Database, source: PostgreSQLSource) -> None:
    database.execute("CREATE TABLE t (k int PRIMARY KEY, twice int GENERATED ALWAYS AS (k * 2) STORED)")
    with open_stream(source, T) as stream:
        database.execute("ALTER TABLE t ADD a int DEFAULT 5; INSERT INTO t (k) VALUES (1)")
        frames = read_until(stream, lambda found: count(found) == 1)
    assert frames[-1].tables[0].rows.to_pylist() == [{"k": "1", "a": "5"}]


@pytest.mark.parametrize(
    ("declared", "statement"),
    [
        ("place", "ALTER TYPE place ADD ATTRIBUTE z int"),
        ("place[]", "ALTER TYPE place DROP ATTRIBUTE y"),
        ("home", "ALTER TYPE place ADD ATTRIBUTE z int"),
        ("row_of", "ALTER TABLE row_of ADD b int"),
    ],
)
def test_an_altered_composite_type_stops_the_tables_that_have_it(
    database: Database, source: PostgreSQLSource, monkeypatch: pytest.MonkeyPatch, declared: str, statement: str
) -> None:
    """Before, the target kept `(1,2)` where the source reads `(1,2,)`."""
    monkeypatch.setattr(table_watch, "_CHECK_SECONDS", 0.0)
    database.execute(
        "CREATE TYPE place AS (x int, y int); CREATE TYPE home AS (at place, name text); CREATE TABLE row_of (a int);"
        f"CREATE TYPE other AS (x int); CREATE TABLE t (k int PRIMARY KEY, v {declared}); INSERT INTO t VALUES (1)"
    )
    with open_stream(source, T) as stream:
        database.execute("ALTER TYPE other ADD ATTRIBUTE y int; ALTER TABLE t ADD o other; INSERT INTO t VALUES (2)")
        read_until(stream, lambda found: count(found) == 1)
        stream.read(0.1)
        database.execute(statement)
        with pytest.raises(TableRefused, match="type-altered"):
            read_until(stream, lambda found: False)


def test_labels_renamed_just_after_their_type_was_made_stop_the_table(
    database: Database, source: PostgreSQLSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before, the target kept `y` where the source reads `x`: the catalog was not read between type and renaming."""
    database.execute("CREATE TABLE t (k int PRIMARY KEY)")
    with open_stream(source, T) as stream:
        monkeypatch.setattr(table_watch, "_CHECK_SECONDS", 3600.0)
        stream.read(0.1)
        database.execute(
            "CREATE TYPE right_away AS ENUM ('x', 'y'); ALTER TYPE right_away RENAME TO mood;"
            "ALTER TABLE t ADD v mood; INSERT INTO t VALUES (1, 'y')"
        )
        read_until(stream, lambda found: count(found) == 1)
        monkeypatch.setattr(table_watch, "_CHECK_SECONDS", 0.0)
        for _ in range(3):
            stream.read(0.1)
        monkeypatch.setattr(table_watch, "_CHECK_SECONDS", 3600.0)
        database.execute("CREATE TYPE size AS ENUM ('x', 'y'); ALTER TABLE t ADD w size; INSERT INTO t VALUES (2)")
        for old, new in (("x", "z"), ("y", "x"), ("z", "y")):
            database.execute(f"ALTER TYPE size RENAME VALUE '{old}' TO '{new}'")
        read_until(stream, lambda found: count(found) == 1)
        monkeypatch.setattr(table_watch, "_CHECK_SECONDS", 0.0)
        with pytest.raises(TableRefused, match="labels-renamed"):
            read_until(stream, lambda found: False)


def test_a_table_with_a_foreign_partition_is_refused(database: Database, source: PostgreSQLSource) -> None:
    """A load would have read its rows; their changes are in no log of this server."""
    database.execute(
        "CREATE TABLE t (k int NOT NULL) PARTITION BY RANGE (k); ALTER TABLE t REPLICA IDENTITY FULL;"
        "CREATE FOREIGN DATA WRAPPER w; CREATE SERVER s FOREIGN DATA WRAPPER w;"
        "CREATE FOREIGN TABLE t_1 PARTITION OF t FOR VALUES FROM (0) TO (10) SERVER s"
    )
    with pytest.raises(TableRefused, match="foreign-partition"):
        source.prepare("n", [CapturedTable(T.name, ("k",))])


def test_initial_values_of_types_with_separators(database: Database, source: PostgreSQLSource) -> None:
    """Before, old rows got `(1` for a box: PostgreSQL separates boxes by semicolons."""
    database.execute("CREATE TYPE pair AS (a int, b text)")
    database.execute("CREATE TABLE t (k int PRIMARY KEY, v int)")
    with open_stream(source, T) as stream:
        database.execute(
            "ALTER TABLE t ADD b box DEFAULT '(1,1),(0,0)', ADD bs box[] DEFAULT '{(1,1),(0,0);(2,2),(0,0)}',"
            "ADD p pair DEFAULT (1, 'x, \"y'), ADD a text[] DEFAULT ARRAY['a', 'b, c', NULL, '{']; "
            "INSERT INTO t VALUES (1, 1)"
        )
        found = read_until(stream, lambda found: count(found) == 1)
    columns = found[-1].tables[0].schema.columns
    row = found[-1].tables[0].rows.to_pylist()[0]
    assert {one.name: one.initial for one in columns[2:]} == {name: row[name] for name in ("b", "bs", "p", "a")}
