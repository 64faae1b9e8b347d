"""Reads the logs of this host's services, and no other file."""

from pathlib import Path

from zcbus.kit.errors import TerminalError
from zcbus.protocol.requests import LogPart, ReadLog

_MOST_BYTES = 256 * 1024


class LogAbsent(TerminalError):
    """This host has no log of the service."""

    code = "log-absent"


def log_path(data_dir: Path, service: str) -> Path:
    """Where the log of a service is written."""
    return data_dir / "logs" / f"{service}.log"


def read_log(data_dir: Path, request: ReadLog) -> LogPart:
    """A part of a service's log, 256 KiB at most. Raises LogAbsent."""
    path = log_path(data_dir, request.service)
    # Ids are letters and digits: nothing that could lead out of the folder.
    if not request.service.isalnum() or not path.is_file():
        raise LogAbsent
    size = path.stat().st_size
    begin = 0 if request.from_byte is not None and request.from_byte > size else request.from_byte
    with path.open("rb") as file:
        if begin is None:
            file.seek(max(0, size - _MOST_BYTES))
            begin = size - len(_last_lines(file.read(size - file.tell()), request.lines))
        file.seek(begin)
        part = file.read(min(_MOST_BYTES, size - begin))
    more = begin + len(part) < size
    if more:
        # Not in the middle of a line, nor of a character.
        part = part[: part.rfind(b"\n") + 1] or part
    return LogPart(text=part.decode("utf-8", "replace"), next=begin + len(part), more=more)


def _last_lines(content: bytes, lines: int) -> bytes:
    return b"".join(content.splitlines(keepends=True)[-lines:]) if lines > 0 else b""
