"""All rows of tables, in the order in which the server has them; see reading.TableReader."""

from collections.abc import Iterator
from dataclasses import replace

import pyarrow as pa

from zcbus.connectors.cassandra.connection import CassandraConnection
from zcbus.connectors.cassandra.rows import Rows
from zcbus.connectors.conditions import Condition
from zcbus.connectors.writing.order import key_of, texts
from zcbus.connectors.writing.reader import WriterTableReader
from zcbus.connectors.writing.session import batch_of, in_parts
from zcbus.model.schema import TableSchema

_AT_ONCE = 1000
"""Rows that a server collects for an answer, which may be long ones."""


class ImageReader(WriterTableReader):
    """For full loads: the order is that of tokens, which only this kind has, so that no key is kept in memory and a
    load continues where it was."""

    def __init__(self, connection: CassandraConnection) -> None:
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
        columns = [table.column(name) for name in table.primary_key]
        last, end = (None if one is None else key_of(columns, one) for one in (after, until))
        others = tuple(one for one in table.columns if one.name not in table.primary_key)
        turned = replace(table, columns=(*columns, *others))
        for page in self._rows_of.scan(table, turned.names, min(rows, _AT_ONCE), last):
            self._check_interrupted()
            keys = [self._rows_of.key_of(table, row) for row in page]
            count = keys.index(end) + 1 if end in keys else len(keys)
            found = [self._rows_of.row_of(turned, row) for row in page[:count]]
            yield from in_parts(batch_of(table, found), [texts(one) for one in keys[:count]])
            if end in keys:
                return
