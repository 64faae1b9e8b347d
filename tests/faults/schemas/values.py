"""Values for columns by their declared type: ordinary ones, extremes, and such as are easily taken for others."""

import random

_WORDS = ["a", "A", "b", "ä", "word", "it''s", "", "x y", "中文", "ß", "0", "NULL", "tab\tend", "🙂"]
_MOMENTS = ["2024-02-29 10:20:30.5", "1970-01-01 00:00:01", "9999-12-31 23:59:59.999999", "2024-01-01 00:00:00"]
_POSTGRESQL: dict[str, list[str]] = {
    "smallint": ["0", "-32768", "32767", "7"],
    "integer": ["0", "-2147483648", "2147483647", "7", "8"],
    "bigint": ["0", "-9223372036854775808", "9223372036854775807", "9"],
    "numeric": ["0", "-0.01", "123.45", "99999999.99", "1.10"],
    "timestamp": [*(f"'{one}'" for one in _MOMENTS), "'infinity'", "'-infinity'"],
    "date": ["'2024-02-29'", "'9999-12-31'", "'infinity'", "'0001-01-01'"],
    "time": ["'00:00:00'", "'23:59:59.999999'"],
    "boolean": ["true", "false"],
    "bytea": [r"'\x'", r"'\x00ff'", r"'\x414200'"],
    "json": ["""'{"a": 1}'""", "'[]'", "'null'"],
    "uuid": ["'00000000-0000-0000-0000-00000000000a'", "'ffffffff-ffff-ffff-ffff-ffffffffffff'"],
    "double": ["0", "-1.5", "1e300", "0.1"],
    "mood": ["'sad'", "'ok'"],
    "place": ["(2, 'y')", "(NULL, '')", "NULL"],
    "bit": ["b'10101'", "b'00000'"],
    "interval": ["'1 day'", "'-3 mons 04:05:06'"],
    "inet": ["'10.0.0.1'", "'::1/64'"],
}
_MYSQL: dict[str, list[str]] = {
    "tinyint": ["0", "1", "-128", "127"],
    "smallint": ["0", "-32768", "32767"],
    "int": ["0", "7", "2147483647"],
    "bigint": ["0", "9", "9223372036854775807"],
    "decimal": ["0", "-0.01", "123.45", "99999999.99"],
    "datetime": ["'2024-02-29 10:20:30.5'", "'1000-01-01 00:00:00'", "'9999-12-31 23:59:59'"],
    "timestamp": ["'2024-02-29 10:20:30.5'", "'1970-01-02 00:00:01'", "'2037-01-01 00:00:00'"],
    "date": ["'2024-02-29'", "'9999-12-31'", "'1000-01-01'"],
    "time": ["'00:00:00'", "'838:59:59'", "'-01:00:00'"],
    "year": ["2024", "1901"],
    "double": ["0", "-1.5", "1e300", "0.1"],
    "bit": ["b'0'", "b'101'"],
    "enum": ["'sad'", "'ok'"],
    "set": ["'sad'", "'ok,sad'", "''"],
    "json": ["""'{"a": 1}'""", "'[]'"],
    "blob": ["x''", "x'00ff'", "x'414200'"],
    "varbinary": ["x''", "x'00ff'"],
    "binary": ["x'00ff'"],
}
_TYPES = {"postgresql": _POSTGRESQL, "mysql": _MYSQL}
NEW_TYPES = {
    "postgresql": [
        *("integer", "bigint", "smallint", "varchar(20)", "text", "numeric(12,2)", "timestamp", "timestamptz", "date"),
        *("boolean", "bytea", "uuid", "double precision", "time", "json", "mood"),
    ],
    "mysql": [
        *(
            "int",
            "bigint",
            "smallint",
            "tinyint",
            "int unsigned",
            "varchar(20)",
            "text",
            "decimal(12,2)",
            "datetime(6)",
        ),
        *("timestamp NULL", "date", "time", "year", "double", "bit(8)", "json", "blob", "varbinary(20)", "char(8)"),
        *("enum('sad','ok')", "set('sad','ok')", "varchar(20) CHARACTER SET latin1"),
    ],
}
"""Of columns that are added."""


def literal(chance: random.Random, kind: str, declared: str) -> str:
    """A value of the type as SQL."""
    known = _TYPES[kind]
    found = known.get(declared) or next((known[name] for name in known if declared.startswith(name)), None)
    if found is None:
        return f"'{chance.choice(_WORDS)}'"
    return chance.choice([one for one in found if "unsigned" not in declared or "-" not in one])


def key_value(chance: random.Random, kind: str, declared: str) -> str:
    """A value for a key: few of them, so that rows meet."""
    if declared.startswith(("int", "big", "small", "tiny", "numeric", "decimal")):
        return str(chance.randrange(1, 40))
    if declared.startswith(("varchar", "char", "text")):
        return f"'{chance.choice(['a', 'A', 'a ', 'ä', 'b', 'B ', 'c', 'ß', 'ss', ''])}'"
    return literal(chance, kind, declared)
