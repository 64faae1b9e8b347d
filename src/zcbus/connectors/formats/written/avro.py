"""Object container files of Apache Avro (https://avro.apache.org/docs/1.12.0/specification/) with typed columns."""

import re
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from typing import Any

import fastavro
import pyarrow as pa

from zcbus.connectors.errors import RowRefused
from zcbus.connectors.formats.written.form import empty
from zcbus.connectors.lakes.types import LakeTypes
from zcbus.connectors.roles import MappingNote
from zcbus.connectors.roles.writer import Key
from zcbus.connectors.typed_arrow import canonical
from zcbus.model.kernels import compute
from zcbus.model.schema import Column, TableSchema
from zcbus.model.types import DataType, Kind

TYPES = LakeTypes.named(
    {
        Kind.BOOLEAN: "boolean",
        Kind.INT32: "int",
        Kind.INT64: "long",
        Kind.FLOAT32: "float",
        Kind.FLOAT64: "double",
        Kind.TEXT: "string",
        Kind.UUID: "uuid",
        Kind.BINARY: "bytes",
        Kind.DATE: "date",
        Kind.TIMESTAMP: "local-timestamp-micros",
        Kind.TIMESTAMP_TZ: "timestamp-micros",
    }
)
_LOGICAL = {"uuid": "string", "date": "int", "local-timestamp-micros": "long", "timestamp-micros": "long"}
"""Physical types of those that are no types of their own."""
_ARROW = dict(TYPES.scalar.values())
_PLAIN: Mapping[str, Callable[[Any], Any]] = {
    "date": lambda days: days.cast(pa.int32()),
    "local-timestamp-micros": lambda moments: moments.cast(pa.int64()),
    "timestamp-micros": lambda moments: moments.cast(pa.int64()),
}
"""Arrow columns as the numbers that files have."""
_TIMES = frozenset({Kind.DATE, Kind.TIMESTAMP, Kind.TIMESTAMP_TZ})
_SAFE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ESCAPE = re.compile(r"_u[0-9A-F]{4,6}_")


class AvroFiles:
    """See WrittenFormat. A column's name that Avro does not allow is written by `avro_name`, and stands in the field's
    `doc` as it is."""

    suffix = ".avro"

    def declared(self, data: DataType) -> DataType:
        return TYPES.declared(data)[0]

    def map_columns(self, schema: TableSchema) -> list[MappingNote]:
        return TYPES.map_columns(schema)

    def check(self, table: TableSchema, rows: pa.RecordBatch) -> None:
        TYPES.typed_batch(table, rows)
        for name in rows.schema.names:
            column = table.column(name)
            if column.type.kind in _TIMES:
                before = compute.filter(rows.column(name), compute.starts_with(rows.column(name), "0000-"))
                if len(before):
                    # Readers, ours too, make Python's or Java's days of them, which begin with the year 1.
                    detail = f"column {name} of type {column.type.native} holds no {before[0].as_py()}"
                    raise RowRefused(table=str(table.name), detail=detail)

    def normal_keys(self, table: TableSchema, keys: Sequence[Key]) -> list[Key | None]:
        return TYPES.canonical_keys(table, TYPES.typed_keys(table, keys))

    def encode(self, table: TableSchema, batches: Sequence[pa.RecordBatch]) -> bytes:
        columns = [table.column(name) for name in batches[0].schema.names]
        names = [avro_name(one.name) for one in columns]
        schema = {
            "type": "record",
            "name": avro_name(table.name.table),
            "fields": [_field(name, one) for name, one in zip(names, columns, strict=True)],
        }
        out = BytesIO()
        fastavro.writer(out, schema, _records(table, names, batches), codec="deflate")
        return out.getvalue()

    def decode(self, columns: Sequence[Column], data: bytes) -> pa.RecordBatch:
        try:
            reader = fastavro.reader(BytesIO(data))
            found = _fields(reader.writer_schema)
            records: list[Any] = list(reader)
        except MemoryError:
            raise
        # A file's metadata is not validated before use, so any error may follow.
        except Exception as error:
            raise ValueError(f"no Avro file of ours: {type(error).__name__}: {error}"[:200]) from error
        arrays = []
        for one in columns:
            name = avro_name(one.name)
            if name in found:
                values = [None if (value := row[name]) is None else found[name][1](value) for row in records]
                arrays.append(canonical(pa.array(values, found[name][0])))
            else:
                arrays.append(empty(one, len(records)))
        return pa.RecordBatch.from_arrays(arrays, names=[one.name for one in columns])


def avro_name(name: str) -> str:
    """A name that Avro allows, another one for each name: other characters become `_u4E2D_`, their code points."""
    if _SAFE.fullmatch(name) and not _ESCAPE.search(name):
        return name
    kept = "".join(
        one if _SAFE.fullmatch(f"_{one}") and one != "_" else f"_u{ord(one):04X}_" for one in name
    )  # underscores too, so that no name reads like another's
    return f"_u{ord(name[0]):04X}_{kept[1:]}" if kept[:1].isdigit() else kept


def _field(name: str, column: Column) -> dict[str, Any]:
    kind = _avro_type(column.type)
    field = {"name": name, "type": ["null", kind], "default": None} if column.nullable else {"name": name, "type": kind}
    return field if name == column.name else {**field, "doc": column.name}


def _avro_type(data: DataType) -> Any:
    if data.kind is Kind.DECIMAL:
        return {"type": "bytes", "logicalType": "decimal", "precision": data.precision, "scale": data.scale or 0}
    name = TYPES.scalar[data.kind][0]
    return {"type": _LOGICAL[name], "logicalType": name} if name in _LOGICAL else name


def _records(table: TableSchema, names: Sequence[str], batches: Sequence[pa.RecordBatch]) -> Any:
    """One dictionary for each row, in parts."""
    for batch in batches:
        typed = TYPES.typed_batch(table, batch)
        columns = []
        for name, values in zip(batch.schema.names, typed.columns, strict=True):
            plain = _PLAIN.get(table.column(name).type.native)
            columns.append((plain(values) if plain else values).to_pylist())
        for row in zip(*columns, strict=True):
            yield dict(zip(names, row, strict=True))


def _fields(schema: Any) -> dict[str, tuple[pa.DataType, Callable[[Any], Any]]]:
    """Arrow types of a file's fields, and how values become Arrow's. Raises ValueError for types that we do not write:
    of those that take no bytes a small file could hold any number."""
    return {one["name"]: _arrow_type(one["type"]) for one in schema["fields"]}


def _arrow_type(kind: Any) -> tuple[pa.DataType, Callable[[Any], Any]]:
    if isinstance(kind, list) and len(kind) == 2 and kind[0] == "null":
        kind = kind[1]
    if isinstance(kind, dict):
        if kind.get("logicalType") == "decimal":
            return pa.decimal128(kind["precision"], kind["scale"]), _same
        kind = kind.get("logicalType", kind.get("type"))
    if kind not in _ARROW:
        raise ValueError(f"a field of type {kind}")
    return _ARROW[kind], str if kind == "uuid" else _same


def _same(value: Any) -> Any:
    return value
