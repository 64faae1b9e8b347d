"""Rows after a watermark; see polling.puller.Puller.

The server finds documents by a value of one type only: one without the field, or with a text where others have dates,
would never be found. It orders values by their types first, so the least and the greatest say the type of all: both are
asked for in each poll, and another one stops the table.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
from bson import Int64
from bson.datetime_ms import DatetimeMS

from zcbus.connectors.errors import TableMissing
from zcbus.connectors.mongodb.connection import MongoDBConnection
from zcbus.connectors.mongodb.rows import PRESENT, Rows, mixed
from zcbus.connectors.mongodb.spec import ID
from zcbus.connectors.mongodb.types import declared, whole
from zcbus.connectors.polling.puller import refused
from zcbus.connectors.writing.session import batch_of, in_parts
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.types import INTEGERS, Kind

_MOMENTS = (Kind.TIMESTAMP, Kind.TIMESTAMP_TZ)
_AT_ONCE = 1000


class MongoDBPuller:
    """Watermarks are integers; moments are in milliseconds since 1970."""

    def __init__(self, connection: MongoDBConnection) -> None:
        self._connection, self._rows = connection, Rows(connection)
        self._names = [name.strip() for name in connection.options.watermark.split(",") if name.strip()]

    def table_schemas(self, names: Sequence[TableName]) -> list[TableSchema]:
        found = self._rows.tables(names)
        for name in names:
            if name not in found:
                raise TableMissing(table=str(name), side="source")
        return [found[name] for name in names]

    def watermark(self, table: TableSchema) -> str:
        column = next((column for name in self._names for column in table.columns if column.name == name), None)
        if column is None:
            raise refused(table, "", "watermark-missing")
        of_others = not self._rows.catalog.documents(table).is_defined
        is_date = column.type.kind in _MOMENTS and (of_others or declared(column.type) == "date")
        if not is_date and column.type.kind not in INTEGERS:
            raise refused(table, column.name, "watermark-unordered")
        return column.name

    def newest(self, table: TableSchema, column: str, behind: int) -> str | None:
        self._require_one_type(table, column)
        field = self._field(table, column)
        collection = self._connection.collection(table.name.table)
        found = self._connection.one(collection, PRESENT, [(field, -1)], behind)
        return None if found is None else str(_mark(found[field]))

    def pull(
        self, table: TableSchema, column: str, after: str | None, rows: int
    ) -> Iterator[tuple[pa.RecordBatch, str]]:
        self._rows.require_one_type(table)
        self._require_one_type(table, column)
        documents, field = self._rows.catalog.documents(table), self._field(table, column)
        wanted = {**PRESENT, **({} if after is None else {field: {"$gt": self._bound(table, column, after)}})}
        collection = self._connection.collection(table.name.table)
        order = [(field, 1), (ID, 1)]
        for page in self._connection.pages(collection, wanted, order=order, rows=min(rows, _AT_ONCE)):
            marks = [self._mark_of(table, column, one) for one in page]
            try:
                batch = batch_of(table, [documents.row_of(one) for one in page])
            except ValueError as error:
                raise mixed(table, str(error)) from error
            yield from in_parts(batch, marks)

    def identity(self) -> str:
        options = self._connection.options
        return f"mongodb:{options.address}/{options.database}"

    def __enter__(self) -> "MongoDBPuller":
        return self

    def __exit__(self, *details: object) -> None:
        self._connection.close()

    def _field(self, table: TableSchema, column: str) -> str:
        return self._rows.catalog.documents(table).field(column)

    def _bound(self, table: TableSchema, column: str, mark: str) -> Any:
        return DatetimeMS(int(mark)) if table.column(column).type.kind in _MOMENTS else Int64(int(mark))

    def _require_one_type(self, table: TableSchema, column: str) -> None:
        """Raise TableRefused where a document has no watermark, or one of another type."""
        collection, field = self._connection.collection(table.name.table), self._field(table, column)
        for direction in (1, -1):
            found = self._connection.one(collection, PRESENT, [(field, direction)])
            if found is not None:
                self._mark_of(table, column, found)

    def _mark_of(self, table: TableSchema, column: str, document: dict[str, Any]) -> str:
        """Raises TableRefused."""
        value = document.get(self._field(table, column))
        if value is None:
            raise refused(table, column, "watermark-nullable")
        fits = isinstance(value, DatetimeMS) == (table.column(column).type.kind in _MOMENTS)
        try:
            if fits:
                return str(_mark(value))
        except ValueError:
            pass
        raise refused(table, column, "watermark-unordered")


def _mark(value: Any) -> int:
    """Raises ValueError."""
    return int(value) if isinstance(value, DatetimeMS) else whole(value)
