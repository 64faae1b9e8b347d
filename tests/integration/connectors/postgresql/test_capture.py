"""Changes arrive complete, in order and exactly from where they were asked for."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.integration.connectors.postgresql.conftest import Database
from tests.support.processes import wait_until
from zcbus.connectors.errors import LogPositionLost, SourceNotReady, SourceUnavailable, TableMissing, TableRefused
from zcbus.connectors.postgresql.capture import slots
from zcbus.connectors.postgresql.capture.source import PostgreSQLSource
from zcbus.connectors.postgresql.capture.stream import PostgreSQLChangeStream
from zcbus.connectors.postgresql.catalog.discover import PostgreSQLDiscoverer
from zcbus.connectors.roles import CapturedTable
from zcbus.model.arrow import ArrowArray
from zcbus.model.changes import ChangeFrame, HeartbeatFrame, Operation, TableChanges
from zcbus.model.position import Position
from zcbus.model.schema import TableName, TableSchema

pytestmark = pytest.mark.server

T = CapturedTable(TableName("public", "t"), ("k",))


@pytest.fixture
def source(database: Database) -> Iterator[PostgreSQLSource]:
    made = PostgreSQLSource(database.options)
    yield made
    made.drop("n")


def open_stream(
    source: PostgreSQLSource, *tables: CapturedTable, after: Position | None = None
) -> PostgreSQLChangeStream:
    source.prepare("n", tables)
    return source.open_changes("n", tables, after)


def read_until(stream: PostgreSQLChangeStream, enough: Callable[[list[ChangeFrame]], bool]) -> list[ChangeFrame]:
    frames: list[ChangeFrame] = []
    deadline = time.monotonic() + 30
    while not enough(frames):
        assert time.monotonic() < deadline, frames
        frames += [frame for frame in stream.read(0.5) if isinstance(frame, ChangeFrame)]
    return frames


def changes(frames: Sequence[ChangeFrame]) -> list[tuple[Any, ...]]:
    """(table, operation, key before, row after) in log order."""
    found = []
    for frame in frames:
        parts = [entry for table in frame.tables for entry in ordered(table)]
        found += [entry for _, entry in sorted(parts, key=lambda part: part[0])]
    return found


def ordered(table: TableChanges) -> Iterator[tuple[int, tuple[Any, ...]]]:
    rows, keys = table.rows.to_pylist(), table.keys_before.to_pylist()
    for place, order in enumerate(numbers(table.order)):
        operation = Operation(table.operations[place].as_py())
        before, after = tuple(keys[place].values()), tuple(rows[place].values())
        yield order, (table.schema.name.table, operation.name, before, after)


def numbers(array: ArrowArray) -> list[int]:
    values: list[int] = array.to_pylist()  # type: ignore[assignment]
    return values


def count(frames: Sequence[ChangeFrame]) -> int:
    return sum(len(table.operations) for frame in frames for table in frame.tables)


def test_every_kind_of_change_in_log_order(database: Database, source: PostgreSQLSource) -> None:
    database.execute("CREATE TABLE t (k int PRIMARY KEY, v text); CREATE TABLE u (a int, b bytea, PRIMARY KEY (b, a))")
    u = CapturedTable(TableName("public", "u"), ("b", "a"))
    with open_stream(source, T, u) as stream:
        database.execute(
            r"BEGIN; INSERT INTO t VALUES (1, 'a'), (2, NULL); INSERT INTO u VALUES (1, '\x00ff');"
            "UPDATE t SET v = 'b' WHERE k = 1; UPDATE t SET k = 3 WHERE k = 2; TRUNCATE u, t;"
            "INSERT INTO t VALUES (4, ''); DELETE FROM t WHERE k = 4; COMMIT"
        )
        frames = read_until(stream, lambda found: count(found) >= 9)
    assert [frame.complete for frame in frames] == [True]
    found = changes(frames)
    assert found[:5] == [
        ("t", "INSERT", (None,), ("1", "a")),
        ("t", "INSERT", (None,), ("2", None)),
        ("u", "INSERT", (None, None), ("1", b"\x00\xff")),
        ("t", "UPDATE", ("1",), ("1", "b")),
        ("t", "UPDATE", ("2",), ("3", None)),
    ]
    assert sorted(found[5:7]) == [
        ("t", "TRUNCATE", (None,), (None, None)),
        ("u", "TRUNCATE", (None, None), (None, None)),
    ]
    assert found[7:] == [("t", "INSERT", (None,), ("4", "")), ("t", "DELETE", ("4",), (None, None))]
    orders = sorted(order for table in frames[0].tables for order in numbers(table.order))
    assert len(set(orders)) == 9
    assert len(frames[0].transactions.offsets) == 1


def test_a_reader_resumes_exactly_at_the_given_position(database: Database, source: PostgreSQLSource) -> None:
    database.execute("CREATE TABLE t (k int PRIMARY KEY, v text)")
    with open_stream(source, T) as stream:
        for k in range(10):
            database.execute(f"INSERT INTO t VALUES ({k}, 'x')")
        frames = read_until(stream, lambda found: count(found) >= 10)
    positions = [Position(0, offset) for frame in frames for offset in numbers(frame.transactions.offsets)]
    assert len(positions) == 10
    assert positions == sorted(set(positions))
    for place, after in ((9, positions[8]), (3, positions[2]), (1, positions[0])):
        with open_stream(source, T, after=after) as stream:
            rest = read_until(stream, lambda found, expected=10 - place: count(found) >= expected)  # type: ignore[misc]
        assert [row[3][0] for row in changes(rest)] == [str(k) for k in range(place, 10)]


@pytest.mark.soak(but=["postgres18_server"])
def test_a_huge_transaction_comes_in_parts(database: Database, source: PostgreSQLSource) -> None:
    database.execute("CREATE TABLE t (k int PRIMARY KEY, v text)")
    with open_stream(source, T) as stream:
        database.execute("INSERT INTO t VALUES (0, 'before')")
        database.execute("INSERT INTO t SELECT i, repeat('x', 200) FROM generate_series(1, 100000) i")
        database.execute("INSERT INTO t VALUES (100001, 'after')")
        frames = read_until(stream, lambda found: count(found) >= 100002)
    assert [row[3][0] for row in changes(frames)] == [str(k) for k in range(100002)]
    partial = [frame for frame in frames if not frame.complete]
    assert partial
    for frame in partial:
        assert len(frame.transactions.offsets) == 1
        assert sum(table.rows.nbytes for table in frame.tables) < 16 << 20
    (provisional,) = {numbers(frame.transactions.offsets)[0] for frame in partial}
    by_end = sorted({offset for frame in frames if frame.complete for offset in numbers(frame.transactions.offsets)})
    first, large, last = by_end
    assert first < provisional <= large < last
    just_before = Position(0, provisional - 1)
    with open_stream(source, T, after=just_before) as stream:
        again = read_until(stream, lambda found: count(found) >= 100001)
    assert changes(again)[0][3][0] == "1"


def test_values_that_were_not_sent(database: Database, source: PostgreSQLSource) -> None:
    database.execute(
        "CREATE TABLE t (k int PRIMARY KEY, n int, big text, b bytea); ALTER TABLE t ALTER big SET STORAGE EXTERNAL;"
        "ALTER TABLE t ALTER b SET STORAGE EXTERNAL;"
        r"INSERT INTO t VALUES (1, 1, repeat('long', 5000), decode(repeat('00ff', 5000), 'hex')),"
        r"(2, 1, 'short', '\x01')"
    )
    with open_stream(source, T) as stream:
        database.execute("UPDATE t SET n = 2")
        (frame,) = read_until(stream, lambda found: count(found) >= 2)
        (table,) = frame.tables
        assert {name: mask.to_pylist() for name, mask in table.unchanged.items()} == {
            "big": [True, False],
            "b": [True, False],
        }
        assert table.rows.column("big").to_pylist() == [None, "short"]
        database.execute(
            "ALTER TABLE t REPLICA IDENTITY FULL; UPDATE t SET n = 3 WHERE k = 1; UPDATE t SET k = 9 WHERE k = 1"
        )
        frames = read_until(stream, lambda found: count(found) >= 2)
    assert all(not table.unchanged for frame in frames for table in frame.tables)
    (first, second) = changes(frames)
    assert first == ("t", "UPDATE", ("1",), ("1", "3", "long" * 5000, b"\0\xff" * 5000))
    assert second[2:] == (("1",), ("9", "3", "long" * 5000, b"\0\xff" * 5000))


def test_columns_change_in_the_middle(database: Database, source: PostgreSQLSource) -> None:
    database.execute("CREATE TABLE t (k int PRIMARY KEY, v text)")
    with open_stream(source, T) as stream:
        for statement in (
            "INSERT INTO t VALUES (1, 'a')",
            "ALTER TABLE t ADD w int DEFAULT 5",
            "INSERT INTO t VALUES (2, 'b', 7)",
            "ALTER TABLE t DROP v",
            "INSERT INTO t VALUES (3, 8)",
            "ALTER TABLE t ALTER w TYPE text",
            "INSERT INTO t VALUES (4, 'w')",
        ):
            database.execute(statement)
        frames = read_until(stream, lambda found: count(found) >= 4)
    tables = [table for frame in frames for table in frame.tables]
    rows = [(table.schema, row) for table in tables for row in table.rows.to_pylist()]
    assert [row for _, row in rows] == [
        {"k": "1", "v": "a"},
        {"k": "2", "v": "b", "w": "7"},
        {"k": "3", "w": "8"},
        {"k": "4", "w": "w"},
    ]
    natives = [schema.column("w").type.native for schema, _ in rows[1:]]
    assert natives == ["integer", "integer", "text"]
    assert all(schema.primary_key == ("k",) for schema, _ in rows)


def test_an_idle_source_reports_how_far_it_has_been_read(database: Database, source: PostgreSQLSource) -> None:
    database.execute("CREATE TABLE t (k int PRIMARY KEY); CREATE TABLE other (i int)")
    with open_stream(source, T) as stream:
        database.execute("INSERT INTO other SELECT generate_series(1, 20000)")
        ((current,),) = database.rows("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn")
        deadline = time.monotonic() + 20
        reached = 0
        while reached < current:
            assert time.monotonic() < deadline
            for frame in stream.read(0.5):
                assert isinstance(frame, HeartbeatFrame)
                reached = frame.position.offset
        stream.acknowledge(Position(0, reached))
        stream.read(0.5)
        while (source.backlog_bytes("n", None) or 0) > 100_000:
            assert time.monotonic() < deadline, source.backlog_bytes("n", None)
            database.execute("CHECKPOINT")
            for frame in stream.read(0.5):
                stream.acknowledge(frame.position)  # type: ignore[union-attr]


def test_low_load_means_low_delay(database: Database, source: PostgreSQLSource) -> None:
    database.execute("CREATE TABLE t (k int PRIMARY KEY)")
    delays = []
    with open_stream(source, T) as stream:
        for k in range(20):
            database.execute(f"INSERT INTO t VALUES ({k})")
            begun = time.monotonic()
            read_until(stream, lambda found: count(found) >= 1)
            delays.append(time.monotonic() - begun)
    assert sorted(delays)[10] < 0.4


def test_prepare_is_idempotent_and_follows_the_tables(database: Database, source: PostgreSQLSource) -> None:
    database.execute('CREATE TABLE t (k int PRIMARY KEY); CREATE TABLE "U u" (k int PRIMARY KEY)')
    u = CapturedTable(TableName("public", "U u"), ("k",))
    first = source.prepare("n", [T])
    assert source.prepare("n", [T]) == first
    with source.open_changes("n", [T], None) as stream:
        database.execute('INSERT INTO t VALUES (1); INSERT INTO "U u" VALUES (1)')
        frames = read_until(stream, lambda found: count(found) >= 1)
        last = frames[-1].last_position
    source.prepare("n", [T, u])
    database.execute('INSERT INTO "U u" VALUES (2)')
    with source.open_changes("n", [T, u], last) as stream:
        frames = read_until(stream, lambda found: count(found) >= 1)
        assert changes(frames) == [("U u", "INSERT", (None,), ("2",))]
    source.prepare("n", [u])
    database.execute("INSERT INTO t VALUES (3)")
    database.execute('INSERT INTO "U u" VALUES (3)')
    with source.open_changes("n", [u], frames[-1].last_position) as stream:
        assert changes(read_until(stream, lambda found: count(found) >= 1)) == [("U u", "INSERT", (None,), ("3",))]
    source.prepare("n", [])
    source.drop("n")
    source.drop("n")
    assert database.rows("SELECT slot_name FROM pg_replication_slots WHERE slot_name = 'zcbus_n'") == []
    assert database.rows("SELECT pubname FROM pg_publication") == []


def test_partitions_arrive_as_their_table(database: Database, source: PostgreSQLSource) -> None:
    database.execute(
        "CREATE TABLE t (k int, v text, PRIMARY KEY (k)) PARTITION BY RANGE (k);"
        "CREATE TABLE t_1 PARTITION OF t FOR VALUES FROM (0) TO (10);"
        "CREATE TABLE t_2 (v text, k int NOT NULL); ALTER TABLE t ATTACH PARTITION t_2 FOR VALUES FROM (10) TO (20)"
    )
    with open_stream(source, T) as stream:
        database.execute(
            "INSERT INTO t VALUES (1, 'a'), (11, 'b'); UPDATE t SET v = v || '!'; UPDATE t SET k = 12 WHERE k = 1"
        )
        frames = read_until(stream, lambda found: count(found) >= 6)
    assert changes(frames) == [
        ("t", "INSERT", (None,), ("1", "a")),
        ("t", "INSERT", (None,), ("11", "b")),
        ("t", "UPDATE", ("1",), ("1", "a!")),
        ("t", "UPDATE", ("11",), ("11", "b!")),
        ("t", "DELETE", ("1",), (None, None)),
        ("t", "INSERT", (None,), ("12", "a!")),
    ]


@pytest.mark.parametrize(
    ("definition", "key", "reason"),
    [
        ("(k int)", ("k",), "key-column-nullable"),
        ("(k int NOT NULL)", ("k",), "no-replica-identity"),
        ("(k int NOT NULL)", (), "no-replica-identity"),
        ("(k int PRIMARY KEY, v int NOT NULL)", ("v",), "key-not-in-replica-identity"),
        ("(k int PRIMARY KEY DEFERRABLE INITIALLY DEFERRED)", ("k",), "key-deferrable"),
        ("(v int PRIMARY KEY)", ("k",), "key-column-missing"),
    ],
)
def test_tables_that_would_break_their_owner_are_refused(
    database: Database, source: PostgreSQLSource, definition: str, key: tuple[str, ...], reason: str
) -> None:
    database.execute(f"CREATE TABLE t {definition}")
    with pytest.raises(TableRefused) as caught:
        source.prepare("n", [CapturedTable(T.name, key)])
    assert (caught.value.facts["table"], caught.value.facts["reason"]) == ("public.t", reason)
    assert database.rows("SELECT pubname FROM pg_publication") == []


def test_the_remedy_for_a_table_without_key_works(database: Database, source: PostgreSQLSource) -> None:
    database.execute("CREATE TABLE t (k int NOT NULL, v text)")
    with pytest.raises(TableRefused) as caught:
        source.prepare("n", [T])
    assert "REPLICA IDENTITY FULL" in str(caught.value.facts["remedy"])
    database.execute("ALTER TABLE t REPLICA IDENTITY FULL")
    with open_stream(source, T) as stream:
        database.execute("INSERT INTO t VALUES (1, 'a'); UPDATE t SET k = 2; DELETE FROM t")
        frames = read_until(stream, lambda found: count(found) >= 3)
    assert [row[2] for row in changes(frames)] == [(None,), ("1",), ("2",)]


def test_unlogged_and_missing_tables(database: Database, source: PostgreSQLSource) -> None:
    with pytest.raises(TableMissing):
        source.prepare("n", [T])
    database.execute("CREATE UNLOGGED TABLE t (k int PRIMARY KEY)")
    with pytest.raises(TableRefused, match="unlogged"):
        source.prepare("n", [T])


def test_a_renamed_table_is_not_skipped_silently(database: Database, source: PostgreSQLSource) -> None:
    database.execute("CREATE TABLE t (k int PRIMARY KEY)")
    with open_stream(source, T) as stream:
        database.execute("ALTER TABLE t RENAME TO renamed; INSERT INTO renamed VALUES (1)")
        with pytest.raises(TableRefused, match="table-renamed"):
            read_until(stream, lambda found: count(found) >= 1)


def test_a_lost_slot_is_never_silently_created_again(database: Database, source: PostgreSQLSource) -> None:
    database.execute("CREATE TABLE t (k int PRIMARY KEY)")
    with open_stream(source, T) as stream:
        database.execute("INSERT INTO t VALUES (1)")
        last = read_until(stream, lambda found: count(found) >= 1)[-1].last_position
    # The server needs a moment to notice that the reader is dead.
    free = "SELECT 1 FROM pg_replication_slots WHERE slot_name = 'zcbus_n' AND NOT active"
    wait_until(lambda: database.rows(free), 20, "the slot is free")
    database.execute("SELECT pg_drop_replication_slot('zcbus_n'); INSERT INTO t VALUES (2)")
    with pytest.raises(LogPositionLost):
        source.open_changes("n", [T], last)
    with pytest.raises(LogPositionLost) as lost:
        source.prepare("n", [T], last)
    assert str(lost.value.facts["gap"]).endswith(" B")
    assert database.rows("SELECT slot_name FROM pg_replication_slots WHERE slot_name = 'zcbus_n'") == []
    assert source.prepare("n", [T]) > last
    with pytest.raises(LogPositionLost):
        source.open_changes("n", [T], last)


def test_a_slot_that_the_server_invalidated_is_reported(database: Database, source: PostgreSQLSource) -> None:
    database.execute("CREATE TABLE t (k int PRIMARY KEY)")
    begin = source.prepare("n", [T])
    if int(database.rows("SHOW server_version_num")[0][0]) < 130_000:
        pytest.skip("max_slot_wal_keep_size came with PostgreSQL 13")
    for statement in ("ALTER SYSTEM SET max_slot_wal_keep_size = '1MB'", "SELECT pg_reload_conf()"):
        database.execute(statement)
    try:
        deadline = time.monotonic() + 30
        while source_accepts(source, begin):
            assert time.monotonic() < deadline
            database.execute("SELECT pg_logical_emit_message(false, 'x', repeat('x', 1000000)), pg_switch_wal()")
            database.execute("CHECKPOINT")
    finally:
        for statement in ("ALTER SYSTEM RESET max_slot_wal_keep_size", "SELECT pg_reload_conf()"):
            database.execute(statement)
    with pytest.raises(LogPositionLost, match="slot"):
        source.open_changes("n", [T], begin)


def source_accepts(source: PostgreSQLSource, begin: Position) -> bool:
    try:
        source.prepare("n", [T], begin)
    except LogPositionLost:
        return False
    return True


def test_a_server_that_lacks_the_newest_changes_is_reported(database: Database, source: PostgreSQLSource) -> None:
    database.execute("CREATE TABLE t (k int PRIMARY KEY)")
    begin = source.prepare("n", [T])
    with pytest.raises(LogPositionLost, match="ends before that"):
        source.open_changes("n", [T], Position(0, begin.offset + (1 << 40)))


@pytest.mark.soak(but=["postgres18_server"])
def test_a_cut_connection_means_trying_again(database: Database, source: PostgreSQLSource) -> None:
    database.execute("CREATE TABLE t (k int PRIMARY KEY)")
    with open_stream(source, T) as stream:
        with pytest.raises(SourceUnavailable, match="active"):
            source.open_changes("n", [T], None).__enter__()
        database.execute(
            "SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE slot_name = 'zcbus_n'"
        )
        with pytest.raises(SourceUnavailable):
            read_until(stream, lambda found: count(found) >= 1)
    deadline = time.monotonic() + 10
    while database.rows("SELECT active FROM pg_replication_slots WHERE slot_name = 'zcbus_n'") != [(False,)]:
        assert time.monotonic() < deadline
    with source.open_changes("n", [T], None) as stream:
        database.execute("INSERT INTO t VALUES (1)")
        assert count(read_until(stream, lambda found: count(found) >= 1)) == 1


def test_waiting_for_open_transactions_can_be_seen(
    database: Database, source: PostgreSQLSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    database.execute("CREATE TABLE t (k int PRIMARY KEY)")
    monkeypatch.setattr(slots, "WAIT_SECONDS", 0.3)
    with database.server.connect(database.name) as busy:
        busy.execute("BEGIN; INSERT INTO t VALUES (1)")
        with pytest.raises(SourceUnavailable, match="waiting for open transactions: pid"):
            source.prepare("n", [T])
        with pytest.raises(SourceUnavailable, match="waiting for open transactions: pid"):
            source.open_snapshot()
        busy.execute("COMMIT")
    deadline = time.monotonic() + 10
    while database.rows("SELECT slot_name FROM pg_replication_slots"):
        assert time.monotonic() < deadline
    monkeypatch.undo()
    assert source.prepare("n", [T]) > Position(0, 0)
    with source.open_snapshot() as snapshot:
        assert snapshot.position > Position(0, 0)


@pytest.mark.parametrize("part", ["", " PARTITION BY RANGE (k)"], ids=["table", "partitioned"])
@pytest.mark.parametrize(
    ("statement", "refused"),
    [
        ("ALTER TABLE {} ALTER COLUMN v TYPE text", True),
        ("ALTER TABLE {} ADD COLUMN w int GENERATED ALWAYS AS (k) STORED", True),
        ("TRUNCATE {}", True),
        ("ALTER TABLE {} ADD COLUMN w int DEFAULT 1", False),
    ],
    ids=["retyped", "computed", "truncated", "extended"],
)
def test_an_image_of_before_a_rewrite_does_not_take_the_table_for_empty(
    database: Database, source: PostgreSQLSource, part: str, statement: str, refused: bool
) -> None:
    database.execute(f"CREATE TABLE t (k int PRIMARY KEY, v timestamp){part}")
    if part:
        database.execute("CREATE TABLE t_1 PARTITION OF t DEFAULT")
    database.execute("INSERT INTO t SELECT n FROM generate_series(1, 3) n")
    schema = discovered(database)
    with source.open_snapshot() as image:
        database.execute(statement.format("t"))
        if refused:
            with pytest.raises(SourceUnavailable, match="rewritten"):
                list(image.read(schema, ("k",), None, 10))
            with pytest.raises(SourceUnavailable, match="rewritten"):
                image.raw_rows(schema, ("k", "v"), ("k",))
        else:
            assert sum(rows.num_rows for rows, _ in image.read(schema, ("k",), None, 10)) == 3


def discovered(database: Database) -> TableSchema:
    with PostgreSQLDiscoverer(database.options) as discoverer:
        return discoverer.describe([T.name])[0]


def test_rights_on_single_tables(database: Database) -> None:
    user = f"reader_{database.name}"
    database.execute(
        f"CREATE TABLE t (k int PRIMARY KEY); CREATE ROLE {user} LOGIN REPLICATION PASSWORD 'x';"
        f"GRANT CREATE ON DATABASE {database.name} TO {user}"
    )
    source = PostgreSQLSource(replace(database.options, user=user, password="x"))
    with pytest.raises(TableRefused, match="not-readable"):
        source.prepare("n", [T])
    database.execute(f"GRANT SELECT ON t TO {user}")
    with pytest.raises(TableRefused, match="not-owner"):
        source.prepare("n", [T])
    database.execute("CREATE PUBLICATION zcbus_n FOR TABLE ONLY t")
    source.prepare("n", [T])
    PostgreSQLSource(database.options).drop("n")


def test_settings_that_forbid_capture() -> None:
    from tests.servers.postgresql import PostgreSQLServer

    server = PostgreSQLServer(16, {"wal_level": "replica"})
    try:
        with pytest.raises(SourceNotReady, match="wal_level"):
            PostgreSQLSource(server.options()).prepare("n", [])
    finally:
        server.remove()


def test_schemas_of_changes_are_those_of_discovery(database: Database, source: PostgreSQLSource) -> None:
    database.execute(
        "CREATE TYPE mood AS ENUM ('ok'); CREATE DOMAIN price AS numeric(8,2);"
        "CREATE TABLE t (k int PRIMARY KEY, m mood[] NOT NULL DEFAULT '{ok}', p price, v varchar(3) COLLATE \"C\","
        "g int GENERATED ALWAYS AS (k * 2) STORED, c char(3)); COMMENT ON COLUMN t.p IS '价格'"
    )
    with PostgreSQLDiscoverer(database.options) as discoverer:
        (described,) = discoverer.describe([T.name])
    with open_stream(source, T) as stream:
        database.execute("INSERT INTO t (k, p, c) VALUES (1, 1.5, 'a')")
        (frame,) = read_until(stream, lambda found: count(found) >= 1)
    assert frame.tables[0].schema == described
    assert frame.tables[0].rows.to_pylist() == [{"k": "1", "m": "{ok}", "p": "1.50", "v": None, "c": "a  "}]
