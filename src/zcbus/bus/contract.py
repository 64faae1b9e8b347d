"""What the engine asks of a bus.

A topic is a log of records with dense offsets from 0. One writer at a time, any number of readers in any number of
processes.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from types import TracebackType
from typing import Protocol

from zcbus.kit.errors import TerminalError, TransientError

Payload = Sequence[bytes | memoryview]

MAX_PAYLOAD_BYTES = 1 << 30


class TopicNameInvalid(TerminalError):
    """Not a topic's name as the contract has it. Facts: topic."""

    code = "topic-name-invalid"


class RecordTooLarge(TerminalError):
    """A record is larger than a topic takes. Facts: topic, bytes, limit."""

    code = "record-too-large"


class TopicBusy(TransientError):
    """Another process holds the topic's writer. Facts: topic.

    From a writer that was open: another one has taken the topic over. This writer never writes again; close it, open a
    new one and look at what is on the topic.
    """

    code = "topic-busy"


class BusFull(TransientError):
    """There is no room. Nothing acknowledged is lost; the same append may be tried again. Facts: topic, path."""

    code = "bus-full"


class OffsetExpired(TerminalError):
    """The asked record was removed by retention. Facts: topic, asked, first."""

    code = "offset-expired"


class FeedNotOffered(TerminalError):
    """This bus has no topics for other programs. Facts: feed."""

    code = "feed-not-offered"


class RecordDamaged(TerminalError):
    """A record that was once acknowledged no longer has its checksum. Facts: topic, offset, path."""

    code = "record-damaged"


@dataclass(frozen=True, slots=True)
class Retention:
    """When old records go. By size in whole segments, of which the newest stays; the newest record always stays.
    None: no limit of that sort."""

    time: timedelta | None = None
    size_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """One record. The payload may point into mapped memory and stays valid as long as it is referenced."""

    offset: int
    time: int
    """Milliseconds since 1970-01-01 UTC at which it was appended."""
    payload: memoryview


@dataclass(frozen=True, slots=True)
class TopicInfo:
    """A topic's figures, measured now."""

    name: str
    first_offset: int
    """Offset of the oldest record kept; equal to next_offset if there is none."""
    next_offset: int
    """Offset that the next record will get: every smaller one is durable."""
    size_bytes: int
    oldest_time: int | None
    newest_time: int | None


class TopicWriter(Protocol):
    """The only writer of a topic. Not for use by several threads at once."""

    @property
    def next_offset(self) -> int:
        """Offset of the next appended record. After a failed flush it may have to ask the bus: raises as flush does."""

    def append(self, payload: Payload) -> int:
        """Add one record and return its offset. It is neither durable nor visible before `flush`.

        May block on the disk. Raises BusFull and other TransientErrors; the writer stays usable, what was appended
        since the last flush may be gone: ask `next_offset`. After TopicBusy it is not.
        """

    def flush(self) -> int:
        """Make everything appended durable and visible to readers; return `next_offset`. Blocks until it is on disk.

        Raises BusFull as append does.
        """

    def last(self) -> Record | None:
        """The newest durable record, or None where the topic is empty."""

    def close(self) -> None:
        """Flush and give the topic free. Idempotent."""

    def __enter__(self) -> "TopicWriter": ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class TopicReader(Protocol):
    """A reader at its own place. Not for use by several threads at once. Readers never hinder the writer."""

    @property
    def next_offset(self) -> int:
        """Offset of the record that `read` returns next."""

    def seek(self, offset: int) -> None:
        """Go to a record. The offset may be the topic's next_offset. Raises OffsetExpired at the next read."""

    def read(self, max_records: int, max_bytes: int, timeout: float) -> list[Record]:
        """The next records in order: at least one if there is any, at most `max_records`, and no further one once
        `max_bytes` are reached. Waits up to `timeout` seconds for the first; [] when none came.

        Returns only durable records. Raises OffsetExpired (never skips silently) and RecordDamaged.
        """

    def close(self) -> None:
        """Release the topic's files. Idempotent."""

    def __enter__(self) -> "TopicReader": ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


@dataclass(frozen=True, slots=True)
class ExportMessage:
    """One message for other programs. A message without value is not possible here."""

    key: bytes | None
    value: bytes
    time: int
    """Milliseconds since 1970-01-01 UTC."""


class Feed(Protocol):
    """A topic in a form of its own, for programs that know nothing of the bus: each message arrives exactly once for
    readers that leave out what was never committed. Not for use by several threads at once.

    After an error close it and open it again: what was not committed never happened. Opening shuts earlier writers out.
    """

    @property
    def place(self) -> int | None:
        """The place given with the newest commit; None: nothing was committed yet, or too long ago."""

    def send(self, messages: Sequence[ExportMessage]) -> None:
        """Add messages to the open transaction, beginning one where none is open. May block on the network."""

    def commit(self, place: int) -> None:
        """Make the open transaction's messages visible, in their order, together with `place`."""

    def rollback(self) -> None:
        """Throw the open transaction away."""

    def close(self) -> None:
        """Release what it holds; what is open is thrown away. Idempotent."""

    def __enter__(self) -> "Feed": ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Bus(Protocol):
    """Topics by name. Names: 1 to 200 characters of `a-z A-Z 0-9 . _ -`, parts divided by `/`.

    Every call may raise TransientError while the bus is away, and TerminalError where it refuses this installation.
    """

    def writer(self, topic: str, retention: Retention) -> TopicWriter:
        """Open, creating the topic where needed, and repair what a crash left half written. Raises TopicBusy."""

    def prepare(self, topics: Collection[str]) -> None:
        """Say that writers of these topics will be opened soon: a bus for which making a topic takes long makes all
        that are missing, empty, at once."""

    def reader(self, topic: str, offset: int) -> TopicReader:
        """Read from an offset on. The topic need not exist yet: reads then wait for it."""

    def names(self, prefix: str = "") -> list[str]:
        """Names of all topics that begin with the prefix, sorted; nothing is measured."""

    def topics(self, prefix: str = "") -> list[TopicInfo]:
        """All topics whose name begins with the prefix, by name."""

    def info(self, topic: str) -> TopicInfo | None:
        """One topic's figures; None where there is no such topic."""

    def infos(self, topics: Collection[str]) -> dict[str, TopicInfo]:
        """The figures of those of these topics that there are, by name and in this order. For thousands at once: a bus
        over a network asks for all of them together."""

    def newest(self, topics: Collection[str]) -> dict[str, Record]:
        """The newest durable record of each of these topics that has one, by name; all of them are in memory at once.
        For many topics, as `infos`."""

    def enforce(self, topic: str, retention: Retention) -> int:
        """Remove old segments now; returns the number of bytes freed. Safe beside writer and readers."""

    def enforce_all(self, topics: Collection[str], retention: Retention) -> dict[str, TopicInfo]:
        """As `enforce` for each of these topics; returns what `infos` gives afterwards. For many topics, as `infos`."""

    def delete(self, topic: str) -> None:
        """Remove a topic with all its records. Raises TopicBusy while it has a writer. Idempotent."""

    def feed(self, name: str, topic: str, retention: Retention) -> Feed:
        """Open a feed that is made of a topic's records, creating it where needed; names as of topics, without `/`.
        Raises FeedNotOffered."""

    def delete_feed(self, name: str) -> None:
        """Remove a feed. Idempotent; where the bus has none, nothing happens."""

    def close(self) -> None:
        """Give everything free. Idempotent."""
