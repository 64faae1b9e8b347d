"""Avro values of Kafka's topics, with schemas of a registry that speaks the documented protocol."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from tests.servers.schema_registry import SchemaRegistryServer
from zcbus.connectors.consuming.consumer import Message
from zcbus.connectors.consuming.rows import MessageRows
from zcbus.connectors.errors import AccessDenied, SourceUnavailable, TableRefused
from zcbus.connectors.kafka.schema_registry import SchemaRegistry
from zcbus.connectors.kafka.spec import KafkaOptions

ORDER = {
    "type": "record",
    "name": "Order",
    "fields": [
        {"name": "id", "type": "long"},
        {"name": "name", "type": ["null", "string"]},
        {"name": "amount", "type": {"type": "bytes", "logicalType": "decimal", "precision": 12, "scale": 2}},
        {"name": "day", "type": {"type": "int", "logicalType": "date"}},
        {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}},
        {"name": "tags", "type": {"type": "array", "items": "string"}},
        {"name": "kind", "type": {"type": "enum", "name": "Kind", "symbols": ["OLD", "NEW"]}},
        {"name": "ok", "type": "boolean"},
        {"name": "rate", "type": "double"},
    ],
}
RECORD = {
    "id": 9007199254740993,
    "name": "名 😀",
    "amount": Decimal("12.50"),
    "day": date(2024, 2, 29),
    "at": datetime(2024, 2, 29, 4, 34, 56, 789000, UTC),
    "tags": ["a", '"b"'],
    "kind": "NEW",
    "ok": True,
    "rate": 0.1,
}
COLUMNS = (
    "id bigint, name text, amount decimal(12,2), day date, at timestamptz, "
    "tags json, kind text, ok boolean, rate double"
)
EXPECTED = {
    "id": "9007199254740993",
    "name": "名 😀",
    "amount": "12.50",
    "day": "2024-02-29",
    "at": "2024-02-29 04:34:56.789+00",
    "tags": '["a", "\\"b\\""]',
    "kind": "NEW",
    "ok": "t",
    "rate": "0.1",
}


@pytest.fixture
def registry() -> Iterator[SchemaRegistryServer]:
    server = SchemaRegistryServer()
    server.register(7, ORDER, "orders-value")
    yield server
    server.stop()


def options(registry: SchemaRegistryServer, **given: str) -> KafkaOptions:
    return KafkaOptions(
        **{"servers": "kafka", "value": "json", "columns": COLUMNS, "key": "binary", "registry": registry.url, **given}  # type: ignore[arg-type]
    )


def read(options: KafkaOptions, *values: bytes | None) -> list[dict[str, object]]:
    rows = MessageRows(options, SchemaRegistry(options).json_of)
    messages = [Message("orders", 0, number, 1000, None, value, ()) for number, value in enumerate(values)]
    found = rows.rows(rows.schema("orders"), messages).to_pylist()
    return [{name: value for name, value in row.items() if not name.startswith("_")} for row in found]


def test_values_become_columns_and_each_schema_is_asked_for_once(registry: SchemaRegistryServer) -> None:
    value = registry.encoded(7, RECORD)
    nothing = registry.encoded(7, {**RECORD, "name": None})
    assert read(options(registry), value, nothing, value) == [EXPECTED, {**EXPECTED, "name": None}, EXPECTED]
    assert registry.asked == ["/schemas/ids/7"]


def test_a_deleted_value_has_no_schema(registry: SchemaRegistryServer) -> None:
    assert read(options(registry), None) == [dict.fromkeys(EXPECTED)]


def test_a_schema_that_refers_to_others(registry: SchemaRegistryServer) -> None:
    place = {"type": "record", "name": "Place", "namespace": "shop", "fields": [{"name": "city", "type": "string"}]}
    registry.register(8, place, "place")
    whole = {"type": "record", "name": "Sale", "fields": [{"name": "name", "type": place}]}
    referring = {"type": "record", "name": "Sale", "fields": [{"name": "name", "type": "shop.Place"}]}
    registry.register(9, referring, references=[{"name": "shop.Place", "subject": "place", "version": 1}])
    value = registry.encoded(9, {"name": {"city": "北京"}}, whole)
    assert read(options(registry, columns="name json"), value) == [{"name": '{"city": "北京"}'}]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (b'{"id": 1}', "does not begin"),
        (b"\0\0", "does not begin"),
        (b"\0\0\0\0\x63abc", "no such schema"),
        (b"\0\0\0\0\x07", "no Avro of its schema"),
        (b"\0\0\0\0\x0a\x02x", "no Avro: PROTOBUF"),
    ],
)
def test_a_value_that_cannot_be_decoded_stops_its_table(
    registry: SchemaRegistryServer, value: bytes, said: str
) -> None:
    registry.register(10, "proto", schemaType="PROTOBUF")
    with pytest.raises(TableRefused) as refused:
        read(options(registry), registry.encoded(7, RECORD), value)
    assert refused.value.facts["reason"] == "message-unreadable"
    assert "offset 1" in str(refused.value.facts["detail"])
    assert said in str(refused.value.facts["detail"])


def test_bytes_behind_a_record_are_no_part_of_it(registry: SchemaRegistryServer) -> None:
    with pytest.raises(TableRefused, match="longer than a record"):
        read(options(registry), registry.encoded(7, RECORD) + b"x")


def test_a_registry_that_is_away_is_waited_for(registry: SchemaRegistryServer) -> None:
    value = registry.encoded(7, RECORD)
    registry.fails = 503
    with pytest.raises(SourceUnavailable, match="503"):
        read(options(registry), value)
    registry.fails = 0
    assert read(options(registry), value) == [EXPECTED]
    registry.stop()
    with pytest.raises(SourceUnavailable):
        read(options(registry), value)


def test_a_password_is_asked_for_and_never_shown() -> None:
    server = SchemaRegistryServer("reader:s3cret")
    server.register(7, ORDER)
    value = server.encoded(7, RECORD)
    given = options(server, registryuser="reader", registrypassword="s3cret")
    assert read(given, value) == [EXPECTED]
    assert "s3cret" not in repr(given)
    with pytest.raises(AccessDenied) as denied:
        read(options(server, registryuser="reader", registrypassword="wr0ng"), value)
    assert "wr0ng" not in str(denied.value)
    server.stop()
