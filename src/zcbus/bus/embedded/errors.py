"""Errors of the disk below the bus."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from zcbus.bus.contract import BusFull
from zcbus.kit.errors import TransientError

_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class BusUnwritable(TransientError):
    """Writing failed for another reason than disk space. Acknowledged records are safe.

    Facts: topic, path, problem.
    """

    code = "bus-unwritable"


def disk_error(error: OSError, topic: str, path: Path) -> BusFull | BusUnwritable:
    """The contract's error for an OSError."""
    if error.errno in _NO_ROOM:
        return BusFull(topic=topic, path=str(path))
    return BusUnwritable(topic=topic, path=str(path), problem=str(error))


@contextmanager
def disk_errors(topic: str, path: Path) -> Iterator[None]:
    """Convert OSErrors to errors of the contract."""
    try:
        yield
    except OSError as error:
        raise disk_error(error, topic, path) from error
