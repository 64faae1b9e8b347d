"""Changes on a server without temporary tables, in the ways that literals do not serve."""

from collections.abc import Iterator

import pyarrow as pa
import pytest

from tests.servers.oceanbase import OceanBaseServer
from zcbus.connectors.errors import RowRefused
from zcbus.connectors.oceanbase.connector import connector
from zcbus.connectors.roles import MappedColumn, TargetSession, TargetTable
from zcbus.model.schema import TableName

pytestmark = pytest.mark.server


@pytest.fixture
def database(oceanbase_server: OceanBaseServer) -> Iterator[str]:
    name = oceanbase_server.fresh_database()
    yield name
    oceanbase_server.drop_database(name)


def made(server: OceanBaseServer, database: str, columns: str) -> TargetTable:
    """A table with the key `k`, of a source with the same structure."""
    server.execute(f"CREATE TABLE t ({columns})", database)
    with connector().discoverer(server.options(database)) as discoverer:
        (schema,) = discoverer.describe([TableName(database, "t")])
    mapped = tuple(MappedColumn(one.name, one.name, one.type, one.nullable) for one in schema.columns)
    return TargetTable(schema.name, mapped, ("k",), schema)


def batch(**columns: list[str]) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict({name: pa.array(values, pa.string()) for name, values in columns.items()})


def opened(server: OceanBaseServer, database: str) -> TargetSession:
    return connector().target(server.options(database)).open()


@pytest.mark.parametrize(
    ("declared", "keys"),
    [
        ("float", ["1.1", "-1.23e-05", "3.4028235e+38"]),
        ("double", ["0.1", "5e-324", "-7.0"]),
        ("decimal(10,3)", ["1.500", "-0.001", "7.000"]),
        ("enum('b','a')", ["a", "b"]),
        ("set('x','y')", ["x,y", "", "y"]),
        ("bit(13)", ["1010101010101", "0000000000001"]),
        ("time(3)", ["-838:59:59.000", "00:00:00.500"]),
        ("datetime(3)", ["2024-02-29 12:34:56.789", "9999-12-31 23:59:59.000"]),
        ("timestamp(3)", ["2024-02-29 12:34:56.789+00"]),
        ("year", ["1901", "2155"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_rows_are_found_by_keys_of_any_type(
    oceanbase_server: OceanBaseServer, database: str, declared: str, keys: list[str]
) -> None:
    table = made(oceanbase_server, database, f"k {declared} NOT NULL PRIMARY KEY, v varchar(9), w varchar(9)")
    one, two = ["one"] * len(keys), ["two"] * len(keys)
    with opened(oceanbase_server, database) as session:
        session.load(table, batch(k=keys, v=one, w=one))
        session.update(table, batch(k=keys), batch(v=two))
        session.commit()
        assert oceanbase_server.rows("SELECT DISTINCT v, w FROM t", database) == [("two", "one")]
        session.upsert(table, batch(k=keys, v=one, w=one))
        session.commit()
        assert oceanbase_server.rows("SELECT v, COUNT(*) FROM t GROUP BY v", database) == [("one", len(keys))]
        assert session.delete(table, batch(k=keys)) == len(keys)
        session.commit()
    assert oceanbase_server.rows("SELECT COUNT(*) FROM t", database) == [(0,)]


def test_unique_values_are_swapped_and_other_columns_stay(oceanbase_server: OceanBaseServer, database: str) -> None:
    table = made(oceanbase_server, database, "k int PRIMARY KEY, u int, v blob, UNIQUE (u)")
    oceanbase_server.execute("INSERT INTO t VALUES (1, 10, X'00ff'), (2, 20, NULL)", database)
    with opened(oceanbase_server, database) as session:
        session.update(table, batch(k=["1", "2", "3"]), batch(u=["20", "10", "30"]))
        session.commit()
    rows = oceanbase_server.rows("SELECT * FROM t ORDER BY k", database)
    assert rows == [(1, 20, b"\x00\xff"), (2, 10, None)]


def test_keys_change_places(oceanbase_server: OceanBaseServer, database: str) -> None:
    table = made(oceanbase_server, database, "k int PRIMARY KEY, v varchar(9)")
    oceanbase_server.execute("INSERT INTO t VALUES (1, 'a'), (2, 'b')", database)
    with opened(oceanbase_server, database) as session:
        session.update(table, batch(k=["1", "2"]), batch(k=["2", "1"]))
        session.commit()
    assert oceanbase_server.rows("SELECT * FROM t ORDER BY k", database) == [(1, "b"), (2, "a")]


@pytest.mark.parametrize(
    ("declared", "value"),
    [("date", "0044-03-15 BC"), ("datetime(6)", "2024-02-29 12:34:56 x"), ("time", "12:34:56x")],
)
def test_a_moment_with_something_behind_it_is_refused(
    oceanbase_server: OceanBaseServer, database: str, declared: str, value: str
) -> None:
    """The server would store its beginning without a warning."""
    table = made(oceanbase_server, database, f"k int PRIMARY KEY, v {declared}")
    with opened(oceanbase_server, database) as session, pytest.raises(RowRefused):
        session.load(table, batch(k=["1"], v=[value]))
    assert oceanbase_server.rows("SELECT * FROM t", database) == []
