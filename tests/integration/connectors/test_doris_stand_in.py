"""Apache Doris and StarRocks: what the connector says is understood by MariaDB, which stands in for servers that cannot
be had. It proves statements, values and rounds of the connector, not these products."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.conformance.connectors.case import rows_of
from tests.servers.mariadb import MariaDBServer
from zcbus.connectors.conditions import Membership
from zcbus.connectors.errors import SourceUnavailable, TableMissing
from zcbus.connectors.polling.source import PollingSource
from zcbus.connectors.registry import connector, spec_of
from zcbus.connectors.roles import CapturedTable
from zcbus.model.changes import ChangeFrame
from zcbus.model.schema import TableName
from zcbus.model.types import Kind

pytestmark = pytest.mark.server
TABLE = """
    CREATE TABLE orders (
      k varchar(20) COLLATE utf8mb4_bin, id bigint, name varchar(50), flag boolean, single float, twice double,
      exact decimal(12,2), day date, moment datetime(6) NOT NULL, shape point, PRIMARY KEY (k, id)
    )
"""
ROWS = """
    INSERT INTO orders VALUES
      ('a''?', 1, '中文😀\\\\', true, 1.1, 0.1, 12.50, '2024-02-29', '2024-02-29 12:34:56.789', NULL),
      ('B', 2, NULL, NULL, NULL, 1e300, NULL, NULL, '2024-03-01 00:00:00', NULL),
      ('é', 3, '', false, 16777217, NULL, -0.5, NULL, '2024-03-01 00:00:00.000001', NULL)
"""


@pytest.fixture
def options(mariadb_server: MariaDBServer) -> Iterator[Any]:
    database, server = mariadb_server.fresh_database(), mariadb_server
    server.execute(TABLE, database)
    server.execute(ROWS, database)
    yield spec_of("doris").model(  # type: ignore[call-arg]
        host=server.host,
        port=server.port,
        user=server.user,
        password=server.password,
        database=database,
        watermark="moment",
        interval=1,
        overlap=1,
    )
    mariadb_server.drop_database(database)


def test_another_product_is_refused(options: Any) -> None:
    results = connector("doris").tester().test(options, "source")
    assert [result.item for result in results] == ["reachable", "login", "version"]
    assert [result.ok for result in results] == [True, True, False]
    assert results[-1].advice == "other-product"


def test_tables_and_values(options: Any) -> None:
    doris, name = connector("doris"), TableName(options.database, "orders")
    with doris.discoverer(options) as discoverer:
        assert options.database in discoverer.schemas()
        (summary,) = discoverer.tables(options.database)
        (schema,) = discoverer.describe([name])
        with pytest.raises(TableMissing):
            discoverer.describe([TableName(options.database, "none")])
    assert (summary.name, summary.has_primary_key) == (name, True)
    assert schema.primary_key == ("k", "id")
    assert (schema.column("shape").type.kind, schema.column("moment").nullable) == (Kind.UNSUPPORTED, False)
    wanted = [
        ("B", "2", None, None, None, "1e+300", None, None, "2024-03-01 00:00:00"),
        ("a'?", "1", "中文😀\\", "t", "1.1", "0.1", "12.50", "2024-02-29", "2024-02-29 12:34:56.789"),
        ("é", "3", "", "f", "16777216", None, "-0.50", None, "2024-03-01 00:00:00.000001"),
    ]
    with doris.reader(options, "source") as reader:
        assert reader.count(schema) == 3
        rows = [row[:-1] for batch, _ in reader.read(schema, schema.key(), None, 2) for row in rows_of(batch)]
        assert rows == wanted
        border = reader.border(schema, schema.key(), None, 2)
        assert border == ("a'?", "1")
        behind = [row for batch, _ in reader.read(schema, schema.key(), border, 2) for row in rows_of(batch)]
        assert [row[0] for row in behind] == ["é"]
        where = Membership("k", ("a'?", "x"))
        chosen = [row for batch, _ in reader.read(schema, schema.key(), None, 2, where=where) for row in rows_of(batch)]
        assert [row[0] for row in chosen] == ["a'?"]


def test_changes_are_found_by_the_watermark(options: Any, mariadb_server: MariaDBServer) -> None:
    source = connector("doris").source(options)
    assert isinstance(source, PollingSource)
    tables = [CapturedTable(TableName(options.database, "orders"), ("k", "id"))]
    with source.open_changes("node", tables, source.prepare("node", tables)) as stream:
        stream.read(5.0)
        changed = "UPDATE orders SET name = 'new', moment = '2030-01-01' WHERE id = 2"
        mariadb_server.execute(changed, options.database)
        seen: list[Any] = []
        while not any(row[2] == "new" for row in seen):
            for frame in stream.read(5.0):
                if isinstance(frame, ChangeFrame):
                    seen += [row for part in frame.tables for row in rows_of(part.rows)]
    assert ("B", "2", "new") in [row[:3] for row in seen]


def test_an_interrupted_reader_ends(options: Any) -> None:
    doris = connector("doris")
    with doris.discoverer(options) as discoverer:
        (schema,) = discoverer.describe([TableName(options.database, "orders")])
    with doris.reader(options, "source") as reader:
        reader.interrupt()
        with pytest.raises(SourceUnavailable):
            reader.count(schema)
