"""Answers to operators about the bus: lists, searches, rows and deletions."""

import random
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from tests.support.frames import CHANGES
from tests.unit.engine.history import NODE, History, schema, write_real

from zcbus.bus.contract import OffsetExpired, Retention, TopicBusy
from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.bus.topics import full_topic, parts_of, real_topic, state_topic, structure_topic, versions_topic
from zcbus.connectors.source_log import FIRST_LOG
from zcbus.engine.capture_history import CaptureHistory, TopicPosition
from zcbus.engine.requests.bus_records import read_record, read_records
from zcbus.engine.requests.bus_topics import delete_topic, list_bus_topics, measure_topics
from zcbus.model.changes import (
    CaptureResumed,
    Frame,
    HeartbeatFrame,
    SnapshotEnd,
    SnapshotRows,
)
from zcbus.model.frames import encode_frame
from zcbus.model.position import Position
from zcbus.model.schema import TableName
from zcbus.protocol.base import TableRef
from zcbus.protocol.bus_inspection import (
    Cell,
    DeleteTopic,
    ListBusTopics,
    MeasureTopics,
    ReadRecord,
    ReadRecords,
    RecordLines,
    TopicToMeasure,
)
from zcbus.protocol.tasks import PublishedTable

TOPIC = real_topic(NODE)
NO_MASKS: dict[str, tuple[str, ...]] = {"hr.people": ()}


@pytest.fixture
def bus(tmp_path: Path) -> Iterator[EmbeddedBus]:
    bus = EmbeddedBus(tmp_path, segment_bytes=20_000)
    yield bus
    bus.close()


def write(bus: EmbeddedBus, topic: str, frames: list[Frame]) -> None:
    with bus.writer(topic, Retention()) as writer:
        for frame in frames:
            writer.append(encode_frame(frame))


def offsets(found: RecordLines) -> list[int]:
    return [line.offset for line in found.records]


def test_names_of_topics_are_understood_as_they_are_made() -> None:
    for topic in (real_topic("n"), versions_topic("n"), structure_topic("n"), state_topic("n")):
        parts = parts_of(topic)
        assert parts is not None
        assert f"{parts.role}/{parts.node}" == topic
    parts = parts_of(full_topic("n", "t", 12))
    assert parts is not None
    assert (parts.role, parts.node, parts.table, parts.generation) == ("full", "n", "t", 12)
    for topic in ("real", "full/n/t", "full/n/t/x", "other/n", "real/n/m"):
        assert parts_of(topic) is None


def test_topics_of_other_nodes_are_left_out(bus: EmbeddedBus) -> None:
    for topic in (real_topic("a"), full_topic("a", "t", 1), real_topic("b"), "stray"):
        write(bus, topic, [HeartbeatFrame(Position(0, 1), 1)])
    assert [one.name for one in list_bus_topics(ListBusTopics(nodes=("a",)), bus).topics] == ["full/a/t/1", "real/a"]
    everything = list_bus_topics(ListBusTopics(), bus)
    assert [one.name for one in everything.topics] == ["full/a/t/1", "real/a", "real/b", "stray"]
    assert everything.disk_total_bytes is not None
    assert all(one.next_offset == 1 and one.size_bytes > 0 for one in everything.topics)


def test_measures_are_in_the_order_of_the_questions(bus: EmbeddedBus) -> None:
    write(bus, TOPIC, [HeartbeatFrame(Position(0, n), n) for n in range(10)])
    question = TopicToMeasure(name=TOPIC, readers_at=(10, 3, 0), moments=(0,))
    answer = measure_topics(
        MeasureTopics(topics=(TopicToMeasure(name="gone", readers_at=(1,)), question), placed=True), bus
    )
    (measure,) = answer.topics
    assert [part.records for part in measure.behind] == [0, 7, 10]
    assert [part.records for part in measure.since] == [10]
    assert measure.placement is not None
    assert measure.placement.partitions == 1


@pytest.mark.parametrize("newest_first", [True, False])
def test_pages_cover_the_topic_once(bus: EmbeddedBus, newest_first: bool) -> None:
    frames = History(random.Random(3), ("a", "b"), 40).frames()
    write_real(bus, frames)
    seen: list[int] = []
    for page in range(len(frames) // 7 + 1):
        request = ReadRecords(topic=TOPIC, newest_first=newest_first, skip=7 * page, limit=7)
        found = read_records(request, bus)
        assert found.total == found.next_offset == len(frames)
        seen += offsets(found)
    assert seen == (list(reversed(range(len(frames)))) if newest_first else list(range(len(frames))))


def test_a_list_stays_the_same_while_records_arrive(bus: EmbeddedBus) -> None:
    write(bus, TOPIC, [HeartbeatFrame(Position(0, n), n) for n in range(5)])
    until = read_records(ReadRecords(topic=TOPIC), bus).next_offset
    write(bus, TOPIC, [HeartbeatFrame(Position(0, 9), 9)])
    assert offsets(read_records(ReadRecords(topic=TOPIC, until=until, limit=2), bus)) == [4, 3]


def test_a_search_finds_tables_and_leaves_heartbeats_out(bus: EmbeddedBus) -> None:
    beats: list[Frame] = [HeartbeatFrame(Position(0, n), n) for n in range(400)]
    write(bus, TOPIC, [CHANGES, *beats, CaptureResumed(((TableName("s", "t"), 1),)), CHANGES, beats[0]])
    found = read_records(ReadRecords(topic=TOPIC, changes_only=True), bus)
    assert (offsets(found), found.total, found.searched_from) == ([402, 401, 0], 3, 0)
    assert offsets(read_records(ReadRecords(topic=TOPIC, table="HR.peo", newest_first=False), bus)) == [0, 402]
    assert offsets(read_records(ReadRecords(topic=TOPIC, table="people", skip=1, limit=1), bus)) == [0]
    assert read_records(ReadRecords(topic=TOPIC, table="nothing"), bus).total == 0


def test_a_line_says_what_a_record_is(bus: EmbeddedBus) -> None:
    write(bus, TOPIC, [CHANGES])
    with bus.writer(TOPIC, Retention()) as writer:
        writer.append([b"no frame"])
    unreadable, changes = read_records(ReadRecords(topic=TOPIC), bus).records
    assert (unreadable.kind, unreadable.size_bytes, unreadable.tables) == ("unreadable", 8, ())
    assert (changes.kind, changes.position, changes.transactions) == ("changes", str(Position(0, 70)), 1)
    (table,) = changes.tables
    assert (table.name, table.columns) == ("hr.people", ("id", "name", "photo"))
    assert (table.inserts, table.updates, table.deletes) == (1, 1, 1)


def test_rows_are_shown_as_they_were_captured(bus: EmbeddedBus) -> None:
    write(bus, TOPIC, [CHANGES])
    content = read_record(ReadRecord(topic=TOPIC, offset=0, values=True, masked=NO_MASKS), bus)
    assert [(one.name, one.type, one.key) for one in content.columns] == [
        ("id", "text", True),
        ("name", "text", False),
        ("photo", "bytea", False),
    ]
    insert, update, delete = content.rows
    assert insert.operation == "insert"
    assert insert.committed_ms == 1_700_000_000_123
    assert [cell.text for cell in insert.cells] == ["1", "Ann", "01ff"]
    assert update.cells[1] == Cell(state="value", text="B" * 200, cut=True)
    assert update.cells[2].state == "unchanged"
    assert [cell.text for cell in update.key_before] == ["1"]
    assert [(cell.state, cell.text) for cell in delete.cells] == [("value", "1"), ("null", None), ("null", None)]
    assert len(read_record(ReadRecord(topic=TOPIC, offset=0, skip=1, limit=1), bus).rows) == 1


def test_masked_and_hidden_values_are_not_in_the_answer(bus: EmbeddedBus) -> None:
    write(bus, TOPIC, [CHANGES])
    masked: dict[str, tuple[str, ...]] = {"hr.people": ("name", "id")}
    content = read_record(ReadRecord(topic=TOPIC, offset=0, values=True, masked=masked), bus)
    text = content.model_dump_json()
    assert "Ann" not in text
    assert "BBB" not in text
    assert [cell.state for cell in content.rows[0].cells] == ["masked", "masked", "value"]
    assert [cell.state for cell in content.rows[1].key_before] == ["masked"]
    unknown = read_record(ReadRecord(topic=TOPIC, offset=0, values=True, masked={"hr.others": ()}), bus)
    assert {cell.state for cell in unknown.rows[0].cells} == {"masked"}, "nothing is known of what masks this table"
    hidden = read_record(ReadRecord(topic=TOPIC, offset=0), bus)
    assert {cell.text for row in hidden.rows for cell in (*row.cells, *row.key_before)} == {None}
    assert "01ff" not in hidden.model_dump_json()


def test_rows_of_a_full_topic(bus: EmbeddedBus) -> None:
    topic = full_topic(NODE, "t", 1)
    batch = pa.RecordBatch.from_arrays([pa.array(["k1", "k2"]), pa.array(["x", None])], names=["id", "v"])
    end = SnapshotEnd(schema("t"), Position(0, 5), Position(0, 5), 2)
    write(bus, topic, [SnapshotRows(schema("t"), batch, Position(0, 5), ("k2",), 2), end])
    last, rows = read_records(ReadRecords(topic=topic), bus).records
    assert (last.kind, last.tables[0].name) == ("end", "public.t")
    assert (rows.kind, rows.tables[0].loaded) == ("rows", 2)
    content = read_record(ReadRecord(topic=topic, offset=0, values=True, masked={"public.t": ()}), bus)
    assert [[cell.text for cell in row.cells] for row in content.rows] == [["k1", "x"], ["k2", None]]
    assert content.rows[0].operation == "load"
    assert read_record(ReadRecord(topic=topic, offset=1, values=True), bus).rows == ()


def test_a_record_that_is_not_there_is_said_to_be_gone(bus: EmbeddedBus) -> None:
    write(bus, TOPIC, [CHANGES])
    for offset in (1, 7):
        with pytest.raises(OffsetExpired):
            read_record(ReadRecord(topic=TOPIC, offset=offset), bus)
    assert read_records(ReadRecords(topic="none"), bus).records == ()
    with pytest.raises(OffsetExpired):
        read_record(ReadRecord(topic="none", offset=0), bus)


def test_records_that_retention_took_are_not_asked_for(bus: EmbeddedBus) -> None:
    write(bus, TOPIC, [HeartbeatFrame(Position(0, n), n) for n in range(2000)])
    assert bus.enforce(TOPIC, Retention(size_bytes=40_000)) > 0
    found = read_records(ReadRecords(topic=TOPIC, newest_first=False, limit=3), bus)
    assert found.first_offset > 0
    assert offsets(found) == [found.first_offset, found.first_offset + 1, found.first_offset + 2]


def test_a_topic_that_is_written_is_not_deleted(bus: EmbeddedBus) -> None:
    table = PublishedTable(id="t", source=TableRef(schema_name="hr", table="people"), generation=1)
    CaptureHistory(bus, NODE).capturing([table], FIRST_LOG, TopicPosition(0))
    with bus.writer(TOPIC, Retention()), pytest.raises(TopicBusy):
        delete_topic(DeleteTopic(topic=TOPIC), bus)
    assert not CaptureHistory(bus, NODE).interrupted(table, snapshot_begun=True)


def test_with_the_real_topic_goes_the_belief_that_its_tables_are_complete(bus: EmbeddedBus) -> None:
    table = PublishedTable(id="t", source=TableRef(schema_name="hr", table="people"), generation=1)
    write(bus, TOPIC, [CHANGES])
    write(bus, structure_topic(NODE), [HeartbeatFrame(Position(0, 1), 1)])
    CaptureHistory(bus, NODE).capturing([table], FIRST_LOG, TopicPosition(0))
    for _ in range(2):
        delete_topic(DeleteTopic(topic=TOPIC), bus)
    assert bus.names() == [state_topic(NODE)]
    assert CaptureHistory(bus, NODE).interrupted(table, snapshot_begun=True)
    assert not CaptureHistory(bus, NODE).interrupted(table.model_copy(update={"generation": 2}), snapshot_begun=False)
