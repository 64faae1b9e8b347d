"""Entries of a log file within a time range, found without reading what lies before it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, cast, get_args

from zcbus.model.services import LogLevel

_TIME = re.compile(rb'"timestamp": "([^"]{19,40})"')
_LEVEL = re.compile(rb'"level": "(\w{1,10})"')
_LEVELS = frozenset(get_args(LogLevel))
_MAX_LINE = 1 << 20
_MAX_ENTRY = 1 << 20
# Closer than this, reading on is cheaper than another look.
_NEAR = 1 << 15


@dataclass(slots=True)
class Entry:
    """A line with the lines without a time behind it. `at_us`: microseconds since 1970 UTC."""

    at_us: int
    raw: bytes

    @property
    def level(self) -> LogLevel | None:
        found = _LEVEL.search(self.raw)
        name = found[1].decode() if found else ""
        return cast(LogLevel, name) if name in _LEVELS else None


def time_of(line: bytes) -> int | None:
    """When a line was written; None: it does not say so."""
    found = _TIME.search(line) if line.startswith(b"{") else None
    if found is None:
        return None
    try:
        moment = datetime.fromisoformat(found[1].decode())
    except ValueError:
        return None
    moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return round(moment.timestamp() * 1_000_000)


def entries_between(path: Path, since_us: int, until_us: int) -> Iterator[Entry]:
    """Entries of a file, the oldest first. Lines before its first time count as written then, or when the file was
    last changed if none has a time. A file that is moved aside meanwhile is read on; one that is gone has none."""
    try:
        file = path.open("rb")
    except FileNotFoundError:
        return
    with file:
        changed_us = path.stat().st_mtime_ns // 1000 if path.exists() else until_us - 1
        file.seek(_offset_before(file, since_us))
        for entry in _entries(file, changed_us):
            if entry.at_us >= until_us:
                return
            if entry.at_us >= since_us:
                yield entry


def _entries(file: BinaryIO, changed_us: int) -> Iterator[Entry]:
    untimed, entry = b"", None
    while line := file.readline(_MAX_LINE):
        at_us = time_of(line)
        if at_us is None:
            if entry is None:
                untimed = (untimed + line)[:_MAX_ENTRY]
            else:
                entry.raw = (entry.raw + line)[:_MAX_ENTRY]
            continue
        if untimed:
            yield Entry(at_us, untimed)
            untimed = b""
        if entry is not None:
            yield entry
        entry = Entry(at_us, line)
    if untimed:
        yield Entry(changed_us, untimed)
    if entry is not None:
        yield entry


def _offset_before(file: BinaryIO, since_us: int) -> int:
    """An offset at the beginning of a line with a time, before which all entries are older than `since_us`; 0 if there
    is none. Lines are in the order of their times."""
    low, high = 0, file.seek(0, 2)
    while high - low > _NEAR:
        middle = (low + high) // 2
        found = _timed_from(file, middle, high)
        if found is not None and found[1] < since_us:
            low = found[0]
        else:
            high = middle
    return low


def _timed_from(file: BinaryIO, offset: int, end: int) -> tuple[int, int] | None:
    """The first whole line with a time behind an offset: where it begins, and its time."""
    file.seek(offset)
    file.readline(_MAX_LINE)
    while (begin := file.tell()) < end and (line := file.readline(_MAX_LINE)):
        if (at_us := time_of(line)) is not None:
            return begin, at_us
    return None
