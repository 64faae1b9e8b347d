"""Single changes of rows, and rows for which an expression or a condition fails."""

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
    """A row for which an expression or a condition fails."""

    after: Image
    lacks: tuple[str, ...]
    """Columns without a value; empty if only a condition failed."""
    error: ExpressionFailed


def without_value(mapped: Mapped, row: pa.RecordBatch, error: ExpressionFailed) -> ExpressionError:
    """The error of one source row, complete or not. Raises TableStopped if the key has no value."""
    assert mapped.shaping is not None
    possible = mapped.shaping.possible(row)
    detail = "; ".join(f"{name}: {why}" for name, why in possible.failed.items())
    facts = error.facts | ({"detail": detail} if detail else {})
    lacks = tuple(name for name in possible.failed if name in mapped.shaping.computed)
    return ExpressionError(first_image(possible.row()), lacks, ExpressionFailed(**facts))


def image_to_put(error: RowError, mapped: Mapped) -> Image:
    """The row to write for a row error; {}: none. Missing columns are computed again by the present expressions, if
    their inputs were stored; else an operator must provide them.

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
    expression_error: ExpressionError | None = None
    """Why `after` lacks computed values."""


@dataclass(frozen=True, slots=True)
class ChangeInfo:
    """Operation and log position of a single change."""

    operation: RowOperation
    position: str
    commit_ms: int | None


def change_info(part: RecordChanges) -> ChangeInfo:
    """Operation and position of a single change."""
    transaction, transactions = part.changes.transactions[0].as_py(), part.transactions
    position = str(transactions.position(transaction))
    operation = _OPERATIONS[Operation(part.changes.operations[0].as_py())]
    return ChangeInfo(operation, position, transactions.commit_times[transaction].as_py())


def identifying_image(change: Change, target: TargetTable) -> Image:
    """The image whose key identifies the changed row."""
    return change.after or change.before if target.key else change.before or change.after


def with_earlier(change: Change, earlier: RowError | None) -> Change:
    """The change merged with an earlier rejected change of the same row."""
    if earlier is None or earlier.operation is RowOperation.DELETE:
        return change
    lacks = change.expression_error.lacks if change.expression_error is not None else ()
    after = {**earlier.after, **change.after} if change.after else {}
    after = {name: value for name, value in after.items() if name not in lacks}
    operation = RowOperation.INSERT if after and not earlier.before else change.operation
    # The target's row is still as before the rejected change.
    return replace(change, operation=operation, before=earlier.before, after=after)
