"""Readers of a topic, in any process."""

import os
import time
import zlib
from pathlib import Path
from types import TracebackType

from zcbus.bus.contract import OffsetExpired, Record, RecordDamaged
from zcbus.bus.embedded.layout import segment_bases, segment_path
from zcbus.bus.embedded.marker import Durable, MarkerReader
from zcbus.bus.embedded.reading import Window, find
from zcbus.bus.embedded.record import HEADER_BYTES, Header, unpack_header

_FIRST_PAUSE = 0.001
_MAX_PAUSE = 0.02
_PAUSE_GROWTH = 1.5


class EmbeddedReader:
    """Follows the writer's mark; waits by polling it every 1 to 20 ms, which costs a microsecond each."""

    def __init__(self, folder: Path, topic: str, offset: int) -> None:
        self._folder, self._topic = folder, topic
        self._next = offset
        self._marker: MarkerReader | None = None
        self._followed = False
        self._window: Window | None = None
        self._base = self._position = 0
        self._full_size: int | None = None

    @property
    def next_offset(self) -> int:
        return self._next

    def seek(self, offset: int) -> None:
        self._leave_segment()
        self._next = offset

    def read(self, max_records: int, max_bytes: int, timeout: float) -> list[Record]:
        deadline = time.monotonic() + timeout
        pause = _FIRST_PAUSE
        while (durable := self._durable()) is None or durable.next_offset == self._next:
            left = deadline - time.monotonic()
            if left <= 0:
                return []
            time.sleep(min(pause, left))
            pause = min(pause * _PAUSE_GROWTH, _MAX_PAUSE)
        if self._next > durable.next_offset:
            raise self._expired(durable)
        return self._collect(durable, max_records, max_bytes)

    def _durable(self) -> Durable | None:
        """The durable state; None while the topic does not exist."""
        if self._marker is not None and self._marker.deleted():
            self._close_topic()
        if self._marker is None:
            try:
                self._marker = MarkerReader(self._folder)
            except FileNotFoundError:
                return None
            if self._followed and self._next:
                # The topic was deleted and created again: its offsets mean other records now.
                self._followed = False
                raise self._expired(self._marker.durable())
        durable = self._marker.durable()
        self._followed = self._followed or durable is not None
        return durable

    def _collect(self, durable: Durable, max_records: int, max_bytes: int) -> list[Record]:
        records: list[Record] = []
        size = 0
        while self._next < durable.next_offset and len(records) < max_records and (not records or size < max_bytes):
            try:
                record = self._take(durable)
            except (OffsetExpired, RecordDamaged):
                self._leave_segment()
                if not records:
                    raise
                break  # The records before are valid; the next read raises.
            records.append(record)
            size += len(record.payload)
        return records

    def _take(self, durable: Durable) -> Record:
        window = self._at_next(durable)
        end = self._end(window, durable)
        header = self._header(window, end)
        payload = window.get(self._position + HEADER_BYTES, header.length, end)
        if len(payload) != header.length or zlib.crc32(payload) != header.checksum:
            raise self._damaged()
        self._position += HEADER_BYTES + header.length
        self._next += 1
        return Record(header.offset, header.time, payload)

    def _at_next(self, durable: Durable) -> Window:
        """The segment with the next record, positioned at it."""
        if self._window is None or self._position >= self._end(self._window, durable):
            self._leave_segment()
            self._enter_segment(durable)
        assert self._window is not None
        return self._window

    def _enter_segment(self, durable: Durable) -> None:
        found = find(self._folder, self._next, durable)
        if found is None:
            raise self._expired(durable)
        self._base, self._position, self._window = found.base, found.position, Window(found.descriptor)
        end = self._end(self._window, durable)
        for offset in range(found.offset, self._next):
            header = unpack_header(self._window.get(self._position, HEADER_BYTES, end))
            if header is None or header.offset != offset:
                raise self._lost(durable)
            self._position += HEADER_BYTES + header.length
        if self._position >= end:
            raise self._lost(durable)

    def _end(self, window: Window, durable: Durable) -> int:
        """Readable bytes of a segment; all of a full one."""
        if self._base == durable.base:
            return durable.end
        if self._full_size is None:
            self._full_size = os.fstat(window.descriptor).st_size
        return self._full_size

    def _header(self, window: Window, end: int) -> Header:
        header = unpack_header(window.get(self._position, HEADER_BYTES, end))
        if header is None or header.offset != self._next:
            raise self._damaged()
        return header

    def _lost(self, durable: Durable) -> OffsetExpired | RecordDamaged:
        """The error for a record missing in its segment: removed by retention, or damage."""
        bases = segment_bases(self._folder)
        return self._expired(durable) if bases and bases[0] > self._next else self._damaged()

    def _damaged(self) -> RecordDamaged:
        path = segment_path(self._folder, self._base)
        return RecordDamaged(topic=self._topic, offset=self._next, path=str(path))

    def _expired(self, durable: Durable | None) -> OffsetExpired:
        bases = segment_bases(self._folder)
        first = bases[0] if bases else durable.next_offset if durable else 0
        return OffsetExpired(topic=self._topic, asked=self._next, first=first)

    def _leave_segment(self) -> None:
        if self._window is not None:
            self._window.close()
            self._window = self._full_size = None

    def _close_topic(self) -> None:
        self._leave_segment()
        if self._marker is not None:
            self._marker.close()
            self._marker = None

    def close(self) -> None:
        self._close_topic()

    def __enter__(self) -> "EmbeddedReader":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
