"""What is written is read back: every value, null and the empty text apart, columns of another time."""

import pyarrow as pa
import pytest

from zcbus.connectors.errors import RowRefused
from zcbus.connectors.formats.written.form import WrittenFormat
from zcbus.connectors.formats.written.parquet import ParquetFiles
from zcbus.connectors.formats.written.texts import CsvFiles, JsonLineFiles
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

_VALUES: dict[str, tuple[DataType, list[str | bytes | None]]] = {
    "id": (DataType(Kind.INT32, "int"), ["1", "-2", "3"]),
    "large": (DataType(Kind.UINT64, "bigint"), ["18446744073709551615", None, "0"]),
    "text": (DataType(Kind.TEXT, "text"), ["", None, "中\0\r\n,\"x'"]),
    "bytes": (DataType(Kind.BINARY, "bytea"), [b"", None, b"\0\xff"]),
    "truth": (DataType(Kind.BOOLEAN, "bool"), ["t", None, "f"]),
    "amount": (DataType(Kind.DECIMAL, "numeric", precision=8, scale=2), ["1.10", None, "-3.00"]),
    "unlimited": (DataType(Kind.DECIMAL, "numeric"), ["1e400".replace("e400", "0" * 40), None, "NaN"]),
    "day": (DataType(Kind.DATE, "date"), ["2024-02-29", None, "0001-01-01"]),
    "moment": (
        DataType(Kind.TIMESTAMP_TZ, "timestamptz"),
        ["2024-02-29 03:34:56.789+00", None, "1900-01-01 00:00:00+00"],
    ),
}
_FORMATS = (ParquetFiles(), JsonLineFiles(), CsvFiles())


def _table(form: WrittenFormat) -> TableSchema:
    columns = tuple(Column(name, form.declared(data), name != "id") for name, (data, _) in _VALUES.items())
    return TableSchema(TableName("rows", "t"), "k", columns, ("id",))


@pytest.mark.parametrize("form", _FORMATS, ids=lambda one: one.suffix)
def test_values_come_back(form: WrittenFormat) -> None:
    arrays = [
        pa.array(values, pa.binary() if data.kind is Kind.BINARY else pa.string()) for data, values in _VALUES.values()
    ]
    rows = pa.table(arrays, names=list(_VALUES))
    table = _table(form)
    form.check(table, rows.to_batches()[0])
    later = Column("later", DataType(Kind.TEXT, "text"))
    read = form.decode([*table.columns[1:], later], form.encode(table, rows))
    assert {name: read.column(name).to_pylist() for name in read.schema.names} == {
        **{name: values for name, (_, values) in _VALUES.items() if name != "id"},
        "later": [None] * 3,
    }


def test_parquet_refuses_what_a_type_does_not_have() -> None:
    form = ParquetFiles()
    rows = pa.RecordBatch.from_arrays([pa.array(["1", "2"]), pa.array(["2024-01-01", "infinity"])], ["id", "day"])
    with pytest.raises(RowRefused, match="infinity"):
        form.check(_table(form), rows)
    assert form.normal_keys(_table(form), [("01",), ("x",)]) == [("1",), None]


@pytest.mark.parametrize("form", _FORMATS, ids=lambda one: one.suffix)
def test_a_file_of_others_is_no_file_of_ours(form: WrittenFormat) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        form.decode(_table(form).columns, b"\0\1\2 nothing of ours" if form.suffix != ".csv" else b"")
