"""Distribution of a table's rows to appliers, by a hash of their keys that is equal in every process.

Keys that a target may treat as equal must have equal hashes. So only suitable columns count: numbers, UUIDs, and
texts, of which only ASCII letters (ignoring case) and digits are used. Ignoring the rest of a key is safe: equal keys
have equal parts.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from zcbus.model.arrow import ArrowArray
from zcbus.model.batches import select
from zcbus.model.schema import TableSchema
from zcbus.model.types import INTEGERS, Kind

Numbers = npt.NDArray[np.int64]
_Unsigned = npt.NDArray[np.uint64]

_EXACT = INTEGERS | {Kind.UUID}
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)


def hashed_columns(schema: TableSchema, key: Sequence[str]) -> tuple[str, ...]:
    """Key columns that are hashed; (): none, so the rows must stay together."""
    return tuple(name for name in key if schema.column(name).type.kind in {*_EXACT, Kind.TEXT})


def applier_numbers(schema: TableSchema, names: Sequence[str], keys: pa.RecordBatch, count: int) -> Numbers | None:
    """The applier, from 0, of each row of `keys`, which has the columns `names` without nulls.

    None: a text contains characters beyond ASCII, whose equality in the target is unknown.
    """
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
    """A number for each text: the sum of its bytes, weighted by position."""
    texts: Any = column.cast(pa.binary())
    begins, data = _buffers(texts)
    lengths = np.diff(begins)
    factors = np.multiply.accumulate(np.full(int(lengths.max(initial=0)) + 1, _FACTOR))
    positions = np.arange(len(data)) - np.repeat(begins[:-1], lengths)
    sums = np.concatenate(
        [np.zeros(1, np.uint64), np.cumsum((data + np.uint64(1)) * factors[positions], dtype=np.uint64)]
    )
    found: _Unsigned = sums[begins[1:]] - sums[begins[:-1]]
    return found


def _buffers(texts: Any) -> tuple[Numbers, _Unsigned]:
    """Offsets of the texts in their common buffer, including the end."""
    _, offsets, data = texts.buffers()
    if not len(texts) or data is None:
        return np.zeros(len(texts) + 1, np.int64), np.zeros(0, np.uint64)
    begins = np.frombuffer(offsets, np.int32)[texts.offset : texts.offset + len(texts) + 1].astype(np.int64)
    found = np.frombuffer(data, np.uint8)[begins[0] : begins[-1]].astype(np.uint64)
    return begins - begins[0], found
