"""Message sources: each committed message is delivered once, over restarts too; unread losses stop the table."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.conformance.connectors.case import rows_of
from tests.conformance.connectors.consumed_case import CASES, ConsumedCase, Row
from tests.conformance.connectors.test_polling import History
from tests.integration.engine.running import wait_until
from zcbus.connectors.consuming.options import SCHEMA
from zcbus.connectors.consuming.rows import ROW_KEY
from zcbus.connectors.errors import TableMissing, TableRefused
from zcbus.connectors.roles import CapturedTable, ChangeStream
from zcbus.model.changes import ChangeFrame, HeartbeatFrame, Streamed
from zcbus.model.position import Position
from zcbus.model.schema import TableName

pytestmark = pytest.mark.server

NODE = "conformance"


@pytest.fixture(params=sorted(CASES))
def case(request: pytest.FixtureRequest) -> ConsumedCase:
    made, server = CASES[request.param]
    return made(request.getfixturevalue(server))


def table(topic: str) -> CapturedTable:
    return CapturedTable(TableName(SCHEMA, topic), ROW_KEY)


def round_of(stream: ChangeStream) -> list[Streamed]:
    """Everything up to the end of a round that begins from now on: the second that ends does."""
    frames: list[Streamed] = []
    while sum(isinstance(frame, HeartbeatFrame) for frame in frames) < 2:
        frames += stream.read(1.0)
    return frames


def messages_of(frames: list[Streamed]) -> list[tuple[Any, ...]]:
    """Partition, offset and value of each message."""
    parts = [part for frame in frames if isinstance(frame, ChangeFrame) for part in frame.tables]
    return sorted((row[0], row[1], row[-1]) for part in parts for row in rows_of(part.rows))


def gtid_set(frames: list[Streamed]) -> str:
    last = frames[-1]
    assert isinstance(last, ChangeFrame | HeartbeatFrame)
    return last.gtid_set


def test_committed_messages_are_delivered_once_over_restarts_and_new_partitions(case: ConsumedCase) -> None:
    topic, history = case.database, History()
    case.create(topic, 2)
    case.put(topic, [b"before"])
    source, tables = case.connector.source(case.options), [table(topic)]
    start = source.prepare(NODE, tables)
    with source.open_changes(NODE, tables, start, history) as stream:
        assert messages_of(round_of(stream)) == []
        expected = case.put(topic, [b"a", "中文😀".encode()], 1)
        case.put_and_take_back(topic, [b"never", b"never"], 1)
        first = round_of(stream)
        assert messages_of(first) == expected
        expected = case.put(topic, [b"while away"], 0)
        case.put_and_take_back(topic, [b"never"], 0)
        case.add_partition(topic, 3)
        expected += case.put(topic, [b"new"], 2)
    with source.open_changes(NODE, tables, position_of(first), history, gtid_set(first)) as stream:
        assert messages_of(round_of(stream)) == expected


def position_of(frames: list[Streamed]) -> Position:
    last = frames[-1]
    assert isinstance(last, HeartbeatFrame)
    return last.position


def test_positions_say_what_was_committed_before(case: ConsumedCase) -> None:
    topic = case.database
    case.create(topic, 1)
    source, tables = case.connector.source(case.options), [table(topic)]
    reached = source.prepare(NODE, tables)
    with source.open_changes(NODE, tables, reached, History()) as stream:
        for number in range(2):
            expected = case.put(topic, [b"%d" % number])
            end, frames = source.log_end(), []
            while reached < end:
                for frame in stream.read(1.0):
                    position = frame.position if isinstance(frame, HeartbeatFrame) else frame.last_position  # type: ignore[union-attr]
                    assert position > reached
                    reached = position
                    frames.append(frame)
            assert messages_of(frames) == expected


def test_a_load_has_what_the_topic_keeps(case: ConsumedCase) -> None:
    topic = case.database
    case.create(topic, 3)
    put: list[Row] = []
    for partition in (0, 2):
        put += case.put(topic, [b"%d" % number for number in range(2500)], partition)
        case.put_and_take_back(topic, [b"never"], partition)
    kept, number = case.forget(topic, 2, 100), str(case.number(2))
    first = next(at for at, row in enumerate(put) if row[:2] == (number, kept))
    expected = [row for at, row in enumerate(put) if row[0] != number or at >= first]
    with case.connector.discoverer(case.options) as discoverer:
        assert [one.name for one in discoverer.tables()] == [TableName(SCHEMA, topic)]
        (schema,) = discoverer.describe([TableName(SCHEMA, topic)])
        with pytest.raises(TableMissing):
            discoverer.describe([TableName(SCHEMA, "no-such-topic")])
    with case.connector.source(case.options).open_snapshot() as image:
        parts = list(image.read(schema, ROW_KEY, None, 1000))
        rows = [(row[0], row[1], row[-1]) for batch, _ in parts for row in rows_of(batch)]
        assert rows == expected
        assert max(batch.num_rows for batch, _ in parts) <= 1000
        behind = [row for batch, _ in image.read(schema, ROW_KEY, parts[1][1], 1000) for row in rows_of(batch)]
        assert [(row[0], row[1], row[-1]) for row in behind] == expected[2000:]


def refusal(read: Callable[[], object]) -> str:
    with pytest.raises(TableRefused) as refused:
        read()
    return str(refused.value.facts["reason"])


def test_messages_deleted_before_they_were_read_stop_the_table(case: ConsumedCase) -> None:
    topic, history = case.database, History()
    case.create(topic, 1)
    source, tables = case.connector.source(case.options), [table(topic)]
    start = source.prepare(NODE, tables)
    with source.open_changes(NODE, tables, start, history) as stream:
        case.put(topic, [b"a"] * 10)
        frames = round_of(stream)
    case.put(topic, [b"b"] * 10)
    case.forget(topic, 0, 10)
    with source.open_changes(NODE, tables, start, history, gtid_set(frames)) as stream:
        assert len(messages_of(round_of(stream))) == 10
    case.forget(topic, 0, 12)
    assert refusal(lambda: source.open_changes(NODE, tables, start, history, gtid_set(frames))) == "messages-lost"


def test_a_topic_that_is_made_again_stops_the_table(case: ConsumedCase) -> None:
    topic, history = case.database, History()
    case.create(topic, 1)
    source, tables = case.connector.source(case.options), [table(topic)]
    start = source.prepare(NODE, tables)
    with source.open_changes(NODE, tables, start, history) as stream:
        case.put(topic, [b"a"] * 5)
        frames = round_of(stream)
        case.delete(topic)
        wait_until(lambda: made_again(case, topic), 30)
        case.put(topic, [b"b"] * 20)
        with pytest.raises((TableRefused, TableMissing)):
            round_of(stream)
    assert refusal(lambda: source.open_changes(NODE, tables, start, history, gtid_set(frames))) == "topic-replaced"


def made_again(case: ConsumedCase, topic: str) -> bool:
    """A broker may take its time to forget a name."""
    try:
        case.create(topic, 1)
    except Exception:  # noqa: BLE001  whatever a kind's library raises
        return False
    return True
