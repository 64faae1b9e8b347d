"""Events of the log from bytes."""

import struct
import zlib

import pytest

from zcbus.connectors.mysql.binlog import events as events
from zcbus.connectors.mysql.binlog.tables import ENUM, SET, STRING, decimal_bytes, length_encoded, parse_table_map
from zcbus.connectors.mysql.binlog.tagged import varying_number
from zcbus.model.schema import TableName


def _query(text: str, schema: str = "shop", error: int = 0, status: bytes = b"\0\0\0\0\0") -> bytes:
    head = struct.pack("<IIBHH", 1, 0, len(schema), error, len(status))
    return head + status + schema.encode() + b"\0" + text.encode()


def test_the_mode_that_a_statement_was_run_with() -> None:
    flags, mode = b"\0" + bytes(4), b"\1" + struct.pack("<Q", 4)
    assert events.parse_query(_query("DROP TABLE t", status=flags + mode)).sql_mode == 4
    assert events.parse_query(_query("DROP TABLE t", status=mode)).sql_mode == 4
    assert events.parse_query(_query("DROP TABLE t", error=1051)).failed


def test_the_character_set_of_a_statement() -> None:
    """MariaDB and MySQL write the catalog, and increments of clusters, in front of it."""
    catalog, increments = b"\6\3std", b"\3" + bytes(4)
    status = (
        b"\0" + bytes(4) + b"\1" + bytes(8) + catalog + increments + b"\4" + struct.pack("<HHH", 28, 45, 8) + b"\5\3UTC"
    )
    asked: list[int] = []
    events.parse_query(
        _query("DROP TABLE t", status=status), lambda text, number: asked.append(number) or text.decode()
    )
    events.parse_query(
        _query("DROP TABLE t", status=b"\x7f"), lambda text, number: asked.append(number) or text.decode()
    )
    assert asked == [28, 0]


@pytest.mark.parametrize(
    ("text", "is_ddl", "keyword"),
    [
        ("BEGIN", False, "BEGIN"),
        ("COMMIT", False, "COMMIT"),
        ("alter table t add x int", True, "ALTER TABLE"),
        ("/*!40000 ALTER TABLE t DISABLE KEYS */", True, "/*!40000 ALTER"),
        ("/*M!100300 ALTER TABLE t ADD x int*/", True, "/*M!100300 ALTER"),
        ("/* c */ RENAME TABLE a TO b", True, "RENAME TABLE"),
        ("GRANT SELECT ON x TO y", False, "GRANT SELECT"),
        ("rollback to `s`", False, "ROLLBACK TO"),
    ],
)
def test_statements_are_classified(text: str, is_ddl: bool, keyword: str) -> None:
    query = events.parse_query(_query(text))
    assert (query.is_ddl, query.keyword) == (is_ddl, keyword)


def test_gtid_commit_time() -> None:
    body = bytes([0]) + bytes(16) + struct.pack("<Q", 5) + b"\x02" + struct.pack("<QQ", 1, 2)
    microseconds = 1_700_000_000_123_456
    assert events.gtid_commit_milliseconds(body + microseconds.to_bytes(7, "little")) == 1_700_000_000_123
    with_original = (microseconds | 1 << 55).to_bytes(7, "little") + microseconds.to_bytes(7, "little")
    assert events.gtid_commit_milliseconds(body + with_original) == 1_700_000_000_123
    assert events.gtid_commit_milliseconds(body) is None


TAGGED = bytes.fromhex(
    "027a000002027c22e9038ee22903228503790266210314a502845502c404610906"
    "0e6e696768746c7908140a180c7f40a28ce69f4b061045051283d009"
)
"""A transaction with a tag, as MySQL 9.2 and Percona Server 8.4 write it."""


def test_a_transaction_with_a_tag() -> None:
    start = events.transaction_start(events.GTID_TAGGED, TAGGED, 1)
    assert start.gtid == ("3e11fa47-71ca-11e1-9e33-c80aa9429562:nightly", 300)
    assert start.committed_ms == 1_772_000_000_123
    other_form = bytes([TAGGED[0] + 2]) + TAGGED[1:]
    assert events.transaction_start(events.GTID_TAGGED, other_form, 1) == events.TransactionStart(), (
        "not taken for one that is known"
    )


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (0, "00"),
        (63, "7e"),
        (128, "0102"),
        (16383, "fdff"),
        ((1 << 56) - 2, "7ffeffffffffffff"),
        (1 << 56, "ff0000000000000001"),
        ((1 << 64) - 1, "ff" * 9),
    ],
)
def test_numbers_of_varying_length(number: int, written: str) -> None:
    data = bytes.fromhex(written)
    assert varying_number(b"\xaa" + data + b"\xaa", 1) == (number, 1 + len(data))


def test_rotate_and_checksums() -> None:
    assert events.parse_rotate(struct.pack("<Q", 4) + b"binlog.000007") == ("binlog.000007", 4)
    assert events.has_checksums(bytes(60) + b"\x01" + bytes(4))
    assert not events.has_checksums(bytes(60) + b"\x00" + bytes(4))


def test_compressed_events_of_mariadb() -> None:
    plain = b"INSERT INTO t VALUES (1)" * 20
    packed = bytes([0x80 | 2]) + len(plain).to_bytes(2, "big") + zlib.compress(plain)
    assert events.uncompressed(packed) == plain
    body = _query("")
    assert events.parse_query(events.uncompressed_query(body + packed)).text == plain.decode()


def test_transaction_payload_of_mysql() -> None:
    inner = b"event one" + b"event two"
    # Fields: size of the payload, kind of compression (255: none), size beforehand, end of the header.
    head = bytes([1, 1, len(inner), 2, 3]) + b"\xfc\xff\x00" + bytes([3, 1, len(inner), 0])
    assert events.payload_events(head + inner) == inner


def test_length_encoded_integers() -> None:
    assert length_encoded(b"\x05", 0) == (5, 1)
    assert length_encoded(b"x\xfc\x01\x02", 1) == (0x201, 4)
    assert length_encoded(b"\xfd\x01\x02\x03", 0) == (0x30201, 4)
    assert length_encoded(b"\xfe" + struct.pack("<Q", 2**40), 0) == (2**40, 9)


def test_table_map_with_names() -> None:
    types = bytes([3, 254, 254, 254, 246, 15])
    metadata = bytes([247, 1, 248, 2, 0xCE, 0xFC, 12, 2]) + struct.pack("<H", 300)
    names = b"".join(bytes([len(name)]) + name for name in (b"id", b"e", b"s", b"c", b"d", b"v"))
    body = b"\x01\x00" + b"\x04shop\x00" + b"\x01t\x00" + bytes([len(types)]) + types
    body += bytes([len(metadata)]) + metadata + b"\x3e" + bytes([1, 1, 0x80]) + bytes([4, len(names)]) + names
    table_map = parse_table_map(body, mariadb=False)
    assert table_map.name == TableName("shop", "t")
    assert table_map.names == ("id", "e", "s", "c", "d", "v")
    assert [column.type for column in table_map.columns] == [3, ENUM, SET, STRING, 246, 15]
    assert [(column.fixed, column.prefix) for column in table_map.columns] == [
        (4, 0),
        (1, 0),
        (2, 0),
        (0, 2),  # CHAR(255) in four-byte characters: 1020 bytes, two of whose bits hide in the type
        (6, 0),
        (0, 2),
    ]


@pytest.mark.parametrize(("precision", "scale", "size"), [(12, 2, 6), (65, 30, 30), (5, 5, 3), (9, 0, 4), (1, 0, 1)])
def test_sizes_of_decimals(precision: int, scale: int, size: int) -> None:
    assert decimal_bytes(precision, scale) == size
