"""Searches the logs of this host: bounded in time, bytes and results, and withdrawn with its request."""

import heapq
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from zcbus.agent.log_file_range import Entry, entries_between
from zcbus.agent.logs import log_path
from zcbus.engine.requests.watch import Watch
from zcbus.kit.log_file import newest_first
from zcbus.model.services import LogLevel
from zcbus.protocol.log_search import FindLogLines, FoundLogLines, LogCount, LogEntry

MAX_SECONDS = 8.0
MAX_BYTES = 256 << 20
_MAX_TEXT = 16_000
_MAX_ANSWERED = 4 << 20
_LOOK_EVERY = 500
_RANKS = {"debug": 0, "info": 1, "warning": 2, "error": 3}

Test = Callable[[Entry], bool]


@dataclass(slots=True)
class _File:
    log: str
    path: Path
    changed_us: int


@dataclass
class _Search:
    """One search under way. `found` is a heap: the entry that is farthest from the wanted end is at its top."""

    request: FindLogLines
    watch: Watch
    file_count: int
    begun: float = field(default_factory=time.monotonic)
    read: int = 0
    checked: int = 0
    more: bool = False
    found: list[tuple[int, int, str, Entry]] = field(default_factory=list)
    counts: Counter[tuple[int, LogLevel | None]] = field(default_factory=Counter)

    def over(self) -> bool:
        """Whether a limit is reached."""
        return self.read > MAX_BYTES or time.monotonic() - self.begun > MAX_SECONDS

    def needs_no_older(self, file: _File) -> bool:
        """Whether all entries of a file are older than the newest ones that were asked for."""
        is_full = len(self.found) >= self.request.limit and not self.request.is_oldest_first
        return is_full and not self.request.bucket_us and file.changed_us < self.found[0][0]

    def look(self, file: _File, matches: Test) -> bool:
        """Check a file's entries in the range. False: a limit was reached before its end. Raises RequestWithdrawn."""
        for entry in entries_between(file.path, self.request.since_us, self.request.until_us):
            self.read += len(entry.raw)
            self.checked += 1
            if self.checked % _LOOK_EVERY == 0:
                # A number that grows says that the search continues.
                self.watch.reached(self.checked, max(self.checked + 1, self.file_count * _LOOK_EVERY))
                if self.over():
                    return False
            if matches(entry):
                self._take(file.log, entry)
        return True

    def _take(self, log: str, entry: Entry) -> None:
        width = self.request.bucket_us
        if width:
            self.counts[entry.at_us // width * width, entry.level] += 1
        sign = -1 if self.request.is_oldest_first else 1
        heapq.heappush(self.found, (sign * entry.at_us, sign * self.checked, log, entry))
        if len(self.found) > self.request.limit:
            heapq.heappop(self.found)
            self.more = True


def find_lines(data_dir: Path, request: FindLogLines, watch: Watch) -> FoundLogLines:
    """Entries of the logs that match. The newest files are read first: what was not read when a limit is reached
    is the oldest part of the range. Raises RequestWithdrawn."""
    files = _files(data_dir, request)
    search, matches = _Search(request, watch, len(files)), _test(request)
    unread: int | None = None
    for done, file in enumerate(files):
        watch.reached(search.checked, search.checked + len(files) - done + 1)
        if search.needs_no_older(file):
            search.more = True
            break
        if search.over() or not search.look(file, matches):
            unread = min(request.until_us, file.changed_us + 1)
            break
    return _answer(search, unread)


def _files(data_dir: Path, request: FindLogLines) -> list[_File]:
    """Files that can have entries in the range, those that were written to last first."""
    found = []
    for log in request.logs:
        # Ids are letters and digits: no path can leave the folder.
        for path in newest_first(log_path(data_dir, log)) if log.isalnum() else ():
            try:
                changed_us = path.stat().st_mtime_ns // 1000
            except FileNotFoundError:
                continue
            if changed_us >= request.since_us:
                found.append(_File(log, path, changed_us))
    return sorted(found, key=lambda file: file.changed_us, reverse=True)


def _test(request: FindLogLines) -> Test:
    """Whether an entry matches; the cheapest conditions first."""
    text, least = request.text.lower(), _RANKS[request.level]
    table = _whole(request.table)
    code = re.compile(rf'"(?:reason|code)": "{re.escape(request.code)}"'.encode()) if request.code else None

    def matches(entry: Entry) -> bool:
        level = entry.level if least else None
        if level is not None and _RANKS[level] < least:
            return False
        if text and text not in entry.raw.decode("utf-8", "replace").lower():
            return False
        if code is not None and not code.search(entry.raw):
            return False
        return table is None or bool(table.search(entry.raw.decode("utf-8", "replace")))

    return matches


def _whole(name: str) -> re.Pattern[str] | None:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE) if name else None


def _answer(search: _Search, unread_until_us: int | None) -> FoundLogLines:
    ordered = sorted(search.found, key=lambda found: found[:3], reverse=search.request.is_oldest_first)
    entries, is_cut = _within(ordered if search.request.is_oldest_first else list(reversed(ordered)))
    if not search.request.is_oldest_first:
        entries.reverse()
    counts = (LogCount(at_us=at, level=level, count=count) for (at, level), count in search.counts.items())
    return FoundLogLines(
        entries=tuple(entries),
        more=search.more or is_cut,
        counts=tuple(sorted(counts, key=lambda count: (count.at_us, count.level or ""))),
        unread_until_us=unread_until_us,
    )


def _within(found: Iterable[tuple[int, int, str, Entry]]) -> tuple[list[LogEntry], bool]:
    """As many entries as an answer may hold, and whether that leaves some out; the wanted end first."""
    entries: list[LogEntry] = []
    size = 0
    for _, _, log, entry in found:
        text = entry.raw.decode("utf-8", "replace").rstrip("\n")[:_MAX_TEXT]
        size += len(text)
        if entries and size > _MAX_ANSWERED:
            return entries, True
        entries.append(LogEntry(log=log, at_us=entry.at_us, level=entry.level, text=text))
    return entries, False
