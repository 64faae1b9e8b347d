"""Rows of tables: by key, and all of them in the order of the server's tokens."""

from collections.abc import Iterator, Sequence
from typing import Any

from zcbus.connectors.cassandra.catalog import Catalog
from zcbus.connectors.cassandra.connection import CassandraConnection, identifier, identifiers
from zcbus.connectors.cassandra.types import declared, decoder, encoder
from zcbus.connectors.roles.writer import Key, Row
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import Kind

_KEYS_AT_ONCE = 5000


class Rows:
    """Over a connection that belongs to others. As far as comparisons use it, a Writer: see writing.reader."""

    def __init__(self, connection: CassandraConnection) -> None:
        self._connection, self.catalog = connection, Catalog(connection)
        self._is_defined: dict[TableName, bool] = {}

    def tables(self, names: Sequence[TableName] | None = None) -> dict[TableName, TableSchema]:
        """Those of these tables, or of all, that exist."""
        return self.catalog.schemas(names)

    def keys(self, table: TableSchema) -> Iterator[list[Key]]:
        """See Writer.keys."""
        for page in self.scan(table, table.primary_key, _KEYS_AT_ONCE):
            yield [self.key_of(table, row) for row in page]

    def rows(self, table: TableSchema, keys: Sequence[Key]) -> list[Row | None]:
        """See Writer.rows."""
        asked = [self.bound_key(table, key) for key in keys]
        selected, name = self._selected(table, table.names), self._connection.table(table.name.table)
        statement = f"SELECT {selected} FROM {name} WHERE {by_key(table)}"
        answers = iter(self._connection.each(statement, [one for one in asked if one is not None]))
        found = [[] if one is None else next(answers) for one in asked]
        return [self.row_of(table, rows[0]) if rows else None for rows in found]

    def scan(
        self, table: TableSchema, columns: Sequence[str], rows: int, after: Key | None = None
    ) -> Iterator[list[tuple[Any, ...]]]:
        """These columns of all rows as the driver has them, in pages, by token and then as the server stores them.
        They begin with the key. `after`: from behind this key on, whether there is still a row of it or not."""
        key = len(table.primary_key)
        statement = f"SELECT {self._selected(table, columns)} FROM {self._connection.table(table.name.table)}"
        for condition, values in self._behind(table, after):
            for page in self._connection.pages(f"{statement}{condition}", values, rows):
                # A partition that has static values only comes as a row without the rest of a key.
                found = [row for row in page if None not in row[:key]]
                if found:
                    yield found

    def _behind(self, table: TableSchema, after: Key | None) -> Iterator[tuple[str, list[Any]]]:
        """Conditions, in the order of rows: the rest of a partition by each column that orders it, then later ones."""
        if after is None:
            yield "", []
            return
        partition, ordered = self.catalog.partition_key(table.name), self.catalog.clustering(table.name)
        bound = dict(zip(table.primary_key, self.bound_key(table, after) or (), strict=True))
        same = [*partition, *(name for name, _ in ordered)]
        for name, is_descending in reversed(ordered):
            same = same[: same.index(name)]
            equal = " AND ".join(f"{identifier(one)} = ?" for one in same)
            sign = "<" if is_descending else ">"
            yield f" WHERE {equal} AND {identifier(name)} {sign} ?", [bound[one] for one in (*same, name)]
        marks = ", ".join("?" * len(partition))
        yield f" WHERE token({identifiers(partition)}) > token({marks})", [bound[one] for one in partition]

    def key_of(self, table: TableSchema, row: Sequence[Any]) -> Key:
        """The key that a row of `scan` begins with."""
        values = zip(table.primary_key, row, strict=False)
        key = (decoder(table.column(name).type)(value) for name, value in values)
        return tuple(one for one in key if one is not None)

    def row_of(self, table: TableSchema, row: Sequence[Any]) -> Row:
        """A row with all columns."""
        # The server writes null for a column without a value as well; of a table that we defined it is a JSON text.
        nothing = (None,) if self._is_defined.get(table.name, True) else (None, "null")
        return {
            column.name: None
            if value is None or (value in nothing and column.type.kind is Kind.JSON)
            else decoder(column.type)(value)
            for column, value in zip(table.columns, row, strict=True)
        }

    def bound_key(self, table: TableSchema, key: Key) -> list[Any] | None:
        """A key as values of a statement; None: no row can have it."""
        try:
            return [encoder(table.column(name).type)(one) for name, one in zip(table.primary_key, key, strict=True)]
        except (ValueError, ArithmeticError):
            return None

    def _selected(self, table: TableSchema, names: Sequence[str]) -> str:
        if table.name not in self._is_defined:
            self._is_defined[table.name] = self.catalog.is_defined(table.name)
        return ", ".join(_term(table.column(name), defined=self._is_defined[table.name]) for name in names)

    def forget(self, name: TableName) -> None:
        """A table is defined in another way."""
        self._is_defined.pop(name, None)

    def close(self) -> None:
        """Never raises. Idempotent."""
        self._connection.close()


def by_key(table: TableSchema) -> str:
    """The condition for one row."""
    return " AND ".join(f"{identifier(name)} = ?" for name in table.primary_key)


def _term(column: Column, *, defined: bool) -> str:
    """`defined`: by the platform, which stores JSON as text."""
    name = identifier(column.name)
    if declared(column.type) == "timestamp":
        return f"timestampasblob({name})"
    return f"tojson({name})" if column.type.kind is Kind.JSON and not defined else name
