"""The statements and types of databases that no test server exists for, against their vendors' documentation."""

from collections.abc import Iterator, Sequence
from typing import Any, cast

import pytest

from zcbus.connectors.dameng.dialect import DAMENG_DIALECT
from zcbus.connectors.db2.dialect import DB2_DIALECT
from zcbus.connectors.db2.spec import Db2Options
from zcbus.connectors.derby.dialect import DERBY_DIALECT
from zcbus.connectors.errors import (
    AccessDenied,
    RowRefused,
    SourceFull,
    SourceNotReady,
    SourceUnavailable,
    TableMissing,
    TableRefused,
    TargetFull,
)
from zcbus.connectors.gaussdb.dialect import GAUSSDB_DIALECT
from zcbus.connectors.h2.dialect import H2_DIALECT
from zcbus.connectors.jdbc import errors as jdbc_errors
from zcbus.connectors.jdbc.dialect import Dialect
from zcbus.connectors.jdbc.pull import JdbcPuller
from zcbus.connectors.jdbc.rows import JdbcTableReader, batch_of
from zcbus.connectors.jdbc.statements import Row, Statements
from zcbus.connectors.jdbc.types import data_type
from zcbus.connectors.kingbase.dialect import KINGBASE_DIALECT
from zcbus.connectors.oracle.dialect import ORACLE_DIALECT
from zcbus.connectors.registry import KINDS
from zcbus.connectors.sqlserver.dialect import SQLSERVER_DIALECT
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

PREVIEWS = {
    "sqlserver": SQLSERVER_DIALECT,
    "oracle": ORACLE_DIALECT,
    "db2": DB2_DIALECT,
    "dameng": DAMENG_DIALECT,
    "kingbase": KINGBASE_DIALECT,
    "gaussdb": GAUSSDB_DIALECT,
}


class Recorder:
    """A connection that keeps its statements, and answers with given rows."""

    def __init__(self, dialect: Dialect, *pages: list[Row]) -> None:
        self.dialect, self.side = dialect, "source"
        self.options = Db2Options("host", database="shop", watermark="changed")
        self.pages, self.said = list(pages), list[tuple[str, list[object]]]()

    def stream(self, sql: str, values: Sequence[object] = (), *_: object) -> Iterator[list[Row]]:
        self.said.append((sql, list(values)))
        if self.pages:
            yield self.pages.pop(0)

    def rollback(self) -> None:
        """No transaction stays open."""


def as_connection(recorder: Recorder) -> Statements:
    return cast("Statements", recorder)


def orders(key: DataType, mark: DataType) -> TableSchema:
    columns = (Column("id", key, False), Column("changed", mark, False))
    return TableSchema(TableName("S", "ORDERS"), "x", columns, ("id",), ())


ORACLE_DATE = "TO_DATE(?, 'YYYY-MM-DD HH24:MI:SS AD')"
PULLS = {
    "sqlserver": (
        (DataType(Kind.TEXT, "nvarchar(20)"), DataType(Kind.TIMESTAMP, "datetime", precision=3)),
        'SELECT "id", CONVERT(varchar(33), "changed", 121), CONVERT(varchar(33), "changed", 121) AS "zcbus_0", '
        '"id" AS "zcbus_1" FROM "S"."ORDERS" WHERE "changed" > CONVERT(datetime, ?, 121) '
        'ORDER BY "changed", "id" OFFSET 0 ROWS FETCH NEXT 2 ROWS ONLY',
    ),
    "oracle": (
        (DataType(Kind.DECIMAL, "NUMBER(19,0)"), DataType(Kind.TIMESTAMP, "DATE", precision=0)),
        'SELECT "id", TO_CHAR("changed", \'YYYY-MM-DD HH24:MI:SS AD\'), '
        'TO_CHAR("changed", \'YYYY-MM-DD HH24:MI:SS AD\') AS "zcbus_0", "id" AS "zcbus_1" '
        f'FROM "S"."ORDERS" WHERE "changed" > {ORACLE_DATE} '
        'ORDER BY "changed", "id" OFFSET 0 ROWS FETCH NEXT 2 ROWS ONLY',
    ),
    "db2": (
        (DataType(Kind.INT64, "BIGINT"), DataType(Kind.TIMESTAMP, "TIMESTAMP(6)", precision=6)),
        'SELECT "id", "changed", "changed" AS "zcbus_0", "id" AS "zcbus_1" FROM "S"."ORDERS" WHERE "changed" > ? '
        'ORDER BY "changed", "id" OFFSET 0 ROWS FETCH NEXT 2 ROWS ONLY',
    ),
    "kingbase": (
        (DataType(Kind.TEXT, "varchar(20)"), DataType(Kind.TIMESTAMP, "timestamp(6)", precision=6)),
        'SELECT "id", "changed", "changed" AS "zcbus_0", "id" AS "zcbus_1" FROM "S"."ORDERS" WHERE "changed" > ? '
        'ORDER BY "changed", "id" OFFSET 0 ROWS FETCH NEXT 2 ROWS ONLY',
    ),
    "gaussdb": (
        (DataType(Kind.TEXT, "varchar(20)"), DataType(Kind.TIMESTAMP, "timestamp(6)", precision=6)),
        'SELECT "id", "changed", "changed" AS "zcbus_0", "id" AS "zcbus_1" FROM "S"."ORDERS" WHERE "changed" > ? '
        'ORDER BY "changed", "id" OFFSET 0 ROWS FETCH NEXT 2 ROWS ONLY',
    ),
    "dameng": (
        (DataType(Kind.INT64, "BIGINT"), DataType(Kind.TIMESTAMP, "TIMESTAMP(6)", precision=6)),
        'SELECT "id", "changed", "changed" AS "zcbus_0", "id" AS "zcbus_1" FROM "S"."ORDERS" WHERE "changed" > ? '
        'ORDER BY "changed", "id" OFFSET 0 ROWS FETCH NEXT 2 ROWS ONLY',
    ),
}


def test_every_preview_is_here() -> None:
    body = "zcbus.connectors.jdbc"
    jdbc = {kind for kind, entry in KINDS.items() if entry.spec.model.__mro__[1].__module__.startswith(body)}
    assert {kind for kind in jdbc if not KINDS[kind].spec.tested} == set(PREVIEWS) == set(PULLS)


@pytest.mark.parametrize("kind", PREVIEWS)
def test_what_was_not_tried_is_not_claimed(kind: str) -> None:
    can = KINDS[kind].spec.capabilities
    assert (can.capture, can.deletes, can.delivery, can.ddl) == ("watermark", "by-comparison", "none", False)


@pytest.mark.parametrize("kind", PULLS)
def test_rows_after_a_watermark(kind: str) -> None:
    types, statement = PULLS[kind]
    schema, first = orders(*types), "2024-02-29 12:34:56"
    page: list[Row] = [("a" if types[0].kind is Kind.TEXT else "7", first, first, "7")]
    recorder = Recorder(PREVIEWS[kind], page, [])
    found = list(JdbcPuller(as_connection(recorder), lambda _: schema).pull(schema, "changed", first, 2))
    assert [after for _, after in found] == [first]
    assert recorder.said[0] == (statement, [first])
    mark = PREVIEWS[kind].compared.get("datetime" if kind == "sqlserver" else "date", "?")
    behind = f'("changed" >= {mark} AND (("changed" > {mark}) OR ("changed" = {mark} AND "id" > ?)))'
    assert behind in recorder.said[1][0]
    assert recorder.said[1][1] == [first, first, first, "7"]


def test_keys_are_read_in_the_order_of_their_texts() -> None:
    schema = orders(DataType(Kind.UUID, "uniqueidentifier"), DataType(Kind.TIMESTAMP, "datetime2(6)", precision=6))
    recorder = Recorder(SQLSERVER_DIALECT)
    list(JdbcTableReader(as_connection(recorder)).read(schema, ("id",), ("00ff",), 10))
    term = 'LOWER(CONVERT(char(36), "id")) COLLATE Latin1_General_BIN2'
    assert recorder.said[0][0].endswith(f"WHERE ({term} >= ? AND (({term} > ?))) ORDER BY {term}")


def test_keys_that_are_moments_come_back_as_they_were_selected() -> None:
    schema = orders(DataType(Kind.TIMESTAMP, "TIMESTAMP(3)", precision=3), DataType(Kind.TIMESTAMP, "DATE"))
    recorder = Recorder(ORACLE_DIALECT)
    reader = JdbcTableReader(as_connection(recorder))
    for bound in ("2024-02-29 12:34:56", "0044-03-15 00:00:00.5 BC"):
        list(reader.read(schema, ("id",), (bound,), 10))
    assert [values[0] for _, values in recorder.said] == ["2024-02-29 12:34:56.0 AD", "0044-03-15 00:00:00.5 BC"]
    zoned = orders(DataType(Kind.TIMESTAMP_TZ, "TIMESTAMP(6) WITH TIME ZONE"), DataType(Kind.TIMESTAMP, "DATE"))
    list(reader.read(zoned, ("id",), ("2024-02-29 04:34:56+00",), 10))
    assert recorder.said[-1][1][0] == "2024-02-29 04:34:56.0+00"


TYPES: list[tuple[Dialect, tuple[Any, ...], DataType]] = [
    (SQLSERVER_DIALECT, (4, "int identity", 10, 0), DataType(Kind.INT32, "int")),
    (SQLSERVER_DIALECT, (-6, "tinyint", 3, 0), DataType(Kind.UINT8, "tinyint")),
    (SQLSERVER_DIALECT, (3, "money", 19, 4), DataType(Kind.DECIMAL, "money", precision=19, scale=4)),
    (
        SQLSERVER_DIALECT,
        (2, "numeric() identity", 18, 0),
        DataType(Kind.DECIMAL, "numeric(18,0)", precision=18, scale=0),
    ),
    (SQLSERVER_DIALECT, (93, "datetime2", 27, 7), DataType(Kind.TIMESTAMP, "datetime2(7)", precision=6)),
    (SQLSERVER_DIALECT, (93, "datetime", 23, 3), DataType(Kind.TIMESTAMP, "datetime", precision=3)),
    (SQLSERVER_DIALECT, (-155, "datetimeoffset", 34, 7), DataType(Kind.TIMESTAMP_TZ, "datetimeoffset(7)", precision=6)),
    (SQLSERVER_DIALECT, (-2, "timestamp", 8, None), DataType(Kind.BINARY, "timestamp", length=8, fixed=True)),
    (SQLSERVER_DIALECT, (-9, "nvarchar", 2147483647, None), DataType(Kind.TEXT, "nvarchar(max)")),
    (SQLSERVER_DIALECT, (1, "uniqueidentifier", 36, None), DataType(Kind.UUID, "uniqueidentifier")),
    (
        SQLSERVER_DIALECT,
        (-158, "geography", 2147483647, None),
        DataType(Kind.UNSUPPORTED, "geography", reason="unknown-type"),
    ),
    (ORACLE_DIALECT, (2, "NUMBER", 0, -127), DataType(Kind.DECIMAL, "NUMBER")),
    (ORACLE_DIALECT, (2, "NUMBER", 5, -2), DataType(Kind.DECIMAL, "NUMBER(5,-2)", precision=7, scale=0)),
    (ORACLE_DIALECT, (2, "NUMBER", 2, 5), DataType(Kind.DECIMAL, "NUMBER(2,5)", precision=5, scale=5)),
    (ORACLE_DIALECT, (6, "FLOAT", 126, -127), DataType(Kind.DECIMAL, "FLOAT")),
    (ORACLE_DIALECT, (93, "DATE", 7, None), DataType(Kind.TIMESTAMP, "DATE", precision=0)),
    (ORACLE_DIALECT, (93, "TIMESTAMP(6)", 11, 6), DataType(Kind.TIMESTAMP, "TIMESTAMP(6)", precision=6)),
    (
        ORACLE_DIALECT,
        (-101, "TIMESTAMP(3) WITH TIME ZONE", 13, 3),
        DataType(Kind.TIMESTAMP_TZ, "TIMESTAMP(3) WITH TIME ZONE", precision=3),
    ),
    (ORACLE_DIALECT, (101, "BINARY_DOUBLE", 8, None), DataType(Kind.FLOAT64, "BINARY_DOUBLE")),
    (ORACLE_DIALECT, (-1, "LONG", 0, None), DataType(Kind.UNSUPPORTED, "LONG", reason="unknown-type")),
    (DB2_DIALECT, (92, "TIME", 8, 0), DataType(Kind.TIME, "TIME", precision=0)),
    (
        DB2_DIALECT,
        (-3, "VARCHAR () FOR BIT DATA", 16, None),
        DataType(Kind.BINARY, "VARCHAR (16) FOR BIT DATA", length=16),
    ),
    (GAUSSDB_DIALECT, (-6, "int1", 3, 0), DataType(Kind.UINT8, "int1")),
    (KINGBASE_DIALECT, (-6, "tinyint", 3, 0), DataType(Kind.INT8, "tinyint")),
    (GAUSSDB_DIALECT, (-7, "bit", 3, 0), DataType(Kind.OTHER, "bit")),
    (GAUSSDB_DIALECT, (8, "money", 2147483647, 0), DataType(Kind.UNSUPPORTED, "money", reason="unknown-type")),
    (KINGBASE_DIALECT, (2, "numeric", 131089, 0), DataType(Kind.DECIMAL, "numeric")),
    (KINGBASE_DIALECT, (2, "numeric", 12, 2), DataType(Kind.DECIMAL, "numeric(12,2)", precision=12, scale=2)),
    (DAMENG_DIALECT, (2005, "TEXT", 2147483647, None), DataType(Kind.TEXT, "TEXT")),
]


@pytest.mark.parametrize(("dialect", "reported", "expected"), TYPES, ids=[str(one[1][1]) for one in TYPES])
def test_types_as_the_drivers_report_them(dialect: Dialect, reported: Any, expected: DataType) -> None:
    assert data_type(dialect, *reported) == expected


def test_values_become_canonical() -> None:
    columns = (
        Column("flag", DataType(Kind.BOOLEAN, "bit"), True),
        Column("id", DataType(Kind.UUID, "uniqueidentifier"), True),
        Column("amount", DataType(Kind.DECIMAL, "NUMBER"), True),
        Column("day", DataType(Kind.TIMESTAMP, "DATE"), True),
        Column("at", DataType(Kind.TIMESTAMP_TZ, "datetimeoffset(7)"), True),
    )
    schema = TableSchema(TableName("S", "T"), "x", columns, (), ())
    rows: list[Row] = [
        (
            "1",
            "6F9619FF-8B86-D011-B42D-00CF4FC964FF",
            ".5",
            "2024-02-29 12:34:56 AD",
            "2024-02-29 04:34:56.1250000+00:00",
        ),
        ("0", None, "-.25", "0044-03-15 00:00:00 BC", None),
    ]
    assert batch_of(schema, rows).to_pylist() == [
        {
            "flag": "t",
            "id": "6f9619ff-8b86-d011-b42d-00cf4fc964ff",
            "amount": "0.5",
            "day": "2024-02-29 12:34:56",
            "at": "2024-02-29 04:34:56.125+00",
        },
        {"flag": "f", "id": None, "amount": "-0.25", "day": "0044-03-15 00:00:00 BC", "at": None},
    ]


def test_a_moment_that_others_would_round_stops_its_table() -> None:
    schema = orders(DataType(Kind.INT64, "bigint"), DataType(Kind.TIMESTAMP, "datetime2(7)", precision=6))
    assert batch_of(schema, [("1", "2024-02-29 12:34:56.1234560")]).num_rows == 1
    with pytest.raises(TableRefused) as refused:
        batch_of(schema, [("1", "2024-02-29 12:34:56.1234567")])
    assert (refused.value.facts["column"], refused.value.facts["reason"]) == ("changed", "finer-than-microseconds")


class Raised:
    """An exception of a driver."""

    def __init__(self, state: str | None, code: int, text: str = "said") -> None:
        self.getSQLState, self.getErrorCode = (lambda: state), (lambda: code)
        self.getMessage = self.toString = lambda: text
        self.getCause: Any = lambda: None
        self.getNextException: Any = lambda: None


@pytest.mark.parametrize(
    ("dialect", "state", "code", "expected"),
    [
        (SQLSERVER_DIALECT, "S0001", 18456, AccessDenied),
        (SQLSERVER_DIALECT, "S0001", 4060, SourceNotReady),
        (SQLSERVER_DIALECT, "S0002", 208, TableMissing),
        (SQLSERVER_DIALECT, "40001", 1205, SourceUnavailable),
        (ORACLE_DIALECT, "72000", 1017, AccessDenied),
        (ORACLE_DIALECT, "66000", 12514, SourceNotReady),
        (ORACLE_DIALECT, "42000", 942, TableMissing),
        (ORACLE_DIALECT, "72000", 1555, SourceUnavailable),
        (DB2_DIALECT, "42704", -204, TableMissing),
        (DB2_DIALECT, "57033", -913, SourceUnavailable),
        (DAMENG_DIALECT, None, -2501, AccessDenied),
        (KINGBASE_DIALECT, "28P01", 0, AccessDenied),
        (KINGBASE_DIALECT, "3D000", 0, SourceNotReady),
        (GAUSSDB_DIALECT, "42P01", 0, TableMissing),
        (GAUSSDB_DIALECT, "42501", 0, AccessDenied),
        (GAUSSDB_DIALECT, "57P01", 0, SourceUnavailable),
        (GAUSSDB_DIALECT, "53100", 0, SourceFull),
        (H2_DIALECT, "42S02", 42102, TableMissing),
        (SQLSERVER_DIALECT, "S0002", 1105, SourceFull),
        (ORACLE_DIALECT, "72000", 1653, SourceFull),
        (DB2_DIALECT, "57011", -968, SourceFull),
        (DB2_DIALECT, "57011", -912, SourceUnavailable),
        (DERBY_DIALECT, "XSDG1", 45000, SourceFull),
    ],
)
def test_errors_are_distinguished(dialect: Dialect, state: str | None, code: int, expected: type[Exception]) -> None:
    options = Db2Options("host", database="shop")
    assert type(jdbc_errors.translate(Raised(state, code), dialect, options, "source", "S.T")) is expected


def test_a_full_disk_is_not_a_row_that_has_its_words() -> None:
    options, text = Db2Options("host", database="shop"), "IO Exception: No space left on device"
    full = jdbc_errors.translate(Raised("90028", 90028, text), H2_DIALECT, options, "target", "S.T")
    refused = jdbc_errors.translate(Raised("22001", 22001, text), H2_DIALECT, options, "target", "S.T")
    assert (type(full), type(refused)) == (TargetFull, RowRefused)


def test_a_full_disk_in_the_midst_of_a_chain_is_the_reason() -> None:
    """As Derby and H2 say it: behind the last error, or in a trace alone."""
    options = Db2Options("host", database="shop")
    cause = Raised("XSDG1", 45000, "Page could not be written to disk")
    lost, last = Raised("08006", 40000, "terminated"), Raised("XJ211", 0, "The batch is terminated")
    lost.getCause, lost.getNextException = (lambda: cause), (lambda: last)
    full = jdbc_errors.translate(lost, DERBY_DIALECT, options, "target", "S.T")
    assert (type(full), full.facts["detail"]) == (TargetFull, "Page could not be written to disk")
    general = Raised("HY000", 50000, "General error")
    general.toString = lambda: "General error\nCaused by: java.io.IOException: No space left on device"
    assert type(jdbc_errors.translate(general, H2_DIALECT, options, "target", "S.T")) is TargetFull
    refused = Raised("22001", 22001, "too long")
    refused.getCause = lambda: general
    assert type(jdbc_errors.translate(refused, H2_DIALECT, options, "target", "S.T")) is RowRefused
