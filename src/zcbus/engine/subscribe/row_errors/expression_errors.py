"""Rows that have no value under an expression or a condition, between the source and the row errors that keep them.

What is kept is the image that the target was to get, without the columns that have no value. So nothing that is masked
or left out is kept in the target.
"""

from dataclasses import dataclass

import pyarrow as pa

from zcbus.engine.reasons import EXPRESSION_FAILED, ExpressionFailed
from zcbus.engine.subscribe.row_errors.images import Image, batch_of, first_image
from zcbus.engine.subscribe.schema.mapping import Mapped
from zcbus.model.row_errors import RowError


@dataclass(frozen=True, slots=True)
class ExpressionError:
    """What there is of such a row."""

    after: Image
    lacks: tuple[str, ...]
    """Columns without a value; none where only a condition has none."""
    error: ExpressionFailed


def unevaluated(mapped: Mapped, row: pa.RecordBatch, error: ExpressionFailed) -> ExpressionError:
    """Of one source row, complete or not. Raises TableStopped where its key has no value."""
    assert mapped.shaping is not None
    possible = mapped.shaping.possible(row)
    detail = "; ".join(f"{name}: {why}" for name, why in possible.failed.items())
    facts = error.facts | ({"detail": detail} if detail else {})
    lacks = tuple(name for name in possible.failed if name in mapped.shaping.computed)
    return ExpressionError(first_image(possible.row()), lacks, ExpressionFailed(**facts))


def image_to_put(error: RowError, mapped: Mapped) -> Image:
    """The row that the target is to have of a row error; {}: none. Columns without a value are computed again, by the
    expressions of today, where what they are made of was kept; else somebody has to give them one.

    Raises ExpressionFailed.
    """
    if error.code != EXPRESSION_FAILED or not error.after:
        return error.after
    row = batch_of(error.after, mapped.table.columns)
    filled = mapped.shaping.filled(row) if mapped.shaping is not None else None
    if filled is not None:
        return first_image(filled) if filled.num_rows else {}
    if error.edited and error.after.keys() >= set(error.lacks):
        return error.after
    raise ExpressionFailed(table=error.target, detail=error.detail)
