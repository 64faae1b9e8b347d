"""The role of what reads messages, whatever the broker."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

Partition = tuple[str, int]
"""A topic's name, and a number in it."""
Offsets = Mapping[Partition, int]
"""Of the next message in each partition."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic as it is now."""

    name: str
    identity: str
    """Tells it from all that had its name before or in another cluster."""
    partitions: tuple[int, ...]
    """In their order; more may come, none goes."""


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

    @property
    def size(self) -> int:
        """Bytes of key and value."""
        return len(self.key or b"") + len(self.value or b"")


class TopicTrouble(Exception):
    """A topic cannot be read on. `reason`: key of the message catalogues after `refusal.`."""

    def __init__(self, topic: str, reason: Literal["messages-lost", "topic-replaced", "topic-denied"], detail: str):
        super().__init__(detail)
        self.topic, self.reason, self.detail = topic, reason, detail


class Consumer(Protocol):
    """Reads partitions from offsets on, on its own account: nothing is kept at the broker. Sees committed messages
    only. Not for several threads. Raises SourceUnavailable, AccessDenied."""

    def identity(self) -> str:
        """What tells the cluster from all others."""

    def names(self) -> list[str]:
        """All topics but the broker's own."""

    def topics(self, names: Iterable[str]) -> dict[str, Topic]:
        """Those of the topics that there are, by name. Raises TopicTrouble."""

    def firsts(self, partitions: Iterable[Partition]) -> dict[Partition, int]:
        """The offsets from which on messages are kept."""

    def ends(self, partitions: Iterable[Partition]) -> dict[Partition, int]:
        """The offsets behind all messages that are committed by now. They never go back."""

    def follow(self, starts: Offsets) -> None:
        """Read these partitions as well, from these offsets on."""

    def leave(self, partitions: Iterable[Partition]) -> None:
        """Read these partitions no longer."""

    def read(self, timeout: float) -> tuple[Sequence[Message], Offsets]:
        """Messages that came, waiting up to `timeout` seconds for the first, those of a partition in order and without
        a gap; and how far partitions were read where that is further than their last message: the broker has nothing
        more up to there. Holds a bounded number of bytes. Raises TopicTrouble, where messages that were to come next
        are gone before they were read."""

    def close(self) -> None:
        """Ends all connections."""
