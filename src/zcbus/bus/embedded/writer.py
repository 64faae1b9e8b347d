"""The only writer of a topic."""

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from zcbus.bus.contract import MAX_PAYLOAD_BYTES, Payload, Record, RecordTooLarge, Retention
from zcbus.bus.embedded.errors import disk_error, disk_errors
from zcbus.bus.embedded.layout import lock_topic
from zcbus.bus.embedded.marker import Durable, MarkerWriter
from zcbus.bus.embedded.record import HEADER_BYTES, Header
from zcbus.bus.embedded.recovery import recover
from zcbus.bus.embedded.retention import remove_old
from zcbus.bus.embedded.tail import Tail

_SMALLEST_SEGMENT_BYTES = 64 << 10
_RETENTION_MS = 60_000


class EmbeddedWriter:
    """Appends to the newest segment; `flush` is one fdatasync, then the readers' mark moves."""

    def __init__(
        self, folder: Path, topic: str, retention: Retention, segment_bytes: int, now: Callable[[], int]
    ) -> None:
        """Open the topic. Raises TopicBusy, RecordDamaged, BusFull."""
        self._folder, self._topic, self._now = folder, topic, now
        self._most_segment_bytes = segment_bytes
        self.keep(retention)
        with disk_errors(topic, folder):
            self._lock = lock_topic(folder, topic)
            try:
                self._open()
            except BaseException:
                os.close(self._lock)
                raise
        self._closed = False

    def _open(self) -> None:
        self._marker = MarkerWriter(self._folder)
        try:
            durable = recover(self._folder, self._topic, self._marker.durable)
            if durable != self._marker.durable:
                self._marker.publish(durable)
                self._marker.sync()
            self._tail = Tail(self._folder, durable)
        except BaseException:
            self._marker.close()
            raise
        self._durable = durable
        self._next, self._last, self._time = durable.next_offset, durable.last, durable.time
        self._torn = False
        self._enforce_retention()

    @property
    def next_offset(self) -> int:
        return self._next

    def append(self, payload: Payload) -> int:
        parts = [part.cast("B") if isinstance(part, memoryview) else part for part in payload]
        length = sum(map(len, parts))
        if length > MAX_PAYLOAD_BYTES:
            raise RecordTooLarge(topic=self._topic, bytes=length, limit=MAX_PAYLOAD_BYTES)
        self._mend()
        try:
            return self._append(parts, length)
        except OSError as error:
            self._fall_back()
            raise disk_error(error, self._topic, self._folder) from error
        except BaseException:
            self._fall_back()
            raise

    def _append(self, parts: list[bytes | memoryview], length: int) -> int:
        self._time = max(self._time, self._now())
        if self._segment_is_full(length):
            self._tail.roll(self._next)
        header = Header(length, self._next, self._time, self._durable.next_offset, 0)
        self._last = self._tail.write(header, parts)
        self._next += 1
        return self._next - 1

    def _segment_is_full(self, length: int) -> bool:
        size = self._tail.end
        if not size:
            return False
        if size + HEADER_BYTES + length > self._segment_bytes:
            return True
        limit = self._retention.time
        # A slow topic starts a new segment after a time, so that the old one can expire.
        return limit is not None and self._time - self._tail.started > limit.total_seconds() * 1000 / 2

    def flush(self) -> int:
        self._mend()
        if self._next == self._durable.next_offset:
            return self._next
        try:
            with disk_errors(self._topic, self._folder):
                self._flush()
        except BaseException:
            self._fall_back()
            raise
        return self._next

    def _flush(self) -> None:
        self._tail.sync()
        durable = Durable(self._tail.base, self._tail.end, self._next, self._last, self._time)
        self._marker.publish(durable)
        rolled = durable.base != self._durable.base
        self._durable = durable
        if rolled:
            self._marker.sync()
        # The absolute difference: a clock that was set back must not delay it.
        if rolled or abs(self._now() - self._retention_at) > _RETENTION_MS:
            self._enforce_retention()

    def _enforce_retention(self) -> None:
        self._retention_at = self._now()
        # A failed removal is retried in a minute; writing must not fail for it.
        with contextlib.suppress(OSError):
            remove_old(self._folder, self._retention, self._retention_at)

    def _fall_back(self) -> None:
        """Cut off unacknowledged data, so that the topic ends with a complete record."""
        durable = self._durable
        self._next, self._last, self._time = durable.next_offset, durable.last, durable.time
        try:
            self._tail.cut(durable)
            self._torn = False
        except OSError:
            self._torn = True  # Retried before the next write.

    def _mend(self) -> None:
        if not self._torn:
            return
        with disk_errors(self._topic, self._folder):
            self._tail.cut(self._durable)
        self._torn = False

    def last(self) -> Record | None:
        durable = self._durable
        if durable.last < 0:
            return None
        with disk_errors(self._topic, self._folder):
            return self._tail.read_last(durable)

    def keep(self, retention: Retention) -> None:
        self._retention = retention
        self._segment_bytes = _segment_size(self._most_segment_bytes, retention)

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        try:
            self.flush()
            with disk_errors(self._topic, self._folder):
                self._marker.sync()
        finally:
            self._tail.close()
            self._marker.close()
            os.close(self._lock)

    def __enter__(self) -> "EmbeddedWriter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _segment_size(segment_bytes: int, retention: Retention) -> int:
    """Small enough to enforce a size limit by removing whole segments."""
    if retention.size_bytes is None:
        return segment_bytes
    return min(segment_bytes, max(retention.size_bytes // 4, _SMALLEST_SEGMENT_BYTES))
