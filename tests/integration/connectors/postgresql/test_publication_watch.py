"""Publications and replica identities that are changed by hand: the log then lacks changes, and does not record why."""

from collections.abc import Iterator

import pytest

from tests.integration.connectors.postgresql.conftest import Database
from tests.integration.connectors.postgresql.test_capture import T, changes, count, open_stream, read_until
from tests.support.history import History
from zcbus.connectors.errors import LogPositionLost, TableRefused
from zcbus.connectors.postgresql.capture import table_watch
from zcbus.connectors.postgresql.capture.source import PostgreSQLSource
from zcbus.connectors.roles import CapturedTable
from zcbus.model.schema import TableName

pytestmark = pytest.mark.server
U = CapturedTable(TableName("public", "u"), ("k",))


@pytest.fixture
def source(database: Database, monkeypatch: pytest.MonkeyPatch) -> Iterator[PostgreSQLSource]:
    monkeypatch.setattr(table_watch, "_CHECK_SECONDS", 0.0)
    database.execute("CREATE TABLE t (k int PRIMARY KEY, v int NOT NULL); CREATE TABLE u (k int PRIMARY KEY, v int)")
    made = PostgreSQLSource(database.options)
    yield made
    made.drop("n")


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER PUBLICATION zcbus_n DROP TABLE t",
        "ALTER PUBLICATION zcbus_n SET TABLE u",
        "ALTER PUBLICATION zcbus_n SET TABLE u; INSERT INTO t VALUES (2, 2); ALTER PUBLICATION zcbus_n SET TABLE t, u",
        "ALTER PUBLICATION zcbus_n SET TABLE t (k), u",
        "ALTER PUBLICATION zcbus_n SET TABLE t WHERE (k > 5), u",
    ],
)
def test_a_table_that_is_taken_out_stops(database: Database, source: PostgreSQLSource, statement: str) -> None:
    """Before, it ran on without its changes."""
    with open_stream(source, T, U) as stream:
        database.execute("INSERT INTO t VALUES (1, 1)")
        read_until(stream, lambda found: count(found) == 1)
        database.execute(statement)
        with pytest.raises(TableRefused, match="publication-changed") as refused:
            read_until(stream, lambda found: False)
    assert refused.value.facts["table"] == str(T.name)


@pytest.mark.parametrize("statement", ["DROP TABLE t", "SET TABLE u"])
def test_a_table_that_is_taken_out_while_no_one_reads_stops(
    database: Database, source: PostgreSQLSource, statement: str
) -> None:
    """Before, the next start published it again, and what was written in between never came."""
    kept = History()
    source.prepare("n", [T, U])
    with source.open_changes("n", [T, U], None, kept):
        pass
    database.execute(f"ALTER PUBLICATION zcbus_n {statement}; INSERT INTO t VALUES (1, 1)")
    source.prepare("n", [T, U])
    with pytest.raises(TableRefused, match="publication-changed") as refused:
        source.open_changes("n", [T, U], None, kept)
    assert refused.value.facts["table"] == str(T.name)
    source.prepare("n", [U])
    with source.open_changes("n", [U], None, kept):
        pass
    source.prepare("n", [T, U])
    with source.open_changes("n", [T, U], None, kept) as stream:
        database.execute("INSERT INTO t VALUES (2, 2)")
        read_until(stream, lambda found: count(found) == 1)


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER PUBLICATION zcbus_n SET (publish = 'insert')",
        "ALTER PUBLICATION zcbus_n SET (publish_via_partition_root = false)",
        "ALTER PUBLICATION zcbus_n SET (publish = 'insert'); DELETE FROM t;"
        "ALTER PUBLICATION zcbus_n SET (publish = 'insert, update, delete, truncate')",
        "DROP PUBLICATION zcbus_n",
        "DROP PUBLICATION zcbus_n; CREATE PUBLICATION zcbus_n FOR TABLE t, u WITH (publish_via_partition_root = true)",
    ],
)
def test_another_publication_has_lost_the_log(database: Database, source: PostgreSQLSource, statement: str) -> None:
    """Before, all tables ran on without the changes that were not published."""
    kept = History()
    source.prepare("n", [T, U])
    with source.open_changes("n", [T, U], None, kept) as stream:
        database.execute("INSERT INTO t VALUES (1, 1)")
        read_until(stream, lambda found: count(found) == 1)
        for one in statement.split(";"):
            database.execute(one)
        with pytest.raises(LogPositionLost):
            read_until(stream, lambda found: False)
    source.prepare("n", [T, U])
    with pytest.raises(LogPositionLost):
        source.open_changes("n", [T, U], None, kept)
    source.drop("n")
    source.prepare("n", [T, U])
    with source.open_changes("n", [T, U], None, History()) as stream:
        database.execute("INSERT INTO t VALUES (3, 3)")
        read_until(stream, lambda found: count(found) == 1)


def test_what_the_platform_changes_itself_stops_nothing(database: Database, source: PostgreSQLSource) -> None:
    kept = History()
    for tables in ([T], [T, U], [U], [T, U]):
        source.prepare("n", tables)
        with source.open_changes("n", tables, None, kept) as stream:
            stream.read(0.1)
            stream.read(0.1)


def test_another_owner_stops_nothing(database: Database, source: PostgreSQLSource) -> None:
    """Who owns it decides who may change it, not what is published."""
    kept, owner = History(), f"owner_{database.name}"
    database.execute(f"CREATE ROLE {owner}; GRANT CREATE ON DATABASE {database.name} TO {owner}")
    source.prepare("n", [T, U])
    with source.open_changes("n", [T, U], None, kept) as stream:
        database.execute(f"ALTER PUBLICATION zcbus_n OWNER TO {owner}")
        database.execute("INSERT INTO t VALUES (1, 1)")
        read_until(stream, lambda found: count(found) == 1)
        stream.read(0.1)
    with source.open_changes("n", [T, U], None, kept) as stream:
        database.execute("INSERT INTO t VALUES (2, 2)")
        read_until(stream, lambda found: count(found) == 2)


def test_options_of_a_publication_that_was_there_are_made_right(database: Database, source: PostgreSQLSource) -> None:
    database.execute("CREATE PUBLICATION zcbus_n FOR TABLE t (k), u WHERE (k > 5) WITH (publish = 'insert')")
    with open_stream(source, T, U) as stream:
        database.execute("INSERT INTO t VALUES (1, 1); UPDATE t SET v = 2; INSERT INTO u VALUES (1, 1)")
        found = changes(read_until(stream, lambda found: count(found) == 3))
    assert [(table, row) for table, _, _, row in found] == [("t", ("1", "1")), ("t", ("1", "2")), ("u", ("1", "1"))]


@pytest.mark.parametrize("prepared", ["", "CREATE UNIQUE INDEX other ON t (v)"])
def test_another_replica_identity_stops_the_table(database: Database, source: PostgreSQLSource, prepared: str) -> None:
    """Before, `k = 2` came as an update of a row 2, and row 1 stayed."""
    identity = "USING INDEX other" if prepared else "NOTHING"
    with open_stream(source, T, U) as stream:
        database.execute(f"INSERT INTO t VALUES (1, 1); {prepared}")
        read_until(stream, lambda found: count(found) == 1)
        database.execute(f"ALTER TABLE t REPLICA IDENTITY {identity}")
        if prepared:
            database.execute("UPDATE t SET k = 2")
        with pytest.raises(TableRefused, match="replica-identity") as refused:
            read_until(stream, lambda found: count(found) == 1)
    assert refused.value.facts["table"] == str(T.name)


@pytest.mark.parametrize("identity", ["USING INDEX other", "NOTHING"])
def test_another_replica_identity_of_a_partition_stops_the_table(
    database: Database, source: PostgreSQLSource, identity: str
) -> None:
    """The log names the partitioned table's own identity, whatever its partitions have."""
    database.execute(
        "CREATE TABLE parted (k int PRIMARY KEY, v int NOT NULL) PARTITION BY RANGE (k);"
        "CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (0) TO (10);"
        "CREATE UNIQUE INDEX other ON parted_1 (v)"
    )
    table = CapturedTable(TableName("public", "parted"), ("k",))
    with open_stream(source, table, U) as stream:
        database.execute("INSERT INTO parted VALUES (1, 1)")
        read_until(stream, lambda found: count(found) == 1)
        database.execute(f"ALTER TABLE parted_1 REPLICA IDENTITY {identity}")
        with pytest.raises(TableRefused, match="replica-identity") as refused:
            read_until(stream, lambda found: False)
    assert refused.value.facts["table"] == "public.parted"
