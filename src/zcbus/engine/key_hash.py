"""Which of several appliers the rows of a table go to: by a hash of their keys, the same in every process.

Two keys that a target may take for equal get the same number. So only columns of which that is known count: numbers,
UUIDs, and texts of which nothing but letters (whatever their case) and digits of ASCII is looked at. The rest of a key
may differ as it likes: what is equal in the whole is equal in a part.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from zcbus.engine.batches import select
from zcbus.model.arrow import ArrowArray
from zcbus.model.schema import TableSchema
from zcbus.model.types import INTEGERS, Kind

Numbers = npt.NDArray[np.int64]
_Unsigned = npt.NDArray[np.uint64]

_EXACT = INTEGERS | {Kind.UUID}
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)


def hashed_columns(schema: TableSchema, key: Sequence[str]) -> tuple[str, ...]:
    """The columns of the key that are hashed; (): there is none, and the rows must stay together."""
    return tuple(name for name in key if schema.column(name).type.kind in {*_EXACT, Kind.TEXT})


def applier_numbers(schema: TableSchema, names: Sequence[str], keys: pa.RecordBatch, count: int) -> Numbers | None:
    """The applier, from 0, of each row of `keys`, which has the columns `names` without nulls. None: a text among them
    has other characters than those of ASCII, so that nobody knows what it equals."""
    sums: _Unsigned = np.zeros(keys.num_rows, np.uint64)
    for name, column in zip(names, select(keys, names).columns, strict=True):
        if schema.column(name).type.kind not in _EXACT:
            if not pc.all(pc.string_is_ascii(column), min_count=0).as_py():
                return None
            column = pc.replace_substring_regex(pc.ascii_lower(column), "[^0-9a-z]", "")
        sums = sums * _FACTOR + _hashes(column)
    mixed = (sums ^ (sums >> _HALF)) * _FACTOR
    return ((mixed >> _HALF) % np.uint64(count)).astype(np.int64)


def _hashes(column: ArrowArray) -> _Unsigned:
    """A number for each text: the sum of its bytes, each times a factor of its place."""
    texts: Any = column.cast(pa.binary())
    begins, data = _buffers(texts)
    lengths = np.diff(begins)
    factors = np.multiply.accumulate(np.full(int(lengths.max(initial=0)) + 1, _FACTOR))
    places = np.arange(len(data)) - np.repeat(begins[:-1], lengths)
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum((data + np.uint64(1)) * factors[places], dtype=np.uint64)])
    found: _Unsigned = sums[begins[1:]] - sums[begins[:-1]]
    return found


def _buffers(texts: Any) -> tuple[Numbers, _Unsigned]:
    """Where each text begins, and the last one ends, in the bytes of all."""
    _, offsets, data = texts.buffers()
    if not len(texts) or data is None:
        return np.zeros(len(texts) + 1, np.int64), np.zeros(0, np.uint64)
    begins = np.frombuffer(offsets, np.int32)[texts.offset : texts.offset + len(texts) + 1].astype(np.int64)
    found = np.frombuffer(data, np.uint8)[begins[0] : begins[-1]].astype(np.uint64)
    return begins - begins[0], found
