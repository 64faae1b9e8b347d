"""A log file of bounded size, with rotation."""

from pathlib import Path
from typing import BinaryIO

MAX_BYTES = 8 << 20
MAX_ROTATED_FILES = 4


class RotatingLog:
    """Appends to `path`; older lines are in `path`.1 (the newest), `.2` and so on.

    One writer, one thread. A line is never divided between two files. Lines that cannot be written are lost: a full
    disk must not stop the process.
    """

    def __init__(self, path: Path, most_bytes: int = MAX_BYTES, rotated_files: int = MAX_ROTATED_FILES) -> None:
        self._path, self._most, self._rotated_files = path, most_bytes, rotated_files
        self._file: BinaryIO | None = None
        self._size = 0

    def write(self, data: bytes) -> None:
        """Append; rotates behind the last complete line."""
        try:
            if self._size + len(data) > self._most and (end := data.rfind(b"\n") + 1):
                self._append(data[:end])
                self._step_aside()
                data = data[end:]
            self._append(data)
        except OSError:
            self.close()

    def close(self) -> None:
        """Close the file; the next `write` opens it again."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _append(self, data: bytes) -> None:
        if self._file is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            # Unbuffered: the last lines of a process that died must be in the file.
            self._file = self._path.open("ab", buffering=0)
            self._size = self._file.tell()
        self._size += self._file.write(data) or 0

    def _step_aside(self) -> None:
        self.close()
        for number in range(self._rotated_files - 1, 0, -1):
            older = aside(self._path, number)
            if older.exists():
                older.replace(aside(self._path, number + 1))
        if self._rotated_files:
            self._path.replace(aside(self._path, 1))
        else:
            self._path.unlink(missing_ok=True)
        self._size = 0


def aside(path: Path, number: int) -> Path:
    """Path of the file that was rotated `number` times."""
    return path.with_name(f"{path.name}.{number}")


def newest_first(path: Path) -> list[Path]:
    """Existing files of a log."""
    numbered: list[Path] = []
    while (older := aside(path, len(numbered) + 1)).exists():
        numbered.append(older)
    return [one for one in (path, *numbered) if one.exists()]
