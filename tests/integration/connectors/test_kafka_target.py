"""Kafka as a target on a real broker: fences between processes, topics of others, large rows, the connection test."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from confluent_kafka import Producer

from tests.servers.kafka import KafkaServer
from tests.servers.kafka_topics import KafkaTopics
from zcbus.connectors.errors import Fenced, RowRefused, TableMissing, TableRefused, TargetLocked
from zcbus.connectors.kafka import writer as module
from zcbus.connectors.kafka.committer import Committer, Committers
from zcbus.connectors.kafka.spec import ROWS, KafkaOptions
from zcbus.connectors.kafka.writer import KafkaWriter
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import Checkpoint
from zcbus.connectors.roles.writer import PutRows, RowOperation, Transaction
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

pytestmark = pytest.mark.server
TABLE = TableSchema(
    TableName(ROWS, "t"),
    "kafka",
    (Column("id", DataType(Kind.INT32, "int"), False), Column("v", DataType(Kind.TEXT, "text"))),
    ("id",),
)


class Process:
    """A writer that shares no producer with others of this process."""

    def __init__(self, options: KafkaOptions, monkeypatch: pytest.MonkeyPatch) -> None:
        self._committers, self._monkeypatch = Committers(), monkeypatch
        self._writer = KafkaWriter(options)

    @property
    def writer(self) -> KafkaWriter:
        self._monkeypatch.setattr(module, "COMMITTERS", self._committers)
        return self._writer

    def write(self, version: int, value: str) -> None:
        self.writer.write(Transaction([put(value)], [Checkpoint("s", "", version, value)]))


def put(value: str) -> PutRows:
    return PutRows(TABLE, pa.RecordBatch.from_arrays([pa.array(["1"]), pa.array([value])], ["id", "v"]))


@pytest.fixture
def name(kafka_topics: KafkaTopics) -> Iterator[str]:
    made = kafka_topics.fresh_database("target")
    yield made
    kafka_topics.drop_database(made)


@pytest.fixture
def two(kafka_topics: KafkaTopics, name: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Process, Process]]:
    options = replace(kafka_topics.options(name), lock_wait=1)
    made = Process(options, monkeypatch), Process(options, monkeypatch)
    made[0].writer.define(TABLE)
    yield made
    for one in made:
        one.writer.close()


def test_a_leftover_of_another_process_is_fenced_out_by_the_cluster(
    two: tuple[Process, Process], kafka_topics: KafkaTopics, name: str
) -> None:
    leftover, successor = two
    leftover.write(1, "first")

    class WhileOpen:
        """Operations during which the successor commits."""

        def __iter__(self) -> Iterator[RowOperation]:
            yield put("of the leftover")
            if len(successor.writer.checkpoints("s")) == 1 and not done:
                done.append(True)
                successor.write(2, "successor")
            leftover.writer  # noqa: B018  its own producers again

    done: list[bool] = []
    with pytest.raises(Fenced):
        leftover.writer.write(Transaction(WhileOpen(), [Checkpoint("s", "", 2, "leftover")]))
    assert done
    with pytest.raises(Fenced):
        leftover.write(2, "again")
    assert leftover.writer.checkpoints("s") == [Checkpoint("s", "", 2, "successor")]
    leftover.write(3, "with the version that follows")
    successor.write(4, "and back")
    values = [one.value() for one in kafka_topics.read(f"{name}.t")]
    assert values == [
        b'{"id":1,"v":"%s"}' % text for text in (b"first", b"successor", b"with the version that follows", b"and back")
    ]


def test_what_a_killed_process_left_open_is_ended_by_its_successor(
    two: tuple[Process, Process], kafka_topics: KafkaTopics, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the record of its state and the commit; the cluster itself would wait for five minutes."""
    monkeypatch.setattr("zcbus.connectors.kafka.committed._UNDECIDED_SECONDS", 1.0)
    first, successor = two
    first.write(1, "first")

    def killed(_: Committer, producer: Producer) -> None:
        producer.flush(30)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Committer, "_end", killed)
        patched.setattr(Committer, "_abort", lambda *_: None)
        with pytest.raises(KeyboardInterrupt):
            first.write(2, "left open")
    assert successor.writer.checkpoints("s") == [Checkpoint("s", "", 1, "first")]
    successor.write(2, "successor")
    values = [one.value() for one in kafka_topics.read(f"{name}.t")]
    assert values == [b'{"id":1,"v":"first"}', b'{"id":1,"v":"successor"}']


def test_a_hold_is_respected_by_other_processes(two: tuple[Process, Process]) -> None:
    worker, repair = two
    worker.write(1, "first")
    repair.writer.hold("s")
    with pytest.raises(TargetLocked):
        worker.write(2, "during the hold")
    repair.writer.write(Transaction([put("repaired")]))
    worker.write(2, "after it")
    assert worker.writer.rows(TABLE, [("1",)]) == [{"id": "1", "v": "after it"}]


def test_topics_that_cannot_hold_the_table_are_refused(
    two: tuple[Process, Process], kafka_topics: KafkaTopics, name: str
) -> None:
    writer = two[0].writer
    kafka_topics.create(f"{name}.used")
    kafka_topics.put(f"{name}.used", [b"x"])
    kafka_topics.create(f"{name}.short", **{"retention.ms": "1000"})
    kafka_topics.create(f"{name}.fine", 2, **{"cleanup.policy": "compact"})
    for table, reason in (("used", "topic-of-others"), ("short", "topic-settings")):
        with pytest.raises(TableRefused) as refused:
            writer.define(replace(TABLE, name=TableName(ROWS, table)))
        assert refused.value.facts["reason"] == reason
    fine = replace(TABLE, name=TableName(ROWS, "fine"))
    writer.define(fine)
    with pytest.raises(RowRefused) as large:
        writer.check(TABLE, put("x" * 1_100_000).rows)
    assert "max.message.bytes" in str(large.value.facts["detail"])
    kafka_topics.add_partitions(f"{name}.fine", 3)
    with pytest.raises(TableRefused) as refused:
        writer.write(Transaction([PutRows(fine, put("x").rows)]))
    assert refused.value.facts["reason"] == "topic-partitions"
    kafka_topics.delete(f"{name}.t")
    with pytest.raises(TableMissing):
        writer.write(Transaction([put("x")]))


def test_a_connection_test_of_a_target_tries_transactions(secure_kafka: tuple[KafkaServer, str]) -> None:
    broker, ca = secure_kafka
    options = KafkaOptions(
        servers=broker.servers("SASLTLS"),
        security="sasl+tls",
        user=broker.user,
        password=broker.password,
        ca=Path(ca).read_text(),
        topic="shop.{table}",
    )
    tester = connector("kafka").tester()
    assert [(one.item, one.ok) for one in tester.test(options, "target")] == [
        ("reachable", True),
        ("transactions", True),
        ("permissions", True),
    ]
    (denied,) = tester.test(replace(options, password="wrong"), "target")
    assert (denied.item, denied.ok) == ("login", False)
    *_, creation = tester.test(replace(options, replication=3), "target")
    assert (creation.ok, creation.blocking) == (False, True)
    assert "replication" in creation.detail.lower()
    with closing(KafkaWriter(options)) as writer:
        writer.define(TABLE)
        writer.write(Transaction([put("over TLS")], [Checkpoint("s", "", 1, "{}")]))
        assert writer.rows(TABLE, [("1",)]) == [{"id": "1", "v": "over TLS"}]
