"""One change of a row by itself: what it does, where it is in the source's log, and what came before it."""

from dataclasses import dataclass, replace

from zcbus.connectors.roles import TargetTable
from zcbus.engine.subscribe.reader import PlacedChanges
from zcbus.engine.subscribe.row_errors.expression_errors import ExpressionError
from zcbus.engine.subscribe.row_errors.images import Image
from zcbus.model.changes import Operation
from zcbus.model.row_errors import RowError, RowOperation

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
class ChangePlace:
    """What a single change is, and where it is in the source's log."""

    operation: RowOperation
    position: str
    commit_ms: int | None


def place_of(part: PlacedChanges) -> ChangePlace:
    """Of a single change."""
    transaction, transactions = part.changes.transactions[0].as_py(), part.transactions
    position = f"{transactions.files[transaction].as_py()}/{transactions.offsets[transaction].as_py()}"
    operation = _OPERATIONS[Operation(part.changes.operations[0].as_py())]
    return ChangePlace(operation, position, transactions.commit_times[transaction].as_py())


def told_by(change: Change, target: TargetTable) -> Image:
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
