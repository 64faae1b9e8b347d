"""Files that stores read by ranges."""

import io
from abc import abstractmethod
from collections.abc import Sized
from typing import Any


class RangedFile(io.RawIOBase):
    """A file of a known size, read from any place on. Not for several threads."""

    def __init__(self, size: int) -> None:
        """`size`: bytes; what a file has beyond them is not read."""
        self._size, self._at = size, 0

    @abstractmethod
    def part(self, at: int, most: int) -> Sized:
        """Some of the next bytes from a place before the end, `most` at most. Raises FileNotFoundError where the file
        was removed or replaced."""

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        self._at = max(0, base + offset)
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: Any) -> int:
        if self._at >= self._size:
            return 0
        part = self.part(self._at, min(len(buffer), self._size - self._at))
        buffer[: len(part)] = part
        self._at += len(part)
        return len(part)
