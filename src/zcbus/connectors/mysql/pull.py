"""Rows after a watermark; see polling.puller.Puller."""

from collections.abc import Iterator, Sequence

import pyarrow as pa

from zcbus.connectors.mysql.canonical import select_expression
from zcbus.connectors.mysql.catalog.discover import describe_layouts
from zcbus.connectors.mysql.connection import quote
from zcbus.connectors.mysql.origin import identity
from zcbus.connectors.mysql.snapshot.key_conditions import KeyOrder
from zcbus.connectors.mysql.snapshot.rows import MySQLTableReader, batch_of, key_text
from zcbus.connectors.mysql.variant import VariantOptions
from zcbus.connectors.polling.puller import ordered_watermark
from zcbus.model.schema import TableName, TableSchema


class MySQLPuller(MySQLTableReader):
    """Watermarks are canonical texts."""

    def __init__(self, options: VariantOptions) -> None:
        super().__init__(options, "source", image=True)
        self._names = options.watermark

    def table_schemas(self, names: Sequence[TableName]) -> list[TableSchema]:
        return [layout.schema for layout in describe_layouts(self._session, names)]

    def watermark(self, table: TableSchema) -> str:
        return ordered_watermark(table, self._names)

    def newest(self, table: TableSchema, column: str, behind: int) -> str | None:
        chosen, name = select_expression(table.column(column)), quote.identifier(column)
        sql = f"SELECT {chosen} FROM {quote.table(table.name)} ORDER BY {name} DESC LIMIT {behind}, 1"
        with self._result(table, sql, 1) as result:
            columns = (table.column(column),)
            found = [key_text(table, (column,), batch_of(columns, values)) for values in result.batches(1)]
        return found[0][0] if found else None

    def pull(
        self, table: TableSchema, column: str, after: str | None, rows: int
    ) -> Iterator[tuple[pa.RecordBatch, str]]:
        order = KeyOrder(table, tuple(dict.fromkeys((column, *table.key()))))
        beyond = None if after is None else KeyOrder(table, (column,)).behind((after,))
        while True:
            count, last = 0, None
            for batch in self._page(table, order, beyond, rows):
                last = key_text(table, order.key, batch)
                count += batch.num_rows
                yield batch, last[0]
            if last is None or count < rows:
                return
            beyond = order.behind(last)

    def _page(
        self, table: TableSchema, order: KeyOrder, beyond: tuple[str, list[str]] | None, rows: int
    ) -> Iterator[pa.RecordBatch]:
        chosen = ", ".join(select_expression(column) for column in table.columns)
        condition, params = ("TRUE", []) if beyond is None else beyond
        sql = f"SELECT {chosen} FROM {quote.table(table.name)} WHERE {condition} ORDER BY {order.sorted} LIMIT {rows}"
        with self._session.driver.cursor() as cursor:
            sql = str(cursor.mogrify(sql, params or None))
        with self._result(table, sql, len(table.columns)) as result:
            for values in result.batches(rows):
                yield batch_of(table.columns, values)

    def identity(self) -> str:
        return identity(self._session)

    def __enter__(self) -> "MySQLPuller":
        return self
