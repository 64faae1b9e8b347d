"""A log of bounded size: when a file is full it steps aside, and the oldest one goes."""

from pathlib import Path
from typing import BinaryIO

MOST_BYTES = 8 << 20
KEPT_FILES = 4


class RotatingLog:
    """Appends to `path`; what is older is in `path`.1 (the newest of them), `.2` and so on. One writer, one thread.

    A line is never divided between two files. What cannot be written is lost: a full disk must not stop who logs.
    """

    def __init__(self, path: Path, most_bytes: int = MOST_BYTES, kept_files: int = KEPT_FILES) -> None:
        self._path, self._most, self._kept = path, most_bytes, kept_files
        self._file: BinaryIO | None = None
        self._size = 0

    def write(self, data: bytes) -> None:
        """Append; steps to a new file behind the last line that is complete."""
        try:
            if self._size + len(data) > self._most and (end := data.rfind(b"\n") + 1):
                self._append(data[:end])
                self._step_aside()
                data = data[end:]
            self._append(data)
        except OSError:
            self.close()

    def close(self) -> None:
        """Let the file go; the next `write` opens it again."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _append(self, data: bytes) -> None:
        if self._file is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            # Unbuffered: what a process wrote before it died is what one wants to read.
            self._file = self._path.open("ab", buffering=0)
            self._size = self._file.tell()
        self._size += self._file.write(data) or 0

    def _step_aside(self) -> None:
        self.close()
        for number in range(self._kept - 1, 0, -1):
            older = aside(self._path, number)
            if older.exists():
                older.replace(aside(self._path, number + 1))
        if self._kept:
            self._path.replace(aside(self._path, 1))
        else:
            self._path.unlink(missing_ok=True)
        self._size = 0


def aside(path: Path, number: int) -> Path:
    """Where the file is that stepped aside `number` steps ago."""
    return path.with_name(f"{path.name}.{number}")


def newest_first(path: Path) -> list[Path]:
    """The files of a log that are there."""
    numbered: list[Path] = []
    while (older := aside(path, len(numbered) + 1)).exists():
        numbered.append(older)
    return [one for one in (path, *numbered) if one.exists()]
