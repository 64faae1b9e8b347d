"""Finding one's way on a topic's partition: its ends, its records by number, by bytes and by time.

Kafka's offsets are called places here, to tell them from the numbers of records (the contract's offsets). Between two
records there may be claims, releases and void messages, so a record's place is at or behind its number.
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
    """What was asked for is not there any more: retention took it, or the topic is gone. Look again.

    A signal within the bus.
    """


@dataclass(frozen=True, slots=True)
class Start:
    """Where a record begins."""

    number: int
    place: int
    before: int
    time: int


@dataclass(frozen=True, slots=True)
class Tail:
    """How a log ends."""

    next_number: int
    next_before: int
    """Payload bytes of all records since the topic was made."""
    last: int
    """Place of the last message of the newest whole record; -1: there never was one."""
    owner: Owner | None
    """Who wrote last; None: nobody, or it has let the topic go."""
    writer: bytes | None
    """Of the newest message, let go or not."""


EMPTY = Tail(0, 0, -1, None, None)


class Log:
    """A partition and a consumer to read it. Not for use by several threads at once."""

    def __init__(self, clients: Clients, topic: str, name: str, topic_id: bytes, use: Use = Use.LOOK) -> None:
        self._clients, self._topic, self._name = clients, topic, name
        self.topic_id = topic_id
        self._use = use
        self._consumer = clients.consumer(use)
        self._is_known = False
        """Whether the consumer knows who leads the partition."""
        self._error: Message | None = None
        """What the consumer reported last; it goes on only from a new place."""

    def close(self) -> None:
        """Give the consumer back."""
        self._clients.give_back(self._consumer, self._use)

    def __enter__(self) -> "Log":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def ends(self) -> tuple[int, int]:
        """Places of the oldest message and of the next one. Raises LogMoved where the topic is gone, BusAway."""
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
            self._is_known = True
            return found

    def go_to(self, place: int) -> None:
        """`poll` goes on from there."""
        self._error = None
        self._clients.call(lambda: self._stand_at(place))

    def _stand_at(self, place: int) -> None:
        if not self._is_known:
            # By itself the library looks once a second for the leaders of topics that are new to it.
            self._consumer.list_topics(self._name, timeout=CALL_SECONDS)
            self._is_known = True
        self._consumer.assign([TopicPartition(self._name, 0, place)])

    def poll(self, timeout: float, most: int = 1) -> list[Message]:
        """The next messages, waiting up to `timeout` seconds for the first. Raises LogMoved, RecordDamaged, BusAway."""
        if self._error is not None:
            self._raise(self._error)
        first = self._consumer.poll(timeout)
        messages = [first] if first is not None else []
        if messages and most > 1:
            messages += self._consumer.consume(most - 1, 0)
        for place, message in enumerate(messages):
            if message.error() is not None:
                self._error = message
                if not place:
                    self._raise(message)
                return messages[:place]  # what came before is good; the next call tells
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
        """All messages from `start` to before `stop`, which must be there, with their places; void ones without stamp.

        Raises LogMoved, BusAway.
        """
        if start >= stop:
            return
        self.go_to(start)
        deadline = time.monotonic() + CALL_SECONDS
        place = start - 1
        while place < stop - 1:
            for message in self.poll(0.5):
                place = place_of(message)
                deadline = time.monotonic() + CALL_SECONDS
                if place < stop:
                    yield place, valid_stamp(message.key(), place, self.topic_id), message
            if time.monotonic() > deadline:
                self._give_up()

    def _give_up(self) -> None:
        if self._clients.topic_id(self._name) != self.topic_id:
            raise LogMoved
        raise BusAway(servers=self._clients.servers, detail=f"{self._name}: no data in {CALL_SECONDS:g} s")

    def first(self, low: int, high: int) -> Start | None:
        """The oldest record of which everything is there; None where there is none. Raises LogMoved, BusAway."""
        for place, stamp, message in self.scan(low, high):
            if stamp is not None and stamp.sort is Sort.RECORD and stamp.part == 0:
                return Start(stamp.number, place, stamp.before, message.timestamp()[1])
        return None

    def tail(self, low: int, high: int) -> Tail:
        """How the log ends before `high`. Raises LogMoved, BusAway."""
        for step in (*_TAIL_STEPS, high - low):
            newest: Stamp | None = None
            for _, stamp, _ in self.scan(max(low, high - step), high):
                newest = stamp if stamp is not None else newest
            if newest is not None:
                return tail_of(newest)
        return EMPTY

    def find(self, low: int, high: int, is_before: Callable[[Stamp], bool], guess: int | None = None) -> int:
        """The place of the first valid message that is not before what is looked for (`high`: none), by halving, and
        with growing steps around a guess: a good one takes two looks. A part of a record stands for its beginning.

        Raises LogMoved, BusAway.
        """
        found, step = high, 1
        while low < high:
            if guess is None or not low <= guess < high:
                guess, step = (low + high) // 2, high
            place, stamp = self._first_valid(guess, high)
            if stamp is not None and is_before(stamp):
                low = place + 1
                guess = low + step - 1
            else:
                found, high = (found, guess) if stamp is None else (place - stamp.part, min(guess, place - stamp.part))
                guess = high - step
            step *= 8
        return found

    def _first_valid(self, start: int, stop: int) -> tuple[int, Stamp | None]:
        for place, stamp, _ in self.scan(start, stop):
            if stamp is not None:
                return place, stamp
        return stop, None

    def place_at(self, time_ms: int) -> int | None:
        """The place of the first message that was appended at or after a time; None: all are older."""
        asked = TopicPartition(self._name, 0, time_ms)
        answer = self._clients.call(lambda: self._consumer.offsets_for_times([asked], timeout=CALL_SECONDS))
        place = answer[0].offset
        return place if place >= 0 else None

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
    """Makes records of valid messages."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def add(self, stamp: Stamp, message: Message) -> Record | None:
        """Take the next valid message; the record where it is complete with it."""
        if stamp.sort is not Sort.RECORD or stamp.part != len(self._parts):
            # A writer broke off inside a record; it comes again, whole.
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


def place_of(message: Message) -> int:
    """Where a message stands."""
    place = message.offset()
    assert place is not None
    return place


def tail_of(stamp: Stamp) -> Tail:
    """How a log ends whose newest valid message has this stamp."""
    owner = None if stamp.sort is Sort.RELEASE else stamp.owner
    if stamp.is_last_part:
        return Tail(stamp.number + 1, stamp.before + stamp.length, stamp.place, owner, stamp.owner.writer)
    return Tail(stamp.number, stamp.before, stamp.previous, owner, stamp.owner.writer)
