"""Values written into a DuckDB file are read back unchanged, for any column type."""

from collections.abc import Iterator
from decimal import Decimal

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zcbus.connectors.duckdb.catalog import describe
from zcbus.connectors.duckdb.rows import batch_of, columns_of
from zcbus.connectors.duckdb.types import data_type, keeps_values
from zcbus.connectors.duckdb.write import TableWriter
from zcbus.connectors.errors import RowRefused
from zcbus.connectors.roles import MappedColumn, TargetTable
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

NAME = TableName("main", "t")
NATIVE = [
    "VARCHAR",
    "INTEGER",
    "BIGINT",
    "HUGEINT",
    "DECIMAL(12,2)",
    "DECIMAL(38,10)",
    "DECIMAL(5,5)",
    "DOUBLE",
    "FLOAT",
]
NATIVE += ["DATE", "TIMESTAMP", "TIMESTAMP WITH TIME ZONE", "TIME", "BOOLEAN", "UUID", "JSON", "BLOB", "TIMESTAMP_NS"]
DAYS = st.dates().map(str)
TIMES = st.times().map(str)
VALUES = {
    Kind.INT64: st.integers(-(1 << 63), (1 << 63) - 1).map(str),
    Kind.UINT64: st.integers(0, (1 << 64) - 1).map(str),
    Kind.DECIMAL: st.one_of(
        st.decimals(allow_nan=False, allow_infinity=False, places=4).map(lambda number: f"{number:f}"),
        st.decimals(-1000, 1000, places=12).map(lambda number: f"{number:f}"),
        st.sampled_from(["NaN", "Infinity", "0.00001", "-0.5"]),
    ),
    Kind.FLOAT64: st.floats().map(repr).map({"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}.get)
    | st.floats(allow_nan=False, allow_infinity=False).map(repr),
    Kind.TEXT: st.one_of(
        st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
        st.sampled_from(["007", " 1", "1.50", "t", "2024-1-2", "12:00", "{}", "A", "\\x41", "\0"]),
    ),
    Kind.DATE: st.one_of(
        DAYS, st.sampled_from(["infinity", "0044-03-15 BC", "0000-00-00", "0000-05-01", "12345-01-02"])
    ),
    Kind.TIMESTAMP: st.one_of(
        st.builds("{} {}".format, DAYS, TIMES),
        st.sampled_from(["-infinity", "0044-03-15 01:02:03 BC", "0000-05-01 00:00:00"]),
    ),
    Kind.BOOLEAN: st.sampled_from(["t", "f"]),
    Kind.BINARY: st.binary(max_size=20),
}


@pytest.fixture(scope="module")
def engine() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(":memory:") as connection:
        connection.execute("ATTACH ':memory:' AS db")
        connection.execute("SET TimeZone = 'UTC'")
        yield connection


def kept(engine: duckdb.DuckDBPyConnection, source: DataType, native: str, value: str | bytes) -> object:
    """The value as read again. Raises RowRefused, duckdb.Error if it is rejected."""
    engine.execute(f"CREATE OR REPLACE TABLE db.main.t (v {native})")
    table = TargetTable(NAME, (MappedColumn("v", "v", source),), (), TableSchema(NAME, "other", (Column("v", source),)))
    present = describe(engine, [NAME])[NAME]
    array = pa.array([value], pa.binary() if source.kind is Kind.BINARY else pa.string())
    TableWriter(engine, table, present).insert(pa.RecordBatch.from_arrays([array], names=["v"]))
    read = engine.sql(f"SELECT {columns_of(present)} FROM db.main.t").to_arrow_table().to_batches()[0]
    return batch_of(present, read).column(0)[0].as_py()


def is_same(kind: Kind, value: object, found: object) -> bool:
    if value == found:
        return True
    if kind in (Kind.DECIMAL, Kind.FLOAT64, Kind.INT64, Kind.UINT64):
        return Decimal(str(value)) == Decimal(str(found))
    if kind is Kind.BOOLEAN:
        return {"1": "t", "0": "f"}.get(str(found)) == value
    if kind in (Kind.DATE, Kind.TIMESTAMP) and str(value).startswith("0000-00-00"):
        return found == "-infinity"
    return kind is Kind.TIMESTAMP and str(value).rstrip("0").rstrip(".") == found


@pytest.mark.wide
@pytest.mark.parametrize("kind", VALUES)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_accepted_values_are_read_back_unchanged(
    engine: duckdb.DuckDBPyConnection, kind: Kind, data: st.DataObject
) -> None:
    native = data.draw(st.sampled_from(NATIVE))
    value = data.draw(VALUES[kind])
    if value is None:
        return
    source = DataType(kind, "")
    try:
        found = kept(engine, source, native, value)
    except (RowRefused, duckdb.Error):
        assert not (kind in (Kind.TEXT, Kind.DATE, Kind.INT64) and native == "VARCHAR")
        return
    assert is_same(kind, value, found), (value, found)


def test_columns_made_here_take_every_value_of_their_kind() -> None:
    for kind in (Kind.INT64, Kind.FLOAT64, Kind.TEXT, Kind.DATE, Kind.TIMESTAMP, Kind.BINARY, Kind.BOOLEAN):
        native = {Kind.INT64: "BIGINT", Kind.FLOAT64: "DOUBLE", Kind.TEXT: "VARCHAR", Kind.BINARY: "BLOB"}
        assert keeps_values(DataType(kind, ""), data_type(native.get(kind, kind.name)))
