"""Access to a topic's partition: its ends, and its records by number, bytes and time.

Kafka's offsets are called positions here, to distinguish them from record numbers (the contract's offsets). Between
two records there may be claims, releases and void messages, so a record's position is at or behind its number.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import NoReturn

from confluent_kafka import KafkaError, KafkaException, Message, TopicPartition

from zcbus.bus.contract import Record, RecordDamaged
from zcbus.bus.kafka.clients import CALL_SECONDS, Clients, Use
from zcbus.bus.kafka.errors import BusAway
from zcbus.bus.kafka.owner import Owner
from zcbus.bus.kafka.stamp import Sort, Stamp, valid_stamp
from zcbus.kit.kafka import GONE, code_of

_TAIL_STEPS = (1, 8, 64, 1024)
_MOVED = GONE | {KafkaError._AUTO_OFFSET_RESET, KafkaError.OFFSET_OUT_OF_RANGE}
NOT_YET = GONE | {KafkaError.LEADER_NOT_AVAILABLE, KafkaError.NOT_LEADER_FOR_PARTITION}


class LogMoved(Exception):
    """The requested messages are gone: removed by retention, or with their topic. Retry from the start.

    An internal signal of the bus.
    """


@dataclass(frozen=True, slots=True)
class Start:
    """Start of a record."""

    number: int
    position: int
    before: int
    time: int


@dataclass(frozen=True, slots=True)
class Tail:
    """End of a log."""

    next_number: int
    next_before: int
    """Payload bytes of all records since the topic was created."""
    last: int
    """Position of the last message of the newest complete record; -1: there never was one."""
    owner: Owner | None
    """The last writer; None: none, or it has released the topic."""
    writer: bytes | None
    """Writer of the newest message, released or not."""


EMPTY = Tail(0, 0, -1, None, None)


class Log:
    """A partition and a consumer to read it. Not thread-safe."""

    def __init__(self, clients: Clients, topic: str, name: str, topic_id: bytes, use: Use = Use.LOOKUP) -> None:
        self._clients, self._topic, self._name = clients, topic, name
        self.topic_id = topic_id
        self._use = use
        self._consumer = clients.consumer(use)
        self._has_leader = False
        """Whether the consumer knows the partition's leader."""
        self._error: Message | None = None
        """The consumer's last error; it needs a new position to continue."""

    def close(self) -> None:
        """Return the consumer."""
        self._clients.give_back(self._consumer, self._use)

    def __enter__(self) -> "Log":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def ends(self) -> tuple[int, int]:
        """Positions of the oldest and of the next message. Raises LogMoved if the topic is gone, BusAway."""
        partition = TopicPartition(self._name, 0)
        deadline = time.monotonic() + CALL_SECONDS
        while True:
            try:
                found = self._consumer.get_watermark_offsets(partition, timeout=CALL_SECONDS)
            except KafkaException as error:
                if code_of(error) not in NOT_YET or time.monotonic() > deadline:
                    raise self._clients.error(error) from error
                if self._clients.topic_id(self._name) != self.topic_id:
                    raise LogMoved from error
                time.sleep(0.05)
                continue
            if found is None:
                raise BusAway(servers=self._clients.servers, detail="no answer in time")
            self._has_leader = True
            return found

    def seek(self, position: int) -> None:
        """Let `poll` continue at a position."""
        self._error = None
        self._clients.call(lambda: self._assign(position))

    def _assign(self, position: int) -> None:
        if not self._has_leader:
            # By itself the library requests leaders of new topics only once a second.
            self._consumer.list_topics(self._name, timeout=CALL_SECONDS)
            self._has_leader = True
        self._consumer.assign([TopicPartition(self._name, 0, position)])

    def poll(self, timeout: float, most: int = 1) -> list[Message]:
        """The next messages, waiting up to `timeout` seconds for the first. Raises LogMoved, RecordDamaged, BusAway."""
        if self._error is not None:
            self._raise(self._error)
        first = self._consumer.poll(timeout)
        messages = [first] if first is not None else []
        if messages and most > 1:
            messages += self._consumer.consume(most - 1, 0)
        for index, message in enumerate(messages):
            if message.error() is not None:
                self._error = message
                if not index:
                    self._raise(message)
                return messages[:index]  # The messages before are valid; the next call raises.
        return messages

    def _raise(self, message: Message) -> NoReturn:
        error = message.error()
        assert error is not None
        if error.code() in _MOVED:
            raise LogMoved
        if error.code() == KafkaError._BAD_MSG:
            path = f"{self._clients.servers} {self._name}"
            raise RecordDamaged(topic=self._topic, offset=message.offset() or -1, path=path)
        raise self._clients.error(error)

    def scan(self, start: int, stop: int) -> Iterator[tuple[int, Stamp | None, Message]]:
        """All messages from `start` to before `stop` with their positions; void ones without stamp.

        The range must exist. Raises LogMoved, BusAway.
        """
        if start >= stop:
            return
        self.seek(start)
        deadline = time.monotonic() + CALL_SECONDS
        position = start - 1
        while position < stop - 1:
            for message in self.poll(0.5):
                position = position_of(message)
                deadline = time.monotonic() + CALL_SECONDS
                if position < stop:
                    yield position, valid_stamp(message.key(), position, self.topic_id), message
            if time.monotonic() > deadline:
                self._give_up()

    def _give_up(self) -> None:
        if self._clients.topic_id(self._name) != self.topic_id:
            raise LogMoved
        raise BusAway(servers=self._clients.servers, detail=f"{self._name}: no data in {CALL_SECONDS:g} s")

    def first(self, low: int, high: int) -> Start | None:
        """The oldest complete record; None if there is none. Raises LogMoved, BusAway."""
        for position, stamp, message in self.scan(low, high):
            if stamp is not None and stamp.sort is Sort.RECORD and stamp.part == 0:
                return Start(stamp.number, position, stamp.before, message.timestamp()[1])
        return None

    def tail(self, low: int, high: int) -> Tail:
        """The end of the log before `high`. Raises LogMoved, BusAway."""
        for step in (*_TAIL_STEPS, high - low):
            newest: Stamp | None = None
            for _, stamp, _ in self.scan(max(low, high - step), high):
                newest = stamp if stamp is not None else newest
            if newest is not None:
                return tail_of(newest)
        return EMPTY

    def find(self, low: int, high: int, is_before: Callable[[Stamp], bool], guess: int | None = None) -> int:
        """Position of the first valid message that is not before the target (`high`: none).

        Bisection, with growing steps around a guess: a good one needs two reads. A part of a record counts as its
        start. Raises LogMoved, BusAway.
        """
        found, step = high, 1
        while low < high:
            if guess is None or not low <= guess < high:
                guess, step = (low + high) // 2, high
            position, stamp = self._first_valid(guess, high)
            if stamp is not None and is_before(stamp):
                low = position + 1
                guess = low + step - 1
            else:
                found, high = (
                    (found, guess) if stamp is None else (position - stamp.part, min(guess, position - stamp.part))
                )
                guess = high - step
            step *= 8
        return found

    def _first_valid(self, start: int, stop: int) -> tuple[int, Stamp | None]:
        for position, stamp, _ in self.scan(start, stop):
            if stamp is not None:
                return position, stamp
        return stop, None

    def position_at(self, time_ms: int) -> int | None:
        """Position of the first message appended at or after a time; None: all are older."""
        query = TopicPartition(self._name, 0, time_ms)
        answer = self._clients.call(lambda: self._consumer.offsets_for_times([query], timeout=CALL_SECONDS))
        position = answer[0].offset
        return position if position >= 0 else None

    def read(self, last: int) -> Record | None:
        """The record whose last message is at `last`. Raises LogMoved, BusAway."""
        _, end = self._first_valid(last, last + 1)
        if end is None:
            return None
        assembly = Assembly()
        for _, stamp, message in self.scan(last - end.part, last + 1):
            record = assembly.add(stamp, message) if stamp is not None else None
            if record is not None:
                return record
        return None


class Assembly:
    """Assembles records from valid messages."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def add(self, stamp: Stamp, message: Message) -> Record | None:
        """Add the next valid message; returns the record that it completes."""
        if stamp.sort is not Sort.RECORD or stamp.part != len(self._parts):
            # A writer stopped inside a record, which follows again completely.
            self._parts.clear()
            if stamp.sort is not Sort.RECORD or stamp.part:
                return None
        value = message.value() or b""
        if stamp.parts == 1:
            return Record(stamp.number, message.timestamp()[1], memoryview(value))
        self._parts.append(value)
        if not stamp.is_last_part:
            return None
        payload = b"".join(self._parts)
        self._parts.clear()
        return Record(stamp.number, message.timestamp()[1], memoryview(payload))


def position_of(message: Message) -> int:
    """Position of a message."""
    position = message.offset()
    assert position is not None
    return position


def tail_of(stamp: Stamp) -> Tail:
    """End of a log whose newest valid message has this stamp."""
    owner = None if stamp.sort is Sort.RELEASE else stamp.owner
    if stamp.is_last_part:
        return Tail(stamp.number + 1, stamp.before + stamp.length, stamp.position, owner, stamp.owner.writer)
    return Tail(stamp.number, stamp.before, stamp.previous, owner, stamp.owner.writer)
