"""Small helpers over Arrow batches that the stubs do not know or that Arrow lacks."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from zcbus.model.arrow import ArrowArray

_arrow: Any = pa


def concat(batches: Sequence[pa.RecordBatch]) -> pa.RecordBatch:
    """Batches of one schema end to end; a single one is not copied."""
    if len(batches) == 1:
        return batches[0]
    return cast(pa.RecordBatch, _arrow.concat_batches(list(batches)))


def take(batch: pa.RecordBatch, places: npt.NDArray[np.int64]) -> pa.RecordBatch:
    """Rows at the places; the batch itself where these are all of its rows in their order."""
    if len(places) == batch.num_rows and bool((places == np.arange(len(places))).all()):
        return batch
    return batch.take(pa.array(places, pa.int64()))


def take_or_null(column: ArrowArray, places: npt.NDArray[np.int64], nothing: npt.NDArray[np.bool_]) -> ArrowArray:
    """Values at the places, null where `nothing`."""
    where: Any = pa.array(places, pa.int64(), mask=nothing)
    return column.take(where)


def select(batch: pa.RecordBatch, names: Sequence[str]) -> pa.RecordBatch:
    """Columns by name, in that order; the batch itself where that changes nothing."""
    if list(names) == batch.schema.names:
        return batch
    return batch.select(list(names))


def plain_batch(table: pa.Table) -> pa.RecordBatch:
    """What the evaluating library gives, in the plain forms that travel: texts, bytes, and truth values."""
    wanted = pa.schema([(field.name, _plain(field.type)) for field in table.schema])
    batches = table.cast(wanted).to_batches()
    if not batches:
        return pa.RecordBatch.from_pylist([], schema=wanted)
    return concat(batches)


def _plain(kind: Any) -> Any:
    if pa.types.is_boolean(kind):
        return pa.bool_()
    return pa.binary() if pa.types.is_binary(kind) or pa.types.is_large_binary(kind) else pa.string()
