"""Of each key the last row."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from zcbus.model.kernels import compute

_INDEX = "zcbus: index"


def last_of_each_key(rows: pa.Table, key: Sequence[str]) -> pa.Table:
    """The rows, in their order, without those that a later one with the same key replaces. Keys are typed and not
    null."""
    columns = [comparable(rows.column(name)) for name in key]
    if len(columns) == 1 and _ascends(columns[0]):
        return rows
    if len(columns) == 1 and compute.count_distinct(columns[0]).as_py() == len(rows):
        return rows
    indices = pa.array(range(len(rows)), pa.int64())
    keys = pa.table([*columns, indices], names=[*key, _INDEX])
    last = keys.group_by(list(key)).aggregate([(_INDEX, "max")]).column(f"{_INDEX}_max")
    return rows if len(last) == len(rows) else rows.take(last.combine_chunks().sort())


def _ascends(values: Any) -> bool:
    """Whether numbers are each greater than the one before, as in a load in the order of the key."""
    if not pa.types.is_integer(values.type) or values.null_count:
        return False
    numbers = values.to_numpy()
    return bool((numbers[1:] > numbers[:-1]).all())


def comparable(values: Any) -> Any:
    """Values that are equal where databases take them for equal: -0 and 0 are one key."""
    return compute.add(values, pa.scalar(0.0, values.type)) if pa.types.is_floating(values.type) else values
