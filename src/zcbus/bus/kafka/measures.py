"""The figures of topics, remembered: where a log has not changed since, nothing of it is read again."""

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
_LOOKS = 5


class Measures:
    """Of one installation's topics. Methods may be used by any thread; all raise BusAway, BusRefused."""

    def __init__(self, clients: Clients, prefix: str) -> None:
        self._clients, self._prefix = clients, prefix
        self._known: dict[str, Figures] = {}
        self._lock = threading.Lock()

    def of(self, topic: str) -> Figures | None:
        """The figures now; None where there is no such topic."""
        name = kafka_name(self._prefix, topic)
        with self._lock:
            known = self._known.get(name)
        figures = self.look(topic, lambda log: measure(log, known))
        with self._lock:
            if figures is None:
                self._known.pop(name, None)
            else:
                self._known[name] = figures
        return figures

    def of_all(self, topics: Collection[str]) -> dict[str, Figures]:
        """The figures now of those of these topics that there are."""
        names = {kafka_name(self._prefix, topic): topic for topic in topics}
        ids = self._clients.topic_ids(list(names))
        surveyed = self._survey(ids) if len(ids) > 1 else {}
        found = {topic: surveyed.get(name) or self.of(topic) for name, topic in names.items() if name in ids}
        return {topic: figures for topic, figures in found.items() if figures is not None}

    def newest(self, topics: Collection[str]) -> dict[str, Record]:
        """The newest record of each of these topics that has one."""
        figures = {topic: one for topic, one in self.of_all(topics).items() if one.tail.last >= one.low}
        names = {kafka_name(self._prefix, topic): topic for topic in figures}
        whole = self._last_messages({name: figures[topic] for name, topic in names.items()}) if len(names) > 1 else {}
        found = {topic: whole.get(name) or self._last_record(topic) for name, topic in names.items()}
        return {topic: record for topic, record in found.items() if record is not None}

    def look(self, topic: str, work: Callable[[Log], T]) -> T | None:
        """Look into a topic's log; None where there is no such topic."""
        name = kafka_name(self._prefix, topic)
        for _ in range(_LOOKS):
            topic_id = self._clients.topic_id(name)
            if topic_id is None:
                return None
            try:
                with Log(self._clients, topic, name, topic_id) as log:
                    return work(log)
            except LogMoved:
                continue  # Retention or a deletion came in between.
        raise BusAway(servers=self._clients.servers, detail=f"{name} does not stay the same")

    def _last_record(self, topic: str) -> Record | None:
        return self.look(topic, lambda log: log.read(log.tail(*log.ends()).last))

    def _last_messages(self, figures: Mapping[str, Figures]) -> dict[str, Record | None]:
        """The newest records, by Kafka's names; those of several messages are left out, or None."""
        with Survey(self._clients, {name: one.topic_id for name, one in figures.items()}) as survey:
            survey.ends()
            seen = survey.at({name: one.tail.last for name, one in figures.items()})
        return {name: Assembly().add(*message) for name, message in seen.items()}

    def _survey(self, ids: Mapping[str, bytes]) -> dict[str, Figures]:
        """By Kafka's names; what does not show at once is left out."""
        with self._lock:
            known = {name: self._known[name] for name in ids if name in self._known}
        with Survey(self._clients, ids) as survey:
            found = measure_all(survey, known)
        with self._lock:
            self._known |= found
        return found


def measure_all(survey: Survey, known: Mapping[str, Figures]) -> dict[str, Figures]:
    """The figures now, by Kafka's names; of what has not changed since `known` nothing is read."""
    ends = survey.ends()
    same = {name: figures for name, figures in known.items() if _is_same(figures, survey.ids[name], ends.get(name))}
    changed = {name: both for name, both in ends.items() if name not in same}
    tails = survey.tails(changed)
    # Nothing was ever written to these, or nothing but claims.
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
