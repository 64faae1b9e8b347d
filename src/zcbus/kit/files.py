"""Files whose content survives a stop of the machine."""

import os
from pathlib import Path


def write_durably(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Replace a file's content in one step that survives a stop of the machine. Raises OSError."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    try:
        os.write(handle, data)
        os.fsync(handle)
    finally:
        os.close(handle)
    temporary.replace(path)
    _sync_folder(path)


def append_durably(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Add to a file's end, or make it; what was added survives a stop of the machine once this returns. A stop before
    may leave a part of it. Raises OSError."""
    is_new = not path.exists()
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, mode)
    try:
        os.write(handle, data)
        os.fsync(handle)
    finally:
        os.close(handle)
    if is_new:
        _sync_folder(path)


def _sync_folder(path: Path) -> None:
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
