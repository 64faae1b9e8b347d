"""Rows as messages: forms of values, envelopes, names of topics."""

from typing import Any

import orjson
import pyarrow as pa
import pytest

from zcbus.connectors.errors import TableRefused
from zcbus.connectors.kafka.messages import (
    Outgoing,
    is_removal,
    key_of,
    keys_of_messages,
    largest_rows,
    largest_size,
    messages,
    row_of,
)
from zcbus.connectors.kafka.names import state_topic, topic_of
from zcbus.connectors.kafka.spec import KafkaOptions
from zcbus.connectors.kafka.tables import faults_of
from zcbus.connectors.roles.writer import Cause, PutRows, RemoveRows
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

KINDS = {
    "id": Kind.INT64,
    "big": Kind.UINT64,
    "flag": Kind.BOOLEAN,
    "raw": Kind.BINARY,
    "price": Kind.DECIMAL,
    "real": Kind.FLOAT64,
    "year": Kind.YEAR,
    "name": Kind.TEXT,
}
TABLE = TableSchema(
    TableName("rows", "t"),
    "kafka",
    tuple(Column(name, DataType(kind, kind.value), name != "id") for name, kind in KINDS.items()),
    ("id",),
)
VALUES: dict[str, list[Any]] = {
    "id": ["1", "-2", "3"],
    "big": ["18446744073709551615", None, "0"],
    "flag": ["t", "f", None],
    "raw": [b"\x00\xff", None, b""],
    "price": ["1.50", "-0.00", None],
    "real": ["1e+20", "NaN", "0.1"],
    "year": ["0000", "2026", None],
    "name": ["表\0", "", None],
}
ROWS = pa.RecordBatch.from_arrays(
    [pa.array(values, pa.binary() if name == "raw" else pa.string()) for name, values in VALUES.items()], list(VALUES)
)
JSON, ENVELOPE = KafkaOptions(topic="shop.{table}"), KafkaOptions(topic="shop.{table}", format="debezium")


def put(options: KafkaOptions, cause: Cause = Cause.LOAD) -> list[Outgoing]:
    return list(messages(PutRows(TABLE, ROWS, cause), options))


def test_values_have_the_form_that_readers_expect() -> None:
    key, value, headers = put(JSON)[0]
    assert key == b'{"id":1}'
    assert value == (
        '{"id":1,"big":18446744073709551615,"flag":true,"raw":"AP8=","price":"1.50","real":1e+20,"year":0,'
        '"name":"表\\u0000"}'.encode()
    )
    assert headers == [("op", b"r"), ("table", b"t")]


@pytest.mark.parametrize("options", [JSON, ENVELOPE], ids=["json", "debezium"])
def test_written_rows_are_read_back(options: KafkaOptions) -> None:
    for number, (key, value, _) in enumerate(put(options)):
        assert row_of(TABLE, value or b"", options) == {name: values[number] for name, values in VALUES.items()}
        assert keys_of_messages(TABLE, [(VALUES["id"][number],)]) == [key]
        assert key_of(TABLE, key) == (VALUES["id"][number],)
        assert not is_removal(value, options)
    changed = put(options, Cause.CHANGE)
    assert largest_rows(ROWS, 20).column("id").to_pylist() == ["1"]
    assert largest_size(TABLE, ROWS, options) == max(len(key) + len(value or b"") for key, value, _ in changed)


def test_many_rows_are_sent_in_their_order() -> None:
    texts = [str(number) * 1000 for number in range(20_000)]
    table = TableSchema(TABLE.name, "kafka", (TABLE.columns[0], TABLE.columns[-1]), ("id",))
    ids = pa.array([str(number) for number in range(len(texts))])
    rows = pa.RecordBatch.from_arrays([ids, pa.array(texts)], ["id", "name"])
    found = [orjson.loads(value or b"") for _, value, _ in messages(PutRows(table, rows), JSON)]
    assert [(one["id"], one["name"]) for one in found] == list(enumerate(texts))


@pytest.mark.parametrize(("cause", "op"), [(Cause.LOAD, "r"), (Cause.INSERT, "c"), (Cause.CHANGE, "u")])
def test_an_envelope_says_why_a_row_comes(cause: Cause, op: str) -> None:
    value = orjson.loads(put(ENVELOPE, cause)[1][1] or b"")
    assert (value["op"], value["before"], value["after"]["id"]) == (op, None, -2)
    assert value["source"]["snapshot"] == ("true" if cause is Cause.LOAD else "false")
    assert (value["source"]["name"], value["source"]["table"]) == ("shop", "t")


@pytest.mark.parametrize(
    ("options", "count"),
    [(JSON, 1), (ENVELOPE, 2), (KafkaOptions(format="debezium", tombstones=False), 1)],
    ids=["json", "debezium", "without-tombstones"],
)
def test_deletions_are_seen_by_readers_and_by_us(options: KafkaOptions, count: int) -> None:
    found = list(messages(RemoveRows(TABLE, ROWS.select(["id"]).slice(0, 1)), options))
    assert len(found) == count
    assert all(is_removal(value, options) and key == b'{"id":1}' for key, value, _ in found)
    if options.format == "debezium":
        value = orjson.loads(found[0][1] or b"")
        assert (value["op"], value["before"], value["after"]) == ("d", {"id": 1}, None)


@pytest.mark.parametrize("text", [b"", b"no json", b"[1]", b'{"id":null}', b'{"other":1}', b'{"id":1,"more":2}'])
def test_keys_of_others_are_no_rows(text: bytes) -> None:
    assert key_of(TABLE, text) is None


def test_each_table_has_a_topic_of_its_own() -> None:
    names = ["t", "T", "a b", "a_u0020_b", "表", "_u8868_", "a.b", "a_b", "zcbus_state"]
    topics = {topic_of(JSON, TableName("rows", name)) for name in names}
    assert len(topics) == len(names)
    assert state_topic(JSON) == "shop.zcbus.state"
    assert state_topic(JSON) not in topics
    for refused in ("zcbus.state", "x" * 250, "表" * 60):
        with pytest.raises(TableRefused):
            topic_of(JSON, TableName("rows", refused))


def test_topics_that_would_forget_rows_are_found() -> None:
    kept = {"retention.ms": "-1", "retention.bytes": "-1", "max.message.bytes": "1048588"}
    assert faults_of({"cleanup.policy": "compact", **kept, "retention.ms": "1"}) == []
    assert faults_of({"cleanup.policy": "delete", **kept}) == []
    assert faults_of({"cleanup.policy": "delete", **kept, "retention.ms": "604800000"}) == ["retention.ms=604800000"]
    assert faults_of({"cleanup.policy": "compact,delete", **kept}) == ["cleanup.policy=compact,delete"]
    assert faults_of({"cleanup.policy": "compact", "max.message.bytes": "1000"}) == ["max.message.bytes=1000"]
