"""Rows after a watermark; see polling.puller.Puller."""

from collections.abc import Iterator, Sequence

import pyarrow as pa

from zcbus.connectors.duckdb.catalog import describe
from zcbus.connectors.duckdb.connection import DatabaseFile, identifier
from zcbus.connectors.duckdb.connection import table as table_name
from zcbus.connectors.duckdb.rows import batch_of, columns_of, parts_of
from zcbus.connectors.duckdb.spec import DuckDBOptions
from zcbus.connectors.duckdb.types import reading, term
from zcbus.connectors.errors import TableMissing
from zcbus.connectors.polling.puller import refused
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.types import INTEGERS, Kind

_ORDERED = INTEGERS | {Kind.TIMESTAMP, Kind.TIMESTAMP_TZ, Kind.DECIMAL, Kind.TEXT}
"""Types of columns that may be watermarks: values of days or coarser units stay equal for too long."""


class DuckDBPuller:
    """Watermarks are canonical texts. The file is free between one page and the next."""

    def __init__(self, options: DuckDBOptions) -> None:
        self._names = [name.strip() for name in options.watermark.split(",") if name.strip()]
        self._file = DatabaseFile(options, "source")

    def table_schemas(self, names: Sequence[TableName]) -> list[TableSchema]:
        with self._file.reading() as engine:
            found = describe(engine, names)
        for name in names:
            if name not in found:
                raise TableMissing(table=str(name), side="source")
        return [found[name] for name in names]

    def watermark(self, table: TableSchema) -> str:
        column = next((column for name in self._names for column in table.columns if column.name == name), None)
        if column is None:
            raise refused(table, "", "watermark-missing")
        if column.nullable:
            raise refused(table, column.name, "watermark-nullable")
        if column.type.kind not in _ORDERED:
            raise refused(table, column.name, "watermark-unordered")
        return column.name

    def newest(self, table: TableSchema, column: str, behind: int) -> str | None:
        name = identifier(column)
        value = reading(name, table.column(column).type)
        sql = f"SELECT {value} FROM {table_name(table.name)} ORDER BY {name} DESC LIMIT 1 OFFSET ?"
        with self._file.reading(str(table.name)) as engine:
            found = engine.execute(sql, [behind]).fetchone()
        return None if found is None else str(found[0])

    def pull(
        self, table: TableSchema, column: str, after: str | None, rows: int
    ) -> Iterator[tuple[pa.RecordBatch, str]]:
        key = table.key() or tuple(table.names)
        order = [identifier(column), *(identifier(name) for name in key)]
        select = f"SELECT {columns_of(table)} FROM {table_name(table.name)}"
        behind = "" if after is None else f"WHERE {order[0]} > {term(table.column(column).type, after)}"
        while True:
            page = self._page(table, f"{select} {behind} ORDER BY {', '.join(order)} LIMIT {rows}")
            if page is None:
                return
            last = [_text(page.column(table.names.index(name))[-1].as_py()) for name in (column, *key)]
            yield page, last[0]
            terms = (term(table.column(name).type, text) for name, text in zip((column, *key), last, strict=True))
            behind = f"WHERE ({', '.join(order)}) > ({', '.join(terms)})"

    def _page(self, table: TableSchema, sql: str) -> pa.RecordBatch | None:
        with self._file.reading(str(table.name)) as engine:
            found = engine.sql(sql).to_arrow_table().combine_chunks().to_batches()
        return next(parts_of(batch_of(table, found[0])), None) if found else None

    def identity(self) -> str:
        return f"duckdb:{self._file.path}"

    def __enter__(self) -> "DuckDBPuller":
        return self

    def __exit__(self, *details: object) -> None:
        self._file.close()


def _text(value: object) -> str:
    return value.hex() if isinstance(value, bytes) else str(value)
