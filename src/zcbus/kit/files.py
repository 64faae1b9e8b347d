"""Durable writes of files."""

import os
from pathlib import Path


def write_durably(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Replace a file's content atomically and durably. Raises OSError; the file is then as it was."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    try:
        try:
            _write_all(handle, data)
            os.fsync(handle)
        finally:
            os.close(handle)
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    sync_file(path.parent)


def append_durably(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Append to a file durably; creates it if missing. Raises OSError.

    A crash before the return may leave a part of the data.
    """
    is_new = not path.exists()
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, mode)
    try:
        _write_all(handle, data)
        os.fsync(handle)
    finally:
        os.close(handle)
    if is_new:
        sync_file(path.parent)


def write_private_file(path: Path, content: str) -> None:
    """Create a file that only its owner can read. Raises FileExistsError: nothing is ever overwritten."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync_file(path: Path) -> None:
    """Have a file's content, or the names in a folder, survive a loss of power. Raises OSError."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _write_all(handle: int, data: bytes) -> None:
    """A disk that becomes full takes a part of the data without an error; the next write has it."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]
