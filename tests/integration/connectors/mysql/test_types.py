"""Every type: in a snapshot, in the log, and in a target of the same kind."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.integration.connectors.mysql.support import (
    binlog_position,
    changes_after,
    describe,
    target_table,
)
from tests.servers.mariadb import MariaDBServer
from zcbus.connectors.mysql.connector import connector
from zcbus.connectors.roles import CapturedTable
from zcbus.model.changes import ChangeFrame
from zcbus.model.schema import TableName
from zcbus.model.states import CleanMode

pytestmark = pytest.mark.server

_EVERY_BYTE = bytes(range(256))
_TEXT = "tab\there, line\nbreak\r, back\\slash, 'quote', \"double\", \0nul, é, 中文, 😀, \\N"

CASES: dict[str, list[tuple[str, Any, str | bytes]]] = {
    # type: (literal in SQL or a bound value, canonical form)
    "tinyint": [("-128", None, "-128"), ("127", None, "127"), ("0", None, "0")],
    "tinyint unsigned": [("255", None, "255")],
    "tinyint(1)": [("-1", None, "-1")],
    "smallint": [("-32768", None, "-32768")],
    "smallint unsigned": [("65535", None, "65535")],
    "mediumint": [("-8388608", None, "-8388608"), ("8388607", None, "8388607"), ("-1", None, "-1")],
    "mediumint unsigned": [("16777215", None, "16777215")],
    "int": [("-2147483648", None, "-2147483648")],
    "int unsigned": [("4294967295", None, "4294967295")],
    "int(8) unsigned zerofill": [("42", None, "42")],
    "bigint": [("-9223372036854775808", None, "-9223372036854775808")],
    "bigint unsigned": [("18446744073709551615", None, "18446744073709551615")],
    "decimal(65,30)": [
        ("-12345678901234567890123456789012345.123456789012345678901234567890",) * 1
        + (None, "-12345678901234567890123456789012345.123456789012345678901234567890"),
        ("0.000000000000000000000000000001", None, "0.000000000000000000000000000001"),
        ("-0.5", None, "-0.500000000000000000000000000000"),
    ],
    "decimal(5,5)": [("0.12345", None, "0.12345"), ("-0.00001", None, "-0.00001"), ("0", None, "0.00000")],
    "decimal(9,0)": [("-999999999", None, "-999999999"), ("0", None, "0"), ("7", None, "7")],
    "decimal(18,9)": [("123456789.987654321", None, "123456789.987654321"), ("10", None, "10.000000000")],
    "decimal(12,2) unsigned zerofill": [("1.5", None, "1.50")],
    "float": [
        ("1.1", None, "1.1"),
        ("3.4028235e38", None, "3.4028235e+38"),
        ("16777217", None, "16777216"),
        ("-0.0000123", None, "-0.0000123"),
    ],
    "double": [
        ("1.7976931348623157e308", None, "1.7976931348623157e+308"),
        ("0.1", None, "0.1"),
        ("5e-324", None, "5e-324"),
        ("123456789012345678", None, "1.2345678901234568e+17"),
    ],
    "double(10,3)": [("1234.5678", None, "1234.568")],
    "char(10)": [("%s", "ab  ", "ab"), ("%s", "", ""), ("%s", "中文😀", "中文😀")],
    "varchar(300)": [("%s", _TEXT, _TEXT), ("%s", "end  ", "end  "), ("%s", "x" * 300, "x" * 300)],
    "tinytext": [("%s", _TEXT, _TEXT)],
    "text": [("%s", "y" * 60000, "y" * 60000)],
    "mediumtext": [("%s", "z" * 70000, "z" * 70000)],
    "longtext": [("%s", _TEXT * 10, _TEXT * 10), ("%s", "", "")],
    "varchar(40) character set latin1": [("%s", "aé€ÿ\u0081", "aé€ÿ\u0081"), ("%s", "plain", "plain")],
    "varchar(40) character set gbk": [("%s", "中文\n文中\n", "中文\n文中\n"), ("%s", "a", "a")],
    "varchar(40) character set gb2312": [("%s", "中文", "中文")],
    "varchar(40) character set big5": [("%s", "中文功", "中文功")],
    "varchar(40) character set sjis": [("%s", "日本語ソ\\", "日本語ソ\\")],
    "varchar(40) character set cp932": [("%s", "日本語①", "日本語①")],
    "varchar(40) character set ujis": [("%s", "日本語", "日本語")],
    "varchar(40) character set euckr": [("%s", "한국어", "한국어")],
    "varchar(40) character set koi8r": [("%s", "русский", "русский")],
    "varchar(40) character set cp1251": [("%s", "русский", "русский")],
    "varchar(40) character set utf8mb3": [("%s", "中文", "中文")],
    "varchar(40) character set ucs2": [("%s", "中文", "中文")],
    "varchar(40) character set utf16": [("%s", "中😀", "中😀")],
    "varchar(40) character set utf16le": [("%s", "中😀", "中😀")],
    "varchar(40) character set utf32": [("%s", "中😀", "中😀")],
    "varchar(40) character set ascii": [("%s", "plain", "plain")],
    "char(4) character set utf32": [("%s", "é", "é")],
    "char(255)": [("%s", "中" * 255, "中" * 255)],
    "binary(8)": [("%s", b"ab", b"ab\0\0\0\0\0\0"), ("%s", b"\0" * 8, b"\0" * 8), ("%s", b"12345678", b"12345678")],
    "varbinary(300)": [("%s", _EVERY_BYTE, _EVERY_BYTE), ("%s", b"end\0 ", b"end\0 "), ("%s", b"", b"")],
    "tinyblob": [("%s", b"\xff\xfe", b"\xff\xfe")],
    "blob": [("%s", _EVERY_BYTE * 4, _EVERY_BYTE * 4)],
    "longblob": [("%s", _EVERY_BYTE * 400, _EVERY_BYTE * 400)],
    "date": [
        ("'2024-02-29'", None, "2024-02-29"),
        ("'0000-00-00'", None, "0000-00-00"),
        ("'2024-00-00'", None, "2024-00-00"),
        ("'9999-12-31'", None, "9999-12-31"),
    ],
    "time": [
        ("'-838:59:59'", None, "-838:59:59"),
        ("'00:00:01'", None, "00:00:01"),
        ("'-00:00:01'", None, "-00:00:01"),
        ("'100:00:00'", None, "100:00:00"),
    ],
    "time(1)": [("'-12:34:56.7'", None, "-12:34:56.7")],
    "time(3)": [("'838:59:58.999'", None, "838:59:58.999"), ("'-00:00:00.001'", None, "-00:00:00.001")],
    "time(4)": [("'-01:00:00.0000'", None, "-01:00:00.0000")],
    "time(6)": [("'-00:00:00.000001'", None, "-00:00:00.000001"), ("'23:59:59.999999'", None, "23:59:59.999999")],
    "datetime": [
        ("'9999-12-31 23:59:59'", None, "9999-12-31 23:59:59"),
        ("'0000-00-00 00:00:00'", None, "0000-00-00 00:00:00"),
        ("'2024-02-31 00:00:00'", None, "2024-02-31 00:00:00"),
    ],
    "datetime(2)": [("'2001-02-03 04:05:06.78'", None, "2001-02-03 04:05:06.78")],
    "datetime(6)": [("'1000-01-01 00:00:00.000001'", None, "1000-01-01 00:00:00.000001")],
    "timestamp null": [
        ("'2038-01-19 03:14:07'", None, "2038-01-19 03:14:07+00"),
        ("'1970-01-01 00:00:01'", None, "1970-01-01 00:00:01+00"),
        ("'0000-00-00 00:00:00'", None, "0000-00-00 00:00:00+00"),
        ("'2000-02-29 12:00:00'", None, "2000-02-29 12:00:00+00"),
    ],
    "timestamp(5) null": [("'1999-12-31 23:59:59.12345'", None, "1999-12-31 23:59:59.12345+00")],
    "year": [("1901", None, "1901"), ("2155", None, "2155"), ("0", None, "0000")],
    "bit(1)": [("b'1'", None, "1"), ("b'0'", None, "0")],
    "bit(13)": [("b'1010101010101'", None, "1010101010101")],
    "bit(64)": [("0xFFFFFFFFFFFFFFFF", None, "1" * 64), ("1", None, "0" * 63 + "1")],
    "enum('a','b''x','c,d','中文')": [("'中文'", None, "中文"), ("2", None, "b'x"), ("'c,d'", None, "c,d")],
    "set('x','y','z')": [("'z,x'", None, "x,z"), ("''", None, ""), ("'y'", None, "y")],
    "json": [("%s", '{"a": [1, 2.50, "é😀"], "b":null}', '{"a": [1, 2.50, "é😀"], "b":null}')],
    "uuid": [
        ("'123e4567-e89b-12d3-a456-426614174000'", None, "123e4567-e89b-12d3-a456-426614174000"),
        ("'00000000-0000-0000-0000-000000000000'", None, "00000000-0000-0000-0000-000000000000"),
        ("'ffeeddcc-bbaa-4988-8766-554433221100'", None, "ffeeddcc-bbaa-4988-8766-554433221100"),
    ],
    "inet4": [("'192.168.0.1'", None, "192.168.0.1"), ("'10.0.0.0'", None, "10.0.0.0")],
    "inet6": [
        ("'2001:db8::ff00:42:8329'", None, "2001:db8::ff00:42:8329"),
        ("'::'", None, "::"),
        ("'::ffff:1.2.3.4'", None, "::ffff:1.2.3.4"),
        ("'::1.2.3.4'", None, "::1.2.3.4"),
        ("'1:0:0:2:0:0:0:3'", None, "1:0:0:2::3"),
        ("'fe80::'", None, "fe80::"),
    ],
    "int generated always as (id * 2) stored": [("DEFAULT", None, "2")],
    "int invisible default 7": [("7", None, "7")],
}


@pytest.fixture
def databases(mariadb_server: MariaDBServer) -> Iterator[tuple[str, str]]:
    source, target = mariadb_server.fresh_database("source"), mariadb_server.fresh_database("target")
    yield source, target
    mariadb_server.drop_database(source)
    mariadb_server.drop_database(target)


def _fill(server: MariaDBServer, database: str) -> None:
    with server.connect(database) as connection, connection.cursor() as cursor:
        cursor.execute("SET sql_mode = 'ALLOW_INVALID_DATES', time_zone = '+00:00'")
        for number, (declared, values) in enumerate(CASES.items()):
            cursor.execute(f"CREATE TABLE t{number} (id int PRIMARY KEY, v {declared})")
            for key, (literal, bound, _) in enumerate(values, 1):
                params = None if bound is None else (bound,)
                cursor.execute(f"INSERT INTO t{number} (id, v) VALUES ({key}, {literal})", params)
            if "generated" not in declared and "default" not in declared:
                cursor.execute(f"INSERT INTO t{number} (id, v) VALUES (1000, NULL)")


@pytest.mark.wide
def test_snapshot_log_and_target_agree(mariadb_server: MariaDBServer, databases: tuple[str, str]) -> None:
    source, target = databases
    after = binlog_position(mariadb_server)
    _fill(mariadb_server, source)
    options = mariadb_server.options(source)
    tables = [CapturedTable(TableName(source, f"t{number}"), ("id",)) for number in range(len(CASES))]
    logged = _rows_of(changes_after(options, tables, after))
    problems = []
    with (
        connector().source(options).open_snapshot() as snapshot,
        connector().target(mariadb_server.options(target)).open() as session,
    ):
        for number, (declared, values) in enumerate(CASES.items()):
            schema = describe(options, f"t{number}")
            into = target_table(schema, target)
            batches = [rows for rows, _ in snapshot.read(schema, ("id",), None, 1000)]
            read = {row["id"]: row["v"] for rows in batches for row in rows.to_pylist()}
            expected: dict[str, str | bytes | None] = {str(key): form for key, (_, _, form) in enumerate(values, 1)}
            expected |= {"1000": None} if "1000" in read else {}
            session.create_table(into, CleanMode.DROP)
            for rows in batches:
                session.load(into, rows)
                session.upsert(into, rows)
            session.commit()
            arrived = _difference(mariadb_server, source, target, f"t{number}")
            if read != expected or logged[f"t{number}"] != expected or arrived:
                problems.append((declared, expected, read, logged[f"t{number}"], arrived))
    assert not problems, "\n\n".join(map(str, problems))


def _rows_of(frames: list[ChangeFrame]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for frame in frames:
        for table in frame.tables:
            for row in table.rows.to_pylist():
                found.setdefault(table.schema.name.table, {})[row["id"]] = row["v"]
    return found


def _difference(server: MariaDBServer, source: str, target: str, table: str) -> list[tuple[Any, ...]]:
    """Rows whose value is not the same byte for byte."""
    return server.rows(
        f"SELECT a.id, a.v, b.v FROM {source}.{table} a LEFT JOIN {target}.{table} b USING (id) "
        "WHERE b.id IS NULL OR NOT (CAST(a.v AS BINARY) <=> CAST(b.v AS BINARY))"
    )


def test_columns_that_cannot_be_replicated_have_a_reason(
    mariadb_server: MariaDBServer, databases: tuple[str, str]
) -> None:
    source, _ = databases
    mariadb_server.execute(
        "CREATE TABLE t (id int PRIMARY KEY, p point, c varchar(100) COMPRESSED, v int AS (id + 1) VIRTUAL, w int)",
        source,
    )
    options = mariadb_server.options(source)
    schema = describe(options, "t")
    assert schema.names == ("id", "p", "c", "w")
    assert schema.column("p").type.reason == "spatial-type"
    assert schema.column("c").type.reason == "compressed-column"
    notes = {note.column: note for note in connector().target(options).map_columns(schema, ("id",))}
    assert [name for name, note in notes.items() if note.blocking] == ["p", "c"]
    after = binlog_position(mariadb_server)
    mariadb_server.execute("INSERT INTO t (id, p, c, w) VALUES (1, point(1, 2), repeat('c', 90), 5)", source)
    logged = _row(changes_after(options, [CapturedTable(schema.name, ("id",))], after))
    assert logged == {"id": "1", "p": None, "c": None, "w": "5"}


def _row(frames: list[ChangeFrame]) -> dict[str, Any]:
    (row,) = [row for frame in frames for table in frame.tables for row in table.rows.to_pylist()]
    return dict(row)
