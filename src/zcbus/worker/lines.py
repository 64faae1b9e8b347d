"""Lines from a file descriptor.

A thread that waits in the buffer of `sys.stdin` makes the interpreter's shutdown fail; one that reads a descriptor
does not.
"""

import os
from collections.abc import Iterator

_CHUNK = 1 << 16


def lines(descriptor: int) -> Iterator[bytes]:
    """Lines without line ends, as they arrive, until the end of the input."""
    rest = b""
    while chunk := os.read(descriptor, _CHUNK):
        *complete, rest = (rest + chunk).split(b"\n")
        yield from complete
    if rest:
        yield rest
