"""Frames with rows of a table hr.people."""

from dataclasses import replace

import pyarrow as pa

from zcbus.model.changes import ChangeFrame, Operation, TableChanges, Transactions
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

TEXT = DataType(Kind.TEXT, "text")
PEOPLE = TableSchema(
    TableName("hr", "people"),
    "postgresql",
    (Column("id", TEXT, False), Column("name", TEXT), Column("photo", DataType(Kind.BINARY, "bytea"))),
    ("id",),
)


def people(*changes: tuple[Operation, str, str | None, bytes | None]) -> ChangeFrame:
    """A transaction of changes of PEOPLE; rows keep their ids."""
    ids = [identifier for _, identifier, _, _ in changes]
    kept = [None if operation is Operation.DELETE else one for (operation, *_), one in zip(changes, ids, strict=True)]
    rows = pa.RecordBatch.from_arrays(
        [
            pa.array(kept, pa.string()),
            pa.array([c[2] for c in changes], pa.string()),
            pa.array([c[3] for c in changes]),
        ],
        names=["id", "name", "photo"],
    )
    before = [None if operation is Operation.INSERT else one for (operation, *_), one in zip(changes, ids, strict=True)]
    numbers = pa.array(range(len(changes)), pa.int32())
    return ChangeFrame(
        Transactions(pa.array([0], pa.int64()), pa.array([70], pa.int64()), pa.array([1_700_000_000_123], pa.int64())),
        True,
        (
            TableChanges(
                PEOPLE,
                ("id",),
                pa.array([int(one[0]) for one in changes], pa.int8()),
                pa.array([0] * len(changes), pa.int32()),
                numbers,
                rows,
                pa.RecordBatch.from_arrays([pa.array(before, pa.string())], names=["id"]),
                {"photo": pa.array([one[3] == b"?" for one in changes])},
            ),
        ),
    )


CHANGES = people(
    (Operation.INSERT, "1", "Ann", b"\x01\xff"),
    (Operation.UPDATE, "1", "B" * 300, b"?"),
    (Operation.DELETE, "1", None, None),
)
"""An insert, an update that leaves the photo as it is, and a delete."""


def inserted(schema: str, table: str) -> ChangeFrame:
    """The insert of CHANGES, of another table without the photo."""
    (changes,) = CHANGES.tables
    kept = replace(
        changes,
        schema=replace(PEOPLE, name=TableName(schema, table), columns=PEOPLE.columns[:2]),
        operations=changes.operations.slice(0, 1),
        transactions=changes.transactions.slice(0, 1),
        order=changes.order.slice(0, 1),
        rows=changes.rows.select(["id", "name"]).slice(0, 1),
        keys_before=changes.keys_before.slice(0, 1),
        unchanged={},
    )
    return replace(CHANGES, tables=(kept,))
