"""Rows after a watermark; see polling.puller.Puller."""

from collections.abc import Callable, Iterator, Sequence

import pyarrow as pa

from zcbus.connectors.errors import TableMissing
from zcbus.connectors.jdbc.columns import compared, selected, selected_all
from zcbus.connectors.jdbc.quote import identifier
from zcbus.connectors.jdbc.rows import batch_of, beyond, binary_of, named, parts_of
from zcbus.connectors.jdbc.statements import Row, Statements, Value
from zcbus.connectors.polling.puller import ordered_watermark
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.types import Kind


class JdbcPuller:
    """Watermarks are values as the driver writes them, which the database reads back unchanged."""

    def __init__(self, connection: Statements, describe: Callable[[TableName], TableSchema | None]) -> None:
        """`describe`: a table's schema over the connection; None: the table does not exist."""
        self._connection, self._describe = connection, describe
        self._names = connection.options.watermark

    def table_schemas(self, names: Sequence[TableName]) -> list[TableSchema]:
        found = []
        for name in names:
            schema = self._describe(name)
            if schema is None:
                raise TableMissing(table=str(name), side="source")
            found.append(schema)
        return found

    def watermark(self, table: TableSchema) -> str:
        return ordered_watermark(table, self._names)

    def newest(self, table: TableSchema, column: str, behind: int) -> str | None:
        dialect = self._connection.dialect
        name, chosen = identifier(column, dialect.quote), selected(dialect, table.column(column))
        sql = f"SELECT {chosen} FROM {named(dialect, table)} ORDER BY {name} DESC"
        found = self._page(sql + dialect.page.format(skipped=behind, rows=1), [], [False], table)
        return str(found[0][0]) if found else None

    def pull(
        self, table: TableSchema, column: str, after: str | None, rows: int
    ) -> Iterator[tuple[pa.RecordBatch, str]]:
        dialect, key = self._connection.dialect, table.key()
        ends = [table.column(name) for name in (column, *key)]
        terms = [identifier(one.name, dialect.quote) for one in ends]
        marks = [compared(dialect, one) for one in ends]
        # Names of their own: a limit of rows makes the query a table in some databases.
        names = [identifier(f"zcbus_{at}", dialect.quote) for at in range(len(ends))]
        again = ", ".join(f"{selected(dialect, one)} AS {name}" for one, name in zip(ends, names, strict=True))
        select = f"SELECT {selected_all(dialect, table)}, {again} FROM {named(dialect, table)}"
        order = f" ORDER BY {', '.join(dict.fromkeys(terms))}" + dialect.page.format(skipped=0, rows=rows)
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


def identity(connection: Statements) -> str:
    """See Source.identity. The server reports nothing else that would be the same for every path to it."""
    options = connection.options
    return f"{options.kind}:{options.address}/{options.database}"
