"""Starts writing to disk before the next sync. Only on Linux."""

import ctypes
from collections.abc import Callable

_SMALLEST_BYTES = 64 << 10
_SYNC_FILE_RANGE_WRITE = 2


def _find() -> Callable[[int, int, int, int], int] | None:
    call = getattr(ctypes.CDLL(None), "sync_file_range", None)
    if call is None:
        return None
    call.argtypes = [ctypes.c_int, ctypes.c_int64, ctypes.c_int64, ctypes.c_uint]
    found: Callable[[int, int, int, int], int] = call
    return found


_sync_file_range = _find()


def start_write_back(descriptor: int, position: int, length: int) -> None:
    """Request early writing of a range.

    It is a hint: nothing is durable before fdatasync, which also reports errors.
    """
    if _sync_file_range is not None and length >= _SMALLEST_BYTES:
        _sync_file_range(descriptor, position, length, _SYNC_FILE_RANGE_WRITE)
