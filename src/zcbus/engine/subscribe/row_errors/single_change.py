"""Single changes of rows."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from zcbus.connectors.roles import TargetTable
from zcbus.model.changes import Operation
from zcbus.model.row_errors import RowError, RowOperation

if TYPE_CHECKING:
    from zcbus.engine.subscribe.reader import RecordChanges
    from zcbus.engine.subscribe.row_errors.images import ExpressionError, Image

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
    before: "Image"
    after: "Image"
    position: str
    commit_ms: int | None
    expression_error: "ExpressionError | None" = None
    """Why `after` lacks computed values."""


@dataclass(frozen=True, slots=True)
class ChangeInfo:
    """Operation and log position of a single change."""

    operation: RowOperation
    position: str
    commit_ms: int | None


def change_info(part: "RecordChanges") -> ChangeInfo:
    """Operation and position of a single change."""
    transaction, transactions = part.changes.transactions[0].as_py(), part.transactions
    position = str(transactions.position(transaction))
    operation = _OPERATIONS[Operation(part.changes.operations[0].as_py())]
    return ChangeInfo(operation, position, transactions.commit_times[transaction].as_py())


def identifying_image(change: Change, target: TargetTable) -> "Image":
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
