"""What is written is read back: every value, null and the empty text apart, columns of another time."""

import re
from datetime import UTC, date, datetime
from decimal import Decimal
from io import BytesIO
from typing import Any, cast
from uuid import UUID

import fastavro
import pyarrow as pa
import pytest

from zcbus.connectors.errors import RowRefused
from zcbus.connectors.formats.written.avro import AvroFiles, avro_name
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
    "identity": (
        DataType(Kind.UUID, "uuid"),
        ["00000000-0000-0000-0000-00000000000a", None, "f" * 8 + "-ffff" * 3 + "-" + "f" * 12],
    ),
    "small": (DataType(Kind.INT16, "smallint"), ["-7", None, "300"]),
    "real": (DataType(Kind.FLOAT64, "double"), ["0.1", None, "-Infinity"]),
    "单 价": (DataType(Kind.TEXT, "text"), ["a", None, "b"]),
    "day": (DataType(Kind.DATE, "date"), ["2024-02-29", None, "0001-01-01"]),
    "local": (DataType(Kind.TIMESTAMP, "timestamp"), ["9999-12-31 23:59:59.999999", None, "1969-12-31 23:59:59.5"]),
    "moment": (
        DataType(Kind.TIMESTAMP_TZ, "timestamptz"),
        ["2024-02-29 03:34:56.789+00", None, "1900-01-01 00:00:00+00"],
    ),
}
_FORMATS = (ParquetFiles(), AvroFiles(), JsonLineFiles(), CsvFiles())


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
    typed = form.check(table, rows.to_batches()[0])
    later = Column("later", DataType(Kind.TEXT, "text"))
    for batches in (rows.to_batches(), rows.to_batches() if typed is None else [typed]):
        read = form.decode([*table.columns[1:], later], form.encode(table, batches))
        assert {name: read.column(name).to_pylist() for name in read.schema.names} == {
            **{name: values for name, (_, values) in _VALUES.items() if name != "id"},
            "later": [None] * 3,
        }


@pytest.mark.parametrize("form", _FORMATS[:2], ids=lambda one: one.suffix)
def test_what_a_type_does_not_have_is_refused(form: WrittenFormat) -> None:
    rows = pa.RecordBatch.from_arrays([pa.array(["1", "2"]), pa.array(["2024-01-01", "infinity"])], ["id", "day"])
    with pytest.raises(RowRefused, match="infinity"):
        form.check(_table(form), rows)
    assert form.normal_keys(_table(form), [("01",), ("x",)]) == [("1",), None]


@pytest.mark.parametrize("form", _FORMATS, ids=lambda one: one.suffix)
def test_a_file_of_others_is_no_file_of_ours(form: WrittenFormat) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        form.decode(_table(form).columns, b"\0\1\2 nothing of ours" if form.suffix != ".csv" else b"")


def test_other_readers_have_avro_types_of_their_own() -> None:
    """Read by the library alone, whose values are Python's."""
    form = AvroFiles()
    arrays = [
        pa.array(values, pa.binary() if data.kind is Kind.BINARY else pa.string()) for data, values in _VALUES.values()
    ]
    rows = pa.RecordBatch.from_arrays(arrays, names=list(_VALUES))
    reader = fastavro.reader(BytesIO(form.encode(_table(form), [rows])))
    first: Any = next(reader)
    assert first["amount"] == Decimal("1.10")
    assert first["day"] == date(2024, 2, 29)
    assert first["moment"] == datetime(2024, 2, 29, 3, 34, 56, 789_000, UTC)
    assert first["identity"] == UUID(int=10)
    assert first[avro_name("单 价")] == "a"
    fields = {one["name"]: one for one in cast("Any", reader.writer_schema)["fields"]}
    assert fields["id"]["type"] == "int"
    assert fields[avro_name("单 价")] == {
        "name": "_u5355__u0020__u4EF7_",
        "type": ["null", "string"],
        "default": None,
        "doc": "单 价",
    }


def test_avro_names_are_valid_and_never_meet() -> None:
    names = ["a", "a b", "a_u0020_b", "1a", "_u0031_a", "a_b", "单", "_", "é", "a-b"]
    found = [avro_name(one) for one in names]
    assert len(set(found)) == len(names)
    assert all(re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", one) for one in found)
    assert found[0] == "a"
    assert found[5] == "a_b"


def test_avro_of_other_types_and_of_years_before_the_first_is_refused() -> None:
    form, out = AvroFiles(), BytesIO()
    fastavro.writer(out, {"type": "record", "name": "R", "fields": [{"name": "v", "type": "null"}]}, [{"v": None}] * 5)
    with pytest.raises(ValueError, match="null"):
        form.decode(_table(form).columns, out.getvalue())
    rows = pa.RecordBatch.from_arrays([pa.array(["1"]), pa.array(["0000-01-01"])], ["id", "day"])
    with pytest.raises(RowRefused, match="0000-01-01"):
        form.check(_table(form), rows)
