"""Files of a lake's store as Python reads them."""

import io
from typing import Any, BinaryIO, cast

import obstore

_READ_AHEAD = 1 << 20


def open_file(store: Any, path: str) -> BinaryIO:
    """A file's bytes, with `seek`; parts are fetched as they are read. Raises FileNotFoundError."""
    reader = obstore.open_reader(store, path, buffer_size=_READ_AHEAD)
    return cast("BinaryIO", io.BufferedReader(_Reader(reader), _READ_AHEAD))


class _Reader(io.RawIOBase):
    """The store's reader as one of Python."""

    def __init__(self, reader: Any) -> None:
        self._reader = reader

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._reader.seek(offset, whence)
        return int(self._reader.tell())

    def tell(self) -> int:
        return int(self._reader.tell())

    def readinto(self, buffer: "memoryview[int]") -> int:  # type: ignore[override]
        found = bytes(self._reader.read(len(buffer)))
        buffer[: len(found)] = found
        return len(found)
