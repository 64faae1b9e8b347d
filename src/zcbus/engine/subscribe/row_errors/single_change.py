"""One change of a row by itself, and rows for which an expression or a condition has no value."""

from dataclasses import dataclass, replace

import pyarrow as pa

from zcbus.connectors.roles import TargetTable
from zcbus.engine.reasons import EXPRESSION_FAILED, ExpressionFailed
from zcbus.engine.subscribe.reader import RecordChanges
from zcbus.engine.subscribe.row_errors.images import Image, batch_of, first_image
from zcbus.engine.subscribe.schema.mapping import Mapped
from zcbus.model.changes import Operation
from zcbus.model.row_errors import RowError, RowOperation


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


_OPERATIONS = {
    Operation.INSERT: RowOperation.INSERT,
    Operation.UPDATE: RowOperation.UPDATE,
    Operation.DELETE: RowOperation.DELETE,
}


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a row."""

    id: str
    operation: RowOperation
    before: Image
    after: Image
    position: str
    commit_ms: int | None
    unevaluated: ExpressionError | None = None
    """Why `after` lacks values that expressions were to give."""


@dataclass(frozen=True, slots=True)
class ChangeInfo:
    """What a single change is, and where it is in the source's log."""

    operation: RowOperation
    position: str
    commit_ms: int | None


def place_of(part: RecordChanges) -> ChangeInfo:
    """Of a single change."""
    transaction, transactions = part.changes.transactions[0].as_py(), part.transactions
    position = str(transactions.position(transaction))
    operation = _OPERATIONS[Operation(part.changes.operations[0].as_py())]
    return ChangeInfo(operation, position, transactions.commit_times[transaction].as_py())


def identifying_image(change: Change, target: TargetTable) -> Image:
    """The image whose key tells which row a change is of."""
    return change.after or change.before if target.key else change.before or change.after


def with_earlier(change: Change, earlier: RowError | None) -> Change:
    """The change together with what a refused one before it would have brought to the same row."""
    if earlier is None or earlier.operation is RowOperation.DELETE:
        return change
    lacks = change.unevaluated.lacks if change.unevaluated is not None else ()
    after = {**earlier.after, **change.after} if change.after else {}
    after = {name: value for name, value in after.items() if name not in lacks}
    operation = RowOperation.INSERT if after and not earlier.before else change.operation
    # What the target has of the row is what it had before the refused change.
    return replace(change, operation=operation, before=earlier.before, after=after)
