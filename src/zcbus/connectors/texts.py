"""Searching complete columns of text at once, at the speed of memory."""

import pyarrow as pa

from zcbus.model.arrow import ArrowArray

ESCAPES = (("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r"))
"""Characters that lines with tab-separated fields must escape; the backslash comes first."""


def escaped(text: bytes) -> bytes:
    """A field, or a part of one, for such a line."""
    for character, escape in ESCAPES:
        text = text.replace(character.encode(), escape.encode())
    return text


def contains(values: ArrowArray, *parts: bytes) -> bool:
    """Whether any of the parts occurs in the bytes of a string or binary array.

    May be true for a part that starts in one value and ends in the next: only a negative result is exact.
    """
    data = joined_bytes(values)
    return any(part in data for part in parts)


def joined_bytes(values: ArrowArray) -> bytes:
    """The bytes of all values, concatenated."""
    if not len(values):
        return b""
    _, offsets, data = values.buffers()
    assert offsets is not None
    ends = memoryview(offsets).cast("i")
    start, end = ends[values.offset], ends[values.offset + len(values)]
    return b"" if data is None else pa.py_buffer(data).slice(start, end - start).to_pybytes()
