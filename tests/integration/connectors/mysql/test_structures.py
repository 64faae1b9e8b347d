"""Rows are decoded with the schema at their log position, however far the catalog is ahead."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

import pymysql
import pytest

from tests.integration.connectors.mysql.support import Row, binlog_position, captured, flat, read_until
from tests.servers.mariadb import MariaDBServer
from zcbus.connectors.errors import TableRefused
from zcbus.connectors.mysql.connector import connector
from zcbus.model.changes import ChangeFrame
from zcbus.model.position import Position
from zcbus.model.schema import TableSchema

pytestmark = pytest.mark.server


@dataclass
class Kept:
    """A history that outlives its streams."""

    data: bytes = b""

    def read(self) -> bytes:
        return self.data

    def write(self, data: bytes) -> None:
        self.data = data


@pytest.fixture(params=["names in the log", "no names", "MySQL"])
def server(request: pytest.FixtureRequest) -> Iterator[MariaDBServer]:
    if request.param == "MySQL":
        yield request.getfixturevalue("mysql_server")
        return
    metadata = "FULL" if request.param == "names in the log" else "NO_LOG"
    server = MariaDBServer(f"--binlog-row-metadata={metadata}")
    yield server
    server.remove()


def frames_after(
    server: MariaDBServer, database: str, after: Position, history: Kept, tables: dict[str, str], rows: int
) -> list[ChangeFrame]:
    source = connector().source(server.options(database))
    with source.open_changes("n", captured(database, **tables), after, history) as stream:
        return read_until(stream, lambda frames: len(flat(frames)) >= rows)


def rows_of(frames: list[ChangeFrame]) -> list[Row]:
    return [row for _, _, row, _ in flat(frames)]


def structures(frames: list[ChangeFrame]) -> list[TableSchema]:
    found: list[TableSchema] = []
    for frame in frames:
        for changes in frame.tables:
            if not found or found[-1] != changes.schema:
                found.append(changes.schema)
    return found


BURST = (
    "INSERT INTO t VALUES (1, 10, 'one', 'e');"
    "ALTER TABLE t ADD c int DEFAULT 7 AFTER id;"
    "INSERT INTO t VALUES (2, 70, 20, 'two', 'f');"
    "ALTER TABLE t CHANGE a x int, CHANGE name title varchar(60) CHARACTER SET latin1;"
    "INSERT INTO t VALUES (3, 71, 30, 'dr\u00e9i', 'e');"
    "ALTER TABLE t DROP c, ADD a int DEFAULT 5, MODIFY e enum('e', 'f', 'g') FIRST;"
    "ALTER TABLE t RENAME COLUMN x TO y;"
    "INSERT INTO t VALUES ('g', 4, 40, 'vier', NULL);"
    "ALTER TABLE t DROP y, DROP title, DROP e"
)
BURST_ROWS = [
    {"id": "1", "a": "10", "name": "one", "e": "e"},
    {"id": "2", "c": "70", "a": "20", "name": "two", "e": "f"},
    {"id": "3", "c": "71", "x": "30", "title": "dréi", "e": "e"},
    {"e": "g", "id": "4", "y": "40", "title": "vier", "a": None},
]


@pytest.mark.wide
def test_a_burst_of_changes_is_read_wherever_the_reading_begins(server: MariaDBServer) -> None:
    database = server.fresh_database()
    server.execute("CREATE TABLE t (id int PRIMARY KEY, a int, name varchar(50), e enum('e', 'f'))", database)
    begin, history = binlog_position(server), Kept()
    frames_after(server, database, begin, history, {"t": "id"}, rows=0)
    server.execute(BURST, database)
    frames = frames_after(server, database, begin, history, {"t": "id"}, rows=4)
    assert rows_of(frames) == BURST_ROWS
    former = {c.name: c.former for schema in structures(frames) for c in schema.columns if c.former}
    assert former == {"x": "a", "title": "name", "y": "x"}
    for frame in frames:
        place = frame.last_position
        done = [row for one in frames[: frames.index(frame) + 1] for row in rows_of([one])]
        rest = BURST_ROWS[len(done) :]
        assert rows_of(frames_after(server, database, place, history, {"t": "id"}, rows=len(rest))) == rest


GH_OST = (
    "INSERT INTO t VALUES (1, 10, 'one', 'e');"
    "create /* gh-ost */ table `_t_gho` like `t`;"
    "INSERT INTO t VALUES (2, 20, 'two', 'f');"
    "alter /* gh-ost */ table `_t_gho` ADD c int DEFAULT 7 AFTER id, MODIFY name varchar(80);"
    "INSERT INTO t VALUES (3, 30, 'three', 'e');"
    "insert /* gh-ost */ ignore into `_t_gho` (id, a, name, e) select id, a, name, e from t;"
    "rename /* gh-ost */ table `t` to `_t_del`, `_t_gho` to `t`;"
    "INSERT INTO t VALUES (4, 40, 44, 'four', 'e'); DROP TABLE _t_del"
)
PT_OSC = (
    "INSERT INTO t VALUES (1, 10, 'one', 'e');"
    "CREATE TABLE `__t_new` (id int PRIMARY KEY, a int, name varchar(50), e enum('e', 'f'));"
    "INSERT INTO t VALUES (2, 20, 'two', 'f');"
    "ALTER TABLE `__t_new` ADD c int DEFAULT 7 AFTER id;"
    "INSERT INTO t VALUES (3, 30, 'three', 'e');"
    "INSERT INTO `__t_new` (id, a, name, e) SELECT id, a, name, e FROM t;"
    "ALTER TABLE `__t_new` MODIFY name varchar(80);"
    "RENAME TABLE `t` TO `_t_old`, `__t_new` TO `t`;"
    "INSERT INTO t VALUES (4, 40, 44, 'four', 'e'); DROP TABLE IF EXISTS `_t_old`"
)
EXCHANGED_ROWS = [
    {"id": "1", "a": "10", "name": "one", "e": "e"},
    {"id": "2", "a": "20", "name": "two", "e": "f"},
    {"id": "3", "a": "30", "name": "three", "e": "e"},
    {"id": "4", "c": "40", "a": "44", "name": "four", "e": "e"},
]


@pytest.mark.parametrize("burst", [GH_OST, PT_OSC], ids=["gh-ost", "pt-osc"])
def test_a_tool_that_exchanges_the_table_for_another_is_followed(server: MariaDBServer, burst: str) -> None:
    database = server.fresh_database()
    server.execute("CREATE TABLE t (id int PRIMARY KEY, a int, name varchar(50), e enum('e', 'f'))", database)
    begin, history = binlog_position(server), Kept()
    frames_after(server, database, begin, history, {"t": "id"}, rows=0)
    server.execute(burst, database)
    frames = frames_after(server, database, begin, history, {"t": "id"}, rows=4)
    assert rows_of(frames) == EXCHANGED_ROWS
    for frame in frames:
        done = [row for one in frames[: frames.index(frame) + 1] for row in rows_of([one])]
        rest = EXCHANGED_ROWS[len(done) :]
        place = frame.last_position
        assert rows_of(frames_after(server, database, place, history, {"t": "id"}, rows=len(rest))) == rest


@pytest.mark.wide
@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("DROP TABLE t", "table-dropped"),
        ("RENAME TABLE t TO t_old", "table-renamed"),
        ("RENAME TABLE t TO gone, u TO t", "table-replaced"),
        ("CREATE OR REPLACE TABLE t (id int PRIMARY KEY)", "table-replaced"),
        ("CREATE TABLE _t_gho LIKE t; RENAME TABLE t TO gone, _t_gho TO t", "table-replaced"),
        ("CREATE TABLE t_new LIKE t; RENAME TABLE t TO _t_old, t_new TO t", "table-replaced"),
        (
            "CREATE TABLE _t_new LIKE t; ALTER TABLE _t_new ADD UNIQUE (a); RENAME TABLE t TO _t_old, _t_new TO t",
            "table-replaced",
        ),
        ("ALTER TABLE t DROP PRIMARY KEY, ADD PRIMARY KEY (id, a)", "key-dropped"),
        ("ALTER TABLE t ADD SYSTEM VERSIONING", "statement-not-understood"),
        ("CREATE OR REPLACE DATABASE {database}", "table-dropped"),
        ("ALTER TABLE t MODIFY twice int AS (a * 3) STORED", "values-rewritten"),
        ("SET sql_mode = ''; ALTER TABLE t MODIFY d decimal(9,2) UNSIGNED", "values-may-change"),
    ],
)
def test_a_statement_that_cannot_be_followed_is_reported_after_earlier_rows(
    mariadb_server: MariaDBServer, statement: str, reason: str
) -> None:
    database = mariadb_server.fresh_database()
    mariadb_server.execute(
        "CREATE TABLE t (id int PRIMARY KEY, a int NOT NULL, twice int AS (a * 2) STORED, d decimal(9,2));"
        "CREATE TABLE u (id int PRIMARY KEY)",
        database,
    )
    source = connector().source(mariadb_server.options(database))
    with source.open_changes("n", captured(database, t="id"), binlog_position(mariadb_server)) as stream:
        mariadb_server.execute(
            f"INSERT INTO t (id, a, d) VALUES (1, 1, -1); {statement.format(database=database)}", database
        )
        assert len(flat(read_until(stream, lambda frames: bool(flat(frames))))) == 1
        with pytest.raises(TableRefused) as refused:
            read_until(stream, lambda frames: False)
    assert refused.value.facts["reason"] == reason
    mariadb_server.drop_database(database)


def test_statements_about_other_tables_change_nothing(mariadb_server: MariaDBServer) -> None:
    database = mariadb_server.fresh_database()
    mariadb_server.execute("CREATE TABLE t (id int PRIMARY KEY)", database)
    source = connector().source(mariadb_server.options(database))
    with source.open_changes("n", captured(database, t="id"), binlog_position(mariadb_server)) as stream:
        mariadb_server.execute(
            "CREATE TABLE t_2 (id int PRIMARY KEY); ALTER TABLE t_2 ADD SYSTEM VERSIONING; DROP TABLE t_2;"
            "CREATE VIEW v AS SELECT * FROM t; CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW SET @a = NEW.id;"
            "CREATE INDEX i ON t (id); ALTER TABLE t ENGINE=InnoDB; ANALYZE TABLE t; INSERT INTO t VALUES (1)",
            database,
        )
        frames = read_until(stream, lambda frames: bool(flat(frames)))
    assert rows_of(frames) == [{"id": "1"}]
    mariadb_server.drop_database(database)


def by_client(server: MariaDBServer, database: str, charset: str, *statements: str) -> None:
    """Run statements in a session of a client with that character set."""
    options = server.options(database)
    session = pymysql.connect(
        host=options.host,
        port=options.port,
        user=options.user,
        password=options.password,
        database=database,
        charset=charset,
        autocommit=True,
    )
    with closing(session), session.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


@pytest.mark.parametrize("charset", ["gbk", "latin1", "utf8mb4"])
def test_statements_are_read_in_the_character_set_of_their_session(mariadb_server: MariaDBServer, charset: str) -> None:
    """Before, the log's text was taken for UTF-8: TRUNCATE of a table with such a name was passed over."""
    table, column, value = ("é", "ü", "ä") if charset == "latin1" else ("订单", "备注", "无")
    database = mariadb_server.fresh_database()
    mariadb_server.execute(f"CREATE TABLE {table} (id int PRIMARY KEY) CHARSET utf8mb4", database)
    source = connector().source(mariadb_server.options(database))
    tables = captured(database, **{table: "id"})
    with source.open_changes("n", tables, binlog_position(mariadb_server), Kept()) as stream:
        by_client(
            mariadb_server,
            database,
            charset,
            f"INSERT INTO {table} VALUES (1)",
            f"TRUNCATE TABLE {table}",
            f"ALTER TABLE {table} ADD COLUMN {column} varchar(9) DEFAULT '{value}'",
            f"INSERT INTO {table} (id) VALUES (2)",
        )
        frames = read_until(stream, lambda found: len(flat(found)) >= 3)
        assert [(operation, row) for _, operation, row, _ in flat(frames)] == [
            ("INSERT", {"id": "1"}),
            ("TRUNCATE", {"id": None}),
            ("INSERT", {"id": "2", column: value}),
        ]
        assert {c.default for schema in structures(frames) for c in schema.columns if c.name == column} == {
            f"'{value}'"
        }
        by_client(mariadb_server, database, charset, f"DROP TABLE {table}")
        with pytest.raises(TableRefused, match="table-dropped"):
            read_until(stream, lambda found: False)
    mariadb_server.drop_database(database)


def test_an_alter_in_two_phases_counts_where_it_takes_effect(mariadb_server: MariaDBServer) -> None:
    """The log has its beginning and its end, or that it is undone, as transactions of their own."""
    database = mariadb_server.fresh_database()
    mariadb_server.execute("CREATE TABLE t (id int PRIMARY KEY, a int)", database)
    source = connector().source(mariadb_server.options(database))
    ((file, offset, *_),) = mariadb_server.rows("SHOW MASTER STATUS", database)
    with source.open_changes("n", captured(database, t="id"), binlog_position(mariadb_server), Kept()) as stream:
        mariadb_server.execute("INSERT INTO t VALUES (1, 1), (2, 1)", database)
        with pytest.raises(pymysql.err.IntegrityError):
            by_client(
                mariadb_server,
                database,
                "utf8mb4",
                "SET SESSION binlog_alter_two_phase = 1",
                "ALTER TABLE t ADD COLUMN undone int DEFAULT 3 FIRST, ADD UNIQUE (a)",
            )
        by_client(
            mariadb_server,
            database,
            "utf8mb4",
            "INSERT INTO t VALUES (3, 3)",
            "SET SESSION binlog_alter_two_phase = 1",
            "ALTER TABLE t ADD COLUMN b int DEFAULT 5",
            "INSERT INTO t (id, a) VALUES (4, 4)",
        )
        logged = " ".join(
            str(row) for row in mariadb_server.rows(f"SHOW BINLOG EVENTS IN '{file}' FROM {offset}", database)
        )
        assert "START ALTER" in logged
        assert "ROLLBACK ALTER" in logged
        frames = read_until(stream, lambda found: len(flat(found)) >= 4)
    assert [row for _, _, row, _ in flat(frames)] == [
        {"id": "1", "a": "1"},
        {"id": "2", "a": "1"},
        {"id": "3", "a": "3"},
        {"id": "4", "a": "4", "b": "5"},
    ]
    assert structures(frames)[-1].names == ("id", "a", "b")


def test_a_table_replaced_by_a_query_stops(mariadb_server: MariaDBServer) -> None:
    """The log has the statement and the new rows in one group."""
    database = mariadb_server.fresh_database()
    mariadb_server.execute("CREATE TABLE t (id int PRIMARY KEY, a int)", database)
    source = connector().source(mariadb_server.options(database))
    with source.open_changes("n", captured(database, t="id"), binlog_position(mariadb_server), Kept()) as stream:
        mariadb_server.execute("INSERT INTO t VALUES (1, 1)", database)
        read_until(stream, lambda frames: bool(flat(frames)))
        mariadb_server.execute("CREATE OR REPLACE TABLE t (id int PRIMARY KEY, a int) SELECT 7 AS id, 7 AS a", database)
        with pytest.raises(TableRefused, match="table-replaced"):
            read_until(stream, lambda found: False)


def test_a_database_is_dropped_in_another_case() -> None:
    server = MariaDBServer("--lower-case-table-names=1")
    try:
        database, other = server.fresh_database(), server.fresh_database()
        for name in (database, other):
            server.execute("CREATE TABLE t (id int PRIMARY KEY)", name)
        source = connector().source(server.options(database))
        with source.open_changes("n", captured(database, t="id"), binlog_position(server), Kept()) as stream:
            server.execute(f"DROP DATABASE {other.upper()}; INSERT INTO {database.upper()}.T VALUES (1)", database)
            read_until(stream, lambda frames: bool(flat(frames)))
            server.execute(f"DROP DATABASE {database.upper()}")
            with pytest.raises(TableRefused, match="table-dropped"):
                read_until(stream, lambda found: False)
    finally:
        server.remove()
