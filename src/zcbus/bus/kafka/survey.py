"""Reads from the logs of many topics with one request for all.

Topics without an immediate result, or with an error, are omitted: callers then use the topic's own Log, which
searches further, waits, retries and reports errors.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from types import TracebackType

from confluent_kafka import KafkaException, Message, TopicPartition

from zcbus.bus.kafka.clients import CALL_SECONDS, Clients, Use
from zcbus.bus.kafka.log import NOT_YET, Start, Tail, position_of, tail_of
from zcbus.bus.kafka.stamp import Sort, Stamp, valid_stamp
from zcbus.kit.kafka import code_of

_NEXT, _OLDEST = -1, -2
"""Kafka's codes for a log's ends in queries by time."""
_TOGETHER = 250
"""Topics that are read at once: bounds the memory."""
_MAX_MESSAGES = 500
_FIRST_STEPS = 16
"""Most claims before a log's first record."""

Ends = tuple[int, int]
"""Positions of the oldest message and of the next one."""
Stamped = tuple[Stamp, Message]
IsMatch = Callable[[Stamp], bool]


class Survey:
    """A consumer that reads from many topics, by Kafka's names. Not thread-safe.

    All calls raise BusAway, BusRefused.
    """

    def __init__(self, clients: Clients, ids: Mapping[str, bytes]) -> None:
        """`ids`: topic ids by name."""
        self._clients, self.ids = clients, ids
        self._consumer = clients.consumer(Use.SURVEY)

    def close(self) -> None:
        """Return the consumer."""
        self._clients.give_back(self._consumer, Use.SURVEY)

    def __enter__(self) -> "Survey":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def ends(self) -> dict[str, Ends]:
        """Ends of all logs. Must be called first: the consumer learns the partitions' leaders."""
        low, high = self._positions(_OLDEST), self._positions(_NEXT)
        return {name: (low[name], high[name]) for name in low if name in high}

    def _positions(self, which: int) -> dict[str, int]:
        queries = [TopicPartition(name, 0, which) for name in self.ids]
        try:
            found = self._consumer.offsets_for_times(queries, timeout=CALL_SECONDS)
        except KafkaException as error:
            if code_of(error) not in NOT_YET:
                raise self._clients.error(error) from error
            return {}  # One of them was just created, or is gone.
        return {one.topic: one.offset for one in found if one.error is None and one.offset >= 0}

    def tails(self, ends: Mapping[str, Ends]) -> dict[str, Tail]:
        """Ends of logs (see Log.tail)."""
        found = self.read({name: range(max(low, high - 1), high) for name, (low, high) in ends.items()}, _is_valid)
        return {name: tail_of(stamp) for name, (stamp, _) in found.items()}

    def firsts(self, ends: Mapping[str, Ends]) -> dict[str, Start]:
        """Oldest complete records (see Log.first)."""
        ranges = {name: range(low, min(high, low + _FIRST_STEPS)) for name, (low, high) in ends.items()}
        found = self.read(ranges, _begins_a_record)
        return {
            name: Start(stamp.number, stamp.position, stamp.before, message.timestamp()[1])
            for name, (stamp, message) in found.items()
        }

    def at(self, positions: Mapping[str, int]) -> dict[str, Stamped]:
        """Valid messages at positions."""
        return self.read({name: range(position, position + 1) for name, position in positions.items()}, _is_valid)

    def read(self, ranges: Mapping[str, range], is_match: IsMatch) -> dict[str, Stamped]:
        """First match in an existing range of positions of each log."""
        found: dict[str, Stamped] = {}
        names = iter([name for name, one_range in ranges.items() if one_range])
        while some := list(islice(names, _TOGETHER)):
            found |= self._read_some({name: ranges[name] for name in some}, is_match)
        return found

    def _read_some(self, ranges: dict[str, range], is_match: IsMatch) -> dict[str, Stamped]:
        found: dict[str, Stamped] = {}
        starts = [TopicPartition(name, 0, one_range.start) for name, one_range in ranges.items()]
        self._clients.call(lambda: self._consumer.assign(starts))
        for messages in self._polls():
            done = set()
            for message in messages:
                name = message.topic()
                if name is None or name in done or name not in ranges:
                    continue
                stamp = None if message.error() else self._stamp(name, message)
                if stamp is not None and is_match(stamp):
                    found[name] = (stamp, message)
                if message.error() or name in found or position_of(message) >= ranges[name].stop - 1:
                    done.add(name)
            self._unassign(done)
            for name in done:
                del ranges[name]
            if not ranges:
                break
        return found

    def _polls(self) -> Iterator[list[Message]]:
        """Batches of messages, until none arrives for long."""
        deadline = time.monotonic() + CALL_SECONDS
        while time.monotonic() < deadline:
            if (first := self._consumer.poll(0.1)) is not None:
                deadline = time.monotonic() + CALL_SECONDS
                yield [first, *self._consumer.consume(_MAX_MESSAGES, 0)]

    def _stamp(self, name: str, message: Message) -> Stamp | None:
        return valid_stamp(message.key(), position_of(message), self.ids[name])

    def _unassign(self, names: set[str]) -> None:
        """Stop fetching finished logs."""
        if names:
            partitions = [TopicPartition(name, 0) for name in names]
            self._clients.call(lambda: self._consumer.incremental_unassign(partitions))


def _is_valid(_stamp: Stamp) -> bool:
    return True


def _begins_a_record(stamp: Stamp) -> bool:
    return stamp.sort is Sort.RECORD and stamp.part == 0
