"""Reads the logs of this host's services; it opens no other file."""

import re
from pathlib import Path

from zcbus.kit.errors import TerminalError
from zcbus.kit.log_file import newest_first
from zcbus.protocol.answers import LogLines, LogPart
from zcbus.protocol.requests import ReadLog, SearchLog

_MAX_BYTES = 256 * 1024
_LEVEL = re.compile(r'"level": "(\w+)"')
_RANKS = {"debug": 0, "info": 1, "warning": 2, "error": 3}


class LogAbsent(TerminalError):
    """This host has no log of the service."""

    code = "log-absent"


def log_path(data_dir: Path, service: str) -> Path:
    """Path of a service's log."""
    return data_dir / "logs" / f"{service}.log"


def search_log(data_dir: Path, request: SearchLog) -> LogLines:
    """The newest lines of a service's log that match. Raises LogAbsent."""
    files = newest_first(_own_log(data_dir, request.service))
    found: list[str] = []
    for file in files:
        matching = [line for line in file.read_text("utf-8", "replace").splitlines() if _matches(line, request)]
        found = matching[-(request.lines + 1 - len(found)) :] + found
        if len(found) > request.lines:
            break
    return LogLines(lines=tuple(found[-request.lines :]), more=len(found) > request.lines)


def _matches(line: str, request: SearchLog) -> bool:
    if request.text.lower() not in line.lower():
        return False
    level = _LEVEL.search(line)
    return level is None or _RANKS.get(level[1], len(_RANKS)) >= _RANKS[request.level]


def _own_log(data_dir: Path, service: str) -> Path:
    path = log_path(data_dir, service)
    # Ids are letters and digits: no path can leave the folder.
    if not service.isalnum() or not path.is_file():
        raise LogAbsent
    return path


def read_log(data_dir: Path, request: ReadLog) -> LogPart:
    """A part of a service's log, 256 KiB at most. Raises LogAbsent."""
    path = _own_log(data_dir, request.service)
    size = path.stat().st_size
    begin = 0 if request.from_byte is not None and request.from_byte > size else request.from_byte
    with path.open("rb") as file:
        if begin is None:
            file.seek(max(0, size - _MAX_BYTES))
            begin = size - len(_last_lines(file.read(size - file.tell()), request.lines))
        file.seek(begin)
        part = file.read(min(_MAX_BYTES, size - begin))
    more = begin + len(part) < size
    if more:
        # The part begins at a line and ends with a complete character.
        part = part[: part.rfind(b"\n") + 1] or part
    return LogPart(text=part.decode("utf-8", "replace"), next=begin + len(part), more=more)


def _last_lines(content: bytes, lines: int) -> bytes:
    return b"".join(content.splitlines(keepends=True)[-lines:]) if lines > 0 else b""
