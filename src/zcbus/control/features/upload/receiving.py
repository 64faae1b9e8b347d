"""Uploads under way: one file each, which grows by parts. Its size on disk says how far it is."""

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from zcbus.control.features.upload.errors import UploadBusyError, UploadOffsetError, UploadPartBrokenError
from zcbus.kit.upload_settings import UploadSettings

_PIECE = 1 << 20


def path_of(settings: UploadSettings, upload_id: str) -> Path:
    """The file of an upload under way. Its name is the platform's own, never the user's."""
    return settings.folder / "parts" / upload_id


def size_of(path: Path) -> int:
    """Bytes received so far."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


@contextmanager
def held(path: Path) -> Iterator[None]:
    """No other request of any replica writes or checks the upload meanwhile. Raises UploadBusyError."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise UploadBusyError from error
        if not _is_still(path, handle):
            raise UploadBusyError
        yield
    finally:
        os.close(handle)


def _is_still(path: Path, handle: int) -> bool:
    """Whether the path leads to the open file: the request that had it before may have removed it."""
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False


def append(path: Path, offset: int, part: bytes, sha256: str, limit: int) -> int:
    """Add a part that begins at `offset` to a held upload; returns the new size. Raises UploadPartBrokenError,
    UploadOffsetError where it is not the next one or leads beyond `limit`, OSError with the upload as it was."""
    size = size_of(path)
    if hashlib.sha256(part).hexdigest() != sha256:
        raise UploadPartBrokenError(received=size)
    if offset != size or size + len(part) > limit:
        raise UploadOffsetError(received=size)
    with path.open("r+b") as file:
        file.seek(size)
        try:
            file.write(part)
            file.flush()
            os.fsync(file.fileno())
        except OSError:
            file.truncate(size)
            raise
    return size + len(part)


def digest_of(path: Path) -> str:
    """SHA-256 of a file in hexadecimal."""
    found = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            found.update(piece)
    return found.hexdigest()
