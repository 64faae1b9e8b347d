"""A small table and rows of it."""

import pyarrow as pa

from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

TYPES = {
    "id": DataType(Kind.INT32, "integer"),
    "name": DataType(Kind.TEXT, "text"),
    "amount": DataType(Kind.DECIMAL, "numeric(30,10)", precision=30, scale=10),
    "free": DataType(Kind.DECIMAL, "numeric"),
    "paid": DataType(Kind.BOOLEAN, "boolean"),
    "made": DataType(Kind.TIMESTAMP_TZ, "timestamp with time zone"),
    "born": DataType(Kind.DATE, "date"),
    "score": DataType(Kind.FLOAT64, "double precision"),
    "data": DataType(Kind.BINARY, "bytea"),
    "Größe": DataType(Kind.INT16, "smallint"),
}


def schema(*names: str, key: tuple[str, ...] = ("id",), unique: tuple[tuple[str, ...], ...] = ()) -> TableSchema:
    chosen = names or tuple(TYPES)
    columns = tuple(Column(name, TYPES[name], name not in key) for name in chosen)
    return TableSchema(TableName("public", "t"), "postgresql", columns, key, unique)


def batch(**columns: list[str | bytes | None]) -> pa.RecordBatch:
    arrays = [
        pa.array(values, pa.binary() if TYPES[name].kind is Kind.BINARY else pa.string())
        for name, values in columns.items()
    ]
    return pa.RecordBatch.from_arrays(arrays, names=list(columns))
