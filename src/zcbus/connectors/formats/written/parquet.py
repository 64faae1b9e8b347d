"""Apache Parquet with typed columns."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from zcbus.connectors.formats.written.form import empty
from zcbus.connectors.lakes.types import LakeTypes, canonical_batch
from zcbus.connectors.roles import MappingNote
from zcbus.connectors.roles.writer import Key
from zcbus.model.kernels import compute
from zcbus.model.schema import Column, TableSchema
from zcbus.model.types import DataType, Kind

TYPES = LakeTypes.named(
    {
        Kind.BOOLEAN: "boolean",
        Kind.INT8: "int8",
        Kind.INT16: "int16",
        Kind.INT32: "int32",
        Kind.INT64: "int64",
        Kind.FLOAT32: "float",
        Kind.FLOAT64: "double",
        Kind.TEXT: "string",
        Kind.BINARY: "binary",
        Kind.DATE: "date",
        Kind.TIMESTAMP: "timestamp",
        Kind.TIMESTAMP_TZ: "timestamp(UTC)",
    }
)
"""Many readers know no unsigned integers."""
_SAMPLE = 1000


class ParquetFiles:
    """See WrittenFormat."""

    suffix = ".parquet"

    def declared(self, data: DataType) -> DataType:
        return TYPES.declared(data)[0]

    def map_columns(self, schema: TableSchema) -> list[MappingNote]:
        return TYPES.map_columns(schema)

    def check(self, table: TableSchema, rows: pa.RecordBatch) -> pa.RecordBatch:
        return TYPES.typed_batch(table, rows)

    def normal_keys(self, table: TableSchema, keys: Sequence[Key]) -> list[Key | None]:
        return TYPES.canonical_keys(table, TYPES.typed_keys(table, keys))

    def encode(self, table: TableSchema, batches: Sequence[pa.RecordBatch]) -> bytes:
        out = pa.BufferOutputStream()
        rows = pa.Table.from_batches([TYPES.typed_batch(table, batch) for batch in batches])
        found: Any = repeating(rows)
        parquet.write_table(rows, out, compression="zstd", use_dictionary=found)
        return out.getvalue().to_pybytes()

    def decode(self, columns: Sequence[Column], data: bytes) -> pa.RecordBatch:
        try:
            file = parquet.ParquetFile(pa.BufferReader(data))
            names = set(file.schema_arrow.names)
            read = canonical_batch(file.read(columns=[one.name for one in columns if one.name in names]))
        except (pa.ArrowException, OSError) as error:
            raise ValueError(str(error).splitlines()[0][:200]) from error
        count = file.metadata.num_rows
        arrays = [read.column(one.name) if one.name in names else empty(one, count) for one in columns]
        return pa.RecordBatch.from_arrays(arrays, names=[one.name for one in columns])


def repeating(rows: pa.Table) -> Any:
    """Columns whose first values repeat: only for those a dictionary makes a file smaller, and its writing takes twice
    as long."""
    sample = rows.slice(0, _SAMPLE)
    distinct = (compute.count_distinct(column).as_py() for column in sample.columns)
    return [name for name, count in zip(rows.schema.names, distinct, strict=True) if 2 * count <= len(sample)]
