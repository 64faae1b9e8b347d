"""The messages of topics as changes; see roles.ChangeStream."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from zcbus.connectors.consuming.consumer import (
    Consumer,
    Mark,
    Message,
    Partition,
    Topic,
    TopicTrouble,
    marks_of,
    recognise,
)
from zcbus.connectors.consuming.frame_size import frame_parts
from zcbus.connectors.consuming.progress import (
    CaptureStart,
    check_ends,
    check_identity,
    check_retained,
    reached_to_text,
    resume_marks,
    resume_offsets,
    shape_of,
    starts_from_json,
    starts_to_json,
)
from zcbus.connectors.consuming.rows import ROW_KEY, MessageRows, refused
from zcbus.connectors.errors import SourceUnavailable, TableMissing, TableRefused
from zcbus.connectors.polling import rounds
from zcbus.connectors.roles import CapturedTable, SchemaHistory
from zcbus.kit.clock import now_ms
from zcbus.model.changes import ChangeFrame, HeartbeatFrame, Operation, Streamed, TableChanges, Transactions
from zcbus.model.position import Position
from zcbus.model.schema import TableName, TableSchema

_ROUND_SECONDS = 1.0
_STALL_SECONDS = 60.0
"""A partition with more messages may deliver none for this time."""


@dataclass(slots=True)
class _Followed:
    """A topic that is read."""

    schema: TableSchema
    topic: Topic


@dataclass(frozen=True, slots=True)
class _Round:
    """The broker's state at one moment."""

    end: Position
    targets: dict[Partition, int]
    answered_ms: int


class ConsumingStream:
    """Delivers each message once, as an insert.

    Rounds determine the progress: each gets the ends of all partitions, and is over when they were read up to there.
    """

    def __init__(
        self,
        consumer: Consumer,
        rows: MessageRows,
        tables: Sequence[CapturedTable],
        after: Position,
        history: SchemaHistory | None,
        gtid_set: str,
        where: Mapping[str, str],
    ) -> None:
        """`consumer` is closed with the stream. `where`: kind and address, for errors. Raises TableRefused,
        TableMissing."""
        self._consumer, self._rows, self._where = consumer, rows, where
        self._position = after
        self._topics: dict[str, _Followed] = {}
        self._reached: dict[Partition, int] = {}
        self._marks: dict[Partition, Mark] = {}
        self._round: _Round | None = None
        self._next_round = self._progressed = time.monotonic()
        try:
            self._begin([table.name for table in tables], history, gtid_set)
        except TopicTrouble as trouble:
            consumer.close()
            raise refused(trouble) from trouble
        except BaseException:
            consumer.close()
            raise

    def read(self, timeout: float) -> Sequence[Streamed]:
        try:
            return self._read(timeout)
        except TopicTrouble as trouble:
            raise refused(trouble) from trouble

    def acknowledge(self, position: Position) -> None:
        """Nothing is stored at the broker."""

    def __enter__(self) -> "ConsumingStream":
        return self

    def __exit__(self, *details: object) -> None:
        self._consumer.close()

    def _begin(self, names: Sequence[TableName], history: SchemaHistory | None, gtid_set: str) -> None:
        """Begin with the given tables. Existing messages of a topic that was never captured are left to a full load."""
        stored = starts_from_json(history.read() if history is not None else b"")
        begun: dict[str, CaptureStart] = {}
        topics = self._consumer.topics(name.table for name in names)
        for name in names:
            topic = topics.get(name.table)
            if topic is None:
                raise TableMissing(table=str(name), side="source")
            schema = self._rows.schema(topic.name)
            self._topics[topic.name] = _Followed(schema, topic)
            begun[topic.name] = self._resume_topic(schema, topic, stored.get(topic.name))
        for topic_name, one in begun.items():
            self._reached |= resume_offsets(one, topic_name, gtid_set)
            self._marks |= resume_marks(one, topic_name, gtid_set)
        self._add_new_partitions()
        check_retained(self._consumer, self._reached, self._rows.offsets)
        check_ends(self._consumer.ends(self._reached), self._reached, self._rows.offsets)
        if history is not None and begun != stored:
            history.write(starts_to_json(begun))
        recognise(self._consumer, self._marks)
        self._consumer.follow(self._reached)

    def _resume_topic(self, schema: TableSchema, topic: Topic, stored: CaptureStart | None) -> CaptureStart:
        if stored is None:
            ends = self._consumer.ends((topic.name, one) for one in topic.partitions)
            return CaptureStart(topic.identity, shape_of(schema), {number: end for (_, number), end in ends.items()})
        check_identity(topic, stored.identity)
        if stored.shape != shape_of(schema):
            raise TableRefused(table=str(schema.name), column="", reason="schema-changed")
        return stored

    def _add_new_partitions(self) -> dict[Partition, int]:
        """All of them are read from their beginning; returns them."""
        known = ((one.topic.name, number) for one in self._topics.values() for number in one.topic.partitions)
        new = {partition: 0 for partition in known if partition not in self._reached}
        self._reached |= new
        return new

    def _read(self, timeout: float) -> Sequence[Streamed]:
        if self._round is None and time.monotonic() >= self._next_round:
            self._round = self._start_round()
        messages, passed = self._consumer.read(timeout)
        frames: list[Streamed] = [self._frame(part) for part in frame_parts(messages)]
        for partition, offset in passed.items():
            self._reached[partition] = max(self._reached[partition], offset)
        if messages or passed:
            self._progressed = time.monotonic()
        if self._round is not None and self._is_over(self._round):
            frames.append(self._heartbeat(self._round))
            self._round = None
        return frames

    def _start_round(self) -> _Round:
        """Start a round: get the ends of all partitions, and check the identities of the topics."""
        began, end = time.monotonic(), rounds.beginning(now_ms(), self._position)
        self._next_round = began + _ROUND_SECONDS
        topics = self._consumer.topics(self._topics)
        for name, followed in self._topics.items():
            if name not in topics:
                raise TableMissing(table=str(followed.schema.name), side="source")
            check_identity(topics[name], followed.topic.identity)
            followed.topic = topics[name]
        if new := self._add_new_partitions():
            check_retained(self._consumer, new, self._rows.offsets)
            self._consumer.follow(new)
        targets = self._consumer.ends(self._reached)
        check_ends(targets, self._reached, self._rows.offsets)
        self._progressed = time.monotonic()
        return _Round(end, targets, round((time.monotonic() - began) * 1000))

    def _is_over(self, one: _Round) -> bool:
        """Whether a round is over. Raises SourceUnavailable if the broker reports more messages without delivering
        them."""
        missing = [partition for partition, end in one.targets.items() if self._reached[partition] < end]
        if missing and time.monotonic() - self._progressed > _STALL_SECONDS:
            topic, number = missing[0]
            detail = f"{topic}, partition {number}: no messages for {_STALL_SECONDS:g} s, though there are more"
            raise SourceUnavailable(**self._where, detail=detail)
        return not missing

    def _heartbeat(self, one: _Round) -> HeartbeatFrame:
        self._position = max(one.end, rounds.following(self._position, 0))
        return HeartbeatFrame(self._position, now_ms(), one.answered_ms, self._offsets())

    def _frame(self, messages: Sequence[Message]) -> ChangeFrame:
        """A frame of messages; also records the progress of their partitions."""
        now = now_ms()
        self._position = rounds.following(self._position, now)
        by_topic: dict[str, list[Message]] = {}
        for message in messages:
            by_topic.setdefault(message.topic, []).append(message)
            self._reached[message.topic, message.partition] = message.offset + 1
        self._marks |= marks_of(self._consumer, messages)
        times = [one.time_ms for one in messages if one.time_ms is not None]
        transactions = Transactions(
            pa.array([self._position.file], pa.int64()),
            pa.array([self._position.offset], pa.int64()),
            pa.array([min(now, max(times, default=now))], pa.int64()),
        )
        return ChangeFrame(transactions, True, tuple(self._changes(by_topic)), gtid_set=self._offsets())

    def _changes(self, by_topic: Mapping[str, Sequence[Message]]) -> Iterator[TableChanges]:
        first = 0
        for topic, messages in by_topic.items():
            schema, count = self._topics[topic].schema, len(messages)
            rows = self._rows.rows(schema, messages)
            yield TableChanges(
                schema=schema,
                key=ROW_KEY,
                operations=pa.array(np.full(count, int(Operation.INSERT), np.uint8)),
                transactions=pa.array(np.zeros(count, np.uint32)),
                order=pa.array(np.arange(first, first + count, dtype=np.uint32)),
                rows=rows,
                keys_before=pa.RecordBatch.from_arrays([pa.nulls(count, pa.string())] * 2, names=list(ROW_KEY)),
            )
            first += count

    def _offsets(self) -> str:
        return reached_to_text((one.topic for one in self._topics.values()), self._reached, self._marks)
