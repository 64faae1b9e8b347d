"""MariaDB and MySQL in the conformance suite."""

from collections.abc import Sequence
from typing import ClassVar

from tests.conformance.connectors.case import EVERYWHERE, Case, TypeCase

_PG = "postgresql"
# The server's own time zone is +08:00 on purpose: TIMESTAMP values must arrive in UTC all the same.


class MySQLCase(Case):
    """See Case."""

    kind = "mysql"
    hold = "LOCK TABLES t WRITE"
    table_options = "CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin"
    types: ClassVar[Sequence[TypeCase]] = (
        TypeCase("tiny", "tinyint", ("-128", "127", "0"), ("-128", "127", "0")),
        TypeCase("tiny_u", "tinyint unsigned", ("255",), ("255",)),
        TypeCase("flag", "tinyint(1)", ("1", "0", "-1"), ("1", "0", "-1")),
        TypeCase("small", "smallint", ("-32768", "32767"), ("-32768", "32767")),
        TypeCase("small_u", "smallint unsigned", ("65535",), ("65535",)),
        TypeCase("medium", "mediumint", ("-8388608", "8388607"), ("-8388608", "8388607")),
        TypeCase("medium_u", "mediumint unsigned", ("16777215",), ("16777215",)),
        TypeCase("plain_u", "int unsigned", ("4294967295",), ("4294967295",)),
        TypeCase("filled", "int(8) unsigned zerofill", ("42",), ("42",)),
        TypeCase("large", "bigint", ("-9223372036854775808",), ("-9223372036854775808",)),
        TypeCase("large_u", "bigint unsigned", ("18446744073709551615",), ("18446744073709551615",)),
        TypeCase(
            "exact",
            "decimal(65,30)",
            ("-12345678901234567890123456789012345.123456789012345678901234567890", "0"),
            (
                "-12345678901234567890123456789012345.123456789012345678901234567890",
                "0.000000000000000000000000000000",
            ),
        ),
        TypeCase("fraction", "decimal(5,5)", ("-0.00001", "0.12345"), ("-0.00001", "0.12345")),
        TypeCase(
            "single",
            "float",
            ("1.1", "3.4028234663852886e38", "-0.0000123"),
            ("1.1", "3.4028235e+38", "-0.0000123"),
            {_PG: ("1.1", "3.4028235e+38", "-1.23e-05")},
        ),
        TypeCase(
            "double_value",
            "double",
            ("0.1", "1.7976931348623157e308", "5e-324"),
            ("0.1", "1.7976931348623157e+308", "5e-324"),
        ),
        TypeCase("padded", "char(5)", ("'ab  '", "'中文'"), ("ab", "中文")),
        TypeCase("limited", "varchar(30)", ("'trail   '", "'😀'", "''"), ("trail   ", "😀", "")),
        TypeCase(
            "words",
            "text",
            (r"'tab\tnew\nline\r\\ back \"quote\" \'single\''", r"'\\N'", "'NULL'"),
            ("tab\tnew\nline\r\\ back \"quote\" 'single'", "\\N", "NULL"),
        ),
        TypeCase("long_words", "longtext", ("repeat('中', 70000)",), ("中" * 70000,)),
        TypeCase("western", "varchar(20) character set latin1", ("'é€ÿ'",), ("é€ÿ",)),
        TypeCase("chinese", "varchar(20) character set gbk", ("'中文'",), ("中文",)),
        TypeCase("wide", "varchar(20) character set utf16", ("'中😀'",), ("中😀",)),
        TypeCase("raw_fixed", "binary(4)", ("'ab'", "X'00000000'"), (b"ab\0\0", b"\0\0\0\0")),
        TypeCase("raw", "varbinary(300)", ("X'00ff5c0a09'", "''"), (b"\x00\xff\\\n\t", b"")),
        TypeCase("raw_long", "longblob", ("repeat(X'00ff', 50000)",), (b"\x00\xff" * 50000,)),
        TypeCase(
            "day",
            "date",
            ("'2024-02-29'", "'0000-00-00'", "'9999-12-31'"),
            ("2024-02-29", "0000-00-00", "9999-12-31"),
            {_PG: ("2024-02-29", "-infinity", "9999-12-31")},
        ),
        TypeCase("span", "time", ("'-838:59:59'", "'00:00:01'"), ("-838:59:59", "00:00:01")),
        TypeCase(
            "span_fine",
            "time(6)",
            ("'-00:00:00.000001'", "'23:59:59.5'"),
            ("-00:00:00.000001", "23:59:59.500000"),
            {_PG: ("-00:00:00.000001", "23:59:59.5")},
        ),
        TypeCase(
            "moment",
            "datetime",
            ("'9999-12-31 23:59:59'", "'0000-00-00 00:00:00'"),
            ("9999-12-31 23:59:59", "0000-00-00 00:00:00"),
            {_PG: ("9999-12-31 23:59:59", "-infinity")},
        ),
        TypeCase(
            "moment_fine",
            "datetime(6)",
            ("'2024-02-29 12:34:56.789'",),
            ("2024-02-29 12:34:56.789000",),
            {_PG: ("2024-02-29 12:34:56.789",)},
        ),
        TypeCase(
            "instant",
            "timestamp",
            ("'2024-02-29 12:34:56'", "'0000-00-00 00:00:00'"),
            ("2024-02-29 04:34:56+00", "0000-00-00 00:00:00+00"),
            {_PG: ("2024-02-29 04:34:56+00", "-infinity")},
        ),
        TypeCase(
            "instant_fine",
            "timestamp(4)",
            ("'2024-02-29 12:34:56.125'",),
            ("2024-02-29 04:34:56.1250+00",),
            {_PG: ("2024-02-29 04:34:56.125+00",)},
        ),
        TypeCase(
            "harvest",
            "year",
            ("1901", "2155", "0"),
            ("1901", "2155", "0000"),
            {_PG: ("1901", "2155", "0"), "sqlite": ("1901", "2155", "0")},
        ),
        # Logs have the signs of numbers in their order; servers disagree on whether a year is a number.
        TypeCase("behind_year", "smallint unsigned", ("65535",), ("65535",)),
        TypeCase("bits", "bit(13)", ("b'1010101010101'",), ("1010101010101",)),
        TypeCase("bits_all", "bit(64)", ("X'FFFFFFFFFFFFFFFF'",), ("1" * 64,)),
        TypeCase("feeling", "enum('sad', 'it''s ok', '高兴')", ("'it''s ok'", "'高兴'"), ("it's ok", "高兴")),
        TypeCase("several", "set('x', 'y', 'z')", ("'z,x'", "''"), ("x,z", "")),
        TypeCase("document", "json", ("""'{"a": [1,  2.50], "b": "é"}'""",), ('{"a": [1,  2.50], "b": "é"}',)),
        TypeCase(
            "id_value",
            "uuid",
            ("'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'",),
            ("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",),
        ),
        TypeCase("address", "inet6", ("'2001:db8::1'", "'::ffff:1.2.3.4'"), ("2001:db8::1", "::ffff:1.2.3.4")),
        TypeCase("address_old", "inet4", ("'10.0.0.1'",), ("10.0.0.1",)),
        TypeCase("spot", "point", ("NULL",), None, refused_by=frozenset({EVERYWHERE})),
    )

    def schema(self, database: str) -> str:
        return database

    def image(self, database: str, table: str) -> list[object]:
        names = self.server.rows(
            "SELECT column_name FROM information_schema.columns WHERE table_schema = %s AND table_name = %s "
            "AND data_type <> 'point' ORDER BY ordinal_position",
            None,
            [database, table],
        )
        columns = ", ".join(f"HEX(`{name}`)" for (name,) in names)
        return list(self.server.rows(f"SELECT {columns} FROM `{table}` ORDER BY k", database))


_MARIADB_ONLY = ("id_value", "address", "address_old")


class MySQL8Case(MySQLCase):
    """MySQL proper, where it differs from MariaDB: no such types, and JSON that is kept in a form of its own."""

    variant = "mysql8"
    refresh_statistics = "ANALYZE TABLE"
    table_options = "CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_as_cs"
    types: ClassVar[Sequence[TypeCase]] = (
        *(case for case in MySQLCase.types if case.name not in (*_MARIADB_ONLY, "document")),
        TypeCase(
            "document",
            "json",
            ("""'{"a": [1,  2.50], "b": "é"}'""", "'null'", """'[true, -1, 18446744073709551615, "\\\\"q\\\\\\\\"]'"""),
            ('{"a": [1, 2.5], "b": "é"}', "null", '[true, -1, 18446744073709551615, "\\"q\\\\"]'),
        ),
    )
