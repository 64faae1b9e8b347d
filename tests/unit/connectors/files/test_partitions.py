"""Rows of a commit are divided among few files, and none is lost on the way."""

import pyarrow as pa
import pytest

from zcbus.connectors.files.target.partitions import Partitions
from zcbus.connectors.files.target.records import Recording
from zcbus.connectors.formats.written.texts import CsvFiles
from zcbus.connectors.roles.writer import PutRows
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

TEXT = DataType(Kind.TEXT, "text")
TABLE = TableSchema(TableName("rows", "t"), "k", tuple(Column(name, TEXT) for name in "abc"), ("a",))


def test_two_columns_and_one_that_is_missing() -> None:
    rows = pa.RecordBatch.from_pydict({"a": list("123456"), "b": ["x", "y", "x", None, "y", "x"]})
    found = {folder: part["a"].to_pylist() for folder, part in Partitions("b, c, z", "none").divided(TABLE, rows)}
    nothing = "__HIVE_DEFAULT_PARTITION__"
    assert found == {
        f"b=x/c={nothing}/": ["1", "3", "6"],
        f"b=y/c={nothing}/": ["2", "5"],
        f"b={nothing}/c={nothing}/": ["4"],
    }


def test_files_that_are_begun_stay_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zcbus.connectors.files.target.records._MAX_OPEN", 3)
    ids = [str(one) for one in range(40)]
    batch = pa.RecordBatch.from_pydict({"a": ids, "b": [str(int(one) % 10) for one in ids], "c": ids})
    parts = list(Recording(CsvFiles(), 1, Partitions("b", "none"), 1 << 20).files([PutRows(TABLE, batch)] * 2))
    read = [CsvFiles().decode(TABLE.columns, part.data) for part in parts]
    assert sorted(row for part in read for row in map(str, part["a"].to_pylist())) == sorted(ids * 2)
    assert all(len(set(part["b"].to_pylist())) == 1 for part in read)
    assert 10 < len(parts) <= 20
