"""The bus of one host: a folder of topics."""

import os
import shutil
import weakref
from collections.abc import Callable, Collection
from pathlib import Path

from zcbus.bus.contract import (
    Disk,
    ExportNotOffered,
    ExportWriter,
    Extent,
    Placement,
    Record,
    Retention,
    TopicInfo,
)
from zcbus.bus.embedded.errors import disk_errors
from zcbus.bus.embedded.extent import extent_at, extent_since
from zcbus.bus.embedded.layout import (
    empty_trash,
    lock_topic,
    segment_bases,
    segment_path,
    topic_folder,
    topic_names,
    trash_folder,
)
from zcbus.bus.embedded.marker import Durable, read_durable
from zcbus.bus.embedded.reader import EmbeddedReader
from zcbus.bus.embedded.reading import first_header
from zcbus.bus.embedded.retention import remove_old
from zcbus.bus.embedded.writer import EmbeddedWriter
from zcbus.kit.clock import now_ms

SEGMENT_BYTES = 64 << 20


class EmbeddedBus:
    """Topics in a folder, which any number of processes may open. Thread-safe."""

    def __init__(self, root: Path, segment_bytes: int = SEGMENT_BYTES, now: Callable[[], int] = now_ms) -> None:
        """`now`: milliseconds since 1970-01-01 UTC. Raises BusFull, BusUnwritable."""
        self._root, self._segment_bytes, self._now = root, segment_bytes, now
        with disk_errors("", root):
            root.mkdir(parents=True, exist_ok=True)
            empty_trash(root)
        self._opened: weakref.WeakSet[EmbeddedWriter | EmbeddedReader] = weakref.WeakSet()

    def writer(self, topic: str, retention: Retention) -> EmbeddedWriter:
        folder = topic_folder(self._root, topic)
        writer = EmbeddedWriter(folder, topic, retention, self._segment_bytes, self._now)
        self._opened.add(writer)
        return writer

    def prepare(self, topics: Collection[str]) -> None:
        """No effect: folders are created on demand."""

    def reader(self, topic: str, offset: int) -> EmbeddedReader:
        reader = EmbeddedReader(topic_folder(self._root, topic), topic, offset)
        self._opened.add(reader)
        return reader

    def names(self, prefix: str = "") -> list[str]:
        return topic_names(self._root, prefix)

    def topics(self, prefix: str = "") -> list[TopicInfo]:
        return list(self.infos(self.names(prefix)).values())

    def info(self, topic: str) -> TopicInfo | None:
        folder = topic_folder(self._root, topic)
        durable = read_durable(folder)
        return _info(folder, topic, durable) if durable else None

    def infos(self, topics: Collection[str]) -> dict[str, TopicInfo]:
        found = ((topic, self.info(topic)) for topic in topics)
        return {topic: info for topic, info in found if info is not None}

    def newest(self, topics: Collection[str]) -> dict[str, Record]:
        found = {}
        for topic, info in self.infos(topics).items():
            if info.next_offset:
                with self.reader(topic, info.next_offset - 1) as reader:
                    found[topic] = reader.read(1, 1, 0)[0]
        return found

    def enforce(self, topic: str, retention: Retention) -> int:
        folder = topic_folder(self._root, topic)
        with disk_errors(topic, folder):
            return remove_old(folder, retention, self._now())

    def enforce_all(self, topics: Collection[str], retention: Retention) -> dict[str, TopicInfo]:
        for topic in topics:
            self.enforce(topic, retention)
        return self.infos(topics)

    def delete(self, topic: str) -> None:
        folder = topic_folder(self._root, topic)
        if not folder.is_dir():
            return
        with disk_errors(topic, folder):
            lock = lock_topic(folder, topic)
            try:
                trash_folder(self._root, folder)
            finally:
                os.close(lock)

    def behind(self, topic: str, offsets: Collection[int]) -> dict[int, Extent]:
        folder = topic_folder(self._root, topic)
        durable = read_durable(folder)
        if durable is None:
            return {}
        return {offset: extent_at(folder, offset, durable) for offset in offsets}

    def since(self, topic: str, time_ms: int) -> Extent | None:
        folder = topic_folder(self._root, topic)
        durable = read_durable(folder)
        return extent_since(folder, time_ms, durable) if durable is not None else None

    def placement(self, topic: str) -> Placement | None:
        folder = topic_folder(self._root, topic)
        if read_durable(folder) is None:
            return None
        return Placement(partitions=1, replicas=1, in_sync=1, disk_bytes=sum(map(_size, folder.glob("*"))))

    def disk(self) -> Disk | None:
        usage = shutil.disk_usage(self._root)
        return Disk(usage.total, usage.free)

    def export_writer(self, name: str, topic: str, retention: Retention) -> ExportWriter:
        raise ExportNotOffered(feed=name)

    def delete_export(self, name: str) -> None:
        return

    def close(self) -> None:
        for opened in list(self._opened):
            opened.close()


def _info(folder: Path, topic: str, durable: Durable) -> TopicInfo:
    bases = [base for base in segment_bases(folder) if base <= durable.base]
    first = bases[0] if bases else durable.next_offset
    oldest = first_header(folder, first) if first < durable.next_offset else None
    size = sum(_size(segment_path(folder, base)) for base in bases if base < durable.base) + durable.end
    newest_time = durable.time if oldest else None
    return TopicInfo(topic, first, durable.next_offset, size, oldest.time if oldest else None, newest_time)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0  # Removed by retention after the folder was listed.
