"""Debezium's envelopes become rows, with their operation; what could be read in two ways is refused."""

import base64
import json
from typing import Any

import pytest

from tests.unit.connectors.consuming.test_rows import message, row
from zcbus.connectors.consuming.options import ConsumingOptions
from zcbus.connectors.consuming.rows import MessageRows
from zcbus.connectors.errors import TableRefused

COLUMNS = "id bigint, price decimal(10,2), born date, at timestamp, note text, more json, day text"


def options(columns: str = "id bigint, name text") -> ConsumingOptions:
    return ConsumingOptions(value="debezium", columns=columns)


def envelope(op: str, before: object = None, after: object = None, **more: object) -> bytes:
    return json.dumps({"op": op, "before": before, "after": after, "source": {"ts_ms": 5}, **more}).encode()


def with_schema(values: dict[str, Any], types: dict[str, dict[str, object]]) -> bytes:
    fields = [{"field": name, "type": "int64", **types.get(name, {})} for name in values]
    images = [{"field": name, "type": "struct", "fields": fields} for name in ("before", "after")]
    payload = {"op": "c", "before": None, "after": values, "source": None}
    return json.dumps({"schema": {"type": "struct", "fields": images}, "payload": payload}).encode()


def refusal(value: bytes, columns: str) -> str:
    with pytest.raises(TableRefused) as refused:
        row(value, options(columns))
    assert refused.value.facts["reason"] == "message-unreadable"
    return str(refused.value.facts["detail"])


@pytest.mark.parametrize("op", ["c", "u", "r"])
def test_a_row_is_what_it_is_after_the_change(op: str) -> None:
    found = row(envelope(op, {"id": 1, "name": "old"}, {"id": 1, "name": "名"}), options())
    assert (found["id"], found["name"], found["_op"]) == ("1", "名", op)
    assert json.loads(found["_source"]) == {"ts_ms": 5}


def test_a_deleted_row_is_what_it_was_and_a_tombstone_is_empty() -> None:
    found = row(envelope("d", {"id": 1, "name": "old"}, None), options())
    assert (found["id"], found["name"], found["_op"]) == ("1", "old", "d")
    for empty in (None, b"", b"null", b'{"schema": null, "payload": null}'):
        found = row(empty, options())
        assert [found[name] for name in ("id", "name", "_op", "_source")] == [None] * 4
    assert row(envelope("t"), options())["_op"] == "t"


def test_without_columns_the_image_is_kept_as_it_is() -> None:
    found = row(envelope("c", None, {"n": 1.50}), options(""))
    assert (found["_op"], found["_value"]) == ("c", '{"n": 1.5}')
    rows = MessageRows(options(""))
    assert rows.schema("orders").names[5:] == ("_op", "_source", "_value")
    (found,) = rows.rows(rows.schema("orders"), [message(b'{"op": "c", "after": {"n": 1.50}}')]).to_pylist()
    assert found["_value"] == '{"n": 1.50}'


def test_a_schema_says_what_values_are() -> None:
    values = {
        "id": 7,
        "price": base64.b64encode((-12345).to_bytes(3, "big", signed=True)).decode(),
        "born": -1,
        "at": 1_700_000_000_120_000,
        "note": "1234",
        "more": '{"a": 1.0}',
        "day": 3_661_000_000,
    }
    types = {
        "price": {"name": "org.apache.kafka.connect.data.Decimal", "parameters": {"scale": "2"}},
        "born": {"name": "io.debezium.time.Date"},
        "at": {"name": "io.debezium.time.MicroTimestamp"},
        "more": {"name": "io.debezium.data.Json"},
        "day": {"name": "io.debezium.time.MicroTime"},
    }
    found = row(with_schema(values, types), options(COLUMNS))
    assert [found[name] for name in ("id", "price", "born", "at", "note", "more", "day")] == [
        *("7", "-123.45", "1969-12-31", "2023-11-14 22:13:20.12", "1234", '{"a": 1.0}', "01:01:01"),
    ]


@pytest.mark.parametrize(
    ("value", "name", "text"),
    [
        (1_700_000_000_123, "io.debezium.time.Timestamp", "2023-11-14 22:13:20.123"),
        (-1, "org.apache.kafka.connect.data.Timestamp", "1969-12-31 23:59:59.999"),
        (1_700_000_000_123_456_789, "io.debezium.time.NanoTimestamp", "2023-11-14 22:13:20.123456789"),
        ("2026-01-01T00:00:00Z", "io.debezium.time.ZonedTimestamp", "2026-01-01T00:00:00Z"),
        ({"scale": 3, "value": "AQ=="}, "io.debezium.data.VariableScaleDecimal", "0.001"),
        ("", "io.debezium.data.Enum", ""),
    ],
)
def test_named_types(value: object, name: str, text: str) -> None:
    assert row(with_schema({"a": value}, {"a": {"name": name}}), options("a text"))["a"] == text


@pytest.mark.parametrize(
    ("value", "columns", "problem"),
    [
        (b'{"id": 1}', "id bigint", "no Debezium envelope"),
        (b"[]", "id bigint", "no Debezium envelope"),
        (b'{"op": 1, "after": {}}', "id bigint", "no Debezium envelope"),
        (b"default", "id bigint", "value"),
        (envelope("c"), "id bigint", "after: missing"),
        (envelope("c", None, "{}"), "id bigint", "after: no JSON object"),
        # Without a schema: Base64 that looks like a number, days and microseconds as bare numbers.
        (envelope("c", None, {"price": "1234"}), "price decimal(10,2)", "enable the converter's schemas"),
        (envelope("c", None, {"born": 19000}), "born date", "no date"),
        (envelope("c", None, {"at": 1_700_000_000_000}), "at timestamp", "no timestamp"),
        (envelope("c", None, {"a": "__debezium_unavailable_value"}), "a text", "did not send"),
        (with_schema({"a": "?"}, {"a": {"name": "org.apache.kafka.connect.data.Decimal"}}), "a text", "a: no org"),
        (with_schema({"a": 1e99}, {"a": {"name": "io.debezium.time.Date"}}), "a text", "a: "),
        (
            with_schema({"a": 1_700_000_000_123_456_789}, {"a": {"name": "io.debezium.time.NanoTimestamp"}}),
            "a timestamp",
            "no timestamp",
        ),
    ],
)
def test_what_cannot_be_read_in_one_way_is_refused(value: bytes, columns: str, problem: str) -> None:
    assert problem in refusal(value, columns)


def test_a_number_as_text_that_cannot_be_base64_is_one() -> None:
    assert row(envelope("c", None, {"price": "-12.50"}), options("price decimal(10,2)"))["price"] == "-12.50"
    assert row(envelope("c", None, {"price": 12.5}), options("price decimal(10,2)"))["price"] == "12.50"
