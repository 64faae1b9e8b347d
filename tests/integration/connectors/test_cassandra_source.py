"""Cassandra as a source: all values, tables that cannot be captured, and images that continue behind any key."""

from typing import Any

import pytest

from tests.conformance.connectors.case import rows_of
from tests.conformance.connectors.test_polling import History, round_of, rows_in
from tests.servers.cassandra import CassandraServer
from zcbus.connectors.cassandra.spec import CassandraOptions
from zcbus.connectors.errors import TableMissing, TableRefused
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import CapturedTable
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.types import Kind

pytestmark = pytest.mark.server

TYPES: dict[str, tuple[str, dict[str, str]]] = {
    "boolean": ("f", {"true": "t", "false": "f"}),
    "tinyint": ("i1", {"-128": "-128"}),
    "smallint": ("i2", {"-32768": "-32768"}),
    "int": ("i4", {"2147483647": "2147483647"}),
    "bigint": ("i8", {"-9223372036854775808": "-9223372036854775808"}),
    "varint": ("whole", {"123456789012345678901234567890": "123456789012345678901234567890"}),
    "decimal": ("number", {"1.10": "1.10", "1E+3": "1000", "1E-9": "0.000000001"}),
    "float": ("single", {"1.1": "1.1", "NaN": "NaN", "-Infinity": "-Infinity"}),
    "double": ("double", {"0.1": "0.1"}),
    "ascii": ("latin", {"'a''b'": "a'b"}),
    "text": ("text", {"''": "", "'中文😀'": "中文😀"}),
    "date": ("day", {"'2024-02-29'": "2024-02-29", "2146764485": "0001-12-31 BC", "'-0043-03-15'": "0044-03-15 BC"}),
    "time": ("clock", {"'12:34:56.123456789'": "12:34:56.123456789", "'00:00:00'": "00:00:00"}),
    "timestamp": (
        "moment",
        {
            "'2024-02-29 12:34:56.789+0100'": "2024-02-29 11:34:56.789+00",
            "-62198755200000": "0002-01-01 00:00:00 BC+00",
            "99999999999999999": "3170843-11-07 09:46:39.999+00",
        },
    ),
    "uuid": ("uuid", {"123e4567-e89b-12d3-a456-426614174000": "123e4567-e89b-12d3-a456-426614174000"}),
    "timeuuid": ("timeuuid", {"123e4567-e89b-12d3-a456-426614174000": "123e4567-e89b-12d3-a456-426614174000"}),
    "inet": ("address", {"'::1'": "::1", "'10.0.0.1'": "10.0.0.1"}),
    "duration": ("span", {"1mo2d3h": "1mo2d10800000000000ns"}),
    "map<text, int>": ("pairs", {"{'x': 1}": '{"x": 1}'}),
    "set<int>": ("many", {"{3, 1}": "[1, 3]"}),
    "list<frozen<tuple<int, text>>>": ("list", {"[(1, 'q')]": '[[1, "q"]]'}),
    "spot": ("place", {"{x: 1, y: 'a'}": '{"x": 1, "y": "a"}'}),
}


@pytest.fixture
def options(cassandra_server: CassandraServer) -> CassandraOptions:
    return cassandra_server.options(cassandra_server.fresh_database("polled"))


def described(options: CassandraOptions, name: str) -> TableSchema:
    with connector("cassandra").discoverer(options) as discoverer:
        return discoverer.describe([TableName("cassandra", name)])[0]


def image(options: CassandraOptions, schema: TableSchema, after: tuple[str, ...] | None = None) -> list[Any]:
    with connector("cassandra").source(options).open_snapshot() as opened:
        return [row for batch, _ in opened.read(schema, schema.key(), after, 2) for row in rows_of(batch)]


def test_all_types_in_canonical_form(cassandra_server: CassandraServer, options: CassandraOptions) -> None:
    with cassandra_server.session(options.keyspace) as session:
        session.execute("CREATE TYPE spot (x int, y text)")
        columns = ", ".join(f"{name} {native}" for native, (name, _) in TYPES.items())
        session.execute(f"CREATE TABLE t (k int PRIMARY KEY, b blob, {columns})")
        for name, values in TYPES.values():
            for number, literal in enumerate(values):
                session.execute(f"INSERT INTO t (k, {name}) VALUES ({number}, {literal})")
        session.execute("UPDATE t SET b = 0x00ff WHERE k = 0")
        session.execute("INSERT INTO t (k) VALUES (9)")
    schema = described(options, "t")
    found = {row[0]: dict(zip(schema.names, row, strict=True)) for row in image(options, schema)}
    for native, (name, values) in TYPES.items():
        assert [found[str(number)][name] for number in range(len(values))] == list(values.values()), native
    assert found["0"]["b"] == b"\x00\xff"
    assert set(found["9"].values()) == {"9", None}
    with connector("cassandra").reader(options, "source") as reader:
        read = [row for batch, _ in reader.read(schema, ("k",), None, 10) for row in rows_of(batch)]
        assert read == [tuple(found[key].values()) for key in sorted(found)]
        assert reader.count(schema) == len(found)


def test_tables_that_cannot_be_captured(cassandra_server: CassandraServer, options: CassandraOptions) -> None:
    tables = {
        "none": ("id int PRIMARY KEY, v text", "watermark-missing"),
        "texts": ("id int PRIMARY KEY, updated_at text", "watermark-unordered"),
        "ids": ("id int PRIMARY KEY, updated_at timeuuid", "watermark-unordered"),
    }
    source = connector("cassandra").source(options)
    for name, (columns, reason) in tables.items():
        cassandra_server.rows_of(f"CREATE TABLE {name} ({columns})", options.keyspace)
        with pytest.raises(TableRefused) as refused:
            source.prepare("n", [CapturedTable(TableName("cassandra", name), ("id",))])
        assert refused.value.facts["reason"] == reason
    with pytest.raises(TableMissing):
        source.prepare("n", [CapturedTable(TableName("cassandra", "nowhere"), ("id",))])
    odd = "id frozen<list<int>>, c int, s text static, PRIMARY KEY (id, c)"
    cassandra_server.rows_of(f"CREATE TABLE odd ({odd})", options.keyspace)
    kinds = {one.name: one.type.kind for one in described(options, "odd").columns}
    assert (kinds["id"], kinds["s"]) == (Kind.UNSUPPORTED, Kind.UNSUPPORTED)


def test_a_row_without_a_watermark_stops_the_table(
    cassandra_server: CassandraServer, options: CassandraOptions
) -> None:
    """It would never be found, and changes of it would be missing without a word."""
    with cassandra_server.session(options.keyspace) as session:
        session.execute("CREATE TABLE items (id int PRIMARY KEY, v text, updated_at timestamp)")
        source = connector("cassandra").source(options)
        captured = [CapturedTable(TableName("cassandra", "items"), ("id",))]
        start = source.prepare("n", captured)
        with source.open_changes("n", captured, start, History()) as stream:
            assert rows_in(round_of(stream)) == []
            session.execute("INSERT INTO items (id, v, updated_at) VALUES (1, 'a', toTimestamp(now()))")
            assert [row[0] for row in rows_in(round_of(stream))] == ["1"]
            session.execute("INSERT INTO items (id, v) VALUES (2, 'b')")
            with pytest.raises(TableRefused) as refused:
                round_of(stream)
    assert refused.value.facts["reason"] == "watermark-nullable"


def test_a_changed_structure_stops_the_table(cassandra_server: CassandraServer, options: CassandraOptions) -> None:
    cassandra_server.rows_of("CREATE TABLE items (id int PRIMARY KEY, updated_at bigint)", options.keyspace)
    source = connector("cassandra").source(options)
    captured = [CapturedTable(TableName("cassandra", "items"), ("id",))]
    with source.open_changes("n", captured, source.prepare("n", captured), History()) as stream:
        round_of(stream)
        cassandra_server.rows_of("ALTER TABLE items ADD note text", options.keyspace)
        with pytest.raises(TableRefused) as refused:
            round_of(stream)
    assert refused.value.facts["reason"] == "schema-changed"


def test_an_image_continues_behind_each_key_also_of_a_row_that_is_gone(
    cassandra_server: CassandraServer, options: CassandraOptions
) -> None:
    """In partitions whose rows ascend by one column and descend by the next, with one that has static values only."""
    with cassandra_server.session(options.keyspace) as session:
        session.execute(
            "CREATE TABLE t (p int, q text, a int, b int, s text static, v text, PRIMARY KEY ((p, q), a, b)) "
            "WITH CLUSTERING ORDER BY (a ASC, b DESC)"
        )
        for number in range(36):
            p, a, b = number // 9, number // 3 % 3, number % 3
            session.execute(f"INSERT INTO t (p, q, a, b, v) VALUES ({p}, 'q', {a}, {b}, '{number}')")
        session.execute("INSERT INTO t (p, q, s) VALUES (100, 'q', 'static')")
        whole = described(options, "t")
        columns = tuple(one for one in whole.columns if one.type.kind is not Kind.UNSUPPORTED)
        schema = TableSchema(whole.name, whole.dialect, columns, whole.primary_key)
        all_rows = image(options, schema)
        assert len({row[:4] for row in all_rows}) == len(all_rows) == 36
        for place in (0, 2, 3, 8, 17, 35):
            key = all_rows[place][:4]
            assert image(options, schema, key) == all_rows[place + 1 :]
            session.execute(f"DELETE FROM t WHERE p = {key[0]} AND q = 'q' AND a = {key[2]} AND b = {key[3]}")
            assert image(options, schema, key) == all_rows[place + 1 :]
            session.execute(
                f"INSERT INTO t (p, q, a, b, v) VALUES ({key[0]}, 'q', {key[2]}, {key[3]}, '{all_rows[place][4]}')"
            )
