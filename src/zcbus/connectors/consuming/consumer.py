"""The role of a message reader, for any broker."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, runtime_checkable

Partition = tuple[str, int]
"""A topic's name, and a number in it."""
Offsets = Mapping[Partition, int]
"""Of the next message in each partition."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic's current state."""

    name: str
    identity: str
    """Identifies the topic among all that had its name before or in another cluster."""
    partitions: tuple[int, ...]
    """In their order; partitions may be added, never removed."""


@dataclass(frozen=True, slots=True)
class Message:
    """A committed message. Offsets grow within a partition, with gaps."""

    topic: str
    partition: int
    offset: int
    time_ms: int | None
    """As the producer or the broker stamped it, in milliseconds since 1970-01-01 UTC."""
    key: bytes | None
    value: bytes | None
    headers: Sequence[tuple[str, bytes | None]]
    more: Sequence[str | None] = ()
    """Canonical values of the kind's own columns (ConsumingOptions.own_columns)."""

    @property
    def size(self) -> int:
        """Bytes of key, value and headers."""
        headers = sum(len(name) + len(value or b"") for name, value in self.headers)
        return len(self.key or b"") + len(self.value or b"") + headers


class Mark(NamedTuple):
    """What was read last of a partition, to be recognised later."""

    offset: int
    digest: str


def mark_of(message: Message) -> Mark:
    """Of its offset and contents."""
    parts = [message.key, message.value, *(part for name, value in message.headers for part in (name.encode(), value))]
    found = hashlib.blake2b(digest_size=16)
    for part in parts:
        found.update(b"-" if part is None else b"%d:" % len(part) + part)
    return Mark(message.offset, found.hexdigest())


Trouble = Literal[
    "messages-lost",
    "topic-replaced",
    "topic-denied",
    "stream-unsuitable",
    "session-lost",
    "subscription-refused",
    "stream-uncounted",
    "stream-gap",
    "queue-shared",
    "queue-unsuitable",
]


class TopicTrouble(Exception):
    """A topic cannot be read on. `reason`: key of the message catalogues after `refusal.`."""

    def __init__(self, topic: str, reason: Trouble, detail: str) -> None:
        super().__init__(detail)
        self.topic, self.reason, self.detail = topic, reason, detail


class TopicLister(Protocol):
    """Lists a broker's topics. Not thread-safe. Raises SourceUnavailable, AccessDenied."""

    def identity(self) -> str:
        """Identifies the cluster."""

    def names(self) -> list[str]:
        """All topics but the broker's own."""

    def topics(self, names: Iterable[str]) -> dict[str, Topic]:
        """Those of the topics that exist, by name. Raises TopicTrouble."""

    def close(self) -> None:
        """Ends all connections."""


class Consumer(TopicLister, Protocol):
    """Reads partitions from given offsets, without consumer state at the broker.

    Sees committed messages only.
    """

    def firsts(self, partitions: Iterable[Partition]) -> dict[Partition, int]:
        """The first retained offsets."""

    def ends(self, partitions: Iterable[Partition]) -> dict[Partition, int]:
        """The offsets after all messages that are committed by now. They never go back."""

    def follow(self, starts: Offsets) -> None:
        """Read these partitions as well, from these offsets on."""

    def leave(self, partitions: Iterable[Partition]) -> None:
        """Read these partitions no longer."""

    def read(self, timeout: float) -> tuple[Sequence[Message], Offsets]:
        """The next messages, waiting up to `timeout` seconds for the first, and the offsets that were passed without a
        message.

        Messages of a partition come in order and without a gap. The second result has partitions that were read further
        than their last message: the broker has nothing more before that offset. Holds a bounded number of bytes. Raises
        TopicTrouble if the next messages were removed before they were read.
        """


@runtime_checkable
class CountingConsumer(Protocol):
    """A consumer whose offsets do not count messages."""

    def held(self, partitions: Iterable[Partition]) -> int:
        """How many messages the partitions have now."""


@runtime_checkable
class RecognisingConsumer(Protocol):
    """A consumer that notices that a message which was read has become another one."""

    def recognise(self, marks: Mapping[Partition, Mark]) -> None:
        """What was read last of partitions that are followed next. From then on TopicTrouble is raised where the broker
        has another message at that offset."""


def recognise(consumer: Consumer, marks: Mapping[Partition, Mark]) -> None:
    """See RecognisingConsumer; others trust their broker."""
    if isinstance(consumer, RecognisingConsumer):
        consumer.recognise(marks)


def marks_of(consumer: Consumer, messages: Iterable[Message]) -> dict[Partition, Mark]:
    """Of the last message of each partition, if the consumer can recognise it."""
    if not isinstance(consumer, RecognisingConsumer):
        return {}
    return {at: mark_of(last) for at, last in {(one.topic, one.partition): one for one in messages}.items()}


def held(consumer: Consumer, partitions: Sequence[Partition]) -> int:
    """How many messages the partitions have now, at most."""
    if isinstance(consumer, CountingConsumer):
        return consumer.held(partitions)
    firsts, ends = consumer.firsts(partitions), consumer.ends(partitions)
    return sum(max(0, ends[one] - firsts[one]) for one in partitions)
