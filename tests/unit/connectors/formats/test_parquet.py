"""Values of Parquet files become the canonical forms of their types."""

import datetime as dt
import io
from decimal import Decimal

import pyarrow as pa
import pytest
from pyarrow import parquet

from zcbus.connectors.formats import BadRecord
from zcbus.connectors.formats.parquet import Parquet
from zcbus.model.types import Kind

UTC = dt.UTC
CASES: list[tuple[pa.DataType, list[object], Kind, list[object]]] = [
    (pa.int16(), [1, -2, None], Kind.INT64, ["1", "-2", None]),
    (pa.uint64(), [2**64 - 1, 0, None], Kind.UINT64, ["18446744073709551615", "0", None]),
    (pa.float64(), [0.1, 1e300, float("nan")], Kind.FLOAT64, ["0.1", "1e+300", "NaN"]),
    (pa.float32(), [float("inf"), float("-inf"), -1.5], Kind.FLOAT64, ["Infinity", "-Infinity", "-1.5"]),
    (pa.bool_(), [True, False, None], Kind.BOOLEAN, ["t", "f", None]),
    (pa.string(), ["名", "", None], Kind.TEXT, ["名", "", None]),
    (pa.dictionary(pa.int8(), pa.string()), ["a", "b", None], Kind.TEXT, ["a", "b", None]),
    (pa.binary(), [b"\x00\xff", b"", None], Kind.BINARY, [b"\x00\xff", b"", None]),
    (
        pa.decimal128(20, 7),
        [Decimal("1.5"), Decimal("0.0000001"), None],
        Kind.DECIMAL,
        ["1.5000000", "0.0000001", None],
    ),
    (pa.date32(), [dt.date(2026, 1, 2), dt.date(1, 1, 1), None], Kind.DATE, ["2026-01-02", "0001-01-01", None]),
    (
        pa.time64("us"),
        [dt.time(1, 2, 0), dt.time(1, 2, 30, 120000), None],
        Kind.TIME,
        ["01:02:00", "01:02:30.12", None],
    ),
    (
        pa.timestamp("ms"),
        [dt.datetime(2026, 1, 2, 10, 0), dt.datetime(2026, 1, 2, 3, 4, 5, 6000), None],
        Kind.TIMESTAMP,
        ["2026-01-02 10:00:00", "2026-01-02 03:04:05.006", None],
    ),
    (
        pa.timestamp("us", "Asia/Shanghai"),
        [dt.datetime(2026, 1, 2, 0, 0, tzinfo=UTC), dt.datetime(2026, 1, 2, 3, 4, 50, 100000, UTC), None],
        Kind.TIMESTAMP_TZ,
        ["2026-01-02 00:00:00+00", "2026-01-02 03:04:50.1+00", None],
    ),
    (pa.list_(pa.int32()), [[1, None], [], None], Kind.JSON, ["[1, null]", "[]", None]),
    (
        pa.struct([("x", pa.string())]),
        [{"x": "名"}, {"x": None}, None],
        Kind.JSON,
        ['{"x": "名"}', '{"x": null}', None],
    ),
]


def written(table: pa.Table, **how: object) -> io.BytesIO:
    out = io.BytesIO()
    parquet.write_table(table, out, **how)  # type: ignore[arg-type]
    return io.BytesIO(out.getvalue())


@pytest.mark.parametrize(("data", "values", "kind", "canonical"), CASES, ids=lambda value: str(value)[:30])
def test_values(data: pa.DataType, values: list[object], kind: Kind, canonical: list[object]) -> None:
    file = written(pa.table({"v": pa.array(values, data)}))
    columns = Parquet().columns(file)
    assert [one.kind for one in columns.values()] == [kind]
    (batch,) = Parquet().read(file, list(columns), behind_start=False)
    assert batch.column("v").to_pylist() == canonical


def test_records_come_in_the_order_of_the_file() -> None:
    file = written(pa.table({"v": range(120_000)}), row_group_size=7000)
    assert Parquet().most_records(file) == 120_000
    batches = list(Parquet().read(file, ["v"], behind_start=False))
    assert 2 <= len(batches) <= 4
    assert [one for batch in batches for one in batch.column("v").to_pylist()] == list(map(str, range(120_000)))


def test_long_rows_are_not_gathered() -> None:
    file = written(pa.table({"v": ["x" * 2000] * 30_000}))
    batches = list(Parquet().read(file, ["v"], behind_start=False))
    assert [batch.num_rows for batch in batches] == [10_000] * 3


def test_invalid_parquet_and_nanoseconds_are_refused() -> None:
    with pytest.raises(BadRecord):
        Parquet().columns(io.BytesIO(b"PAR1 nothing PAR1"))
    complete = written(pa.table({"v": range(1000)})).getvalue()
    with pytest.raises(BadRecord):
        Parquet().columns(io.BytesIO(complete[:-20]))
    fine = written(pa.table({"v": pa.array([1], pa.timestamp("ns"))}))
    with pytest.raises(BadRecord):
        list(Parquet().read(fine, ["v"], behind_start=False))
