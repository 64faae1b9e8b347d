"""Conversion of the server's character sets to UTF-8, byte for byte as the server converts.

Nearly all text is UTF-8 or plain ASCII already and passes unchanged. Sets of two and four bytes are decoded here. All
others are converted by the server, many values per query, because its tables differ from other implementations.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa

from zcbus.model.arrow import ArrowArray
from zcbus.model.kernels import compute

_UTF8 = frozenset({"utf8mb4", "utf8mb3", "utf8", "ascii"})
_CODECS = {"ucs2": "utf-16-be", "utf16": "utf-16-be", "utf16le": "utf-16-le", "utf32": "utf-32-be"}
_NOT_ASCII = frozenset({*_CODECS, "swe7"})
_QUESTION_BYTES = 256 << 10


class Charsets:
    """Decodes columns. `convert`: the server's own conversion of bytes of a character set; called for sets that are
    converted neither here nor equal to UTF-8."""

    def __init__(self, convert: Callable[[bytes, str], str]) -> None:
        self._convert = convert

    def decode(self, values: ArrowArray, charset: str) -> ArrowArray:
        """A binary column as text."""
        if charset in _UTF8 or (charset not in _NOT_ASCII and is_ascii(values)):
            return values.view(pa.string())
        distinct: Any = compute.dictionary_encode(values)
        texts = self._decode_values(distinct.dictionary.to_pylist(), charset)
        result: ArrowArray = pa.array(texts, pa.string()).take(distinct.indices)
        return result

    def _decode_values(self, values: list[bytes], charset: str) -> list[str]:
        if charset in _CODECS:
            return [value.decode(_CODECS[charset], "replace") for value in values]
        texts: list[str] = []
        group: list[bytes] = []
        size = 0
        for value in values:
            if group and size + len(value) > _QUESTION_BYTES:
                texts += self._convert_by_server(group, charset)
                group, size = [], 0
            group.append(value)
            size += len(value) + 1
        return texts + self._convert_by_server(group, charset) if group else texts

    def _convert_by_server(self, values: list[bytes], charset: str) -> list[str]:
        """One question for all. A line feed is never a part of a character in these sets."""
        lines = self._convert(b"\n".join(values), charset).split("\n")
        counts = [value.count(b"\n") + 1 for value in values]
        if len(lines) != sum(counts):  # a broken character at a value's end has swallowed a line feed
            return [self._convert(value, charset) for value in values]
        texts, at = [], 0
        for count in counts:
            texts.append("\n".join(lines[at : at + count]))
            at += count
        return texts


def is_ascii(values: ArrowArray) -> bool:
    """Whether no byte of the column is beyond ASCII."""
    _, offsets, data = values.buffers()
    if data is None or offsets is None:
        return True
    ends = np.frombuffer(memoryview(offsets), np.int32)
    octets = np.frombuffer(memoryview(data), np.uint8)[ends[values.offset] : ends[values.offset + len(values)]]
    return not len(octets) or int(octets.max()) < 0x80
