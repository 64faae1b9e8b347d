"""BigQuery by its REST interface: sign-in, tables, values, pages, rounds, and errors that say whether to try again."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.conformance.connectors.case import rows_of
from tests.support.rest_service import Reply, RestService, rest_service
from tests.unit.connectors.bigquery.service import Project, error, key_file
from zcbus.connectors.bigquery.connection import BigQueryConnection
from zcbus.connectors.bigquery.spec import BigQueryOptions
from zcbus.connectors.bigquery.types import data_type
from zcbus.connectors.errors import AccessDenied, DatabaseFailed, SourceUnavailable, TableMissing
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import CapturedTable
from zcbus.model.changes import ChangeFrame
from zcbus.model.schema import TableName
from zcbus.model.types import DataType, Kind

NAME = TableName("shop", "orders")
DESCRIBED: dict[str, Any] = {
    "type": "TABLE",
    "schema": {
        "fields": [
            {"name": "id", "type": "INTEGER", "mode": "REQUIRED"},
            {"name": "name", "type": "STRING", "maxLength": "50"},
            {"name": "paid", "type": "BOOLEAN"},
            {"name": "amount", "type": "NUMERIC", "precision": "12", "scale": "2"},
            {"name": "ratio", "type": "FLOAT"},
            {"name": "day", "type": "DATE"},
            {"name": "updated_at", "type": "DATETIME", "mode": "REQUIRED"},
        ]
    },
    "tableConstraints": {"primaryKey": {"columns": ["id"]}},
}
TABLE = (
    "CREATE TABLE shop.orders (id BIGINT PRIMARY KEY, name VARCHAR, paid BOOLEAN, amount DECIMAL(12,2), ratio DOUBLE, "
    "day DATE, updated_at TIMESTAMP NOT NULL)"
)
ROWS = (
    "INSERT INTO shop.orders VALUES "
    "(1, '中文''😀', true, 12.50, 0.1, '2024-02-29', '2024-02-29 12:34:56.789'), "
    "(2, NULL, NULL, NULL, NULL, NULL, '2024-03-01'), (10, '', false, -0.5, 1e300, NULL, '2024-03-01 00:00:00.000001')"
)


@pytest.fixture
def service() -> Iterator[RestService]:
    with rest_service() as running:
        yield running


@pytest.fixture
def project(service: RestService) -> Project:
    made = Project(service.url, DESCRIBED)
    made.database.execute(TABLE)
    made.database.execute(ROWS)
    service.answer = made
    return made


@pytest.fixture
def options(service: RestService, project: Project) -> BigQueryOptions:
    return BigQueryOptions(
        url=service.url, database="shop-prod", location="EU", key=key_file(service.url), interval=1, overlap=1
    )


def test_the_connection_test(options: BigQueryOptions, project: Project) -> None:
    tester = connector("bigquery").tester()
    found = tester.test(options, "source")
    assert [(one.item, one.ok) for one in found] == [("reachable", True), ("login", True), ("permissions", True)]
    assert (project.queries[0]["location"], project.queries[0]["useLegacySql"]) == ("EU", False)
    assert "PRIVATE KEY" not in repr(options)


@pytest.mark.parametrize("key", ["no json", "{}", '{"client_email": "a", "private_key": "x", "token_uri": "http://x"}'])
def test_a_key_that_is_none_is_no_login(options: BigQueryOptions, key: str) -> None:
    refused = connector("bigquery").tester().test(replace(options, key=key), "source")[-1]
    assert (refused.item, refused.ok, refused.advice) == ("login", False, "account")


def test_a_token_that_is_refused_is_renewed_once(options: BigQueryOptions, project: Project) -> None:
    with BigQueryConnection(options, "source") as connection:
        assert connection.rows("SELECT 1") == [("1",)]
        project.token = "t2"
        assert connection.rows("SELECT 2") == [("2",)]


def test_tables_and_values(options: BigQueryOptions, project: Project) -> None:
    bigquery = connector("bigquery")
    with bigquery.discoverer(options) as discoverer:
        assert discoverer.schemas() == ["empty", "shop"]
        (summary,) = discoverer.tables()
        (schema,) = discoverer.describe([NAME])
        with pytest.raises(TableMissing):
            discoverer.describe([TableName("shop", "none")])
    assert (summary.name, summary.has_primary_key) == (NAME, True)
    assert (schema.primary_key, schema.column("updated_at").nullable) == (("id",), False)
    with bigquery.reader(options, "source") as reader:
        assert reader.count(schema) == 3
        rows = [row for batch, _ in reader.read(schema, ("id",), None, 10) for row in rows_of(batch)]
        assert rows == [
            ("1", "中文'😀", "t", "12.50", "0.1", "2024-02-29", "2024-02-29 12:34:56.789"),
            ("2", None, None, None, None, None, "2024-03-01 00:00:00"),
            ("10", "", "f", "-0.50", "1e+300", None, "2024-03-01 00:00:00.000001"),
        ]
        assert reader.border(schema, ("id",), None, 2) == ("2",)
        behind = [row for batch, _ in reader.read(schema, ("id",), ("2",), 10) for row in rows_of(batch)]
        assert [row[0] for row in behind] == ["10"]


def test_changes_are_found_by_the_watermark(options: BigQueryOptions, project: Project) -> None:
    source, tables = connector("bigquery").source(options), [CapturedTable(NAME, ("id",))]
    with source.open_changes("node", tables, source.prepare("node", tables)) as stream:
        stream.read(5.0)
        project.database.execute("UPDATE shop.orders SET name = 'new', updated_at = '2030-01-01' WHERE id = 2")
        seen: list[Any] = []
        while not any(row[1] == "new" for row in seen):
            for frame in stream.read(5.0):
                if isinstance(frame, ChangeFrame):
                    seen += [row for part in frame.tables for row in rows_of(part.rows)]
    assert ("2", "new") in [row[:2] for row in seen]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (error(403, "accessDenied", "no right"), AccessDenied),
        (error(403, "quotaExceeded", "too much"), SourceUnavailable),
        (error(403, "rateLimitExceeded", "too often"), SourceUnavailable),
        (error(503, "backendError", "later"), SourceUnavailable),
        (Reply(b"<html>gateway", 502), SourceUnavailable),
        (error(404, "notFound", "no table"), TableMissing),
        (error(400, "invalidQuery", "syntax"), DatabaseFailed),
    ],
)
def test_errors_are_distinguished(
    options: BigQueryOptions, project: Project, reply: Reply, expected: type[Exception]
) -> None:
    project.failure = reply
    with BigQueryConnection(options, "source") as connection, pytest.raises(expected):
        connection.rows("SELECT 1", of="shop.orders")


def test_an_interrupted_query_is_cancelled(options: BigQueryOptions, project: Project) -> None:
    project.waits = 1_000_000
    with BigQueryConnection(options, "source") as connection:
        connection.interrupt()
        with pytest.raises(SourceUnavailable):
            connection.rows("SELECT 1")
    assert project.cancelled == ["job1"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"type": "INTEGER"}, DataType(Kind.INT64, "INT64")),
        ({"type": "NUMERIC"}, DataType(Kind.DECIMAL, "NUMERIC", precision=38, scale=9)),
        ({"type": "BIGNUMERIC"}, DataType(Kind.DECIMAL, "BIGNUMERIC", precision=77, scale=38)),
        ({"type": "NUMERIC", "precision": "5"}, DataType(Kind.DECIMAL, "NUMERIC(5,0)", precision=5, scale=0)),
        ({"type": "STRING"}, DataType(Kind.TEXT, "STRING")),
        ({"type": "BYTES", "maxLength": "16"}, DataType(Kind.BINARY, "BYTES(16)", length=16)),
        ({"type": "TIMESTAMP"}, DataType(Kind.TIMESTAMP_TZ, "TIMESTAMP", precision=6)),
        ({"type": "JSON"}, DataType(Kind.JSON, "JSON")),
        ({"type": "STRING", "mode": "REPEATED"}, DataType(Kind.UNSUPPORTED, "ARRAY<STRING>", reason="unknown-type")),
        ({"type": "RECORD"}, DataType(Kind.UNSUPPORTED, "RECORD", reason="unknown-type")),
    ],
)
def test_types(given: dict[str, Any], expected: DataType) -> None:
    assert data_type(given) == expected


def test_values_are_texts_that_the_statement_converts(options: BigQueryOptions, project: Project) -> None:
    fields = [
        {"name": "id", "type": "BYTES", "mode": "REQUIRED"},
        {"name": "at", "type": "TIMESTAMP", "mode": "REQUIRED"},
    ]
    project.table = {"schema": {"fields": fields}, "tableConstraints": {"primaryKey": {"columns": ["id", "at"]}}}
    with connector("bigquery").discoverer(options) as discoverer:
        (schema,) = discoverer.describe([NAME])
    project.failure = error(400, "invalidQuery", "enough")
    with connector("bigquery").reader(options, "source") as reader, pytest.raises(DatabaseFailed):
        list(reader.read(schema, schema.key(), ("00ff", "2024-02-29 04:34:56.5+00"), 10))
    said = project.queries[-1]
    assert said["query"].startswith(
        "SELECT TO_HEX(`id`), CONCAT(FORMAT_TIMESTAMP('%F %H:%M:%E6S', `at`, 'UTC'), '+00')"
    )
    assert "`id` = FROM_HEX(?) AND `at` > CAST(? AS TIMESTAMP)" in said["query"]
    values = [one["parameterValue"]["value"] for one in said["queryParameters"]]
    assert values == ["00ff", "00ff", "00ff", "2024-02-29 04:34:56.5+00"]
