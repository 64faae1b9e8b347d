"""Message sources that are acknowledged: nothing is lost over restarts, whatever was not acknowledged comes again."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.conformance.connectors.acknowledged_case import CASES, AcknowledgedCase
from tests.conformance.connectors.case import rows_of
from tests.conformance.connectors.test_polling import History
from zcbus.connectors.consuming.options import ROW_KEY, SCHEMA
from zcbus.connectors.errors import TableMissing, TableRefused
from zcbus.connectors.roles import CapturedTable, ChangeStream
from zcbus.connectors.roles.source import drop
from zcbus.model.changes import ChangeFrame, HeartbeatFrame, Operation, Streamed
from zcbus.model.position import Position
from zcbus.model.schema import TableName

pytestmark = pytest.mark.server


@pytest.fixture(params=sorted(CASES))
def case(request: pytest.FixtureRequest) -> AcknowledgedCase:
    made, server = CASES[request.param]
    return made(request.getfixturevalue(server))


class Capture:
    """Of one node: what is durable is remembered as the engine does."""

    def __init__(self, case: AcknowledgedCase, *topics: str, **options: object) -> None:
        self.case, self.captured = case, list(topics)
        self.source = case.connector.source(case.options(**options))
        self.node, self.history = case.database, History()
        self.tables = [CapturedTable(TableName(SCHEMA, topic), ROW_KEY) for topic in topics]
        self.position: Position | None = None
        self.gtid_set = ""

    @contextmanager
    def stream(self, *topics: str) -> Iterator[ChangeStream]:
        """`topics`: those of the node's tables that are captured; none: all."""
        tables = [table for table in self.tables if not topics or table.name.table in topics]
        self.captured = [table.name.table for table in tables]
        start = self.position or self.source.prepare(self.node, tables)
        with self.source.open_changes(self.node, tables, start, self.history, self.gtid_set) as stream:
            yield stream

    def round(self, stream: ChangeStream, acknowledges: bool = True) -> list[Streamed]:
        """Everything up to the end of a round that begins from now on: the second that ends does."""
        frames: list[Streamed] = []
        while not self.case.is_settled(self.captured) or sum(isinstance(one, HeartbeatFrame) for one in frames) < 2:
            for frame in stream.read(1.0):
                frames.append(frame)
                assert isinstance(frame, ChangeFrame | HeartbeatFrame)
                position = frame.position if isinstance(frame, HeartbeatFrame) else frame.last_position
                assert self.position is None or position > self.position
                self.position, self.gtid_set = position, frame.gtid_set
                if acknowledges:
                    stream.acknowledge(position)
        return frames

    def close(self) -> None:
        drop(self.source, self.node)


@pytest.fixture
def capture(case: AcknowledgedCase) -> Iterator[Capture]:
    made = Capture(case, *case.topics)
    yield made
    made.close()


def rows(frames: list[Streamed]) -> list[tuple[Any, ...]]:
    parts = [part for frame in frames if isinstance(frame, ChangeFrame) for part in frame.tables]
    return [row for part in parts for row in rows_of(part.rows)]


def values(frames: list[Streamed]) -> list[bytes]:
    return [row[-1].encode() for row in rows(frames)]


@pytest.mark.wide
def test_messages_come_once_over_restarts_if_they_are_acknowledged(case: AcknowledgedCase, capture: Capture) -> None:
    one, other = case.topics
    case.put(one, [b"before"])
    with capture.stream() as stream:
        assert values(capture.round(stream)) == ([b"before"] if case.keeps_unasked else [])
        case.put(one, [b"a", "中文😀".encode()])
        case.put(other, [b"b"])
        assert sorted(values(capture.round(stream))) == [b"a", b"b", "中文😀".encode()]
    case.put(one, [b"%d" % number for number in range(3000)])
    case.put(other, [b"away"])
    with capture.stream() as stream:
        found = values(capture.round(stream))
    assert sorted(found) == sorted([*(b"%d" % number for number in range(3000)), b"away"])
    with capture.stream() as stream:
        assert values(capture.round(stream)) == []


def test_what_was_not_acknowledged_comes_again_under_another_number(case: AcknowledgedCase, capture: Capture) -> None:
    one, _ = case.topics
    with capture.stream() as stream:
        capture.round(stream)
        case.put(one, [b"a", b"b"])
        frames: list[Streamed] = []
        while len(rows(frames)) < 2:
            frames += stream.read(1.0)
        last = [frame for frame in frames if isinstance(frame, ChangeFrame)][-1]
        capture.position, capture.gtid_set = last.last_position, last.gtid_set
    with capture.stream() as stream:
        again = capture.round(stream)
    assert case.in_order(values(again)) == case.in_order(values(frames)) == [b"a", b"b"]
    numbers = [int(row[1]) for row in rows([*frames, *again])]
    assert numbers == sorted(set(numbers))


def test_a_declared_key_makes_a_repeat_the_same_row(case: AcknowledgedCase) -> None:
    one, _ = case.topics
    more = {"value": "json", "columns": "id bigint, name text", "keys": "id"}
    capture = Capture(case, one, **more)
    with pytest.raises(TableRefused) as refused:
        capture.source.prepare(capture.node, capture.tables)
    assert refused.value.facts["reason"] == "messages-declared-key"
    capture.tables = [CapturedTable(TableName(SCHEMA, one), ("id",))]
    with case.connector.discoverer(case.options(**more)) as discoverer:
        (schema,) = discoverer.describe([TableName(SCHEMA, one)])
    assert (schema.primary_key, schema.column("id").nullable) == (("id",), False)
    with capture.stream() as stream:
        case.put(one, [b'{"id": 1, "name": "a"}'])
        frames = capture.round(stream)
        (changes,) = [part for frame in frames if isinstance(frame, ChangeFrame) for part in frame.tables]
        assert changes.operations.to_pylist() == [int(Operation.UPDATE)]
        assert rows_of(changes.keys_before) == [("1",)]
        case.put(one, [b'{"id": 2}', b'{"name": "no id"}'])
        if case.refuses:
            assert rows_by_id(capture.round(stream)) == ["2"]
        else:
            with pytest.raises(TableRefused) as unreadable:
                capture.round(stream)
            assert unreadable.value.facts["reason"] == "message-unreadable"
            assert "id: null" in str(unreadable.value.facts["detail"])
    capture.close()


def rows_by_id(frames: list[Streamed]) -> list[str]:
    return [row[-2] for row in rows(frames)]


def test_envelopes_change_and_delete_the_row_of_their_key(case: AcknowledgedCase) -> None:
    one, _ = case.topics
    capture = Capture(case, one, value="debezium", columns="id bigint, name text", keys="id")
    capture.tables = [CapturedTable(TableName(SCHEMA, one), ("id",))]
    envelopes = [
        b'{"op": "c", "before": null, "after": {"id": 1, "name": "a"}}',
        b'{"op": "d", "before": {"id": 1, "name": "a"}, "after": null}',
        b"null",
        b'{"op": "r", "after": {"id": 2, "name": "b"}}',
    ]
    with capture.stream() as stream:
        # Several rows of one request are in order, too.
        case.put(one, envelopes if case.keeps_order else [b"[%s]" % b",".join(envelopes)])
        frames = capture.round(stream)
        parts = [part for frame in frames if isinstance(frame, ChangeFrame) for part in frame.tables]
        found = [
            change
            for part in parts
            for change in zip(part.operations.to_pylist(), rows_of(part.keys_before), strict=True)
        ]
        update, delete = int(Operation.UPDATE), int(Operation.DELETE)
        assert found == [(update, ("1",)), (delete, ("1",)), (update, ("2",))]
        images = [row for part in parts for row in rows_of(part.rows)]
        assert set(images[1]) == {None}
        assert images[2][-2:] == ("2", "b")
        case.put(one, [b'{"op": "t", "before": null, "after": null}'])
        if case.refuses:
            assert rows(capture.round(stream)) == []
        else:
            with pytest.raises(TableRefused) as emptied:
                capture.round(stream)
            assert "op = t" in str(emptied.value.facts["detail"])
    capture.close()


def test_a_topic_that_is_left_out_belongs_to_the_broker(case: AcknowledgedCase, capture: Capture) -> None:
    one, other = case.topics
    with capture.stream() as stream:
        capture.round(stream)
    case.put(one, [b"unread"])
    with capture.stream(other) as stream:
        case.put(one, [b"not wanted"])
        case.put(other, [b"b"])
        assert values(capture.round(stream)) == [b"b"]
    with capture.stream() as stream:
        case.put(one, [b"wanted again"])
        kept = [b"unread", b"not wanted"] if case.keeps_unasked else []
        assert case.in_order(values(capture.round(stream))) == case.in_order([*kept, b"wanted again"])


def test_a_session_that_is_gone_stops_each_of_its_topics(case: AcknowledgedCase, capture: Capture) -> None:
    if not case.has_sessions:
        pytest.skip("nothing is kept for a reader, so nothing of it can be lost")
    one, other = case.topics
    with capture.stream() as stream:
        case.put(one, [b"a"])
        assert values(capture.round(stream)) == [b"a"]
    capture.close()
    for topics in ((), (), (one,), (other,)):
        with pytest.raises(TableRefused) as lost, capture.stream(*topics):
            pass
        assert lost.value.facts["reason"] == "session-lost"
        assert lost.value.facts["table"] == f"{SCHEMA}.{topics[0] if topics else one}"
    capture.tables, tables = [], capture.tables
    with capture.stream() as stream:
        case.put(one, [b"of the gap"])
        capture.round(stream)
    capture.tables = tables[1:]
    with capture.stream() as stream:
        case.put(other, [b"b"])
        assert values(capture.round(stream)) == [b"b"]


def test_a_load_has_no_rows(case: AcknowledgedCase, capture: Capture) -> None:
    case.put(case.topics[0], [b"a"])
    with case.connector.discoverer(case.options()) as discoverer:
        found = {one.name.table: one.notice for one in discoverer.tables()}
        assert found == dict.fromkeys(case.topics, case.notice)
        (schema,) = discoverer.describe([TableName(SCHEMA, case.topics[0])])
        with pytest.raises(TableMissing):
            discoverer.describe([TableName(SCHEMA, "no-such-topic")])
    with capture.source.open_snapshot() as image:
        assert list(image.read(schema, ROW_KEY, None, 1000)) == []
        assert image.position < capture.source.log_end()
