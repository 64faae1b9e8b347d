"""PostgreSQL in the conformance suite."""

from collections.abc import Sequence
from typing import ClassVar

from tests.conformance.connectors.case import Case, TypeCase


class PostgreSQLCase(Case):
    """See Case."""

    kind = "postgresql"
    hold = "LOCK TABLE t IN ACCESS EXCLUSIVE MODE"
    prelude = """
        CREATE TYPE mood AS ENUM ('sad', 'it''s ok', '高兴');
        CREATE DOMAIN price AS numeric(8,2);
        CREATE TYPE pair AS (a int, b text);
    """
    target_prelude = "CREATE TYPE pair AS (a int, b text)"
    types: ClassVar[Sequence[TypeCase]] = (
        TypeCase("flag", "boolean", ("true", "false"), ("t", "f"), {"mysql": ("1", "0")}),
        TypeCase("small", "smallint", ("-32768", "32767", "0"), ("-32768", "32767", "0")),
        TypeCase("plain", "integer", ("-2147483648", "2147483647"), ("-2147483648", "2147483647")),
        TypeCase(
            "large",
            "bigint",
            ("-9223372036854775808", "9223372036854775807"),
            ("-9223372036854775808", "9223372036854775807"),
        ),
        TypeCase(
            "exact",
            "numeric(38,10)",
            ("1234567890123456789012345678.0123456789", "-0.0000000001", "0"),
            ("1234567890123456789012345678.0123456789", "-0.0000000001", "0.0000000000"),
        ),
        TypeCase(
            "free",
            "numeric",
            ("'NaN'", "1e100", "-1.5000", "0.1"),
            ("NaN", "1" + 100 * "0", "-1.5000", "0.1"),
        ),
        TypeCase("money_like", "price", ("12.5", "-0.01"), ("12.50", "-0.01")),
        TypeCase(
            "single",
            "real",
            ("0.1", "3.4028235e38", "'NaN'", "'-Infinity'", "1e-45"),
            ("0.1", "3.4028235e+38", "NaN", "-Infinity", "1e-45"),
            {
                "mysql": ("0.1", "3.4028235e+38", None, None, "1e-45"),
                "sqlite": ("0.1", "3.4028235e+38", None, "-Infinity", "1e-45"),
            },
            {"mysql": (2, 3), "sqlite": (2,)},
        ),
        TypeCase(
            "double_value",
            "double precision",
            ("0.1", "1.7976931348623157e308", "'Infinity'", "5e-324", "0.30000000000000004"),
            ("0.1", "1.7976931348623157e+308", "Infinity", "5e-324", "0.30000000000000004"),
            {"mysql": ("0.1", "1.7976931348623157e+308", None, "5e-324", "0.30000000000000004")},
            {"mysql": (2,)},
        ),
        TypeCase(
            "words",
            "text",
            (r"E'tab\tnew\nline\r\\ back \"quote\" \'single\''", "'中文😀'", "''", r"'\N'", "'NULL'", "'  '"),
            ("tab\tnew\nline\r\\ back \"quote\" 'single'", "中文😀", "", "\\N", "NULL", "  "),
        ),
        TypeCase("limited", "varchar(10)", ("'äöü'", "'trail   '"), ("äöü", "trail   ")),
        TypeCase("padded", "char(5)", ("'ab'", "'abcde'"), ("ab   ", "abcde")),
        TypeCase("raw", "bytea", (r"'\x00ff5c0a09'", "''"), (b"\x00\xff\\\n\t", b"")),
        TypeCase(
            "day",
            "date",
            ("'2024-02-29'", "'infinity'", "'-infinity'", "'0044-03-15 BC'", "'294276-12-31'"),
            ("2024-02-29", "infinity", "-infinity", "0044-03-15 BC", "294276-12-31"),
            {"mysql": ("2024-02-29", "9999-12-31", "0000-00-00", None, None)},
            {"mysql": (3, 4)},
        ),
        TypeCase(
            "clock",
            "time",
            ("'23:59:59.999999'", "'24:00:00'"),
            ("23:59:59.999999", "24:00:00"),
            {"mysql": ("23:59:59.999999", "24:00:00.000000")},
        ),
        TypeCase("clock_zone", "timetz", ("'12:00:00+05:30'", "'00:00:00-12'"), ("12:00:00+05:30", "00:00:00-12")),
        TypeCase(
            "moment",
            "timestamp",
            ("'2024-02-29 12:34:56.789'", "'infinity'", "'0001-01-01 00:00:00 BC'"),
            ("2024-02-29 12:34:56.789", "infinity", "0001-01-01 00:00:00 BC"),
            {"mysql": ("2024-02-29 12:34:56.789000", "9999-12-31 23:59:59.999999", None)},
            {"mysql": (2,)},
        ),
        TypeCase("moment_coarse", "timestamp(0)", ("'2024-02-29 12:34:56'",), ("2024-02-29 12:34:56",)),
        TypeCase(
            "instant",
            "timestamptz",
            ("'2024-02-29 12:34:56.789+09'", "'-infinity'", "'1900-01-01 00:00:00+00'"),
            ("2024-02-29 03:34:56.789+00", "-infinity", "1900-01-01 00:00:00+00"),
            {"mysql": ("2024-02-29 03:34:56.789000", "0000-00-00 00:00:00.000000", "1900-01-01 00:00:00.000000")},
        ),
        TypeCase(
            "span",
            "interval",
            ("'1 year 2 mons -3 days +04:05:06.7'", "'-00:00:00.000001'"),
            ("1 year 2 mons -3 days +04:05:06.7", "-00:00:00.000001"),
        ),
        TypeCase(
            "document",
            "json",
            ("""'{"a": [1,  2], "b": "\\u00e9 \\\\n"}'""", "'null'"),
            None,
            {"mysql8": (r"""{"a": [1, 2], "b": "é \\n"}""", "null")},
        ),
        TypeCase(
            "document_b",
            "jsonb",
            ("""'{"b": 1.50, "a": "x\\ny"}'""", "'[]'"),
            None,
            {"mysql8": (r"""{"a": "x\ny", "b": 1.5}""", "[]")},
        ),
        TypeCase(
            "id_value",
            "uuid",
            ("'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'",),
            ("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",),
        ),
        TypeCase("feeling", "mood", ("'it''s ok'", "'高兴'"), ("it's ok", "高兴")),
        TypeCase("bits", "bit(5)", ("B'10110'",), ("10110",)),
        TypeCase("bits_free", "bit varying", ("B'1'", "B'0000000001'"), ("1", "0000000001")),
        TypeCase(
            "numbers",
            "integer[]",
            ("'{1,NULL,-3}'", "'{{1,2},{3,4}}'", "'{}'"),
            None,
            {"mysql": ("[1,null,-3]", "[[1,2],[3,4]]", "[]"), "mysql8": ("[1, null, -3]", "[[1, 2], [3, 4]]", "[]")},
        ),
        TypeCase(
            "texts",
            "text[]",
            ("""'{"a,b","q\\"\\\\",NULL,"NULL",""}'""",),
            None,
            {
                "mysql": (r"""["a,b","q\"\\",null,"NULL",""]""",),
                "mysql8": (r"""["a,b", "q\"\\", null, "NULL", ""]""",),
            },
        ),
        TypeCase(
            "feelings",
            "mood[]",
            ("""'{sad,"it''s ok"}'""",),
            None,
            {"mysql": ('["sad","it\'s ok"]',), "mysql8": ('["sad", "it\'s ok"]',)},
        ),
        TypeCase(
            "moments",
            "timestamptz[]",
            ("'{2024-01-01 00:00:00+00}'",),
            None,
            {"mysql": ('["2024-01-01 00:00:00+00"]',)},
        ),
        TypeCase("blobs", "bytea[]", (r"""'{"\\x00ff"}'""",), None, {"mysql": (r'["\\x00ff"]',)}),
        # The servers of the Python package are built without libxml and take no other value.
        TypeCase("markup", "xml", ("NULL",)),
        TypeCase("address", "inet", ("'10.0.0.1'", "'10.0.0.0/8'"), ("10.0.0.1", "10.0.0.0/8")),
        TypeCase("network", "cidr", ("'10.0.0.0/8'",), ("10.0.0.0/8",)),
        TypeCase("device", "macaddr", ("'08:00:2b:01:02:03'",)),
        TypeCase("cash", "money", ("'-12.34'", "1234567.5::numeric::money"), ("-$12.34", "$1,234,567.50")),
        TypeCase("range_value", "int4range", ("'[1,5)'", "'empty'")),
        TypeCase("search", "tsvector", ("'fat:2 cat:3A'",)),
        TypeCase("couple", "pair", ("ROW(1, 'a \"b\"')",)),
        TypeCase("spot", "point", ("'(0.1,2)'",)),
        TypeCase("symbol", '"char"', ("'x'",)),
        TypeCase("label", "name", ("'a name'",)),
    )

    def schema(self, database: str) -> str:
        return "public"

    def image(self, database: str, table: str) -> list[object]:
        return [row[0] for row in self.server.rows(f'SELECT t::text FROM public."{table}" t ORDER BY k', database)]
