"""Lines from a file descriptor.

Not from `sys.stdin`: a thread that waits in its buffer would make the interpreter's shutdown fail.
"""

import os
from collections.abc import Iterator

_CHUNK = 1 << 16


def lines(descriptor: int) -> Iterator[bytes]:
    """Lines without their ends, as they come; ends with the input."""
    rest = b""
    while chunk := os.read(descriptor, _CHUNK):
        *complete, rest = (rest + chunk).split(b"\n")
        yield from complete
    if rest:
        yield rest
