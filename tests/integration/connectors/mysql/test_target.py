"""Special cases of writing into MySQL and MariaDB."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.integration.connectors.mysql.support import batch, describe, target_table
from tests.servers.mariadb import MariaDBServer
from zcbus.connectors.errors import AccessDenied, RowRefused, TableRefused, TargetUnavailable
from zcbus.connectors.mysql.connector import connector
from zcbus.connectors.roles import MappedColumn, TargetSession, TargetTable
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.states import CleanMode, LoadType
from zcbus.model.types import DataType, Kind

pytestmark = pytest.mark.server

_EVERY_BYTE = bytes(range(256))


@pytest.fixture
def database(mariadb_server: MariaDBServer) -> Iterator[str]:
    name = mariadb_server.fresh_database()
    yield name
    mariadb_server.drop_database(name)


@pytest.fixture
def session(mariadb_server: MariaDBServer, database: str) -> Iterator[TargetSession]:
    with connector().target(mariadb_server.options(database)).open() as made:
        yield made


@pytest.fixture(params=[True, False], ids=["load-data", "statements"])
def either_session(
    request: pytest.FixtureRequest, mariadb_server: MariaDBServer, database: str
) -> Iterator[TargetSession]:
    """With the server's leave to load local data, and without."""
    mariadb_server.execute(f"SET GLOBAL local_infile = {int(request.param)}")
    with connector().target(mariadb_server.options(database)).open() as made:
        yield made
    mariadb_server.execute("SET GLOBAL local_infile = 1")


def _table(server: MariaDBServer, database: str, sql: str) -> TargetTable:
    server.execute(sql, database)
    return target_table(describe(server.options(database), "t"), database)


def test_statements_need_no_right_but_those_to_change_rows(mariadb_server: MariaDBServer, database: str) -> None:
    table = _table(
        mariadb_server,
        database,
        "CREATE TABLE t (a decimal(30, 10), b varchar(20) COLLATE utf8mb4_bin, v text, PRIMARY KEY (a, b))",
    )
    mariadb_server.execute("ALTER TABLE t ADD own int DEFAULT 7", database)
    user = f"limited_{database}"
    mariadb_server.execute(f"CREATE OR REPLACE USER {user} IDENTIFIED BY 'x'")
    mariadb_server.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {database}.* TO {user}")
    options = replace(mariadb_server.options(database), user=user, password="x")
    large, next_to_it = "12345678901234567890.0000000001", "12345678901234567890.0000000002"
    keys = batch(a=[large], b=["it's\\"])
    with connector().target(options).open() as session, pytest.raises(AccessDenied):
        session.delete(table, keys)
    with connector().target(replace(options, load_type=LoadType.STATEMENTS)).open() as session:
        session.load(table, batch(a=[large, next_to_it, "-1", "3"], b=["it's\\"] * 4, v=["1", "2", "3", "4"]))
        session.commit()
        mariadb_server.execute("UPDATE t SET own = 8 WHERE a = -1", database)
        session.upsert(table, batch(a=["-1.0000000000", "2"], b=["it's\\", ""], v=["three", None]))
        session.update(table, batch(a=[next_to_it, "3"], b=["it's\\", "absent"]), batch(v=["two", "nowhere"]))
        assert session.delete(table, keys) == 1
        session.commit()
    rows = mariadb_server.rows("SELECT a, b, v, own FROM t ORDER BY a", database)
    assert [(str(a), *others) for a, *others in rows] == [
        ("-1.0000000000", "it's\\", "three", 8),
        ("2.0000000000", "", None, 7),
        ("3.0000000000", "it's\\", "4", 7),
        (next_to_it, "it's\\", "two", 7),
    ]


def test_bytes_and_texts_arrive_complete_either_way(
    mariadb_server: MariaDBServer, database: str, either_session: TargetSession
) -> None:
    table = _table(
        mariadb_server, database, "CREATE TABLE t (id int PRIMARY KEY, b longblob, v longtext, n bit(12), d double)"
    )
    texts = ["a\tb\nc\\d'e\"f\0g\r", "\\N", "NULL", "", "中文😀", None, "\\", "end\\"]
    blobs = [_EVERY_BYTE, b"", b"\\", b"'", _EVERY_BYTE[::-1], None, b"\n", b"\t"]
    rows = batch(
        id=[str(number) for number in range(8)],
        b=blobs,
        v=texts,
        n=["000000000001", "111111111111", None, "0" * 12, "1" * 12, None, "101010101010", "0" * 12],
        d=["1e-300", "-0", "0.1", None, "123456789", "1", "2", "3"],
    )
    either_session.load(table, rows)
    either_session.upsert(table, rows)
    either_session.commit()
    found = mariadb_server.rows("SELECT b, v, LPAD(BIN(n), 12, '0') FROM t ORDER BY id", database)
    assert [row[0] for row in found] == blobs
    assert [row[1] for row in found] == texts
    assert [row[2] for row in found] == rows.column("n").to_pylist()


def test_values_that_do_not_fit_are_refused_by_both_ways_of_writing(
    mariadb_server: MariaDBServer, database: str, either_session: TargetSession
) -> None:
    table = _table(
        mariadb_server,
        database,
        "CREATE TABLE t (id int PRIMARY KEY, v varchar(3), t tinyint, d date, x decimal(5,2) NOT NULL DEFAULT 0)",
    )
    good: dict[str, list[str | bytes | None]] = {
        "id": ["1"],
        "v": ["abc"],
        "t": ["1"],
        "d": ["2024-01-01"],
        "x": ["1.00"],
    }
    for column, value in (("v", "abcd"), ("t", "128"), ("d", "2024-13-01"), ("x", "1000"), ("x", None), ("id", "x")):
        with pytest.raises(RowRefused):
            either_session.load(table, batch(**(good | {column: [value]})))
        either_session.rollback()
    either_session.load(table, batch(**good))
    with pytest.raises(RowRefused):
        either_session.load(table, batch(**good))
    either_session.rollback()
    assert mariadb_server.rows("SELECT COUNT(*) FROM t", database) == [(0,)]


def test_columns_that_are_not_replicated_keep_what_they_have(
    mariadb_server: MariaDBServer, database: str, session: TargetSession
) -> None:
    content = _table(
        mariadb_server,
        database,
        "CREATE TABLE t (id int PRIMARY KEY, u int UNIQUE, own varchar(10) DEFAULT 'new');"
        "INSERT INTO t VALUES (1, 1, 'kept'), (2, 2, NULL)",
    )
    table = TargetTable(content.name, content.columns[:2], content.key, content.source_schema)
    session.upsert(table, batch(id=["1", "2", "3"], u=["2", "1", "3"]))
    session.commit()
    rows = mariadb_server.rows("SELECT id, u, own FROM t ORDER BY id", database)
    assert rows == [(1, 2, "kept"), (2, 1, None), (3, 3, "new")]


def test_a_target_without_a_unique_key_over_the_key(
    mariadb_server: MariaDBServer, database: str, session: TargetSession
) -> None:
    content = _table(mariadb_server, database, "CREATE TABLE t (a int, v varchar(10))")
    table = TargetTable(content.name, content.columns, ("a",), content.source_schema)
    session.upsert(table, batch(a=["1", "2"], v=["x", "y"]))
    session.upsert(table, batch(a=["2", "3"], v=["Y", "z"]))
    session.commit()
    assert mariadb_server.rows("SELECT a, v FROM t ORDER BY a", database) == [(1, "x"), (2, "Y"), (3, "z")]


def test_tables_that_refer_to_each_other_stay_as_they_are(
    mariadb_server: MariaDBServer, database: str, session: TargetSession
) -> None:
    table = _table(
        mariadb_server,
        database,
        "CREATE TABLE t (id int PRIMARY KEY, v int); CREATE TABLE child (id int PRIMARY KEY, parent int, "
        "FOREIGN KEY (parent) REFERENCES t (id) ON DELETE CASCADE); INSERT INTO t VALUES (1, 1);"
        "INSERT INTO child VALUES (1, 1)",
    )
    session.upsert(table, batch(id=["1"], v=["2"]))
    session.commit()
    session.create_table(table, CleanMode.ONLY_TRUNCATE)
    session.load(table, batch(id=["1"], v=["3"]))
    session.commit()
    assert mariadb_server.rows("SELECT COUNT(*) FROM child", database) == [(1,)]


def test_texts_of_another_dialect_are_distinguished_as_keys(
    mariadb_server: MariaDBServer, database: str, session: TargetSession
) -> None:
    schema = TableSchema(
        TableName("public", "t"),
        "postgresql",
        (Column("k", DataType(Kind.TEXT, "text"), False), Column("v", DataType(Kind.INT32, "integer"))),
        ("k",),
    )
    table = target_table(schema, database)
    session.create_table(table, CleanMode.DROP)
    keys = ["a", "A", "a ", "á", "ａ", "", " "]
    session.load(table, batch(k=keys, v=[str(number) for number in range(len(keys))]))
    assert session.delete(table, batch(k=["a", "nobody"])) == 1
    session.commit()
    found = mariadb_server.rows("SELECT k, v FROM t ORDER BY v", database)
    assert [row[0] for row in found] == keys[1:]
    with pytest.raises(RowRefused):
        session.load(table, batch(k=["x" * 256], v=["1"]))
    session.rollback()


def test_keys_that_cannot_be_indexed_are_refused_beforehand(
    mariadb_server: MariaDBServer, database: str, session: TargetSession
) -> None:
    columns = tuple(Column(f"k{number}", DataType(Kind.TEXT, "x", length=300), False) for number in range(2))
    long = Column("k2", DataType(Kind.TEXT, "x", length=900), False)
    schema = TableSchema(TableName("public", "t"), "postgresql", (*columns, long), ("k0", "k1", "k2"))
    notes = {
        note.column: note
        for note in connector().target(mariadb_server.options(database)).map_columns(schema, schema.key())
    }
    assert notes["k2"].blocking
    assert notes["k2"].note == "key-too-long"
    with pytest.raises(TableRefused):
        session.create_table(target_table(schema, database), CleanMode.DROP)


def test_a_rebuilt_table_gets_its_key(mariadb_server: MariaDBServer, database: str, session: TargetSession) -> None:
    table = _table(mariadb_server, database, "CREATE TABLE t (id int NOT NULL, v int); INSERT INTO t VALUES (1, 1)")
    keyed = TargetTable(table.name, table.columns, ("id",), table.source_schema)
    session.create_table(keyed, CleanMode.TRUNCATE)
    described = session.describe([keyed.name]).get(keyed.name)
    assert described is not None
    assert described.primary_key == ("id",)
    session.upsert(keyed, batch(id=["1", "2"], v=["1", "2"]))
    session.commit()
    assert mariadb_server.rows("SELECT COUNT(*) FROM t", database) == [(2,)]


def test_wide_rows_find_room(mariadb_server: MariaDBServer, database: str, session: TargetSession) -> None:
    columns = [Column("id", DataType(Kind.INT32, "integer"), False)]
    columns += [Column(f"c{number}", DataType(Kind.TEXT, "x", length=1000)) for number in range(40)]
    schema = TableSchema(TableName("public", "t"), "postgresql", tuple(columns), ("id",))
    table = target_table(schema, database)
    session.create_table(table, CleanMode.DROP)
    session.load(table, batch(id=["1"], **{f"c{number}": ["é" * 1000] for number in range(40)}))
    session.commit()
    assert mariadb_server.rows("SELECT CHAR_LENGTH(c0) + CHAR_LENGTH(c39) FROM t", database) == [(2000,)]


def test_timestamps_are_not_set_by_the_target(
    mariadb_server: MariaDBServer, database: str, session: TargetSession
) -> None:
    mariadb_server.execute(
        "SET explicit_defaults_for_timestamp = 0; CREATE TABLE t (id int PRIMARY KEY, s timestamp, v int)", database
    )
    schema = describe(mariadb_server.options(database), "t")
    table = target_table(schema, database, "copy")
    session.create_table(table, CleanMode.DROP)
    session.load(table, batch(id=["1"], s=["2001-01-01 00:00:00+00"], v=["1"]))
    session.update(table, batch(id=["1"]), batch(v=["2"]))
    session.commit()
    assert mariadb_server.rows("SELECT UNIX_TIMESTAMP(s), v FROM copy", database) == [(978307200, 2)]


def test_errors_say_whether_trying_again_helps(mariadb_server: MariaDBServer, database: str) -> None:
    options = mariadb_server.options(database)
    wrong = replace(options, password="wrong")
    with pytest.raises(AccessDenied) as denied:
        connector().target(wrong).open()
    assert "wrong" not in str(denied.value.facts)
    closed = replace(options, port=1, password="x")
    with pytest.raises(TargetUnavailable):
        connector().target(closed).open()
    table = _table(mariadb_server, database, "CREATE TABLE t (id int PRIMARY KEY)")
    with connector().target(options).open() as session:
        session.load(table, batch(id=["1"]))
        (number,) = [
            row[0]
            for row in mariadb_server.rows(
                "SELECT id FROM information_schema.processlist WHERE db = %s", None, [database]
            )
        ]
        mariadb_server.execute(f"KILL {number}")
        with pytest.raises(TargetUnavailable):
            session.commit()
    assert mariadb_server.rows("SELECT COUNT(*) FROM t", database) == [(0,)]


def test_large_batches(mariadb_server: MariaDBServer, database: str, either_session: TargetSession) -> None:
    table = _table(mariadb_server, database, "CREATE TABLE t (a int, b varchar(20), v varchar(50), PRIMARY KEY (a, b))")
    count = 30_000
    rows = batch(
        a=[str(number) for number in range(count)], b=["k"] * count, v=[f"row {number}" for number in range(count)]
    )
    either_session.load(table, rows)
    either_session.upsert(table, rows)
    either_session.update(table, rows.select(["a", "b"]), rows.select(["v"]))
    assert either_session.delete(table, rows.select(["a", "b"]).slice(0, 20_000)) == 20_000
    either_session.commit()
    assert mariadb_server.rows("SELECT COUNT(*), MIN(a) FROM t", database) == [(10_000, 20_000)]


def test_mapped_names_differ(mariadb_server: MariaDBServer, database: str, session: TargetSession) -> None:
    mariadb_server.execute("CREATE TABLE t (id int PRIMARY KEY, v int)", database)
    schema = describe(mariadb_server.options(database), "t")
    columns = (
        MappedColumn("id", "v", schema.column("id").type, False),
        MappedColumn("v", "id", schema.column("v").type),
    )
    table = TargetTable(TableName(database, "crossed"), columns, ("v",), schema)
    session.create_table(table, CleanMode.DROP)
    session.load(table, batch(id=["1"], v=["10"]))
    session.update(table, batch(id=["1"]), batch(v=["11"]))
    session.upsert(table, batch(id=["2"], v=["20"]))
    session.commit()
    assert mariadb_server.rows("SELECT v, id FROM crossed ORDER BY v", database) == [(1, 11), (2, 20)]
