"""A bus with limits on batches that are read, which limit the memory of its readers."""

import sys
from collections.abc import Collection
from types import TracebackType

from zcbus.bus.contract import (
    Bus,
    Disk,
    ExportWriter,
    Extent,
    Placement,
    Record,
    Retention,
    TopicInfo,
    TopicReader,
    TopicWriter,
)


class BatchLimitedBus:
    """A bus whose readers return at most so many bytes or records per batch."""

    def __init__(self, bus: Bus, most_bytes: int, most_records: int | None = None) -> None:
        self._bus, self._most_bytes = bus, most_bytes
        self._most_records = sys.maxsize if most_records is None else most_records

    def writer(self, topic: str, retention: Retention) -> TopicWriter:
        return self._bus.writer(topic, retention)

    def prepare(self, topics: Collection[str]) -> None:
        self._bus.prepare(topics)

    def reader(self, topic: str, offset: int) -> TopicReader:
        return _BatchLimitedReader(self._bus.reader(topic, offset), self._most_bytes, self._most_records)

    def names(self, prefix: str = "") -> list[str]:
        return self._bus.names(prefix)

    def topics(self, prefix: str = "") -> list[TopicInfo]:
        return self._bus.topics(prefix)

    def info(self, topic: str) -> TopicInfo | None:
        return self._bus.info(topic)

    def infos(self, topics: Collection[str]) -> dict[str, TopicInfo]:
        return self._bus.infos(topics)

    def newest(self, topics: Collection[str]) -> dict[str, Record]:
        return self._bus.newest(topics)

    def enforce(self, topic: str, retention: Retention) -> int:
        return self._bus.enforce(topic, retention)

    def enforce_all(self, topics: Collection[str], retention: Retention) -> dict[str, TopicInfo]:
        return self._bus.enforce_all(topics, retention)

    def delete(self, topic: str) -> None:
        self._bus.delete(topic)

    def export_writer(self, name: str, topic: str, retention: Retention) -> ExportWriter:
        return self._bus.export_writer(name, topic, retention)

    def delete_export(self, name: str) -> None:
        self._bus.delete_export(name)

    def behind(self, topic: str, offsets: Collection[int]) -> dict[int, Extent]:
        return self._bus.behind(topic, offsets)

    def since(self, topic: str, time_ms: int) -> Extent | None:
        return self._bus.since(topic, time_ms)

    def placement(self, topic: str) -> Placement | None:
        return self._bus.placement(topic)

    def disk(self) -> Disk | None:
        return self._bus.disk()

    def close(self) -> None:
        self._bus.close()


class _BatchLimitedReader:
    def __init__(self, reader: TopicReader, most_bytes: int, most_records: int) -> None:
        self._reader, self._most_bytes, self._most_records = reader, most_bytes, most_records

    @property
    def next_offset(self) -> int:
        return self._reader.next_offset

    def seek(self, offset: int) -> None:
        self._reader.seek(offset)

    def read(self, max_records: int, max_bytes: int, timeout: float) -> list[Record]:
        return self._reader.read(min(max_records, self._most_records), min(max_bytes, self._most_bytes), timeout)

    def close(self) -> None:
        self._reader.close()

    def __enter__(self) -> "_BatchLimitedReader":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
