"""What of the Kafka bus needs no broker: names, stamps, who holds a topic, properties."""

import os
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from zcbus.bus.contract import TopicNameInvalid
from zcbus.bus.kafka import owner as owners
from zcbus.bus.kafka.names import kafka_name, topic_name
from zcbus.bus.kafka.owner import Owner
from zcbus.bus.kafka.properties import kafka_properties
from zcbus.bus.kafka.stamp import Sort, Stamp, pack_stamp, unpack_stamp, valid_stamp
from zcbus.kit.bus_settings import BusSettings
from zcbus.kit.setting_source import SettingsError

TOPIC = bytes(range(16))
ELSEWHERE = Owner(b"elsewher", 1, 2, b"writer-1")
# A busy machine must not make these fail.
_UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
_NAMES = st.from_regex(r"[a-zA-Z0-9._-]{1,20}(/[a-zA-Z0-9._-]{1,20}){0,3}", fullmatch=True).filter(
    lambda name: name not in {".", ".."}
)


@_UNHURRIED
@given(topic=_NAMES)
def test_names_come_back_and_use_no_character_that_kafka_confuses(topic: str) -> None:
    name = kafka_name("zcbus", topic)
    assert topic_name("zcbus", name) == topic
    assert "_" not in name
    assert len(name) <= 249


@_UNHURRIED
@given(one=_NAMES, other=_NAMES)
def test_two_topics_never_share_a_name(one: str, other: str) -> None:
    assert (kafka_name("p", one) == kafka_name("p", other)) == (one == other)


def test_foreign_and_impossible_names() -> None:
    assert kafka_name("zcbus", "full/a_b/t-1.x/2") == "zcbus.full.a-ub.t--1-dx.2"
    assert topic_name("zcbus", "orders") is None
    assert topic_name("zcbus", "zcbus.a-x") is None
    with pytest.raises(TopicNameInvalid):
        kafka_name("zcbus", "-" * 180)
    with pytest.raises(TopicNameInvalid):
        kafka_name("zcbus", "a//b")


def test_a_message_counts_only_where_it_was_meant_to_be() -> None:
    stamp = Stamp(Sort.RECORD, 7, 1, 3, 900_000, 12, 5_000, -1, TOPIC, ELSEWHERE)
    key = pack_stamp(stamp)
    assert unpack_stamp(key) == stamp
    assert valid_stamp(key, 12, TOPIC) == stamp
    assert valid_stamp(key, 13, TOPIC) is None
    assert valid_stamp(key, 12, bytes(16)) is None
    for other in (None, b"", b"key", key + b"x", b"x" + key[1:], key[:3] + b"\x09" + key[4:]):
        assert valid_stamp(other, 12, TOPIC) is None


def test_a_writer_of_this_process_holds_until_it_is_closed() -> None:
    owner = owners.new_owner()
    assert owners.holds(owner, TOPIC, 1)
    owners.forget(owner)
    assert not owners.holds(owner, TOPIC, 1)


def test_a_writer_of_another_process_holds_while_that_lives() -> None:
    code = "from zcbus.bus.kafka.owner import new_owner as n; o = n(); print(o.pid, o.started, flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        pid, started = map(int, process.stdout.readline().split())
        assert owners.holds(Owner(owners.host_id(), pid, started, b"x"), TOPIC, 1)
        assert not owners.holds(Owner(owners.host_id(), pid, started + 1, b"x"), TOPIC, 1)
        process.kill()
        process.wait()
    assert not owners.holds(Owner(owners.host_id(), pid, started, b"x"), TOPIC, 1)


def test_a_writer_elsewhere_holds_while_it_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr(owners.time, "monotonic", lambda: now[0])
    topic = os.urandom(16)
    assert owners.holds(ELSEWHERE, topic, 5)
    now[0] += owners.LEASE_SECONDS - 1
    assert owners.holds(ELSEWHERE, topic, 5)
    assert owners.holds(ELSEWHERE, topic, 6)
    now[0] += owners.LEASE_SECONDS - 1
    assert owners.holds(ELSEWHERE, topic, 6)
    now[0] += 2
    assert not owners.holds(ELSEWHERE, topic, 6)


def test_properties_of_push_and_client_side() -> None:
    settings = BusSettings(
        "kafka://one:9092,two:9092/team",
        "sasl+tls",
        "PLAIN",
        "me",
        "secret",
        push_properties={"compression.type": "zstd"},
        client_properties={"fetch.min.bytes": "10"},
    )
    found = kafka_properties(settings)
    assert (found.servers, found.prefix) == ("one:9092,two:9092", "team")
    assert found.push["compression.type"] == "zstd"
    assert found.push["enable.idempotence"] is True
    assert found.client["fetch.min.bytes"] == "10"
    assert found.client["auto.offset.reset"] == "error"
    for properties in (found.push, found.client, found.lookup, found.admin):
        assert properties["security.protocol"] == "sasl_ssl"
        assert properties["sasl.password"] == "secret"
    assert "secret" not in repr(settings)


def test_a_broker_that_is_back_is_found_within_a_second() -> None:
    found = kafka_properties(BusSettings("kafka://h:1", client_properties={"reconnect.backoff.ms": "20"}))
    for properties in (found.push, found.client, found.lookup, found.admin):
        assert int(properties["reconnect.backoff.max.ms"]) * 1.5 < 1000  # the library adds up to half of it
    assert (found.push["reconnect.backoff.ms"], found.client["reconnect.backoff.ms"]) == (50, "20")


@pytest.mark.parametrize(
    "given_settings",
    [
        BusSettings("kafka://h:1", push_properties={"enable.idempotence": "false"}),
        BusSettings("kafka://h:1", client_properties={"auto.offset.reset": "latest"}),
        BusSettings("kafka://h:1/a b"),
        BusSettings("kafka://h:1/a_b"),
    ],
)
def test_properties_that_delivery_depends_on_are_refused(given_settings: BusSettings) -> None:
    with pytest.raises(SettingsError):
        kafka_properties(given_settings)
