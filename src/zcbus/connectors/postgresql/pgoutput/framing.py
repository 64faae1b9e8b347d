"""Finding the message starts in a receive buffer.

Each message's length gives the start of the next one. Walking from one to the next is best for long messages; examining
all bytes at once is best for short ones: every offset that looks like the start of a CopyData message is a candidate,
and if the candidates follow each other exactly as their lengths say, they are what walking would have found. Otherwise
the buffer is walked.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Offsets = npt.NDArray[np.int64]

SLACK = 8
"""Bytes after the received data that may be read; their content has no meaning."""
_length = struct.Struct("!I").unpack_from
_FEW_BYTES = 16 << 10
_MANY_BYTES = 16 << 20
"""A buffer grows larger only for a very large message; examining all its bytes would need as much memory again."""
_LONG_BYTES = 90
_COPY_DATA = ord("d")
_SHORTEST = 4
_CONTENTS = np.zeros(256, np.bool_)
_CONTENTS[[0, ord("P"), ord("w"), ord("k")]] = True
"""Possible first bytes of CopyData: a row's column count, COPY's header, data and keepalive of a stream."""
_MESSAGES = np.zeros(256, np.bool_)
_MESSAGES[list(b"dcCZENSA")] = True
"""Types of messages that may follow a CopyData message."""


@dataclass(frozen=True, slots=True)
class Messages:
    """CopyData messages in one buffer: where the payload of each starts; `end` is where the last one ends."""

    data: bytearray | bytes
    starts: Offsets
    end: int


def copy_data(buffer: bytearray, fill: int) -> tuple[Offsets, int]:
    """Where the complete CopyData messages at the buffer's beginning start, and where the last of them ends."""
    if _FEW_BYTES <= fill <= _MANY_BYTES and _are_short(buffer):
        places, ends = _candidates(buffer, fill)
        if len(places) and places[0] == 0 and (places[1:] == ends[:-1]).all():
            return places, int(ends[-1])
    return _walk(buffer, fill)


def _are_short(buffer: bytearray) -> bool:
    """Judged by the first ones."""
    starts, end = _walk(buffer, _FEW_BYTES)
    return end < _LONG_BYTES * len(starts)


def _candidates(buffer: bytearray, fill: int) -> tuple[Offsets, Offsets]:
    data: npt.NDArray[np.uint8] = np.frombuffer(buffer, np.uint8, fill)
    places = np.flatnonzero(data[: fill - 5] == _COPY_DATA)
    places = places[_CONTENTS[data[places + 5]]]
    lengths = np.ndarray((fill - 3,), ">u4", data, 0, (1,))[places + 1].astype(np.int64)
    ends = places + 1 + lengths
    plausible = (lengths > _SHORTEST) & (ends <= fill)
    places, ends = places[plausible], ends[plausible]
    plausible = (ends == fill) | _MESSAGES[data[np.minimum(ends, fill - 1)]]
    return places[plausible], ends[plausible]


def _walk(buffer: bytearray, fill: int) -> tuple[Offsets, int]:
    starts = np.fromiter(_messages(buffer, fill), np.int64)
    others = np.flatnonzero(np.frombuffer(buffer, np.uint8).take(starts) != _COPY_DATA)
    if len(others):
        return starts[: others[0]], int(starts[others[0]])
    if not len(starts):
        return starts, 0
    last = int(starts[-1])
    end: int = last + 1 + _length(buffer, last + 1)[0]
    return (starts, end) if end <= fill else (starts[:-1], last)


def _messages(buffer: bytearray, fill: int) -> Iterator[int]:
    """Where messages begin; the last one may not be complete."""
    position, length, last = 0, _length, fill - 5
    while position <= last:
        yield position
        position += 1 + length(buffer, position + 1)[0]
