"""Snowflake by its SQL API: tables, values, partitions, rounds, and errors that say whether to try again."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.conformance.connectors.case import rows_of
from tests.support.rest_service import Reply, RestService, rest_service
from tests.unit.connectors.snowflake.service import Account
from zcbus.connectors.errors import AccessDenied, DatabaseFailed, SourceUnavailable, TableMissing
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import CapturedTable
from zcbus.connectors.snowflake.connection import SnowflakeConnection
from zcbus.connectors.snowflake.spec import SnowflakeOptions
from zcbus.connectors.snowflake.types import data_type
from zcbus.model.changes import ChangeFrame
from zcbus.model.schema import TableName
from zcbus.model.types import DataType, Kind

NAME = TableName("PUBLIC", "ORDERS")
COLUMNS: list[tuple[Any, ...]] = [
    # name, type, nullable, length, digits, scale, fraction
    ("ID", "NUMBER", "NO", None, 38, 0, None),
    ("NAME", "TEXT", "YES", 50, None, None, None),
    ("PAID", "BOOLEAN", "YES", None, None, None, None),
    ("AMOUNT", "NUMBER", "YES", None, 12, 2, None),
    ("RATIO", "FLOAT", "YES", None, None, None, None),
    ("DAY", "DATE", "YES", None, None, None, None),
    ("UPDATED_AT", "TIMESTAMP_NTZ", "NO", None, None, None, 9),
]
TABLE = (
    'CREATE TABLE "PUBLIC"."ORDERS" ("ID" BIGINT PRIMARY KEY, "NAME" VARCHAR, "PAID" BOOLEAN, "AMOUNT" DECIMAL(12,2), '
    '"RATIO" DOUBLE, "DAY" DATE, "UPDATED_AT" TIMESTAMP NOT NULL)'
)
ROWS = (
    'INSERT INTO "PUBLIC"."ORDERS" VALUES '
    "(1, '中文''😀', true, 12.50, 0.1, '2024-02-29', '2024-02-29 12:34:56.789'), "
    "(2, NULL, NULL, NULL, NULL, NULL, '2024-03-01'), (10, '', false, -0.5, 1e300, NULL, '2024-03-01 00:00:00.000001')"
)


@pytest.fixture
def service() -> Iterator[RestService]:
    with rest_service() as running:
        yield running


@pytest.fixture
def account(service: RestService) -> Account:
    made = Account(COLUMNS, ("ID",))
    made.database.execute(TABLE)
    made.database.execute(ROWS)
    service.answer = made
    return made


@pytest.fixture
def options(service: RestService, account: Account) -> SnowflakeOptions:
    return SnowflakeOptions(
        url=service.url, user="loader", token="s3cret", database="SHOP", warehouse="WH", interval=1, overlap=1
    )


def test_the_connection_test(options: SnowflakeOptions, account: Account) -> None:
    tester = connector("snowflake").tester()
    found = tester.test(options, "source")
    assert [(one.item, one.ok) for one in found] == [("reachable", True), ("login", True), ("permissions", True)]
    assert account.statements[0]["warehouse"] == "WH"
    account.token = "another"
    refused = tester.test(options, "source")[-1]
    assert (refused.item, refused.ok, refused.advice) == ("login", False, "account")
    assert "s3cret" not in repr(options) + refused.detail


def test_tables_and_values(options: SnowflakeOptions, account: Account) -> None:
    snowflake = connector("snowflake")
    with snowflake.discoverer(options) as discoverer:
        assert discoverer.schemas() == ["PUBLIC"]
        (summary,) = discoverer.tables()
        (schema,) = discoverer.describe([NAME])
        with pytest.raises(TableMissing):
            discoverer.describe([TableName("PUBLIC", "NONE")])
    assert (summary.name, summary.estimated_rows, summary.has_primary_key) == (NAME, 3, True)
    assert (schema.primary_key, schema.column("UPDATED_AT").nullable) == (("ID",), False)
    with snowflake.reader(options, "source") as reader:
        assert reader.count(schema) == 3
        rows = [row for batch, _ in reader.read(schema, ("ID",), None, 10) for row in rows_of(batch)]
        assert rows == [
            ("1", "中文'😀", "t", "12.50", "0.1", "2024-02-29", "2024-02-29 12:34:56.789"),
            ("2", None, None, None, None, None, "2024-03-01 00:00:00"),
            ("10", "", "f", "-0.50", "1e+300", None, "2024-03-01 00:00:00.000001"),
        ]
        assert reader.border(schema, ("ID",), None, 2) == ("2",)
        behind = [row for batch, _ in reader.read(schema, ("ID",), ("2",), 10) for row in rows_of(batch)]
        assert [row[0] for row in behind] == ["10"]


def test_changes_are_found_by_the_watermark(options: SnowflakeOptions, account: Account) -> None:
    source, tables = connector("snowflake").source(options), [CapturedTable(NAME, ("ID",))]
    with source.open_changes("node", tables, source.prepare("node", tables)) as stream:
        stream.read(5.0)
        account.database.execute(
            'UPDATE "PUBLIC"."ORDERS" SET "NAME" = \'new\', "UPDATED_AT" = \'2030-01-01\' WHERE "ID" = 2'
        )
        seen: list[Any] = []
        while not any(row[1] == "new" for row in seen):
            for frame in stream.read(5.0):
                if isinstance(frame, ChangeFrame):
                    seen += [row for part in frame.tables for row in rows_of(part.rows)]
    assert ("2", "new") in [row[:2] for row in seen]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (Reply({"message": "no token"}, 403), AccessDenied),
        (Reply({"message": "slow down"}, 429), SourceUnavailable),
        (Reply(b"<html>gateway", 502), SourceUnavailable),
        (Reply({"message": "timed out"}, 408), SourceUnavailable),
        (Reply({"message": "no such table", "sqlState": "42S02"}, 422), TableMissing),
        (Reply({"message": "no right", "sqlState": "42501"}, 422), AccessDenied),
        (Reply({"message": "syntax", "sqlState": "42000"}, 422), DatabaseFailed),
    ],
)
def test_errors_are_distinguished(
    options: SnowflakeOptions, account: Account, reply: Reply, expected: type[Exception]
) -> None:
    account.failure = reply
    with SnowflakeConnection(options, "source") as connection, pytest.raises(expected):
        connection.rows("SELECT 1", of="PUBLIC.ORDERS")


def test_an_interrupted_statement_is_cancelled(options: SnowflakeOptions, account: Account) -> None:
    account.waits = 1_000_000
    with SnowflakeConnection(options, "source") as connection:
        connection.interrupt()
        with pytest.raises(SourceUnavailable, match="source-unavailable"):
            connection.rows("SELECT 1")
    assert account.cancelled == ["01b1"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (("NUMBER", None, 38, 0, None), DataType(Kind.DECIMAL, "NUMBER(38,0)", precision=38, scale=0)),
        (("TEXT", 16_777_216, None, None, None), DataType(Kind.TEXT, "VARCHAR")),
        (("TEXT", 20, None, None, None), DataType(Kind.TEXT, "VARCHAR(20)", length=20)),
        (("BINARY", 16, None, None, None), DataType(Kind.BINARY, "BINARY(16)", length=16)),
        (("BINARY", 8_388_608, None, None, None), DataType(Kind.BINARY, "BINARY")),
        (("TIMESTAMP_TZ", None, None, None, 9), DataType(Kind.TIMESTAMP_TZ, "TIMESTAMP_TZ(9)", precision=6)),
        (("VARIANT", None, None, None, None), DataType(Kind.JSON, "VARIANT")),
        (("GEOGRAPHY", None, None, None, None), DataType(Kind.UNSUPPORTED, "GEOGRAPHY", reason="unknown-type")),
    ],
)
def test_types(given: Any, expected: DataType) -> None:
    assert data_type(*given) == expected


def test_keys_that_are_bytes_or_moments_come_back_as_they_were_selected(
    options: SnowflakeOptions, account: Account
) -> None:
    account.columns = [
        ("ID", "BINARY", "NO", 16, None, None, None),
        ("AT", "TIMESTAMP_TZ", "NO", None, None, None, 3),
    ]
    account.key = ("ID", "AT")
    with connector("snowflake").discoverer(options) as discoverer:
        (schema,) = discoverer.describe([NAME])
    account.failure = Reply({"message": "enough", "sqlState": "42000"}, 422)
    with connector("snowflake").reader(options, "source") as reader, pytest.raises(DatabaseFailed):
        list(reader.read(schema, schema.key(), ("00ff", "2024-02-29 04:34:56.5+00"), 10))
    said = account.statements[-1]
    assert said["statement"].startswith(
        "SELECT TO_VARCHAR(\"ID\", 'HEX'), TO_VARCHAR(CONVERT_TIMEZONE('UTC', \"AT\"), 'YYYY-MM-DD HH24:MI:SS.FF9')"
    )
    assert said["bindings"]["1"] == {"type": "BINARY", "value": "00ff"}
    assert said["bindings"]["4"] == {"type": "TEXT", "value": "2024-02-29 04:34:56.5+00:00"}
    assert '"AT" > CAST(? AS TIMESTAMP_TZ)' in said["statement"]
