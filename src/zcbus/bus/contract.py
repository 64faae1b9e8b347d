"""Contract of the bus.

A topic is a log of records with dense offsets from 0. It has one writer at a time and any number of readers in any
number of processes.
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
    """Invalid name of a topic. Facts: topic."""

    code = "topic-name-invalid"


class RecordTooLarge(TerminalError):
    """A record exceeds the size limit. Facts: topic, bytes, limit."""

    code = "record-too-large"


class TopicBusy(TransientError):
    """Another process has the topic's writer. Facts: topic.

    An open writer raises it when another one has taken the topic over. This writer never writes again: close it, open
    a new one and read the end of the topic.
    """

    code = "topic-busy"


class BusFull(TransientError):
    """No disk space. Acknowledged records are safe; the append may be retried. Facts: topic, path."""

    code = "bus-full"


class OffsetExpired(TerminalError):
    """Retention removed the requested record. Facts: topic, asked, first."""

    code = "offset-expired"


class ExportNotOffered(TerminalError):
    """This bus does not support exports to other programs. Facts: feed."""

    code = "feed-not-offered"


class RecordDamaged(TerminalError):
    """The checksum of an acknowledged record is wrong. Facts: topic, offset, path."""

    code = "record-damaged"


@dataclass(frozen=True, slots=True)
class Retention:
    """Limits beyond which old records are removed; None: no limit.

    The size limit removes whole segments except the newest. The newest record always stays.
    """

    time: timedelta | None = None
    size_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """One record. The payload may point into mapped memory and is valid as long as it is referenced."""

    offset: int
    time: int
    """Append time in milliseconds since 1970-01-01 UTC."""
    payload: memoryview


@dataclass(frozen=True, slots=True)
class TopicInfo:
    """Current figures of a topic."""

    name: str
    first_offset: int
    """Offset of the oldest record; equal to next_offset if there is none."""
    next_offset: int
    """Offset of the next record: all smaller ones are durable."""
    size_bytes: int
    oldest_time: int | None
    newest_time: int | None


@dataclass(frozen=True, slots=True)
class Extent:
    """The part of a topic from one record to its end."""

    offset: int
    """Offset of its first record; the topic's next_offset if it is empty."""
    records: int
    size_bytes: int
    """Counted as in TopicInfo."""


@dataclass(frozen=True, slots=True)
class Placement:
    """Where and how often a topic's records are stored."""

    partitions: int
    replicas: int
    in_sync: int
    """Replicas that have all durable records."""
    disk_bytes: int | None
    """Size of its files on this host; None: unknown to the bus."""


@dataclass(frozen=True, slots=True)
class Disk:
    """Size of the file system that has the topics."""

    total_bytes: int
    free_bytes: int


class TopicWriter(Protocol):
    """The only writer of a topic. Not thread-safe."""

    @property
    def next_offset(self) -> int:
        """Offset of the next appended record. After a failed flush it may query the bus: raises as flush does."""

    def append(self, payload: Payload) -> int:
        """Append a record and return its offset. It is neither durable nor visible before `flush`.

        May block on the disk. Raises BusFull and other TransientErrors. Then the writer stays usable, but records
        appended since the last flush may be lost: check `next_offset`. After TopicBusy it is not usable.
        """

    def flush(self) -> int:
        """Make all appended records durable and visible; return `next_offset`. Blocks until they are on disk.

        Raises BusFull as append does.
        """

    def last(self) -> Record | None:
        """The newest durable record, or None where the topic is empty."""

    def keep(self, retention: Retention) -> None:
        """Remove old records by another retention from now on. Removes nothing itself."""

    def close(self) -> None:
        """Flush and release the topic. Idempotent."""

    def __enter__(self) -> "TopicWriter": ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class TopicReader(Protocol):
    """A reader with its own position. Not thread-safe. Readers never block the writer."""

    @property
    def next_offset(self) -> int:
        """Offset of the next record to read."""

    def seek(self, offset: int) -> None:
        """Set the position. The topic's next_offset is allowed. The next read may raise OffsetExpired."""

    def read(self, max_records: int, max_bytes: int, timeout: float) -> list[Record]:
        """Read the next records in order, up to `max_records`, until `max_bytes` is reached.

        At least one record is returned if there is any. Waits up to `timeout` seconds for the first; [] if none
        arrived. Returns only durable records. Raises OffsetExpired (never skips silently) and RecordDamaged.
        """

    def close(self) -> None:
        """Release the topic's files. Idempotent."""

    def __enter__(self) -> "TopicReader": ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


@dataclass(frozen=True, slots=True)
class ExportMessage:
    """A message for other programs. A message without a value is impossible here."""

    key: bytes | None
    value: bytes
    time: int
    """Milliseconds since 1970-01-01 UTC."""


class ExportWriter(Protocol):
    """Writer of an export: a topic for programs that are independent of the bus.

    Readers that ignore uncommitted messages get each message exactly once. Not thread-safe.

    After an error close it and open it again: uncommitted messages are discarded. Opening fences out earlier writers.
    """

    @property
    def source_offset(self) -> int | None:
        """The source offset of the newest commit; None: no commit yet, or too long ago."""

    def send(self, messages: Sequence[ExportMessage]) -> None:
        """Add messages to the open transaction, starting one if needed. May block on the network."""

    def commit(self, source_offset: int) -> None:
        """Commit the open transaction's messages, in order, together with `source_offset`."""

    def rollback(self) -> None:
        """Abort the open transaction."""

    def close(self) -> None:
        """Release resources and abort an open transaction. Idempotent."""

    def __enter__(self) -> "ExportWriter": ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Inspection(Protocol):
    """Questions of operators. They change nothing, and never block a writer or a reader."""

    def behind(self, topic: str, offsets: Collection[int]) -> dict[int, Extent]:
        """What a reader at each of these offsets has not read yet; {} if the topic does not exist.

        An offset that retention removed counts as the oldest record, one beyond the end as the end.
        """

    def since(self, topic: str, time_ms: int) -> Extent | None:
        """What was appended at or after a moment (milliseconds since 1970 UTC); None if the topic does not exist."""

    def placement(self, topic: str) -> Placement | None:
        """None if the topic does not exist."""

    def disk(self) -> Disk | None:
        """None: unknown to the bus."""


class Bus(Inspection, Protocol):
    """Topics by name. Names: 1 to 200 characters of `a-z A-Z 0-9 . _ -`, parts separated by `/`.

    Every call may raise TransientError while the bus is unavailable, and TerminalError if it rejects this
    installation.
    """

    def writer(self, topic: str, retention: Retention) -> TopicWriter:
        """Open a writer, creating the topic if needed and repairing its end after a crash. Raises TopicBusy."""

    def prepare(self, topics: Collection[str]) -> None:
        """Create missing topics whose writers will be opened soon, all at once if creation is slow."""

    def reader(self, topic: str, offset: int) -> TopicReader:
        """Open a reader at an offset. Reads wait for a topic that does not exist yet."""

    def names(self, prefix: str = "") -> list[str]:
        """Names of all topics with a prefix, sorted, without figures."""

    def topics(self, prefix: str = "") -> list[TopicInfo]:
        """Figures of all topics with a prefix, sorted by name."""

    def info(self, topic: str) -> TopicInfo | None:
        """Figures of one topic; None if it does not exist."""

    def infos(self, topics: Collection[str]) -> dict[str, TopicInfo]:
        """Figures of the existing ones of these topics, by name and in this order.

        For thousands of topics: a bus over a network uses one request for all.
        """

    def newest(self, topics: Collection[str]) -> dict[str, Record]:
        """Newest durable record of each topic that has one, by name; all of them are in memory at once.

        For many topics, as `infos`.
        """

    def enforce(self, topic: str, retention: Retention) -> int:
        """Remove old segments now; returns the bytes freed. Safe during writes and reads."""

    def enforce_all(self, topics: Collection[str], retention: Retention) -> dict[str, TopicInfo]:
        """Enforce the retention of many topics, as `infos`; returns their figures afterwards."""

    def delete(self, topic: str) -> None:
        """Remove a topic with all its records. Raises TopicBusy while it has a writer. Idempotent."""

    def export_writer(self, name: str, topic: str, retention: Retention) -> ExportWriter:
        """Open the writer of an export of a topic's records, creating it if needed.

        Names as of topics, without `/`. Raises ExportNotOffered.
        """

    def delete_export(self, name: str) -> None:
        """Remove an export. Idempotent; no effect on a bus without exports."""

    def close(self) -> None:
        """Release all resources. Idempotent."""
