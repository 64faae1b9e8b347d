"""What a transaction changes, in parts that servers take."""

import pyarrow as pa

from zcbus.connectors.opensearch.documents import bulk, parts_of
from zcbus.connectors.roles.writer import PutRows, RemoveRows, RowOperation
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

COLUMNS = (Column("id", DataType(Kind.INT32, "int"), False),)
TABLE = TableSchema(TableName("opensearch", "t"), "opensearch", COLUMNS, ("id",))


def keys(count: int) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict({"id": [str(number) for number in range(count)]})


def test_many_small_changes_are_several_requests() -> None:
    """A request that is refused as too large would stop all transactions behind it."""
    operations: list[RowOperation] = [RemoveRows(TABLE, keys(60_000)), PutRows(TABLE, keys(60_000))]
    for operation in operations:
        bodies = [bulk(part, 1_800_000_000_000_000) for part in parts_of([operation])]
        assert max(map(len, bodies)) < 5_000_000
        assert sum(body.count(b"external_gte") for body in bodies) == 60_000


def test_the_last_change_of_a_document_counts() -> None:
    (part,) = parts_of([PutRows(TABLE, keys(3)), RemoveRows(TABLE, keys(2)), PutRows(TABLE, keys(1))])
    assert part.body.split("\n") == ['"0"', '{"id":0}', '"1"', "null", '"2"', '{"id":2}']
