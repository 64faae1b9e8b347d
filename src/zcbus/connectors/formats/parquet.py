"""Apache Parquet (https://parquet.apache.org/docs/file-format/), with typed columns."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO

import pyarrow as pa
from pyarrow import parquet

from zcbus.connectors.formats.form import TEXT, BadRecord, checked, json_text
from zcbus.connectors.typed_arrow import canonical, is_bytes
from zcbus.model.arrow import ArrowArray
from zcbus.model.batches import concat
from zcbus.model.types import DataType, Kind

_ROWS = 10_000
"""Read together: how long they are is not known before."""
_GATHERED_ROWS, _GATHERED_BYTES = 50_000, 8 << 20
"""Converted together, at most: many short rows, since each call costs the same for any number of them."""
_BUFFER = 1 << 20
_INTEGERS = DataType(Kind.INT64, "bigint")
_FLOAT = DataType(Kind.FLOAT64, "double")
_TRUTH = DataType(Kind.BOOLEAN, "boolean")
_BYTES = DataType(Kind.BINARY, "bytes")
_DAY = DataType(Kind.DATE, "date")
_TIME = DataType(Kind.TIME, "time", precision=6)
_MOMENT = DataType(Kind.TIMESTAMP, "timestamp", precision=6)
_INSTANT = DataType(Kind.TIMESTAMP_TZ, "timestamp with time zone", precision=6)
_JSON = DataType(Kind.JSON, "json")


class Parquet:
    """See Format."""

    names_in_records = False
    has_lines = False

    def columns(self, data: BinaryIO) -> dict[str, DataType]:
        with _translated():
            schema = parquet.ParquetFile(data).schema_arrow
        names = checked(schema.names)
        return {name: _data_type(field.type) for name, field in zip(names, schema, strict=True)}

    def most_records(self, data: BinaryIO) -> int:
        with _translated():
            return parquet.ParquetFile(data).metadata.num_rows

    def read(self, data: BinaryIO, columns: Sequence[str], *, behind_start: bool) -> Iterator[pa.RecordBatch]:
        with _translated():
            batches = parquet.ParquetFile(data, buffer_size=_BUFFER, pre_buffer=False).iter_batches(_ROWS)
        gathered = _gathered(batches)
        while True:
            with _translated():
                batch = next(gathered, None)
                if batch is None:
                    return
                arrays = [_canonical(column) for column in batch.columns]
            yield pa.RecordBatch.from_arrays(arrays, names=list(columns))


def _gathered(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    found: list[pa.RecordBatch] = []
    rows = size = 0
    for batch in batches:
        found.append(batch)
        rows, size = rows + batch.num_rows, size + batch.nbytes
        if rows >= _GATHERED_ROWS or size >= _GATHERED_BYTES:
            yield concat(found)
            found, rows, size = [], 0, 0
    if found:
        yield concat(found)


def _data_type(data: pa.DataType) -> DataType:
    types = pa.types
    if types.is_dictionary(data):
        return _data_type(data.value_type)
    if types.is_decimal(data):
        return DataType(
            Kind.DECIMAL, f"decimal({data.precision},{data.scale})", precision=data.precision, scale=data.scale
        )
    if types.is_uint64(data):
        return DataType(Kind.UINT64, "unsigned bigint")
    for is_of, data_type in (
        (types.is_integer, _INTEGERS),
        (types.is_floating, _FLOAT),
        (types.is_boolean, _TRUTH),
        (types.is_date, _DAY),
        (types.is_time, _TIME),
        (is_bytes, _BYTES),
        (types.is_nested, _JSON),
    ):
        if is_of(data):
            return data_type
    if types.is_timestamp(data):
        return _MOMENT if data.tz is None else _INSTANT
    if types.is_string(data) or types.is_large_string(data) or types.is_null(data):
        return TEXT
    raise BadRecord(0, f"type {data}")


def _canonical(values: Any) -> ArrowArray:
    data = values.type
    if pa.types.is_dictionary(data):
        return _canonical(values.dictionary_decode())
    if pa.types.is_nested(data):
        return pa.array([None if one is None else json_text(one) for one in values.to_pylist()], pa.string())
    # A column of single precision is reported as double precision, with its own digits.
    return canonical(values.cast(pa.float64()) if pa.types.is_floating(data) else values)


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except (pa.ArrowException, OSError, ValueError) as error:
        raise BadRecord(0, str(error).splitlines()[0][:200]) from error
