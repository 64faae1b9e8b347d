"""A broker in memory, with the role of a consumer: a double of real ones, which the conformance suite tests."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from zcbus.connectors.consuming.consumer import Message, Offsets, Partition, Topic, TopicTrouble


@dataclass
class Broker:
    """Topics by name → partitions → messages that are kept."""

    logs: dict[Partition, list[Message]] = field(default_factory=dict)
    heads: dict[Partition, int] = field(default_factory=dict)
    """Offsets of the next messages."""
    firsts: dict[Partition, int] = field(default_factory=dict)
    lives: dict[str, int] = field(default_factory=dict)
    """How often each topic was made."""

    def create(self, topic: str, partitions: int) -> None:
        self.lives[topic] = self.lives.get(topic, 0) + 1
        for number in range(partitions):
            self.add_partition(topic, number)

    def add_partition(self, topic: str, number: int) -> None:
        self.logs[topic, number], self.heads[topic, number], self.firsts[topic, number] = [], 0, 0

    def delete(self, topic: str) -> None:
        for partition in [one for one in self.logs if one[0] == topic]:
            del self.logs[partition]

    def put(self, topic: str, partition: int, value: bytes | None, gap: int = 0) -> None:
        """`gap`: number of offsets before it without a visible message."""
        at = (topic, partition)
        offset = self.heads[at] + gap
        self.logs[at].append(Message(topic, partition, offset, 1000 * offset, b"k", value, ()))
        self.heads[at] = offset + 1

    def skip(self, topic: str, partition: int, count: int) -> None:
        """Offsets at the end without a visible message."""
        self.heads[topic, partition] += count

    def forget(self, topic: str, partition: int, before: int) -> None:
        at = (topic, partition)
        self.firsts[at] = before
        self.logs[at] = [one for one in self.logs[at] if one.offset >= before]


class MemoryConsumer:
    """See Consumer. Gives few messages at a time."""

    def __init__(self, broker: Broker, most: int = 3) -> None:
        self._broker, self._most = broker, most
        self._at: dict[Partition, int] = {}
        self.closed = False

    def identity(self) -> str:
        return "memory"

    def names(self) -> list[str]:
        return sorted({topic for topic, _ in self._broker.logs})

    def topics(self, names: Iterable[str]) -> dict[str, Topic]:
        found = {}
        for name in names:
            numbers = tuple(sorted(number for topic, number in self._broker.logs if topic == name))
            if numbers:
                found[name] = Topic(name, f"{name}#{self._broker.lives[name]}", numbers)
        return found

    def firsts(self, partitions: Iterable[Partition]) -> dict[Partition, int]:
        return {one: self._broker.firsts[one] for one in partitions}

    def ends(self, partitions: Iterable[Partition]) -> dict[Partition, int]:
        return {one: self._broker.heads[one] for one in partitions}

    def follow(self, starts: Offsets) -> None:
        assert not starts.keys() & self._at.keys()
        self._at |= starts

    def leave(self, partitions: Iterable[Partition]) -> None:
        for one in partitions:
            del self._at[one]

    def read(self, timeout: float) -> tuple[list[Message], Offsets]:
        messages: list[Message] = []
        passed: dict[Partition, int] = {}
        for at, offset in list(self._at.items()):
            if offset < self._broker.firsts[at]:
                raise TopicTrouble(at[0], "messages-lost", f"{at}: {offset}")
            found = [one for one in self._broker.logs[at] if one.offset >= offset][: self._most - len(messages)]
            if found:
                messages += found
                self._at[at] = found[-1].offset + 1
            elif offset < self._broker.heads[at] and len(messages) < self._most:
                self._at[at] = passed[at] = self._broker.heads[at]
        return messages, passed

    def close(self) -> None:
        self.closed = True
