"""Messages become rows as declared, or errors name the malformed message."""

from typing import Any

import pytest

from zcbus.connectors.consuming.consumer import Message
from zcbus.connectors.consuming.options import ConsumingOptions
from zcbus.connectors.consuming.rows import MessageRows
from zcbus.connectors.errors import TableRefused
from zcbus.connectors.kafka.spec import KafkaOptions
from zcbus.connectors.options import OptionsInvalid, parse

EVERY = "a text, b bigint, c decimal(6,2), d double, e boolean, f date, g timestamp, h timestamptz, i json"


def message(value: bytes | None, key: bytes | None = b"k", **others: Any) -> Message:
    place = {"topic": "orders", "partition": 2, "offset": 7, "time_ms": 0, "headers": (), **others}
    return Message(key=key, value=value, **place)


def row(value: bytes | None, options: ConsumingOptions, **others: Any) -> dict[str, Any]:
    rows = MessageRows(options)
    (found,) = rows.rows(rows.schema("orders"), [message(value, **others)]).to_pylist()
    return dict(found)


def test_metadata_columns_of_a_message() -> None:
    headers = (("a", b"1"), ("a", None), ("b", b"\xff"))
    assert row("v 名".encode(), ConsumingOptions(), time_ms=1_700_000_000_120, headers=headers) == {
        "_partition": "2",
        "_offset": "7",
        "_timestamp": "2023-11-14 22:13:20.12+00",
        "_key": "k",
        "_headers": '[["a","1"],["a",null],["b",{"base64":"/w=="}]]',
        "_value": "v 名",
    }
    found = row(None, ConsumingOptions(), key=None, time_ms=None)
    assert [found[name] for name in ("_timestamp", "_key", "_headers", "_value")] == [None] * 4
    assert row(b"", ConsumingOptions(), time_ms=1000)["_timestamp"] == "1970-01-01 00:00:01+00"
    found = row(b"\x00\xff", ConsumingOptions(value="binary", key="binary"), key=b"\xfe")
    assert (found["_value"], found["_key"]) == (b"\x00\xff", b"\xfe")


def test_declared_columns_of_objects() -> None:
    options = ConsumingOptions(value="json", columns=EVERY)
    value = (
        '{"a": "名", "b": 9007199254740993, "c": 1.5, "d": 1e3, "e": true, "f": "2026-02-28", "g": "2026-02-28T10:00",'
        ' "h": "2026-02-28T10:00:00.250+08:00", "i": {"x": [1.10, "y"]}, "other": 1}'
    )
    found = row(value.encode(), options)
    assert [found[name] for name in "abcdefghi"] == [
        *("名", "9007199254740993", "1.50", "1000", "t", "2026-02-28", "2026-02-28 10:00:00"),
        *("2026-02-28 02:00:00.25+00", '{"x": [1.10, "y"]}'),
    ]
    for empty in (b"{}", b'{"a": null, "i": null}', None):
        assert [row(empty, options)[name] for name in "abcdefghi"] == [None] * 9
    assert row(b'{"i": "text", "a": 1.50}', options)["i"] == '"text"'
    assert row(b'{"a": 1.50}', options)["a"] == "1.50"


def test_topics_have_columns_of_their_own() -> None:
    rows = MessageRows(ConsumingOptions(value="json", columns="ord*: id bigint; audit.log: who text, at timestamptz"))
    assert rows.schema("orders").names[5:] == ("id",)
    assert rows.schema("audit.log").names[5:] == ("who", "at")
    assert rows.schema("else").names[5:] == ("_value",)
    (found,) = rows.rows(rows.schema("else"), [message(b'{"n": 1.0}')]).to_pylist()
    assert found["_value"] == '{"n": 1.0}'


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (b"{", "value"),
        (b"[1]", "no JSON object"),
        (b'{"b": NaN}', "NaN"),
        (b"\xff", "value"),
        (b'{"b": 1.5}', "b: no bigint"),
        (b'{"b": ""}', "b: no bigint"),
        (b'{"c": 12345.6}', "c: no decimal(6,2)"),
        (b'{"h": "2026-02-28T10:00:00"}', "h: no timestamptz"),
        (b'{"f": {}}', "f: no date"),
        (b'{"a": "\\ud800"}', "a: no Unicode text"),
    ],
)
def test_a_message_that_is_not_as_declared_is_named(value: bytes, problem: str) -> None:
    rows = MessageRows(ConsumingOptions(value="json", columns=EVERY))
    messages = [message(b"{}", offset=6), message(value), message(b"{}", offset=8)]
    with pytest.raises(TableRefused) as refused:
        rows.rows(rows.schema("orders"), messages)
    assert refused.value.facts["reason"] == "message-unreadable"
    detail = str(refused.value.facts["detail"])
    assert detail.startswith("orders, partition 2, offset 7: ")
    assert problem in detail


def test_keys_that_are_no_text_are_named() -> None:
    with pytest.raises(TableRefused) as refused:
        row(b"", ConsumingOptions(), key=b"\xff")
    assert "offset 7: key" in str(refused.value.facts["detail"])


@pytest.mark.parametrize("columns", ["_key text", "a text, A bigint"])
def test_names_that_cannot_be_columns_are_refused(columns: str) -> None:
    with pytest.raises(TableRefused) as refused:
        MessageRows(ConsumingOptions(value="json", columns=columns)).schema("orders")
    assert refused.value.facts["reason"] == "message-columns"


@pytest.mark.parametrize("columns", ["id", "id bigint;: x", "a: b: id bigint", "id bigint,, x text", "id any"])
def test_unreadable_columns_are_no_option(columns: str) -> None:
    with pytest.raises(OptionsInvalid):
        parse(KafkaOptions, {"servers": "a:1", "columns": columns})
