"""Frames of sources without transactions: each is one of its own."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from zcbus.model.changes import ChangeFrame, Operation, TableChanges, Transactions
from zcbus.model.position import Position
from zcbus.model.schema import TableSchema
from zcbus.model.types import Kind


def change_frame(
    schema: TableSchema,
    key: Sequence[str],
    what: Operation,
    rows: pa.RecordBatch,
    keys: pa.RecordBatch,
    at: Position,
    ms: int,
) -> ChangeFrame:
    """Changes of one kind. `keys`: before the change; `at`, `ms`: of the transaction."""
    count = rows.num_rows
    transactions = Transactions(
        pa.array([at.file], pa.int64()), pa.array([at.offset], pa.int64()), pa.array([ms], pa.int64())
    )
    changes = TableChanges(
        schema=schema,
        key=tuple(key),
        operations=pa.array(np.full(count, int(what), np.uint8)),
        transactions=pa.array(np.zeros(count, np.uint32)),
        order=pa.array(np.arange(count, dtype=np.uint32)),
        rows=rows,
        keys_before=keys,
    )
    return ChangeFrame(transactions, True, (changes,))


def no_rows(schema: TableSchema, count: int) -> pa.RecordBatch:
    """What deleted rows are after the change."""
    nothing = [
        pa.nulls(count, pa.binary() if column.type.kind is Kind.BINARY else pa.string()) for column in schema.columns
    ]
    return pa.RecordBatch.from_arrays(nothing, names=list(schema.names))
