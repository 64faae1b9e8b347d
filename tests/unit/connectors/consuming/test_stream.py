"""Stream and load together deliver each message exactly once, for any stop of the process; lost messages stop the
table."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.history import History
from tests.unit.connectors.consuming.broker import Broker, MemoryConsumer
from zcbus.connectors.consuming import stream as streams
from zcbus.connectors.consuming.catalog import ConsumingDiscoverer
from zcbus.connectors.consuming.options import ConsumingOptions
from zcbus.connectors.consuming.rows import ROW_KEY
from zcbus.connectors.consuming.source import ConsumingSource
from zcbus.connectors.errors import SourceUnavailable, TableMissing, TableRefused
from zcbus.connectors.polling import rounds
from zcbus.connectors.roles import CapturedTable
from zcbus.model.changes import ChangeFrame, HeartbeatFrame
from zcbus.model.position import START, Position
from zcbus.model.schema import TableName

ORDERS, AUDIT = (TableName("topics", name) for name in ("orders", "audit"))
Row = tuple[str | None, ...]


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "_ROUND_SECONDS", 0.0)


@dataclass
class Node:
    """A publish node: the durable frames of its topic, and the resume position after a restart."""

    broker: Broker
    tables: tuple[TableName, ...] = (ORDERS,)
    history: History = field(default_factory=History)
    position: Position | None = None
    gtid_set: str = ""
    rows: list[tuple[str, Row]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.source = ConsumingSource(ConsumingOptions(), lambda: MemoryConsumer(self.broker))
        self.position = self.source.prepare("n", self.captured)

    @property
    def captured(self) -> list[CapturedTable]:
        return [CapturedTable(name, ROW_KEY) for name in self.tables]

    def open(self) -> Any:
        return self.source.open_changes("n", self.captured, self.position, self.history, self.gtid_set)

    def follow(self, stream: Any, most: int | None = None) -> None:
        """To the end of a round that begins now, or so many frames."""
        ends = 0
        taken = 0
        while ends < 2 if most is None else taken < most:
            for frame in stream.read(0.0):
                assert self.position is not None
                taken += 1
                reached = frame.position if isinstance(frame, HeartbeatFrame) else frame.last_position
                assert reached > self.position
                self.position, self.gtid_set = reached, frame.gtid_set
                ends += isinstance(frame, HeartbeatFrame)
                if isinstance(frame, ChangeFrame):
                    self._keep(frame)
                if taken == most:
                    return

    def _keep(self, frame: ChangeFrame) -> None:
        for part in frame.tables:
            columns = [part.rows.column(name).to_pylist() for name in (*ROW_KEY, "_value")]
            self.rows += [(part.schema.name.table, row) for row in zip(*columns, strict=True)]

    def load(self, topic: str = "orders") -> list[Row]:
        with self.source.open_snapshot() as image:
            (schema,) = self.describe(topic)
            parts = [batch for batch, _ in image.read(schema, ROW_KEY, None, 2)]
            columns = [[value for part in parts for value in part.column(name).to_pylist()] for name in schema.names]
        named = dict(zip(schema.names, columns, strict=True))
        return list(zip(*(named[name] for name in (*ROW_KEY, "_value")), strict=True))

    def describe(self, topic: str) -> Any:
        with ConsumingDiscoverer(ConsumingOptions(), MemoryConsumer(self.broker)) as discoverer:
            return discoverer.describe([TableName("topics", topic)])


def committed(broker: Broker, topic: str = "orders") -> list[Row]:
    logs = [broker.logs[at] for at in sorted(broker.logs) if at[0] == topic]
    return [(str(one.partition), str(one.offset), (one.value or b"").decode()) for log in logs for one in log]


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.integers(0, 3), st.integers(0, 2)),
        st.tuples(st.just("skip"), st.integers(0, 3), st.integers(1, 3)),
        st.tuples(st.just("kill"), st.integers(0, 4), st.just(0)),
        st.tuples(st.just("round"), st.just(0), st.just(0)),
        st.tuples(st.just("partition"), st.just(0), st.just(0)),
    ),
    max_size=40,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(before=STEPS, steps=STEPS)
def test_each_message_comes_once_through_kills_and_new_partitions(before: list[Any], steps: list[Any]) -> None:
    broker = Broker()
    broker.create("orders", 2)
    node = Node(broker)
    partitions = 2

    def apply(step: str, one: int, other: int) -> None:
        nonlocal partitions
        if step == "put":
            broker.put("orders", one % partitions, b"v", other)
        elif step == "skip":
            broker.skip("orders", one % partitions, other)
        elif step == "partition":
            broker.add_partition("orders", partitions)
            partitions += 1

    for step in before:
        apply(*step)
    stream = node.open()
    loaded = node.load()
    assert loaded == committed(broker)
    for step in steps:
        apply(*step)
        if step[0] == "kill":
            node.follow(stream, most=step[1])
            stream = node.open()
        elif step[0] == "round":
            node.follow(stream)
    node.follow(stream)
    streamed = [row for _, row in node.rows]
    assert len(streamed) == len(set(streamed))
    assert not set(streamed) & set(loaded)
    assert sorted({*streamed, *loaded}) == sorted(committed(broker))


def test_the_start_is_durable_before_anything_is_published() -> None:
    """A load may be over before the first frame, so the stream must not begin later than when it was opened first."""
    broker = Broker()
    broker.create("orders", 1)
    broker.put("orders", 0, b"a")
    node = Node(broker)
    node.open()
    assert node.load() == [("0", "0", "a")]
    broker.put("orders", 0, b"b")
    node.follow(node.open())
    assert node.rows == [("orders", ("0", "1", "b"))]


def test_a_table_that_was_left_out_starts_from_scratch() -> None:
    broker = Broker()
    for topic in ("orders", "audit"):
        broker.create(topic, 1)
    node = Node(broker, (ORDERS, AUDIT))
    node.follow(node.open())
    node.tables = (AUDIT,)
    node.open()  # no frame is returned in between
    broker.put("orders", 0, b"missed")
    broker.put("audit", 0, b"a")
    node.tables = (ORDERS, AUDIT)
    stream = node.open()
    broker.put("orders", 0, b"b")
    node.follow(stream)
    assert sorted(node.rows) == [("audit", ("0", "0", "a")), ("orders", ("0", "1", "b"))]


def refusal(node: Node) -> str:
    with pytest.raises(TableRefused) as refused:
        node.follow(node.open())
    assert refused.value.facts["table"] == "topics.orders"
    return str(refused.value.facts["reason"])


def filled() -> Node:
    broker = Broker()
    broker.create("orders", 1)
    node = Node(broker)
    for number in range(4):
        broker.put("orders", 0, b"%d" % number)
    node.follow(node.open())
    return node


def test_messages_that_were_deleted_unread_stop_the_table() -> None:
    node = filled()
    for _ in range(4):
        node.broker.put("orders", 0, b"x")
    node.broker.forget("orders", 0, before=4)
    node.open()  # nothing is lost by that yet
    node.broker.forget("orders", 0, before=6)
    assert refusal(node) == "messages-lost"


def test_messages_that_are_deleted_while_reading_stop_the_table() -> None:
    node = filled()
    stream = node.open()
    for _ in range(4):
        node.broker.put("orders", 0, b"x")
    node.broker.forget("orders", 0, before=6)
    with pytest.raises(TableRefused) as refused:
        node.follow(stream)
    assert refused.value.facts["reason"] == "messages-lost"


def test_a_topic_that_was_made_again_stops_the_table() -> None:
    node = filled()
    stream = node.open()
    node.broker.delete("orders")
    with pytest.raises(TableMissing):
        node.follow(stream)
    node.broker.create("orders", 1)
    for number in range(9):
        node.broker.put("orders", 0, b"new %d" % number)
    with pytest.raises(TableRefused) as refused:
        node.follow(stream)
    assert refused.value.facts["reason"] == "topic-replaced"
    assert refusal(node) == "topic-replaced"


def test_an_end_before_what_was_read_stops_the_table() -> None:
    node = filled()
    node.broker.heads["orders", 0] = 2
    assert refusal(node) == "topic-replaced"


def test_other_columns_stop_the_table() -> None:
    node = filled()
    node.source = ConsumingSource(ConsumingOptions(value="binary"), lambda: MemoryConsumer(node.broker))
    assert refusal(node) == "schema-changed"


def test_another_key_is_refused() -> None:
    node = filled()
    for key in ((), ("_offset",), ("_key",)):
        with pytest.raises(TableRefused):
            node.source.prepare("n", [CapturedTable(ORDERS, key)])


def test_a_broker_that_gives_nothing_is_no_idle_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "_STALL_SECONDS", 0.0)
    node = filled()
    stream = node.open()
    node.broker.put("orders", 0, b"x")
    monkeypatch.setattr(MemoryConsumer, "read", lambda *_: ([], {}))
    with pytest.raises(SourceUnavailable):
        node.follow(stream)


def test_large_messages_come_in_several_frames() -> None:
    node = filled()
    stream = node.open()
    for _ in range(3):
        node.broker.put("orders", 0, b"x" * (5 << 20))
    frames = [one for _ in range(4) for one in stream.read(0.0) if isinstance(one, ChangeFrame)]
    assert [frame.tables[0].rows.num_rows for frame in frames] == [2, 1]
    # A stop between the two resumes with the third.
    assert frames[0].gtid_set != frames[1].gtid_set


def test_a_load_resumes_behind_a_key() -> None:
    broker = Broker()
    broker.create("orders", 3)
    for number in range(7):
        broker.put("orders", number % 3, b"%d" % number)
    node = Node(broker)
    (schema,) = node.describe("orders")
    with node.source.open_snapshot() as image:
        whole = list(image.read(schema, ROW_KEY, None, 2))
        for _, key in whole:
            rest = [row for batch, _ in image.read(schema, ROW_KEY, key, 2) for row in batch.to_pylist()]
            first = [row for batch, _ in image.read(schema, ROW_KEY, None, 2, until=key) for row in batch.to_pylist()]
            assert first + rest == [row for batch, _ in whole for row in batch.to_pylist()]
        assert image.estimate(schema) == 7


def test_frames_stand_behind_images_that_were_read_before_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames of a stream that catches up after hours must not count as part of a snapshot that lacks them."""
    node = filled()
    last, now = 1_800_000_000_000, 1_800_000_000_000 + 5 * 3_600_000
    node.position, image = rounds.beginning(last, START), rounds.of_image(now)
    monkeypatch.setattr(streams, "now_ms", lambda: now + 1000)
    node.broker.put("orders", 0, b"late")
    node.follow(node.open(), most=1)
    assert node.position > image
