"""Cached figures of topics: an unchanged log is not read again."""

import threading
from collections.abc import Callable, Collection, Mapping
from typing import TypeVar

from zcbus.bus.contract import Record
from zcbus.bus.kafka.clients import Clients
from zcbus.bus.kafka.errors import BusAway
from zcbus.bus.kafka.log import EMPTY, Assembly, Log, LogMoved
from zcbus.bus.kafka.names import kafka_name
from zcbus.bus.kafka.survey import Survey
from zcbus.bus.kafka.topic import Figures, measure

T = TypeVar("T")
_ATTEMPTS = 5


class Measures:
    """Figures of an installation's topics. Thread-safe; all methods raise BusAway, BusRefused."""

    def __init__(self, clients: Clients, prefix: str) -> None:
        self._clients, self._prefix = clients, prefix
        self._cached: dict[str, Figures] = {}
        self._lock = threading.Lock()

    def of(self, topic: str) -> Figures | None:
        """Current figures; None if the topic does not exist."""
        name = kafka_name(self._prefix, topic)
        with self._lock:
            cached = self._cached.get(name)
        figures = self.with_log(topic, lambda log: measure(log, cached))
        with self._lock:
            if figures is None:
                self._cached.pop(name, None)
            else:
                self._cached[name] = figures
        return figures

    def of_all(self, topics: Collection[str]) -> dict[str, Figures]:
        """Current figures of the existing ones of these topics."""
        names = {kafka_name(self._prefix, topic): topic for topic in topics}
        ids = self._clients.topic_ids(list(names))
        surveyed = self._survey(ids) if len(ids) > 1 else {}
        found = {topic: surveyed.get(name) or self.of(topic) for name, topic in names.items() if name in ids}
        return {topic: figures for topic, figures in found.items() if figures is not None}

    def newest(self, topics: Collection[str]) -> dict[str, Record]:
        """Newest record of each topic that has one."""
        figures = {topic: one for topic, one in self.of_all(topics).items() if one.tail.last >= one.low}
        names = {kafka_name(self._prefix, topic): topic for topic in figures}
        single = self._last_messages({name: figures[topic] for name, topic in names.items()}) if len(names) > 1 else {}
        found = {topic: single.get(name) or self._last_record(topic) for name, topic in names.items()}
        return {topic: record for topic, record in found.items() if record is not None}

    def with_log(self, topic: str, work: Callable[[Log], T]) -> T | None:
        """Call a function with a topic's log; None if the topic does not exist."""
        name = kafka_name(self._prefix, topic)
        for _ in range(_ATTEMPTS):
            topic_id = self._clients.topic_id(name)
            if topic_id is None:
                return None
            try:
                with Log(self._clients, topic, name, topic_id) as log:
                    return work(log)
            except LogMoved:
                continue  # Retention or a deletion happened meanwhile.
        raise BusAway(servers=self._clients.servers, detail=f"{name} does not stay the same")

    def _last_record(self, topic: str) -> Record | None:
        return self.with_log(topic, lambda log: log.read(log.tail(*log.ends()).last))

    def _last_messages(self, figures: Mapping[str, Figures]) -> dict[str, Record | None]:
        """Newest records by Kafka's names, except those of several messages."""
        with Survey(self._clients, {name: one.topic_id for name, one in figures.items()}) as survey:
            survey.ends()
            seen = survey.at({name: one.tail.last for name, one in figures.items()})
        return {name: Assembly().add(*message) for name, message in seen.items()}

    def _survey(self, ids: Mapping[str, bytes]) -> dict[str, Figures]:
        """Figures by Kafka's names, as far as they are available at once."""
        with self._lock:
            cached = {name: self._cached[name] for name in ids if name in self._cached}
        with Survey(self._clients, ids) as survey:
            found = measure_all(survey, cached)
        with self._lock:
            self._cached |= found
        return found


def measure_all(survey: Survey, cached: Mapping[str, Figures]) -> dict[str, Figures]:
    """Current figures by Kafka's names; unchanged logs are not read."""
    ends = survey.ends()
    same = {name: figures for name, figures in cached.items() if _is_same(figures, survey.ids[name], ends.get(name))}
    changed = {name: both for name, both in ends.items() if name not in same}
    tails = survey.tails(changed)
    # Topics without messages, or with claims only.
    tails |= {name: EMPTY for name, (low, high) in changed.items() if low == high}
    empty = {
        name: Figures(survey.ids[name], *changed[name], None, tail, None)
        for name, tail in tails.items()
        if tail.next_number == 0
    }
    last = survey.at({name: tail.last for name, tail in tails.items() if tail.last >= changed[name][0]})
    firsts = survey.firsts({name: changed[name] for name in last})
    measured = {
        name: Figures(survey.ids[name], *changed[name], first, tails[name], last[name][1].timestamp()[1])
        for name, first in firsts.items()
    }
    return same | empty | measured


def _is_same(figures: Figures, topic_id: bytes, ends: tuple[int, int] | None) -> bool:
    return figures.topic_id == topic_id and (figures.low, figures.high) == ends
