"""Formats without types: columns are canonical texts, numbers and truths where the format has them."""

import base64
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from typing import Any

import orjson
import pyarrow as pa
from pyarrow import csv

from zcbus.connectors.formats.written.form import canonical_type, empty
from zcbus.connectors.roles import MappingNote
from zcbus.connectors.roles.writer import Key
from zcbus.connectors.writing import json_texts, mapping
from zcbus.connectors.writing.definition import type_name
from zcbus.connectors.writing.json_values import from_json
from zcbus.model.kernels import compute
from zcbus.model.schema import Column, TableSchema
from zcbus.model.types import INTEGERS, DataType, Kind

_SIGNED = frozenset(INTEGERS) - {Kind.UINT64}


class _Texts:
    """What both have in common: every canonical value can be written."""

    def declared(self, data: DataType) -> DataType:
        return replace(data, native=type_name(data))

    def map_columns(self, schema: TableSchema) -> list[MappingNote]:
        return mapping.map_columns(schema)

    def check(self, table: TableSchema, rows: pa.RecordBatch) -> None:
        """All values fit."""

    def normal_keys(self, table: TableSchema, keys: Sequence[Key]) -> list[Key | None]:
        return list(keys)


class JsonLineFiles(_Texts):
    """See WrittenFormat. An object a line: whole numbers and truths are JSON's own, binary values Base64."""

    suffix = ".jsonl"

    def encode(self, table: TableSchema, batches: Sequence[pa.RecordBatch]) -> bytes:
        rows = pa.Table.from_batches(batches)
        names = rows.schema.names
        columns = [
            json_texts.values(table.column(name).type, column.combine_chunks())
            for name, column in zip(names, rows.columns, strict=True)
        ]
        lines = json_texts.joined(json_texts.objects(names, columns), "\n")
        return b"".join(lines.cast(pa.large_binary()).to_pylist())

    def decode(self, columns: Sequence[Column], data: bytes) -> pa.RecordBatch:
        rows: list[dict[str, Any]] = [orjson.loads(line) for line in data.split(b"\n") if line]
        arrays = []
        for one in columns:
            values = [from_json(one.type, row.get(one.name)) for row in rows]
            arrays.append(pa.array(values, canonical_type(one)))
        return pa.RecordBatch.from_arrays(arrays, names=[one.name for one in columns])


class CsvFiles(_Texts):
    """See WrittenFormat. RFC 4180 in UTF-8 with a header: texts are quoted, an empty field without quotes is null."""

    suffix = ".csv"

    def encode(self, table: TableSchema, batches: Sequence[pa.RecordBatch]) -> bytes:
        rows, out = pa.Table.from_batches(batches), BytesIO()
        arrays = [
            _written(table.column(name).type.kind, values.combine_chunks())
            for name, values in zip(rows.schema.names, rows.columns, strict=True)
        ]
        csv.write_csv(pa.table(arrays, names=rows.schema.names), out, csv.WriteOptions(quoting_style="needed"))
        return out.getvalue()

    def decode(self, columns: Sequence[Column], data: bytes) -> pa.RecordBatch:
        names = [one.name for one in columns]
        convert = csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.string()),
            include_columns=names,
            include_missing_columns=True,
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        )
        parse = csv.ParseOptions(newlines_in_values=True)
        try:
            read = csv.read_csv(BytesIO(data), csv.ReadOptions(block_size=len(data) + 1), parse, convert)
        except pa.ArrowException as error:
            raise ValueError(str(error).splitlines()[0][:200]) from error
        arrays = [_read(one, read.column(one.name).combine_chunks()) for one in columns]
        return pa.RecordBatch.from_arrays(arrays, names=names)


def _written(kind: Kind, values: Any) -> Any:
    """Numbers and truths without quotes."""
    if kind in _SIGNED or kind is Kind.YEAR:
        return values.cast(pa.int64())
    if kind is Kind.UINT64:
        return values.cast(pa.uint64())
    if kind is Kind.BOOLEAN:
        return compute.equal(values, pa.scalar("t"))
    if kind is Kind.BINARY:
        encoded = [None if one is None else base64.b64encode(one).decode() for one in values.to_pylist()]
        return pa.array(encoded, pa.string())
    return values


def _read(column: Column, values: Any) -> Any:
    if pa.types.is_null(values.type):
        return empty(column, len(values))
    kind = column.type.kind
    if kind is Kind.BOOLEAN:
        return compute.if_else(compute.equal(values, "true"), pa.scalar("t"), pa.scalar("f"))
    if kind is Kind.BINARY:
        decoded = [None if one is None else base64.b64decode(one) for one in values.to_pylist()]
        return pa.array(decoded, pa.binary())
    return compute.utf8_lpad(values, 4, "0") if kind is Kind.YEAR else values
