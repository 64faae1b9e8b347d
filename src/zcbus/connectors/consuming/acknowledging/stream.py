"""Acknowledged messages as changes; see roles.ChangeStream."""

import time
import uuid
from collections import deque
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.compute as pc

from zcbus.connectors.consuming.acknowledging.reader import Acknowledging, Delivery
from zcbus.connectors.consuming.consumer import Message, Topic, TopicTrouble
from zcbus.connectors.consuming.frame_size import frame_parts
from zcbus.connectors.consuming.options import ROW_KEY
from zcbus.connectors.consuming.progress import (
    CaptureStart,
    reached_to_text,
    shape_of,
    starts_from_json,
    starts_to_json,
)
from zcbus.connectors.consuming.rows import MessageRows, refused
from zcbus.connectors.errors import SourceUnavailable, TableMissing, TableRefused
from zcbus.connectors.polling import rounds
from zcbus.connectors.roles import CapturedTable, SchemaHistory
from zcbus.kit.clock import now_ms
from zcbus.kit.logging import get_logger
from zcbus.model.arrow import ArrowArray
from zcbus.model.changes import ChangeFrame, HeartbeatFrame, Operation, Streamed, TableChanges, Transactions
from zcbus.model.position import Position
from zcbus.model.schema import TableName, TableSchema

_ROUND_SECONDS = 1.0
_UNANSWERED_SECONDS = 60.0
_Parts = tuple[ArrowArray, pa.RecordBatch, pa.RecordBatch]
"""Operations, rows, and keys before."""
_LOST = ""
"""Identity of a topic whose session the broker lost."""


@dataclass(frozen=True, slots=True)
class _Round:
    """A question to the broker, and when it was asked."""

    end: Position
    began: float


class AcknowledgingStream:
    """Delivers each message at least once.

    Sessions have names of our own, in the node's history document: it is written once the broker has the session and
    its topics, and before the first frame.
    """

    def __init__(
        self,
        reader: Acknowledging,
        rows: MessageRows,
        tables: Sequence[CapturedTable],
        after: Position,
        history: SchemaHistory | None,
        gtid_set: str,
        where: Mapping[str, str],
    ) -> None:
        """`reader` is closed with the stream. `where`: kind and address, for errors. Raises TableRefused,
        TableMissing."""
        self._reader, self._rows, self._history, self._where = reader, rows, history, where
        self._position = after
        self._schemas: dict[str, TableSchema] = {}
        self._topics: list[Topic] = []
        self._numbers: dict[str, int] = {}
        """Of each topic's next delivery."""
        self._pending: deque[tuple[Position, Sequence[Hashable]]] = deque()
        """Deliveries that are not acknowledged, by the frame that has them."""
        self._round: _Round | None = None
        self._next_round = time.monotonic()
        try:
            self._begin([table.name for table in tables], gtid_set)
        except TopicTrouble as trouble:
            reader.close()
            raise refused(trouble) from trouble
        except BaseException:
            reader.close()
            raise

    def read(self, timeout: float) -> Sequence[Streamed]:
        if self._round is None and time.monotonic() >= self._next_round:
            self._round = self._start_round()
        try:
            deliveries = self._reader.read(timeout)
        except TopicTrouble as trouble:
            raise refused(trouble) from trouble
        frames: list[Streamed] = [self._frame(part) for part in frame_parts(deliveries)]
        if self._round is not None and self._is_over(self._round):
            frames.append(self._heartbeat(self._round))
            self._round = None
        return frames

    def acknowledge(self, position: Position) -> None:
        """Acknowledge to the broker what is durable."""
        while self._pending and self._pending[0][0] <= position:
            self._reader.acknowledge(self._pending.popleft()[1])

    def __enter__(self) -> "AcknowledgingStream":
        return self

    def __exit__(self, *details: object) -> None:
        self._reader.close()

    def _begin(self, names: Sequence[TableName], gtid_set: str) -> None:
        stored = starts_from_json(self._history.read() if self._history is not None else b"")
        found = self._reader.topics(name.table for name in names)
        for name in names:
            if name.table not in found:
                raise TableMissing(table=str(name), side="source")
            self._schemas[name.table] = self._rows.schema(name.table)
        known = {topic: start for topic, start in stored.items() if topic in self._schemas}
        self._check(known)
        # Topics that are captured no longer count, too: what the broker keeps may be one thing for all.
        begun = [topic for topic, start in stored.items() if start.identity != _LOST]
        removed = sorted(stored.keys() - self._schemas.keys())
        if lost := self._reader.begin(list(self._schemas), removed, begun):
            self._note_loss(stored, lost)
            self._check({topic: replace(start, identity=_LOST) for topic, start in known.items() if topic in lost})
            begun = [topic for topic in begun if topic not in lost]
            self._reader.begin(list(self._schemas), [], begun)
        self._resume(known, stored[begun[0]].identity if begun else uuid.uuid4().hex, gtid_set)
        starts = self._starts(known)
        if self._history is not None and starts != stored:
            self._history.write(starts_to_json(starts))

    def _check(self, known: Mapping[str, CaptureStart]) -> None:
        """Raise the first topic's error."""
        for topic, start in known.items():
            if start.identity == _LOST:
                raise TopicTrouble(topic, "session-lost", topic)
            if start.shape != shape_of(self._schemas[topic]):
                table = str(self._schemas[topic].name)
                raise TableRefused(table=table, column="", reason="schema-changed")

    def _note_loss(self, stored: Mapping[str, CaptureStart], lost: Collection[str]) -> None:
        """Make durable that messages of these topics may be missing: the broker may not say it again."""
        get_logger("consuming").warning("session lost", topics=sorted(lost), **self._where)
        if self._history is not None:
            noted = {topic: replace(one, identity=_LOST) if topic in lost else one for topic, one in stored.items()}
            self._history.write(starts_to_json(noted))

    def _resume(self, known: Mapping[str, CaptureStart], session: str, gtid_set: str) -> None:
        reached: Mapping[str, tuple[str, Mapping[str, int]]] = orjson.loads(gtid_set or "{}")
        for topic in self._schemas:
            begin = known[topic].starts[0] if topic in known else now_ms() * 1000
            # Numbers also grow over captures: a row of an earlier one must not be written over.
            self._numbers[topic] = max(begin, reached.get(topic, ("", {}))[1].get("0", 0))
            self._topics.append(Topic(topic, session, (0,)))

    def _starts(self, known: Mapping[str, CaptureStart]) -> dict[str, CaptureStart]:
        return {
            one.name: known.get(one.name)
            or CaptureStart(one.identity, shape_of(self._schemas[one.name]), {0: self._numbers[one.name]})
            for one in self._topics
        }

    def _start_round(self) -> _Round:
        end = rounds.beginning(now_ms(), self._position)
        self._next_round = time.monotonic() + _ROUND_SECONDS
        self._reader.ask()
        return _Round(end, time.monotonic())

    def _is_over(self, one: _Round) -> bool:
        """Whether everything that was committed before the round was read; a broker with more is asked again."""
        if self._reader.is_drained():
            return True
        if time.monotonic() - one.began > _UNANSWERED_SECONDS and not self._pending:
            raise SourceUnavailable(**self._where, detail=f"no answer for {_UNANSWERED_SECONDS:g} s")
        if time.monotonic() >= self._next_round:
            self._next_round = time.monotonic() + _ROUND_SECONDS
            self._reader.ask()
        return False

    def _heartbeat(self, one: _Round) -> HeartbeatFrame:
        self._position = max(one.end, rounds.following(self._position, 0))
        return HeartbeatFrame(self._position, now_ms(), round((time.monotonic() - one.began) * 1000), self._reached())

    def _frame(self, deliveries: Sequence[Delivery]) -> ChangeFrame:
        now = now_ms()
        self._position = rounds.following(self._position, now)
        by_topic: dict[str, list[Message]] = {}
        for delivery in deliveries:
            by_topic.setdefault(delivery.topic, []).append(self._numbered(delivery))
        times = [one.time_ms for one in deliveries if one.time_ms is not None]
        transactions = Transactions(
            pa.array([self._position.file], pa.int64()),
            pa.array([self._position.offset], pa.int64()),
            pa.array([min(now, max(times, default=now))], pa.int64()),
        )
        changes = tuple(self._changes(by_topic))
        tokens = [one.token for one in deliveries if one.token is not None]
        self._pending.append((self._position, tokens))
        return ChangeFrame(transactions, True, changes, gtid_set=self._reached())

    def _numbered(self, delivery: Delivery) -> Message:
        number = self._numbers[delivery.topic]
        self._numbers[delivery.topic] = number + 1
        one = delivery
        return Message(one.topic, 0, number, one.time_ms, one.key, one.value, one.headers, one.more)

    def _changes(self, by_topic: Mapping[str, Sequence[Message]]) -> Iterator[TableChanges]:
        first = 0
        for topic, messages in by_topic.items():
            schema = self._schemas[topic]
            if schema.primary_key == ROW_KEY:
                operations, rows, keys = self._inserts(schema, messages)
            else:
                operations, rows, keys = self._updates(schema, messages)
            count = rows.num_rows
            yield TableChanges(
                schema=schema,
                key=schema.primary_key,
                operations=operations,
                transactions=pa.array(np.zeros(count, np.uint32)),
                order=pa.array(np.arange(first, first + count, dtype=np.uint32)),
                rows=rows,
                keys_before=keys,
            )
            first += count

    def _inserts(self, schema: TableSchema, messages: Sequence[Message]) -> _Parts:
        rows = self._rows.rows(schema, messages)
        operations = pa.array(np.full(rows.num_rows, int(Operation.INSERT), np.uint8))
        return operations, rows, _nothing(rows, schema.primary_key)

    def _updates(self, schema: TableSchema, messages: Sequence[Message]) -> _Parts:
        """Under a key of its own a row may exist already."""
        rows = self._rows.rows(schema, self._rows.with_contents(messages))
        keys = rows.select(list(schema.primary_key))
        is_deletion = self._rows.deletions(rows)
        operations = pc.if_else(is_deletion, int(Operation.DELETE), int(Operation.UPDATE)).cast(pa.uint8())
        columns = [pc.if_else(is_deletion, pa.scalar(None, one.type), one) for one in rows.columns]
        return operations, pa.RecordBatch.from_arrays(columns, names=rows.schema.names), keys

    def _reached(self) -> str:
        return reached_to_text(self._topics, {(topic, 0): number for topic, number in self._numbers.items()}, {})


def _nothing(rows: pa.RecordBatch, key: Sequence[str]) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([pa.nulls(rows.num_rows, pa.string())] * len(key), names=list(key))
