"""Messages of named fields as rows."""

import orjson
import pytest

from zcbus.connectors.consuming.consumer import Message
from zcbus.connectors.consuming.rows import MessageRows
from zcbus.connectors.errors import TableRefused
from zcbus.connectors.redis.spec import RedisOptions

Fields = list[tuple[str, bytes]]
NUMBER = 77 << 128 | 5 << 64


def row(fields: Fields, columns: str = "") -> dict[str, object]:
    rows = MessageRows(RedisOptions(columns=columns))
    schema = rows.schema("shop:orders")
    (found,) = rows.rows(schema, [Message("shop:orders", 0, NUMBER, 77, None, None, tuple(fields))]).to_pylist()
    return dict(found)


def refusal(fields: Fields, columns: str = "") -> str:
    with pytest.raises(TableRefused) as refused:
        row(fields, columns)
    assert refused.value.facts["reason"] == "message-unreadable"
    return str(refused.value.facts["detail"])


def test_declared_fields_are_columns_and_others_headers() -> None:
    columns = "shop:orders: id bigint, paid decimal(12,2), what json, note text; shop:*: other text"
    fields = [("id", b" 7 "), ("paid", b"2.5"), ("what", b'{"a": 1}'), ("x", b"\xff"), ("x", b"2")]
    assert row(fields, columns) == {
        "_partition": "0",
        "_offset": "77-5",
        "_timestamp": "1970-01-01 00:00:00.077+00",
        "_headers": '[["x",{"base64":"/w=="}],["x","2"]]',
        "id": "7",
        "paid": "2.50",
        "what": '{"a": 1}',
        "note": None,
    }
    assert row([("id", b""), ("note", b"")], columns)["id"] is None
    assert row([("id", b""), ("note", b"")], columns)["note"] == ""


def test_without_columns_all_fields_are_one_object() -> None:
    found = row([("b", "值".encode()), ("a", b"1")])
    assert orjson.loads(str(found["_value"])) == {"b": "值", "a": "1"}
    assert found["_headers"] is None
    assert "_key" not in found


def test_what_cannot_be_kept_stops_the_table() -> None:
    assert "77-5: field twice: a" in refusal([("a", b"1"), ("a", b"1")])
    assert "field twice: a" in refusal([("a", b"1"), ("a", b"1")], "a text")
    assert "77-5: a: no bigint" in refusal([("a", b"x")], "a bigint")
    assert "a: 'utf-8'" in refusal([("a", b"\xff")], "a text")
    assert "a: 'utf-8'" in refusal([("a", b"\xff")])
