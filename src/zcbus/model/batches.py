"""Helpers for Arrow batches that the stubs or Arrow lack."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from zcbus.model.arrow import ArrowArray

_arrow: Any = pa


def concat(batches: Sequence[pa.RecordBatch]) -> pa.RecordBatch:
    """Concatenate batches of one schema; a single one is not copied."""
    if len(batches) == 1:
        return batches[0]
    return cast(pa.RecordBatch, _arrow.concat_batches(list(batches)))


def take(batch: pa.RecordBatch, indexes: npt.NDArray[np.int64]) -> pa.RecordBatch:
    """Rows at indexes; the batch itself if these are all rows in order."""
    if len(indexes) == batch.num_rows and bool((indexes == np.arange(len(indexes))).all()):
        return batch
    return batch.take(pa.array(indexes, pa.int64()))


def take_or_null(column: ArrowArray, indexes: npt.NDArray[np.int64], nothing: npt.NDArray[np.bool_]) -> ArrowArray:
    """Values at indexes; null where `nothing`."""
    selection: Any = pa.array(indexes, pa.int64(), mask=nothing)
    return column.take(selection)


def select(batch: pa.RecordBatch, names: Sequence[str]) -> pa.RecordBatch:
    """Columns by name, in that order; the batch itself if unchanged."""
    if list(names) == batch.schema.names:
        return batch
    return batch.select(list(names))


def plain_batch(table: pa.Table) -> pa.RecordBatch:
    """Results of the evaluating library in plain types: texts, bytes and booleans."""
    plain = pa.schema([(field.name, _plain(field.type)) for field in table.schema])
    batches = table.cast(plain).to_batches()
    if not batches:
        return pa.RecordBatch.from_pylist([], schema=plain)
    return concat(batches)


def _plain(kind: Any) -> Any:
    if pa.types.is_boolean(kind):
        return pa.bool_()
    return pa.binary() if pa.types.is_binary(kind) or pa.types.is_large_binary(kind) else pa.string()
