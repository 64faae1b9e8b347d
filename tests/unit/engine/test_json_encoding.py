"""Changes as JSON for other programs."""

import base64
from dataclasses import replace
from typing import Any

import orjson
import pyarrow as pa

from zcbus.engine.publish.json_encoding import CHANGES_MISSING, UNAVAILABLE, JsonEncoder
from zcbus.model.changes import CaptureResumed, ChangeFrame, Gap, Operation, TableChanges, Transactions
from zcbus.model.position import Position
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

KINDS = {"id": Kind.INT64, "share": Kind.FLOAT64, "done": Kind.BOOLEAN, "raw": Kind.BINARY, "amount": Kind.DECIMAL}
COLUMNS = tuple(Column(name, DataType(kind, kind.value)) for name, kind in KINDS.items())
SCHEMA = TableSchema(TableName("public", "orders"), "postgresql", COLUMNS, ("id",))
ENCODER = JsonEncoder("shop", "postgresql", "db")
TRANSACTIONS = Transactions(pa.array([0, 0]), pa.array([100, 200]), pa.array([1000, 2000]))


def table(
    operations: list[Operation], rows: list[tuple[Any, ...]], before: list[str | None], **other: Any
) -> TableChanges:
    types = [pa.binary() if kind is Kind.BINARY else pa.string() for kind in KINDS.values()]
    columns = [pa.array(values, kind) for values, kind in zip(zip(*rows, strict=True), types, strict=True)]
    return TableChanges(
        SCHEMA,
        ("id",),
        pa.array([int(one) for one in operations], pa.int8()),
        pa.array([0] * (len(rows) - 1) + [1], pa.int32()),
        pa.array(range(len(rows))),
        pa.RecordBatch.from_arrays(columns, names=list(KINDS)),
        pa.RecordBatch.from_arrays([pa.array(before, pa.string())], names=["id"]),
        **other,
    )


def messages(changes: TableChanges) -> list[tuple[Any, dict[str, Any]]]:
    messages = ENCODER.changes(ChangeFrame(TRANSACTIONS, True, (changes,)))
    return [(orjson.loads(one.key) if one.key else None, orjson.loads(one.value)) for one in messages]


def test_each_operation() -> None:
    row = ("1", "0.5", "t", b"\x00\xff", "12.50")
    none = (None,) * 5
    operations = [Operation.INSERT, Operation.UPDATE, Operation.UPDATE, Operation.DELETE, Operation.TRUNCATE]
    found = messages(table(operations, [row, row, ("2", *row[1:]), none, none], [None, "1", "1", "2", None]))
    after = {"id": 1, "share": 0.5, "done": True, "raw": "AP8=", "amount": "12.50"}
    assert [(key, one["op"], one["before"], one["after"]) for key, one in found] == [
        ({"id": 1}, "c", None, after),
        ({"id": 1}, "u", {"id": 1}, after),
        ({"id": 1}, "d", {"id": 1}, None),
        ({"id": 2}, "c", None, {**after, "id": 2}),
        ({"id": 2}, "d", {"id": 2}, None),
        (None, "t", None, None),
    ]
    assert [one["ts_ms"] for _, one in found] == [1000] * 5 + [2000]
    assert found[0][1]["source"] == {
        "version": "1",
        "connector": "postgresql",
        "name": "shop",
        "ts_ms": 1000,
        "snapshot": "false",
        "db": "db",
        "schema": "public",
        "table": "orders",
        "lsn": 100,
        "origin": [],
    }


def test_values_that_json_has_no_number_for_and_values_that_were_not_sent() -> None:
    rows = [("1", "NaN", None, None, None)]
    changes = table([Operation.UPDATE], rows, ["1"], unchanged={"amount": pa.array([True])}, origin=("far/s/t",))
    ((_, message),) = messages(changes)
    assert message["after"] == {"id": 1, "share": "NaN", "done": None, "raw": None, "amount": UNAVAILABLE}
    assert message["source"]["origin"] == ["far/s/t"]


def test_a_table_without_a_key_exports_each_change_once_and_with_the_row_before() -> None:
    row = ("1", "0.5", "t", b"\x00", "12.50")
    operations = [Operation.INSERT, Operation.UPDATE, Operation.DELETE]
    keyed = table(operations, [row, ("2", *row[1:]), (None,) * 5], [None, "1", "2"])
    types = [pa.binary() if kind is Kind.BINARY else pa.string() for kind in KINDS.values()]
    before = zip(*[(None,) * 5, row, ("2", *row[1:])], strict=True)
    columns = [pa.array(values, kind) for values, kind in zip(before, types, strict=True)]
    keyless = replace(keyed, key=(), keys_before=pa.RecordBatch.from_arrays(columns, names=list(KINDS)))
    found = [
        (key, one["op"], one["before"] and one["before"]["id"], one["after"] and one["after"]["id"])
        for key, one in messages(keyless)
    ]
    assert found == [(None, "c", None, 1), (None, "u", 1, 2), (None, "d", 2, None)]


def test_a_gap_is_reported_with_its_end_and_resume_positions() -> None:
    gaps = Gap(SCHEMA.name, Position(0, 7), Position(0, 9)), Gap(TableName("s", "t"), None, Position(3, 9))
    first, second = (orjson.loads(one.value) for one in ENCODER.gaps(CaptureResumed((), gaps), 5000))
    assert (first["op"], first["before"], first["after"], first["ts_ms"]) == ("m", None, None, 5000)
    assert {name: first["source"][name] for name in ("schema", "table", "lsn")} == {
        "schema": "public",
        "table": "orders",
        "lsn": 9,
    }
    assert first["message"]["prefix"] == CHANGES_MISSING
    assert content(first) == {"from": {"lsn": 7}, "to": {"lsn": 9}}
    assert content(second) == {"from": None, "to": {"lsn": 9}}
    (by_file,) = replace(ENCODER, kind="mysql").gaps(CaptureResumed((), gaps[1:]), 5000)
    assert content(orjson.loads(by_file.value))["to"] == {"file": 3, "pos": 9}


def content(message: dict[str, Any]) -> Any:
    return orjson.loads(base64.b64decode(message["message"]["content"]))
