"""Consistent images: any key, any size, left off and taken up again."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.integration.connectors.mysql.support import binlog_position, describe
from tests.servers.mariadb import MariaDBServer
from zcbus.connectors.errors import SnapshotOutdated, SourceUnavailable, TableMissing
from zcbus.connectors.mysql.connector import connector
from zcbus.connectors.source_log import SourceLog

pytestmark = pytest.mark.server


@pytest.fixture
def database(mariadb_server: MariaDBServer) -> Iterator[str]:
    name = mariadb_server.fresh_database()
    yield name
    mariadb_server.drop_database(name)


KEYS: dict[str, tuple[str, list[Any]]] = {
    "signed": ("bigint", [-(2**63), -1, 0, 2**63 - 1]),
    "unsigned": ("bigint unsigned zerofill", [0, 5, 2**64 - 1]),
    "exact": ("decimal(20,5)", ["-1.50000", "0.00001", "123456789012345.00000"]),
    "single": ("float", ["-1.1", "0.1", "1.1", "3.4e38"]),
    "double": ("double", ["-1e300", "0.1", "0.30000000000000004"]),
    "case_blind": ("varchar(20) COLLATE utf8mb4_general_ci", ["B", "a", "É", "中", "it's", "C\\", "100%"]),
    "german": ("varchar(20) CHARACTER SET latin1 COLLATE latin1_german1_ci", ["ä", "b", "ß", "Z"]),
    "fixed": ("char(5)", ["b", "a", "中"]),
    "bytes": ("varbinary(20)", [b"", b"\x00", b"\xff'", b"\\"]),
    "fixed_bytes": ("binary(4)", [b"a\0\0\0", b"b\0\0\0", b"\xff\0\0\0"]),
    "day": ("date", ["0000-00-00", "1999-12-31", "2024-02-29"]),
    "moment": ("datetime(3)", ["1999-12-31 23:59:59.999", "2024-02-29 00:00:00.000"]),
    "instant": ("timestamp(3)", ["1999-12-31 23:59:59.999", "2024-02-29 00:00:00.000"]),
    "span": ("time(2)", ["-838:59:59.00", "-00:00:00.50", "100:00:00.00"]),
    "harvest": ("year", [1901, 2024]),
    "bits": ("bit(10)", [1, 2, 1023]),
    "label": ("enum('z', 'y', 'x')", ["z", "y", "x"]),
    "labels": ("set('z', 'y', 'x')", ["", "z", "y", "z,y", "x"]),
    "uuid": ("uuid", ["00000000-0000-0000-0000-000000000001", "ffffffff-ffff-ffff-ffff-ffffffffffff"]),
}


@pytest.mark.parametrize("name", KEYS)
def test_taken_up_behind_every_key(mariadb_server: MariaDBServer, database: str, name: str) -> None:
    declared, values = KEYS[name]
    with mariadb_server.connect(database) as connection, connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE t (a {declared}, b int, PRIMARY KEY (a, b))")
        cursor.execute("SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO'")
        for value in values:
            cursor.executemany("INSERT INTO t VALUES (%s, %s)", [(value, 1), (value, -2)])
    options = mariadb_server.options(database)
    schema = describe(options, "t")
    with connector().source(options).open_snapshot() as snapshot:
        rows = [(batch.to_pylist()[0], key) for batch, key in snapshot.read(schema, ("a", "b"), None, 1)]
        assert len(rows) == 2 * len(values)
        for place, (_, key) in enumerate(rows):
            rest = [batch.to_pylist()[0] for batch, _ in snapshot.read(schema, ("a", "b"), key, 1)]
            assert rest == [row for row, _ in rows[place + 1 :]], key


def test_the_position_belongs_to_the_image(mariadb_server: MariaDBServer, database: str) -> None:
    mariadb_server.execute("CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1)", database)
    options = mariadb_server.options(database)
    before = binlog_position(mariadb_server)
    with connector().source(options).open_snapshot() as snapshot:
        mariadb_server.execute("INSERT INTO t VALUES (2)", database)
        assert snapshot.position == before
        assert sum(batch.num_rows for batch, _ in snapshot.read(describe(options, "t"), ("id",), None, 10)) == 1


def test_an_image_is_of_the_log_that_is_captured(mariadb_server: MariaDBServer, database: str) -> None:
    options, here = mariadb_server.options(database), connector().source(mariadb_server.options(database))
    with connector().source(options, SourceLog(here.log_identity(), 2)).open_snapshot() as snapshot:
        assert snapshot.position.file >> 32 == 2
        assert here.describe_position(snapshot.position).startswith("binlog.0")
    with pytest.raises(SourceUnavailable):
        connector().source(options, SourceLog("server_id 77", 2)).open_snapshot()


def test_values_of_any_size(mariadb_server: MariaDBServer, database: str) -> None:
    sizes = [0, 1, 250, 251, 65535, 65536, 1 << 24, (1 << 24) - 5, (1 << 25) + 3]
    mariadb_server.execute("CREATE TABLE t (id int PRIMARY KEY, v longtext, w int)", database)
    for number, size in enumerate(sizes):
        mariadb_server.execute(f"INSERT INTO t VALUES ({number}, repeat('x', {size}), {number})", database)
    options = mariadb_server.options(database)
    with connector().source(options).open_snapshot() as snapshot:
        batches = list(snapshot.read(describe(options, "t"), ("id",), None, 4))
    found = [(len(row["v"]), row["w"]) for batch, _ in batches for row in batch.select(["v", "w"]).to_pylist()]
    assert found == [(size, str(number)) for number, size in enumerate(sizes)]


def test_a_snapshot_closed_in_the_middle_frees_its_connection(mariadb_server: MariaDBServer, database: str) -> None:
    mariadb_server.execute(
        "CREATE TABLE t (id int PRIMARY KEY, v varchar(200)); INSERT INTO t SELECT seq, repeat('x', 200) "
        "FROM seq_1_to_200000",
        database,
    )
    options = mariadb_server.options(database)
    schema = describe(options, "t")
    with connector().source(options).open_snapshot() as snapshot:
        for _ in range(3):
            reading = snapshot.read(schema, ("id",), None, 100)
            assert next(iter(reading))[1] == ("100",)
            reading.close()  # type: ignore[attr-defined]
        batches = list(snapshot.read(schema, ("id",), None, 1 << 30))
        assert sum(batch.num_rows for batch, _ in batches) == 200_000
        assert max(batch.nbytes for batch, _ in batches) < 20 << 20


def test_trouble_while_reading(mariadb_server: MariaDBServer, database: str) -> None:
    mariadb_server.execute("CREATE TABLE t (id int PRIMARY KEY)", database)
    options = mariadb_server.options(database)
    schema = describe(options, "t")
    with connector().source(options).open_snapshot() as snapshot:
        mariadb_server.execute("DROP TABLE t", database)
        with pytest.raises(TableMissing):
            list(snapshot.read(schema, ("id",), None, 10))
        (number,) = [
            row[0]
            for row in mariadb_server.rows(
                "SELECT id FROM information_schema.processlist WHERE db = %s", None, [database]
            )
        ]
        mariadb_server.execute(f"KILL {number}")
        with pytest.raises(SourceUnavailable):
            list(snapshot.read(schema, ("id",), None, 10))


@pytest.mark.parametrize(
    "statement",
    ["ALTER TABLE t ADD COLUMN w int, ALGORITHM=COPY", "ALTER TABLE t FORCE", "TRUNCATE TABLE t"],
    ids=["add", "force", "truncate"],
)
def test_a_table_that_changes_after_the_image_is_read_from_another(
    mariadb_server: MariaDBServer, database: str, statement: str
) -> None:
    mariadb_server.execute("CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1), (2)", database)
    mariadb_server.execute("CREATE TABLE other (id int PRIMARY KEY)", database)
    options = mariadb_server.options(database)
    source, schema = connector().source(options), describe(options, "t")
    with source.open_snapshot() as snapshot:
        mariadb_server.execute(statement, database)
        with pytest.raises(SnapshotOutdated) as raised:
            list(snapshot.read(schema, ("id",), None, 10))
        assert raised.value.facts["table"] == f"{database}.t"
        # The image still serves other tables.
        assert list(snapshot.read(describe(options, "other"), ("id",), None, 10)) == []
    with source.open_snapshot() as snapshot:
        rows = sum(batch.num_rows for batch, _ in snapshot.read(describe(options, "t"), ("id",), None, 10))
        assert rows == (0 if statement.startswith("TRUNCATE") else 2)
