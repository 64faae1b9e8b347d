"""KingbaseES and GaussDB by JDBC: what their dialects say is understood by PostgreSQL and its driver, which stand in
for servers that cannot be had. It proves the body that they share, not these products."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.conformance.connectors.case import rows_of
from tests.servers.jdbc import DriversFolder
from tests.servers.maven import ServerNotAvailable, archive_of
from tests.servers.postgresql import PostgreSQLServer
from zcbus.connectors.gaussdb.dialect import GAUSSDB_DIALECT
from zcbus.connectors.jdbc.connector import JdbcConnector
from zcbus.connectors.jdbc.dialect import Dialect
from zcbus.connectors.kingbase.dialect import KINGBASE_DIALECT
from zcbus.connectors.polling.source import PollingSource
from zcbus.connectors.registry import connector, spec_of
from zcbus.connectors.roles import CapturedTable
from zcbus.model.changes import ChangeFrame
from zcbus.model.schema import TableName
from zcbus.model.types import Kind

pytestmark = [pytest.mark.server, pytest.mark.wide]
DRIVER = "org.postgresql:postgresql:42.7.4"
TABLE = """
    CREATE TABLE orders (
      id bigint PRIMARY KEY, name varchar(50) NOT NULL, padded char(5), words text, flag boolean, small smallint,
      single real, twice double precision, exact numeric(12,2), free numeric, raw bytea, day date, clock time(3),
      moment timestamp(3), instant timestamptz NOT NULL, code uuid, document jsonb, bits bit(3), price money
    )
"""
ROWS = """
    INSERT INTO orders VALUES
      (1, '中文😀', 'ab', E'tab\\t\\n', true, -32768, 1.1, 0.1, 12.50, 1e30, '\\x00ff', '2024-02-29', '23:59:59.5',
       '2024-02-29 12:34:56.789', '2024-02-29 12:34:56.125+08', 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', '{"a": 1.50}',
       B'101', 1),
      (2, 'b', NULL, NULL, false, NULL, NULL, 'NaN', NULL, -0.5, '', '0044-03-15 BC', NULL, '0044-03-15 10:00:00 BC',
       '2024-03-01 00:00:00+00', NULL, NULL, NULL, NULL)
"""


@pytest.fixture(params=[KINGBASE_DIALECT, GAUSSDB_DIALECT], ids=lambda dialect: dialect.kind)
def stand_in(request: pytest.FixtureRequest) -> JdbcConnector:
    """The kind's connector with PostgreSQL's driver."""
    return _stand_in(request.param)


def _stand_in(dialect: Dialect) -> JdbcConnector:
    made = connector(dialect.kind)
    assert isinstance(made, JdbcConnector)
    made.dialect = replace(dialect, driver="org.postgresql.Driver", url="jdbc:postgresql://{host}:{port}/{database}")
    return made


@pytest.fixture
def options(stand_in: JdbcConnector, postgres_server: PostgreSQLServer, drivers_folder: DriversFolder) -> Iterator[Any]:
    try:
        drivers_folder.add("stand-in", [archive_of(f"{DRIVER}:jar")])
    except ServerNotAvailable as reason:
        pytest.skip(str(reason))
    database = postgres_server.fresh_database()
    server = postgres_server
    yield spec_of(stand_in.kind).model(  # type: ignore[call-arg]
        host=server.host,
        port=server.port,
        user=server.user,
        password=server.password,
        database=database,
        driver="stand-in",
        watermark="instant",
    )
    postgres_server.drop_database(database)


def test_every_check_passes(stand_in: JdbcConnector, options: Any) -> None:
    results = stand_in.tester().test(options, "source")
    assert [result.item for result in results if result.ok] == ["reachable", "java", "driver", "login", "version"]


def test_values_are_those_that_the_database_s_own_connector_reads(
    stand_in: JdbcConnector, options: Any, postgres_server: PostgreSQLServer
) -> None:
    postgres_server.execute(TABLE, options.database)
    postgres_server.execute(ROWS, options.database)
    name = TableName("public", "orders")
    with stand_in.discoverer(options) as discoverer:
        assert discoverer.schemas() == ["public"]
        assert [table.name for table in discoverer.tables()] == [name]
        (schema,) = discoverer.describe([name])
    assert (schema.primary_key, schema.column("price").type.kind) == (("id",), Kind.UNSUPPORTED)
    kinds = [schema.column(name).type.kind for name in ("code", "instant", "bits")]
    assert kinds == [Kind.UUID, Kind.TIMESTAMP_TZ, Kind.OTHER]
    assert (schema.column("free").type.precision, schema.column("exact").type.scale) == (None, 2)
    own = connector("postgresql")
    real = postgres_server.options(options.database)
    with own.discoverer(real) as discoverer:
        (expected,) = discoverer.describe([name])
    with own.reader(real, "source") as reader:
        rows = [row for batch, _ in reader.read(expected, ("id",), None, 100) for row in rows_of(batch)]
    with stand_in.reader(options, "source") as reader:
        found = [row for batch, _ in reader.read(schema, ("id",), None, 100) for row in rows_of(batch)]
        assert [row[:-1] for row in found] == [row[:-1] for row in rows]
        behind = [row for batch, _ in reader.read(schema, ("id",), ("1",), 100) for row in rows_of(batch)]
    assert [row[0] for row in behind] == ["2"]


def test_changes_are_found_by_the_watermark(
    stand_in: JdbcConnector, options: Any, postgres_server: PostgreSQLServer
) -> None:
    postgres_server.execute(TABLE, options.database)
    postgres_server.execute(ROWS, options.database)
    source = stand_in.source(options)
    assert isinstance(source, PollingSource)
    tables = [CapturedTable(TableName("public", "orders"), ("id",))]
    with source.open_changes("node", tables, source.prepare("node", tables)) as stream:
        stream.read(5.0)
        postgres_server.execute("UPDATE orders SET name = 'new', instant = now() WHERE id = 2", options.database)
        seen: list[Any] = []
        while not any(row[1] == "new" for row in seen):
            for frame in stream.read(5.0):
                if isinstance(frame, ChangeFrame):
                    seen += [row for part in frame.tables for row in rows_of(part.rows)]
    assert ("2", "new") in [row[:2] for row in seen]


def test_keys_are_ordered_by_their_bytes(
    stand_in: JdbcConnector, options: Any, postgres_server: PostgreSQLServer
) -> None:
    postgres_server.execute(
        'CREATE TABLE named (id varchar(20) COLLATE "C" PRIMARY KEY, instant timestamptz NOT NULL DEFAULT now());'
        "INSERT INTO named (id) VALUES ('b'), ('B'), ('a'), ('é'), ('')",
        options.database,
    )
    name = TableName("public", "named")
    with stand_in.discoverer(options) as discoverer:
        (schema,) = discoverer.describe([name])
    with stand_in.reader(options, "source") as reader:
        keys = [row[0] for batch, _ in reader.read(schema, ("id",), ("B",), 2) for row in rows_of(batch)]
    assert keys == ["a", "b", "é"]
