"""Few changes wait for others; loads and large transactions do not."""

import pyarrow as pa
import pytest

from zcbus.connectors.roles.writer import Cause, PutRows, RemoveRows, RowOperation, Transaction
from zcbus.connectors.writing.pacing import Pacing
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

_TABLE = TableSchema(TableName("s", "t"), "k", (Column("a", DataType(Kind.INT32, "int"), nullable=False),), ("a",))


def _rows(count: int) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([pa.array(["1"] * count)], ["a"])


@pytest.mark.parametrize(
    ("operations", "waits"),
    [
        ([PutRows(_TABLE, _rows(9))], True),
        ([RemoveRows(_TABLE, _rows(9))], True),
        ([], False),
        ([PutRows(_TABLE, _rows(9), Cause.LOAD)], False),
        ([PutRows(_TABLE, _rows(6_000)), RemoveRows(_TABLE, _rows(6_000))], False),
    ],
    ids=["few", "few-deletions", "a-checkpoint-alone", "a-load", "many"],
)
def test_what_waits_for_the_rest_of_the_interval(operations: list[RowOperation], waits: bool) -> None:
    waited: list[float] = []
    pacing = Pacing(1000)
    pacing.pace(waited.append)
    pacing.gather(Transaction(operations))
    assert waited == [], "nothing was written yet"
    pacing.written()
    pacing.gather(Transaction(operations))
    assert [900 < one <= 1000 for one in waited] == [True] * waits
