"""Looking into records of real and full topics."""

from collections.abc import Iterator
from dataclasses import dataclass

from zcbus.bus.contract import Bus, OffsetExpired, Record, TopicInfo, TopicReader
from zcbus.engine.requests.record_content import content_of, line_of
from zcbus.protocol.bus_inspection import ReadRecord, ReadRecords, RecordContent, RecordLine, RecordLines

_CHUNK_RECORDS, _CHUNK_BYTES = 250, 16 << 20
_MAX_SEARCHED, _MAX_SEARCHED_BYTES = 20_000, 256 << 20
"""Limits of a search: it takes seconds, and never much memory."""
_NO_TOPIC = TopicInfo("", 0, 0, 0, None, None)


def read_records(request: ReadRecords, bus: Bus) -> RecordLines:
    """A page of records. Retention may remove some meanwhile: then the page has fewer."""
    info = bus.info(request.topic) or _NO_TOPIC
    part = _requested(request, bus, info)
    found = _search(request, bus, part) if request.table or request.changes_only else _page(request, bus, part)
    return RecordLines(
        records=tuple(found.lines),
        total=found.total,
        first_offset=info.first_offset,
        next_offset=info.next_offset,
        searched_from=found.searched_from,
    )


def read_record(request: ReadRecord, bus: Bus) -> RecordContent:
    """A record's rows. Raises OffsetExpired, also for a record that does not exist yet."""
    with bus.reader(request.topic, request.offset) as reader:
        info = bus.info(request.topic) or _NO_TOPIC
        records = reader.read(1, 1, 0) if request.offset < info.next_offset else []
        if not records:
            raise OffsetExpired(topic=request.topic, asked=request.offset, first=info.first_offset)
        return content_of(records[0], request)


@dataclass(frozen=True, slots=True)
class _Found:
    lines: list[RecordLine]
    total: int
    searched_from: int


def _requested(request: ReadRecords, bus: Bus, info: TopicInfo) -> range:
    """Offsets of the requested part of the topic."""
    begin = info.first_offset
    if request.since_ms is not None and (since := bus.since(request.topic, request.since_ms)) is not None:
        begin = max(begin, since.offset)
    end = info.next_offset if request.until is None else min(request.until, info.next_offset)
    return range(begin, max(begin, end))


def _page(request: ReadRecords, bus: Bus, part: range) -> _Found:
    """Without a filter offsets are known, and nothing else is read."""
    ordered = part[::-1] if request.newest_first else part
    wanted = ordered[request.skip : request.skip + request.limit]
    if not wanted:
        return _Found([], len(part), part.start)
    low, high = min(wanted), max(wanted) + 1
    with bus.reader(request.topic, low) as reader:
        lines = [line_of(record) for record in _read(reader, low, high)]
    return _Found(lines[::-1] if request.newest_first else lines, len(part), part.start)


def _search(request: ReadRecords, bus: Bus, part: range) -> _Found:
    """Search from the end, chunk by chunk."""
    found: list[RecordLine] = []
    border, searched_bytes = part.stop, 0
    with bus.reader(request.topic, part.start) as reader:
        while border > part.start and part.stop - border < _MAX_SEARCHED and searched_bytes < _MAX_SEARCHED_BYTES:
            begin = max(part.start, border - _CHUNK_RECORDS)
            lines = [line_of(record) for record in _read(reader, begin, border)]
            searched_bytes += sum(line.size_bytes for line in lines)
            found.extend(line for line in reversed(lines) if _fits(line, request))
            border = begin
    ordered = found if request.newest_first else found[::-1]
    return _Found(ordered[request.skip : request.skip + request.limit], len(found), border)


def _read(reader: TopicReader, begin: int, end: int) -> Iterator[Record]:
    """Records of a range, as far as they exist; few are in memory at once."""
    reader.seek(begin)
    while reader.next_offset < end:
        try:
            records = reader.read(end - reader.next_offset, _CHUNK_BYTES, 0)
        except OffsetExpired as error:
            first = int(str(error.facts["first"]))
            if first >= end:
                return
            reader.seek(first)
            continue
        if not records:
            return
        yield from records


def _fits(line: RecordLine, request: ReadRecords) -> bool:
    if request.changes_only and not line.tables:
        return False
    text = request.table.casefold()
    return not text or any(text in table.name.casefold() for table in line.tables)
