"""Rows after a watermark; see polling.puller.Puller."""

from collections.abc import Iterator, Sequence

import pyarrow as pa

from zcbus.connectors.errors import TableMissing
from zcbus.connectors.jdbc.catalog import describe
from zcbus.connectors.jdbc.columns import compared, selected, selected_all
from zcbus.connectors.jdbc.connection import Connection, Row, Value
from zcbus.connectors.jdbc.quote import identifier, table
from zcbus.connectors.jdbc.rows import batch_of, beyond, binary_of, parts_of
from zcbus.connectors.polling.puller import ordered_watermark
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.types import Kind


class JdbcPuller:
    """Watermarks are values as the driver writes them, which the database reads back unchanged."""

    def __init__(self, connection: Connection) -> None:
        options = connection.options
        self._connection = connection
        self._names = options.watermark

    def table_schemas(self, names: Sequence[TableName]) -> list[TableSchema]:
        found = []
        for name in names:
            schema = describe(self._connection, name)
            if schema is None:
                raise TableMissing(table=str(name), side="source")
            found.append(schema)
        return found

    def watermark(self, table: TableSchema) -> str:
        return ordered_watermark(table, self._names)

    def newest(self, table: TableSchema, column: str, behind: int) -> str | None:
        name, chosen = identifier(column), selected(self._connection.dialect, table.column(column))
        sql = f"SELECT {chosen} FROM {_name(table)} ORDER BY {name} DESC OFFSET {behind} ROWS FETCH NEXT 1 ROWS ONLY"
        found = self._page(sql, [], [False], table)
        return str(found[0][0]) if found else None

    def pull(
        self, table: TableSchema, column: str, after: str | None, rows: int
    ) -> Iterator[tuple[pa.RecordBatch, str]]:
        dialect, key = self._connection.dialect, table.key()
        ends = [table.column(name) for name in (column, *key)]
        terms, marks = [identifier(one.name) for one in ends], [compared(dialect, one) for one in ends]
        # Names of their own: a limit of rows makes the query a table in some databases.
        again = ", ".join(f"{selected(dialect, one)} AS {identifier(f'zcbus_{at}')}" for at, one in enumerate(ends))
        select = f"SELECT {selected_all(dialect, table)}, {again} FROM {_name(table)}"
        order = f" ORDER BY {', '.join(dict.fromkeys(terms))} OFFSET 0 ROWS FETCH NEXT {rows} ROWS ONLY"
        binary = [*binary_of(table), False, *(table.column(name).type.kind is Kind.BINARY for name in key)]
        behind = "" if after is None else f" WHERE {terms[0]} > {marks[0]}"
        values: list[Value] = [] if after is None else [after]
        while found := self._page(select + behind + order, values, binary, table):
            width = len(table.names)
            last = found[-1][width:]
            yield batch_of(table, [row[:width] for row in found]), str(last[0])
            condition, values = beyond(terms, last, ">", marks)
            behind = f" WHERE {condition}"

    def _page(self, sql: str, values: Sequence[Value], binary: Sequence[bool], schema: TableSchema) -> list[Row]:
        """The first rows of a query, up to a batch; no transaction stays open."""
        found = self._connection.stream(sql, values, binary, str(schema.name))
        page = next(parts_of(found, 1 << 30), [])
        found.close()
        self._connection.rollback()
        return page

    def identity(self) -> str:
        return identity(self._connection)

    def __enter__(self) -> "JdbcPuller":
        return self

    def __exit__(self, *details: object) -> None:
        self._connection.close()


def _name(schema: TableSchema) -> str:
    return table(schema.name)


def identity(connection: Connection) -> str:
    """See Source.identity. The server reports nothing else that would be the same for every path to it."""
    options = connection.options
    return f"{options.kind}:{options.host}:{options.port}/{options.database}"
