"""Values of Avro files become the canonical forms of their types, and malformed files do no harm."""

import datetime as dt
import io
import uuid
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import fastavro
import pytest

from zcbus.connectors.formats import BadRecord
from zcbus.connectors.formats.avro import AVRO
from zcbus.connectors.formats.isolated import Child, IsolatedReader
from zcbus.model.types import Kind

FIXED = {"type": "fixed", "name": "shop.Four", "size": 4}
PAIR = {"type": "record", "name": "Pair", "fields": [{"name": "x", "type": "double"}, {"name": "b", "type": "bytes"}]}
CASES: list[tuple[Any, list[object], Kind, list[object]]] = [
    ("int", [1, -2], Kind.INT64, ["1", "-2"]),
    ("long", [2**63 - 1, -(2**63)], Kind.INT64, ["9223372036854775807", "-9223372036854775808"]),
    ("double", [0.1, 3.0, float("nan"), float("-inf")], Kind.FLOAT64, ["0.1", "3", "NaN", "-Infinity"]),
    ("float", [-1.5], Kind.FLOAT64, ["-1.5"]),
    ("boolean", [True, False], Kind.BOOLEAN, ["t", "f"]),
    ("string", ["名", ""], Kind.TEXT, ["名", ""]),
    ("null", [None], Kind.TEXT, [None]),
    ("bytes", [b"\x00\xff", b""], Kind.BINARY, [b"\x00\xff", b""]),
    (FIXED, [b"abcd"], Kind.BINARY, [b"abcd"]),
    ({"type": "enum", "name": "E", "symbols": ["A", "B"]}, ["B"], Kind.TEXT, ["B"]),
    (["null", "long"], [None, 5], Kind.INT64, [None, "5"]),
    (["null", "int", "long"], [None, 5], Kind.INT64, [None, "5"]),
    (["string", "int"], ["a", 5], Kind.JSON, ['"a"', "5"]),
    (
        {"type": "bytes", "logicalType": "decimal", "precision": 10, "scale": 3},
        [Decimal("1.5"), Decimal("-1234567.891")],
        Kind.DECIMAL,
        ["1.500", "-1234567.891"],
    ),
    (
        {"type": "fixed", "name": "D", "size": 8, "logicalType": "decimal", "precision": 18},
        [Decimal(7)],
        Kind.DECIMAL,
        ["7"],
    ),
    ({"type": "int", "logicalType": "date"}, [dt.date(1969, 12, 31)], Kind.DATE, ["1969-12-31"]),
    ({"type": "int", "logicalType": "time-millis"}, [dt.time(1, 2, 3, 40_000)], Kind.TIME, ["01:02:03.04"]),
    ({"type": "long", "logicalType": "time-micros"}, [dt.time(1, 2)], Kind.TIME, ["01:02:00"]),
    (
        {"type": "long", "logicalType": "timestamp-micros"},
        [dt.datetime(2026, 1, 2, 3, 4, 5, 60, tzinfo=dt.UTC)],
        Kind.TIMESTAMP_TZ,
        ["2026-01-02 03:04:05.00006+00"],
    ),
    (
        {"type": "long", "logicalType": "local-timestamp-millis"},
        [dt.datetime(2026, 1, 2)],
        Kind.TIMESTAMP,
        ["2026-01-02 00:00:00"],
    ),
    ({"type": "long", "logicalType": "timestamp-nanos"}, [5], Kind.INT64, ["5"]),
    ({"type": "string", "logicalType": "uuid"}, [uuid.UUID(int=5)], Kind.TEXT, [str(uuid.UUID(int=5))]),
    ({"type": "array", "items": ["null", "string"]}, [["a", None]], Kind.JSON, ['["a", null]']),
    ({"type": "map", "values": "int"}, [{"名": 1}], Kind.JSON, ['{"名": 1}']),
    (["null", PAIR], [{"x": 1.5, "b": b"\x0a"}], Kind.JSON, ['{"x": 1.5, "b": "0a"}']),
]


@pytest.fixture(scope="module")
def child() -> Iterator[Child]:
    made = Child()
    yield made
    made.close()


def avro(fields: list[tuple[str, Any]], records: list[dict[str, Any]], codec: str = "deflate") -> bytes:
    out = io.BytesIO()
    columns = [{"name": name, "type": avro_type} for name, avro_type in fields]
    schema = {"type": "record", "name": "Row", "fields": columns}
    fastavro.writer(out, schema, records, codec=codec)
    return out.getvalue()


def read(child: Child, data: bytes) -> tuple[dict[str, Kind], list[dict[str, Any]]]:
    form = IsolatedReader(AVRO, child)
    columns = form.columns(io.BytesIO(data))
    batches = list(form.read(io.BytesIO(data), list(columns), behind_start=False))
    rows = [row for batch in batches for row in batch.to_pylist()]
    assert form.most_records(io.BytesIO(data)) == len(rows)
    return {name: avro_type.kind for name, avro_type in columns.items()}, rows


def test_values_become_canonical(child: Child) -> None:
    for avro_type, values, kind, expected in CASES:
        kinds, rows = read(child, avro([("v", avro_type)], [{"v": value} for value in values]))
        assert kinds == {"v": kind}, avro_type
        assert [row["v"] for row in rows] == expected, avro_type


def test_types_by_their_names(child: Child) -> None:
    fields = [("a", FIXED), ("b", ["null", "shop.Four"]), ("c", {"type": "array", "items": "shop.Four"})]
    kinds, rows = read(child, avro(fields, [{"a": b"abcd", "b": b"efgh", "c": [b"ijkl"]}]))
    assert kinds == {"a": Kind.BINARY, "b": Kind.BINARY, "c": Kind.JSON}
    assert rows == [{"a": b"abcd", "b": b"efgh", "c": '["696a6b6c"]'}]


def test_many_records_and_none(child: Child) -> None:
    fields = [("id", "long"), ("name", ["null", "string"])]
    records = [{"id": number, "name": f"n{number}" if number % 2 else None} for number in range(120_000)]
    _, rows = read(child, avro(fields, records))
    assert rows == [{"id": str(record["id"]), "name": record["name"]} for record in records]
    assert read(child, avro(fields, []))[1] == []


def test_invalid_avro_is_a_bad_record(child: Child) -> None:
    complete = avro([("id", "long"), ("name", "string")], [{"id": 1, "name": "a" * 500}] * 100, "null")
    scalar = io.BytesIO()
    fastavro.writer(scalar, "long", [1, 2])
    for data in (b"", b"nonsense", complete[:10], complete[:-30], _last_byte_changed(complete), scalar.getvalue()):
        with pytest.raises(BadRecord):
            read(child, data)


def _last_byte_changed(data: bytes) -> bytes:
    """Of the marker behind a block, which is random in each file."""
    return data[:-1] + bytes([data[-1] ^ 0xFF])


def test_a_bomb_ends_the_child_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two thousand million values that take no byte each."""
    fields = [("v", {"type": "array", "items": "null"})]
    small, sync = avro(fields, [{"v": []}], "null"), 16
    count = _long(2**31)
    block = _long(1) + _long(len(count) + 1) + count + b"\x00"
    head = small[: -(sync + len(_long(1) + _long(1) + b"\x00"))]
    monkeypatch.setattr("zcbus.connectors.formats.isolated.MEMORY_BYTES", 64 << 20)
    child = Child()
    with pytest.raises(BadRecord, match="too much memory or time"):
        read(child, head + block + small[-sync:])
    assert read(child, small)[1] == [{"v": "[]"}]
    child.close()


def _long(value: int) -> bytes:
    """As Avro writes it: zigzag, seven bits a byte."""
    rest, out = value << 1, bytearray()
    while rest > 0x7F:
        out.append(rest & 0x7F | 0x80)
        rest >>= 7
    return bytes([*out, rest])
