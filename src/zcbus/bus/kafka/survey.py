"""Looking into the logs of many topics together: what costs one topic a request costs all of them one.

Whatever does not show at the first look, or goes wrong for one topic, is left out: whoever needs it looks into that
topic's own Log, which looks further, waits, tries again, and says what is wrong.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from types import TracebackType

from confluent_kafka import KafkaException, Message, TopicPartition

from zcbus.bus.kafka.clients import CALL_SECONDS, Clients, Use
from zcbus.bus.kafka.log import NOT_YET, Start, Tail, place_of, tail_of
from zcbus.bus.kafka.stamp import Sort, Stamp, valid_stamp
from zcbus.kit.kafka import code_of

_NEXT, _OLDEST = -1, -2
"""Kafka's words for a log's ends, where a time is asked for."""
_TOGETHER = 250
"""Topics that are read at once: bounds the memory."""
_MOST_MESSAGES = 500
_FIRST_STEPS = 16
"""So many claims may stand in front of a log's first record."""

Ends = tuple[int, int]
"""Places of the oldest message and of the next one."""
Seen = tuple[Stamp, Message]
IsSought = Callable[[Stamp], bool]


class Survey:
    """A consumer that looks into many topics. Names are Kafka's. Not for use by several threads at once. All calls
    raise BusAway, BusRefused."""

    def __init__(self, clients: Clients, ids: Mapping[str, bytes]) -> None:
        """`ids`: of the topics, by name."""
        self._clients, self.ids = clients, ids
        self._consumer = clients.consumer(Use.SURVEY)

    def close(self) -> None:
        """Give the consumer back."""
        self._clients.give_back(self._consumer, Use.SURVEY)

    def __enter__(self) -> "Survey":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def ends(self) -> dict[str, Ends]:
        """Of all the topics. To be asked first: it also lets the consumer know who leads the partitions."""
        low, high = self._places(_OLDEST), self._places(_NEXT)
        return {name: (low[name], high[name]) for name in low if name in high}

    def _places(self, which: int) -> dict[str, int]:
        asked = [TopicPartition(name, 0, which) for name in self.ids]
        try:
            found = self._consumer.offsets_for_times(asked, timeout=CALL_SECONDS)
        except KafkaException as error:
            if code_of(error) not in NOT_YET:
                raise self._clients.error(error) from error
            return {}  # One of them was just made, or is gone.
        return {one.topic: one.offset for one in found if one.error is None and one.offset >= 0}

    def tails(self, ends: Mapping[str, Ends]) -> dict[str, Tail]:
        """How logs end (see Log.tail)."""
        found = self.read({name: range(max(low, high - 1), high) for name, (low, high) in ends.items()}, _is_valid)
        return {name: tail_of(stamp) for name, (stamp, _) in found.items()}

    def firsts(self, ends: Mapping[str, Ends]) -> dict[str, Start]:
        """The oldest whole records (see Log.first)."""
        stretches = {name: range(low, min(high, low + _FIRST_STEPS)) for name, (low, high) in ends.items()}
        found = self.read(stretches, _begins_a_record)
        return {
            name: Start(stamp.number, stamp.place, stamp.before, message.timestamp()[1])
            for name, (stamp, message) in found.items()
        }

    def at(self, places: Mapping[str, int]) -> dict[str, Seen]:
        """The valid messages at places."""
        return self.read({name: range(place, place + 1) for name, place in places.items()}, _is_valid)

    def read(self, stretches: Mapping[str, range], is_sought: IsSought) -> dict[str, Seen]:
        """Of each log the first message that is sought in a stretch of places, which must be there."""
        found: dict[str, Seen] = {}
        names = iter([name for name, stretch in stretches.items() if stretch])
        while some := list(islice(names, _TOGETHER)):
            found |= self._read_some({name: stretches[name] for name in some}, is_sought)
        return found

    def _read_some(self, stretches: dict[str, range], is_sought: IsSought) -> dict[str, Seen]:
        found: dict[str, Seen] = {}
        starts = [TopicPartition(name, 0, stretch.start) for name, stretch in stretches.items()]
        self._clients.call(lambda: self._consumer.assign(starts))
        for messages in self._polls():
            done = set()
            for message in messages:
                name = message.topic()
                if name is None or name in done or name not in stretches:
                    continue
                stamp = None if message.error() else self._stamp(name, message)
                if stamp is not None and is_sought(stamp):
                    found[name] = (stamp, message)
                if message.error() or name in found or place_of(message) >= stretches[name].stop - 1:
                    done.add(name)
            self._leave(done)
            for name in done:
                del stretches[name]
            if not stretches:
                break
        return found

    def _polls(self) -> Iterator[list[Message]]:
        """What comes, until nothing has come for long."""
        deadline = time.monotonic() + CALL_SECONDS
        while time.monotonic() < deadline:
            if (first := self._consumer.poll(0.1)) is not None:
                deadline = time.monotonic() + CALL_SECONDS
                yield [first, *self._consumer.consume(_MOST_MESSAGES, 0)]

    def _stamp(self, name: str, message: Message) -> Stamp | None:
        return valid_stamp(message.key(), place_of(message), self.ids[name])

    def _leave(self, names: set[str]) -> None:
        """What has been seen is fetched no further."""
        if names:
            partitions = [TopicPartition(name, 0) for name in names]
            self._clients.call(lambda: self._consumer.incremental_unassign(partitions))


def _is_valid(_stamp: Stamp) -> bool:
    return True


def _begins_a_record(stamp: Stamp) -> bool:
    return stamp.sort is Sort.RECORD and stamp.part == 0
