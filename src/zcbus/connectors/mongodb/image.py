"""All rows of tables, in the order of the server's ids; see reading.TableReader."""

from collections.abc import Iterator

import pyarrow as pa

from zcbus.connectors.conditions import Condition
from zcbus.connectors.mongodb.connection import MongoDBConnection
from zcbus.connectors.mongodb.rows import Rows, mixed
from zcbus.connectors.writing.order import key_of, texts
from zcbus.connectors.writing.reader import WriterTableReader
from zcbus.connectors.writing.session import batch_of, in_parts
from zcbus.model.schema import TableSchema

_AT_ONCE = 1000
"""Documents, which may be long ones."""


class ImageReader(WriterTableReader):
    """For full loads: no key is kept in memory, and a load continues where it was."""

    def __init__(self, connection: MongoDBConnection) -> None:
        self._rows_of, self._connection = Rows(connection), connection
        options = connection.options
        super().__init__(lambda: self._rows_of, {"kind": options.kind, "address": options.address})

    def read(
        self,
        table: TableSchema,
        key: tuple[str, ...],
        after: tuple[str, ...] | None,
        rows: int,
        until: tuple[str, ...] | None = None,
        where: Condition | None = None,
    ) -> Iterator[tuple[pa.RecordBatch, tuple[str, ...]]]:
        whole = self._defined(table)
        columns = [whole.column(name) for name in whole.primary_key]
        first, last = (None if one is None else key_of(columns, one) for one in (after, until))
        documents = self._rows_of.catalog.documents(whole)
        for page in self._rows_of.scan(whole, min(rows, _AT_ONCE), first, last):
            self._check_interrupted()
            try:
                keys = [documents.key_of(one) for one in page]
                found = [documents.row_of(one) for one in page]
            except ValueError as error:
                raise mixed(whole, str(error)) from error
            yield from in_parts(batch_of(table, found), [texts(one) for one in keys])

    def estimate(self, table: TableSchema) -> int | None:
        with self._connection.translated():
            return self._connection.collection(table.name.table).estimated_document_count()
