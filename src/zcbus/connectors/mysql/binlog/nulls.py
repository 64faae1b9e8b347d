"""Insertion of nulls between decoded values, without copying the values."""

import numpy as np
import pyarrow as pa

from zcbus.model.arrow import ArrowArray
from zcbus.model.characters import Flags, memory, validity


class Nulls:
    """Where values are, and where nulls."""

    def __init__(self, present: Flags) -> None:
        self._present = present
        self._validity = validity(present)
        self._before = np.zeros(len(present) + 1, np.int64)
        """Number of values before each row, and before the end."""
        np.cumsum(present, out=self._before[1:])

    def between(self, texts: ArrowArray) -> ArrowArray:
        """Texts or bytes at their rows; a value that is null itself stays null."""
        _, offsets, data = texts.buffers()
        assert offsets is not None
        ends = np.frombuffer(memoryview(offsets), np.int32)[texts.offset : texts.offset + len(texts) + 1]
        valid = self._joined(texts) if texts.null_count else self._validity
        buffers = [valid, memory(ends.take(self._before)), data]
        return pa.Array.from_buffers(texts.type, len(self._present), buffers)

    def _joined(self, texts: ArrowArray) -> pa.Buffer | None:
        both = self._present.copy()
        both[both] = np.asarray(texts.is_valid())
        return validity(both)
