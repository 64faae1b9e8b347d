"""All rows of tables, in the order of their documents' ids; see reading.TableReader."""

from collections.abc import Iterator
from itertools import chain, islice

import pyarrow as pa

from zcbus.connectors.conditions import Condition
from zcbus.connectors.opensearch.catalog import StoredTable
from zcbus.connectors.opensearch.connection import OpenSearchConnection
from zcbus.connectors.opensearch.rows import ROWS_AT_ONCE, Rows
from zcbus.connectors.polling.sorting import Sorted
from zcbus.connectors.writing.order import key_of, texts
from zcbus.connectors.writing.reader import WriterTableReader
from zcbus.connectors.writing.session import batch_of, in_parts
from zcbus.model.schema import TableSchema


class ImageReader(WriterTableReader):
    """For full loads: ids are sorted in files, and a load continues behind the last one. The server sorts by ids in
    its memory at best."""

    def __init__(self, connection: OpenSearchConnection) -> None:
        self._rows_of = Rows(connection)
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
        stored = self._rows_of.stored(table.name)
        with Sorted(self._ids(stored, after, until), _same, _same) as ids:
            while part := list(islice(ids, min(rows, ROWS_AT_ONCE))):
                self._check_interrupted()
                found = self._rows_of.by_id(stored, part)
                there = [one for one in part if one in found]  # others were deleted meanwhile
                keys = [texts(found_key) for one in there if (found_key := stored.key_of(one)) is not None]
                yield from in_parts(batch_of(table, [found[one] for one in there]), keys)

    def estimate(self, table: TableSchema) -> int | None:
        return self._rows_of.count(self._rows_of.stored(table.name), {"match_all": {}})

    def _ids(self, table: StoredTable, after: tuple[str, ...] | None, until: tuple[str, ...] | None) -> Iterator[str]:
        columns = [table.schema.column(name) for name in table.schema.primary_key]
        first, last = (None if one is None else table.id_of(key_of(columns, one)) for one in (after, until))
        for one in chain.from_iterable(self._rows_of.ids(table)):
            if (first is None or one > first) and (last is None or one <= last):
                yield one


def _same(document: str) -> str:
    return document
