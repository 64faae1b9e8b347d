"""Contents on disk, of files that a server does not give in parts, or says nothing of."""

import hashlib
import io
import os
import zlib
from collections.abc import Iterator
from tempfile import TemporaryFile

_UNPACKED = 1 << 20


class NotSpooled(OSError):
    """A content cannot be kept; says why."""


class Spool:
    """The content of one file. No other process can open it, and it goes with the object."""

    def __init__(self) -> None:
        self._file = TemporaryFile()  # noqa: SIM115 - closed with the spool
        self._hash = hashlib.blake2b(digest_size=16)
        self._readers, self._is_kept = 0, True
        self.size = 0

    def add(self, part: bytes, most: int) -> None:
        """Raises NotSpooled if it becomes more than `most` bytes."""
        self.size += len(part)
        if self.size > most:
            raise NotSpooled(f"more than {most >> 20} MiB")
        self._file.write(part)
        self._hash.update(part)

    @property
    def digest(self) -> str:
        """Of the content."""
        return self._hash.hexdigest()

    def opened(self) -> "SpooledFile":
        """The content from its start."""
        self._file.flush()
        self._readers += 1
        return SpooledFile(self)

    def read(self, size: int, offset: int) -> bytes:
        """Bytes from an offset."""
        return os.pread(self._file.fileno(), size, offset)

    def close(self) -> None:
        """Let it go once no file of it is open. Idempotent."""
        self._is_kept = False
        self._close_unread()

    def release(self) -> None:
        """A reader is done."""
        self._readers -= 1
        self._close_unread()

    def _close_unread(self) -> None:
        if not self._is_kept and self._readers <= 0:
            self._file.close()


class SpooledFile(io.RawIOBase):
    """A place in a spool, which stays as long as it is open."""

    def __init__(self, spool: Spool) -> None:
        self._spool, self._at = spool, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._spool.size}[whence]
        self._at = max(0, base + offset)
        return self._at

    def readinto(self, buffer: "memoryview[int]") -> int:  # type: ignore[override]
        part = self._spool.read(len(buffer), self._at)
        buffer[: len(part)] = part
        self._at += len(part)
        return len(part)

    def close(self) -> None:
        if not self.closed:
            self._spool.release()
        super().close()


def unpacked(parts: Iterator[bytes]) -> Iterator[bytes]:
    """What gzip packed, in small parts. Raises NotSpooled."""
    unpacker, is_begun = zlib.decompressobj(wbits=31), False
    try:
        for part in parts:
            while part:
                if unpacker.eof:
                    unpacker = zlib.decompressobj(wbits=31)
                is_begun = True
                yield (found := unpacker.decompress(part, _UNPACKED))
                part = unpacker.unused_data if unpacker.eof else unpacker.unconsumed_tail
                while not part and len(found) == _UNPACKED:
                    yield (found := unpacker.decompress(b"", _UNPACKED))
    except zlib.error as error:
        raise NotSpooled(f"no gzip: {error}") from error
    if is_begun and not unpacker.eof:
        raise NotSpooled("gzip that ends early")
