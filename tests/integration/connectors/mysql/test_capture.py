"""Changes from a real binlog."""

import time
from collections.abc import Iterator

import pytest

from tests.integration.connectors.mysql.support import (
    DEADLINE,
    binlog_position,
    captured,
    changes_after,
    flat,
    read_until,
)
from tests.servers.mariadb import MariaDBServer
from tests.servers.mysql import MySQLServer
from tests.support.processes import wait_until
from zcbus.connectors.errors import LogPositionLost, SourceNotReady, SourceUnavailable, TableMissing, TableRefused
from zcbus.connectors.mysql.capture.position import LogFile
from zcbus.connectors.mysql.capture.source import MemoryHistory
from zcbus.connectors.mysql.capture.stream import MySQLChangeStream
from zcbus.connectors.mysql.connector import connector
from zcbus.connectors.roles import ChangeStream
from zcbus.connectors.source_log import FIRST_LOG
from zcbus.model.changes import ChangeFrame, HeartbeatFrame
from zcbus.model.position import Position

pytestmark = pytest.mark.server


@pytest.fixture
def database(mariadb_server: MariaDBServer) -> Iterator[str]:
    name = mariadb_server.fresh_database()
    yield name
    mariadb_server.drop_database(name)


@pytest.mark.wide
def test_insert_update_delete_and_key_change(mariadb_server: MariaDBServer, database: str) -> None:
    def run(sql: str) -> None:
        mariadb_server.execute(sql, database)

    run("CREATE TABLE t (id int PRIMARY KEY, v varchar(20))")
    after = binlog_position(mariadb_server)
    run("INSERT INTO t VALUES (1, 'a'), (2, NULL)")
    run("UPDATE t SET v = 'b' WHERE id = 1")
    run("UPDATE t SET id = 9 WHERE id = 2")
    run("DELETE FROM t WHERE id = 1")
    changes = flat(changes_after(mariadb_server.options(database), captured(database, t="id"), after))
    assert changes == [
        ("t", "INSERT", {"id": "1", "v": "a"}, {"id": None}),
        ("t", "INSERT", {"id": "2", "v": None}, {"id": None}),
        ("t", "UPDATE", {"id": "1", "v": "b"}, {"id": "1"}),
        ("t", "UPDATE", {"id": "9", "v": None}, {"id": "2"}),
        ("t", "DELETE", {"id": None, "v": None}, {"id": "1"}),
    ]


def test_transaction_over_several_tables_keeps_its_order(mariadb_server: MariaDBServer, database: str) -> None:
    for table in ("a", "b", "quiet"):
        mariadb_server.execute(f"CREATE TABLE {table} (id int PRIMARY KEY)", database)
    after = binlog_position(mariadb_server)
    mariadb_server.execute(
        "BEGIN; INSERT INTO a VALUES (1); INSERT INTO b VALUES (1); INSERT INTO quiet VALUES (1);"
        "INSERT INTO a VALUES (2); COMMIT; BEGIN; INSERT INTO a VALUES (3); ROLLBACK; INSERT INTO b VALUES (2)",
        database,
    )
    frames = changes_after(mariadb_server.options(database), captured(database, a="id", b="id"), after)
    assert [(table, row["id"]) for table, _, row, _ in flat(frames)] == [("a", "1"), ("b", "1"), ("a", "2"), ("b", "2")]
    transactions = [
        (table.schema.name.table, *table.transactions.to_pylist()) for frame in frames for table in frame.tables
    ]
    if len(frames) == 1:
        assert transactions == [("a", 0, 0), ("b", 0, 1)]
    assert frames[-1].last_position == binlog_position(mariadb_server)


def test_truncate_is_a_change_of_its_own(mariadb_server: MariaDBServer, database: str) -> None:
    mariadb_server.execute("CREATE TABLE t (id int PRIMARY KEY); CREATE TABLE `t 2` (id int PRIMARY KEY)", database)
    after = binlog_position(mariadb_server)
    mariadb_server.execute("INSERT INTO t VALUES (1); TRUNCATE t; INSERT INTO t VALUES (2)", database)
    mariadb_server.execute(f"/* note */ truncate  table `{database}` . `t 2`", database)
    tables = captured(database, **{"t": "id", "t 2": "id"})
    changes = flat(changes_after(mariadb_server.options(database), tables, after))
    assert [(table, operation, row["id"]) for table, operation, row, _ in changes] == [
        ("t", "INSERT", "1"),
        ("t", "TRUNCATE", None),
        ("t", "INSERT", "2"),
        ("t 2", "TRUNCATE", None),
    ]


def test_large_transaction_comes_in_bounded_frames(mariadb_server: MariaDBServer, database: str) -> None:
    mariadb_server.execute("CREATE TABLE t (id int PRIMARY KEY, v varchar(200))", database)
    mariadb_server.execute("INSERT INTO t VALUES (0, 'before')", database)
    before = binlog_position(mariadb_server)
    mariadb_server.execute("INSERT INTO t SELECT seq, repeat('x', 200) FROM seq_1_to_150000", database)
    mariadb_server.execute("INSERT INTO t VALUES (200000, 'after')", database)
    frames = changes_after(mariadb_server.options(database), captured(database, t="id"), before)
    assert [frame.complete for frame in frames[:-1]].count(False) >= 3
    ids = [row["id"] for _, _, row, _ in flat(frames)]
    assert ids == [*map(str, range(1, 150001)), "200000"]
    inside = [frame for frame in frames if not frame.complete]
    assert all(len(frame.transactions.files) == 1 for frame in inside)
    end = next(frame for frame in frames if frame.complete)
    first_end = Position(end.transactions.files[0].as_py(), end.transactions.offsets[0].as_py())
    assert all(before < frame.last_position <= first_end for frame in inside)
    assert max(sum(table.rows.nbytes for table in frame.tables) for frame in frames) < 16 << 20


def test_resume_gives_exactly_the_rest(mariadb_server: MariaDBServer, database: str) -> None:
    mariadb_server.execute("CREATE TABLE t (id int PRIMARY KEY)", database)
    after = binlog_position(mariadb_server)
    for number in range(5):
        mariadb_server.execute(f"INSERT INTO t VALUES ({number})", database)
    mariadb_server.execute("FLUSH BINARY LOGS")
    for number in range(5, 8):
        mariadb_server.execute(f"INSERT INTO t VALUES ({number})", database)
    options, tables = mariadb_server.options(database), captured(database, t="id")
    positions = [
        Position(int(file or 0), int(offset or 0))
        for frame in changes_after(options, tables, after)
        for file, offset in zip(
            frame.transactions.files.to_pylist(), frame.transactions.offsets.to_pylist(), strict=True
        )
    ]
    assert positions == sorted(set(positions))
    assert len(positions) == 8
    for done, position in enumerate(positions):
        rest = flat(changes_after(options, tables, position))
        assert [row["id"] for _, _, row, _ in rest] == [str(number) for number in range(done + 1, 8)]


def test_structure_changes_are_followed(mariadb_server: MariaDBServer, database: str) -> None:
    mariadb_server.execute("CREATE TABLE t (id int PRIMARY KEY, v varchar(5))", database)
    options, tables = mariadb_server.options(database), captured(database, t="id")
    source = connector().source(options)
    with source.open_changes("test", tables, source.prepare("test", tables)) as stream:
        mariadb_server.execute("INSERT INTO t VALUES (1, 'a')", database)
        frames = read_until(stream, lambda frames: len(flat(frames)) == 1)
        mariadb_server.execute("ALTER TABLE t ADD COLUMN w int UNSIGNED FIRST", database)
        mariadb_server.execute("INSERT INTO t VALUES (4294967295, 2, 'b')", database)
        frames += read_until(stream, lambda frames: len(flat(frames)) == 1)
    assert [row for _, _, row, _ in flat(frames)] == [{"id": "1", "v": "a"}, {"w": "4294967295", "id": "2", "v": "b"}]


def test_sign_change_is_noticed_without_names_in_the_log(mariadb_server: MariaDBServer, database: str) -> None:
    mariadb_server.execute("CREATE TABLE t (id int PRIMARY KEY, v tinyint)", database)
    options, tables = mariadb_server.options(database), captured(database, t="id")
    source = connector().source(options)
    with source.open_changes("test", tables, source.prepare("test", tables)) as stream:
        mariadb_server.execute("INSERT INTO t VALUES (1, -1)", database)
        first = read_until(stream, lambda frames: len(flat(frames)) == 1)
        mariadb_server.execute("DELETE FROM t; ALTER TABLE t MODIFY v tinyint UNSIGNED", database)
        mariadb_server.execute("INSERT INTO t VALUES (2, 255)", database)
        second = read_until(stream, lambda frames: len(flat(frames)) == 2)
    assert [row["v"] for _, _, row, _ in flat(first + second)] == ["-1", None, "255"]


def test_rows_from_before_a_change_of_structure(mariadb_server: MariaDBServer, database: str) -> None:
    mariadb_server.execute(
        "CREATE TABLE t (gone varchar(10), id int PRIMARY KEY, n tinyint UNSIGNED, s varchar(10), y year, b bit(3))",
        database,
    )
    after = binlog_position(mariadb_server)
    mariadb_server.execute(
        "INSERT INTO t VALUES ('x', 1, 200, 'a', 2000, 5); ALTER TABLE t DROP gone, MODIFY n bigint, "
        "MODIFY s text, ADD new int FIRST; INSERT INTO t VALUES (7, 2, -200, 'b', 2001, 6)",
        database,
    )
    changes = flat(changes_after(mariadb_server.options(database), captured(database, t="id"), after))
    assert [row for _, _, row, _ in changes] == [
        {"id": "1", "n": "200", "s": "a", "y": "2000", "b": "101"},
        {"new": "7", "id": "2", "n": "-200", "s": "b", "y": "2001", "b": "110"},
    ]


def test_a_lost_schema_is_reported(mariadb_server: MariaDBServer, database: str) -> None:
    mariadb_server.execute("CREATE TABLE t (id int PRIMARY KEY, v datetime)", database)
    after = binlog_position(mariadb_server)
    mariadb_server.execute("INSERT INTO t VALUES (1, NOW()); ALTER TABLE t MODIFY v date", database)
    options, tables = mariadb_server.options(database), captured(database, t="id")
    with pytest.raises(TableRefused) as refused:
        changes_after(options, tables, after)
    assert refused.value.facts["reason"] == "schema-changed"
    mariadb_server.execute("DROP TABLE t", database)
    with pytest.raises(TableMissing):
        connector().source(options).open_changes("test", tables, after)


def test_idle_source_gives_heartbeats_that_move_on(mariadb_server: MariaDBServer, database: str) -> None:
    mariadb_server.execute("CREATE TABLE t (id int PRIMARY KEY); CREATE TABLE other (id int)", database)
    options, tables = mariadb_server.options(database), captured(database, t="id")
    source = connector().source(options)
    with source.open_changes("test", tables, None) as stream:
        mariadb_server.execute("INSERT INTO other VALUES (1)", database)
        end = binlog_position(mariadb_server)
        deadline = time.monotonic() + 10
        beats: list[HeartbeatFrame | ChangeFrame] = []
        while not beats or beats[-1].position < end:  # type: ignore[union-attr]
            assert time.monotonic() < deadline
            beats += stream.read(0.5)
    assert all(isinstance(beat, HeartbeatFrame) for beat in beats)


def test_the_end_of_a_log_that_is_no_transaction_is_reached(mariadb_server: MariaDBServer, database: str) -> None:
    """A server writes events of its own after a rotation or a restart; what waits for the log's end must not wait for
    the next transaction."""
    mariadb_server.execute("CREATE TABLE t (id int PRIMARY KEY)", database)
    options, tables = mariadb_server.options(database), captured(database, t="id")
    source = connector().source(options)
    after = binlog_position(mariadb_server)
    mariadb_server.execute("FLUSH BINARY LOGS")
    end = source.log_end()
    with source.open_changes("test", tables, after) as stream:
        read_until_position(stream, end)
        mariadb_server.execute("FLUSH BINARY LOGS")
        read_until_position(stream, source.log_end())
        mariadb_server.execute("INSERT INTO t VALUES (1)", database)
        assert len(flat(read_until(stream, lambda frames: len(flat(frames)) == 1))) == 1


def read_until_position(stream: ChangeStream, position: Position) -> None:
    """Reads heartbeats until they have reached a position; fails after a deadline."""

    def reached() -> bool:
        return any(beat.position >= position for beat in stream.read(0.5) if isinstance(beat, HeartbeatFrame))

    wait_until(reached, DEADLINE, "the position is reached")


def test_lost_log_is_distinguished(mariadb_server: MariaDBServer, database: str) -> None:
    mariadb_server.execute("CREATE TABLE t (id int PRIMARY KEY)", database)
    options, tables = mariadb_server.options(database), captured(database, t="id")
    after = binlog_position(mariadb_server)
    forget_logs(mariadb_server)
    oldest = mariadb_server.rows("SHOW BINARY LOGS")[0][0]
    source = connector().source(options)
    with pytest.raises(LogPositionLost) as lost:
        source.open_changes("test", tables, after)
    assert lost.value.facts["oldest"] == oldest
    with pytest.raises(LogPositionLost):
        source.open_changes("test", tables, Position(after.file + 1000, 4))


def forget_logs(server: MariaDBServer) -> None:
    """Leaves the newest log only; the server keeps a log that a reader or its own recovery still needs."""

    def only_the_newest() -> bool:
        server.execute("FLUSH BINARY LOGS")
        newest = server.rows("SHOW MASTER STATUS")[0][0]
        server.execute(f"PURGE BINARY LOGS TO '{newest}'")
        return len(server.rows("SHOW BINARY LOGS")) == 1

    wait_until(only_the_newest, DEADLINE, "only the newest log is left")


def test_a_log_that_is_lost_under_the_reader(mariadb_server: MariaDBServer, database: str) -> None:
    options, tables = mariadb_server.options(database), captured(database)
    file = LogFile("binlog", binlog_position(mariadb_server).file + 5)
    with (
        MySQLChangeStream(options, FIRST_LOG, tables, file, Position(file.number, 4), MemoryHistory()) as stream,
        pytest.raises(LogPositionLost),
    ):
        read_until(stream, lambda frames: False)


def test_a_statement_in_the_log_is_not_passed_over(mariadb_server: MariaDBServer, database: str) -> None:
    mariadb_server.execute("CREATE TABLE t (id int PRIMARY KEY)", database)
    after = binlog_position(mariadb_server)
    mariadb_server.execute("SET SESSION binlog_format = 'STATEMENT'; INSERT INTO t VALUES (1)", database)
    with pytest.raises(TableRefused) as refused:
        changes_after(mariadb_server.options(database), captured(database, t="id"), after)
    assert refused.value.facts["reason"] == "statement-in-log"


def test_a_partial_row_image_is_refused(mariadb_server: MariaDBServer, database: str) -> None:
    mariadb_server.execute("CREATE TABLE t (id int PRIMARY KEY, v int); INSERT INTO t VALUES (1, 1)", database)
    after = binlog_position(mariadb_server)
    mariadb_server.execute("SET SESSION binlog_row_image = 'MINIMAL'; UPDATE t SET v = 2", database)
    with pytest.raises(TableRefused) as refused:
        changes_after(mariadb_server.options(database), captured(database, t="id"), after)
    assert refused.value.facts["reason"] == "row-image-not-full"


@pytest.mark.soak
def test_partial_json_is_refused(mysql_server: MySQLServer) -> None:
    """By the connection test where the server writes it, and in the log where a session alone turned it on."""
    database = mysql_server.fresh_database()
    options = mysql_server.options(database)
    try:
        mysql_server.execute("CREATE TABLE t (id int PRIMARY KEY, v json)", database)
        mysql_server.execute("""INSERT INTO t VALUES (1, '{"a": "some text", "b": 1}')""", database)
        after = binlog_position(mysql_server)
        mysql_server.execute(
            "SET SESSION binlog_row_value_options = 'PARTIAL_JSON'; UPDATE t SET v = JSON_SET(v, '$.b', 2)", database
        )
        with pytest.raises(TableRefused) as refused:
            changes_after(options, captured(database, t="id"), after)
        assert refused.value.facts["reason"] == "row-image-not-full"
        mysql_server.execute("SET GLOBAL binlog_row_value_options = 'PARTIAL_JSON'")
        found = [one for one in connector().tester().test(options, "source") if one.item == "log-settings"]
        (check,) = [one for one in found if not one.ok]
        assert check.blocking
        assert "binlog_row_value_options = ''" in check.remedy
    finally:
        mysql_server.execute("SET GLOBAL binlog_row_value_options = ''")
        mysql_server.drop_database(database)


def test_tables_without_transactions(mariadb_server: MariaDBServer, database: str) -> None:
    mariadb_server.execute(
        "CREATE TABLE m (id int PRIMARY KEY) ENGINE=MyISAM; CREATE TABLE a (id int PRIMARY KEY) ENGINE=Aria", database
    )
    after = binlog_position(mariadb_server)
    mariadb_server.execute("INSERT INTO m VALUES (1), (2); INSERT INTO a VALUES (3); DELETE FROM m", database)
    frames = changes_after(mariadb_server.options(database), captured(database, m="id", a="id"), after)
    assert [(table, operation) for table, operation, _, _ in flat(frames)] == [
        ("m", "INSERT"),
        ("m", "INSERT"),
        ("a", "INSERT"),
        ("m", "DELETE"),
        ("m", "DELETE"),
    ]


def test_a_stopped_server_is_a_passing_trouble(database: str) -> None:
    server = MariaDBServer()
    try:
        server.create_database(database)
        server.execute("CREATE TABLE t (id int PRIMARY KEY)", database)
        options, tables = server.options(database), captured(database, t="id")
        source = connector().source(options)
        after = source.prepare("test", tables)
        with source.open_changes("test", tables, after) as stream:
            server.kill()
            with pytest.raises(SourceUnavailable):
                read_until(stream, lambda frames: False)
        with pytest.raises(SourceUnavailable):
            source.open_changes("test", tables, after)
        server.start()
        server.execute("INSERT INTO t VALUES (1)", database)
        assert [row["id"] for _, _, row, _ in flat(changes_after(options, tables, after))] == ["1"]
    finally:
        server.remove()


@pytest.mark.parametrize(
    "option",
    [
        "--log-bin-compress=ON",
        "--mysql56-temporal-format=OFF",
        "--binlog-row-metadata=NO_LOG",
        "--binlog-checksum=NONE",
    ],
)
def test_other_ways_of_writing_the_log(option: str) -> None:
    server = MariaDBServer(option, "--log-bin-compress-min-len=10")
    try:
        database = server.fresh_database()
        server.execute(
            "CREATE TABLE t (id int PRIMARY KEY, v varchar(400), d datetime, d3 datetime(3), s timestamp NULL, "
            "s4 timestamp(4) NULL, u time, u2 time(2), u6 time(6))",
            database,
        )
        after = binlog_position(server)
        server.execute(
            "SET time_zone = '+00:00'; INSERT INTO t VALUES (1, repeat('a', 300), '2024-02-29 23:59:58', "
            "'1999-12-31 01:02:03.125', '2024-02-29 23:59:58', '2001-09-09 01:46:40.5', '-01:02:03', '-00:00:00.25', "
            "'838:59:59.999999'), (2, '', NULL, NULL, NULL, NULL, NULL, NULL, NULL);"
            "UPDATE t SET v = concat(v, 'b'); DELETE FROM t WHERE id = 2",
            database,
        )
        changes = flat(changes_after(server.options(database), captured(database, t="id"), after))
        assert [(operation, key["id"]) for _, operation, _, key in changes] == [
            ("INSERT", None),
            ("INSERT", None),
            ("UPDATE", "1"),
            ("UPDATE", "2"),
            ("DELETE", "2"),
        ]
        assert changes[0][2] == {
            "id": "1",
            "v": "a" * 300,
            "d": "2024-02-29 23:59:58",
            "d3": "1999-12-31 01:02:03.125",
            "s": "2024-02-29 23:59:58+00",
            "s4": "2001-09-09 01:46:40.5000+00",
            "u": "-01:02:03",
            "u2": "-00:00:00.25",
            "u6": "838:59:59.999999",
        }
        assert changes[2][2]["v"] == "a" * 300 + "b"
    finally:
        server.remove()


def test_settings_that_forbid_it_are_named() -> None:
    server = MariaDBServer("--binlog-format=MIXED")
    try:
        with pytest.raises(SourceNotReady) as refused:
            connector().source(server.options()).prepare("test", [])
        assert refused.value.facts["setting"] == "binlog_format"
    finally:
        server.remove()
