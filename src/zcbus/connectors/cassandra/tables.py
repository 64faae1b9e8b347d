"""Tables of the platform: how they are defined, and how their rows are written."""

from collections.abc import Sequence
from typing import Any

from zcbus.connectors.cassandra.catalog import MARK, Catalog
from zcbus.connectors.cassandra.connection import CassandraConnection, Refusal, identifier, identifiers, text
from zcbus.connectors.cassandra.names import stored_name
from zcbus.connectors.cassandra.parts import GONE, Part
from zcbus.connectors.cassandra.rows import by_key
from zcbus.connectors.cassandra.spec import SCHEMA
from zcbus.connectors.cassandra.state import ERRORS
from zcbus.connectors.cassandra.types import declared, encoder
from zcbus.connectors.errors import RowRefused, TableRefused
from zcbus.model.kernels import compute
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.serial import schema_to_json
from zcbus.model.types import DataType, Kind

_MAX_NAME = 200
"""Letters of a table's name; servers before 5.0 take 48."""
_TEXT = DataType(Kind.TEXT, "text")
_ERROR_ROWS = TableSchema(
    TableName(SCHEMA, ERRORS),
    SCHEMA,
    tuple(Column(name, _TEXT) for name in ("subscription", "id", "data")),
    ("subscription", "id"),
)


class Tables:
    """Over a connection that belongs to others."""

    def __init__(self, connection: CassandraConnection, catalog: Catalog) -> None:
        self._connection, self._catalog = connection, catalog

    def define(self, table: TableSchema) -> None:
        """See Writer.define."""
        before = self._catalog.defined([table.name]).get(table.name)
        if before is None:
            self._make(table)
        else:
            self._change(before, table)

    def drop(self, name: TableName) -> None:
        """Idempotent."""
        self._alter(f"DROP TABLE IF EXISTS {self._connection.table(name.table)}")

    def clear(self, name: TableName) -> None:
        """Delete all rows."""
        self._alter(f"TRUNCATE TABLE {self._connection.table(name.table)}")

    def carry_out(self, part: Part, number: int) -> None:
        """Do what a part says. What has a greater number stays as it is; a table that was dropped later has no rows to
        change."""
        name = TableName(SCHEMA, part.table)
        table = self._catalog.defined([name]).get(name) if part.table else _ERROR_ROWS
        there = self._connection.table(part.table) if part.table else self._connection.own_table(ERRORS)
        if table is not None:
            rows = part.rows()
            gone = rows.column(GONE)
            self._put(there, table, rows.filter(compute.invert(gone)), number)
            self._remove(there, table, rows.filter(gone), number)

    def _put(self, place: str, table: TableSchema, rows: Any, number: int) -> None:
        """A value that is null is written as null: the row before may have had one."""
        if rows.num_rows:
            names = [one for one in table.names if one in rows.schema.names]
            marks = ", ".join("?" * len(names))
            into = f"INSERT INTO {place} ({identifiers(names)}) VALUES ({marks})"
            self._connection.each(f"{into} USING TIMESTAMP ?", _values(table, names, rows, [], [number]))

    def _remove(self, place: str, table: TableSchema, rows: Any, number: int) -> None:
        if rows.num_rows:
            delete = f"DELETE FROM {place} USING TIMESTAMP ? WHERE {by_key(table)}"
            self._connection.each(delete, _values(table, table.primary_key, rows, [number], []))

    def _make(self, table: TableSchema) -> None:
        columns = ", ".join(f"{identifier(one.name)} {declared(one.type)}" for one in table.columns)
        key = [identifier(name) for name in table.primary_key]
        first = 1 if self._connection.options.partition == "first-column" else len(key)
        key_clause = ", ".join([f"({', '.join(key[:first])})", *key[first:]])
        statement = (
            f"CREATE TABLE {self._connection.table(table.name.table)} ({columns}, PRIMARY KEY ({key_clause})) "
            f"WITH comment = {text(MARK + schema_to_json(table))}"
        )
        if len(stored_name(table.name.table)) > _MAX_NAME:
            raise _long(table)
        try:
            self._connection.alter(statement)
        except Refusal as refusal:
            if "characters long" in str(refusal):
                raise _long(table) from refusal
            if "already exists" not in str(refusal):
                raise self._connection.failed(refusal) from refusal
            if not self._catalog.is_defined(table.name):
                raise TableRefused(table=str(table.name), column="", reason="table-of-others") from refusal

    def _change(self, before: TableSchema, after: TableSchema) -> None:
        name = self._connection.table(after.name.table)
        there = self._catalog.columns(after.name)
        if before.primary_key != after.primary_key:
            raise _load_again(after, "the key")
        for one in after.columns:
            if one.name in there and there[one.name] != declared(one.type):
                raise _load_again(after, f"the type of column {one.name}")
        added = [one for one in after.columns if one.name not in there]
        # Rows of the time before it was dropped would stay hidden, by the server's clock.
        for again in self._catalog.dropped_columns(after.name) & {one.name for one in added}:
            raise _load_again(after, f"column {again}, which was dropped before,")
        if added:
            columns = ", ".join(f"{identifier(one.name)} {declared(one.type)}" for one in added)
            self._alter(f"ALTER TABLE {name} ADD ({columns})")
        dropped = [one for one in there if one not in after.names]
        if dropped:
            self._alter(f"ALTER TABLE {name} DROP ({identifiers(dropped)})")
        if before != after:
            self._alter(f"ALTER TABLE {name} WITH comment = {text(MARK + schema_to_json(after))}")

    def _alter(self, statement: str) -> None:
        try:
            self._connection.alter(statement)
        except Refusal as refusal:
            raise self._connection.failed(refusal) from refusal


def _values(
    table: TableSchema, names: Sequence[str], rows: Any, before: list[int], behind: list[int]
) -> list[list[Any]]:
    """For each row the values of a statement. A key that no row can have is left out."""
    encoders = [encoder(table.column(name).type) for name in names]
    found = []
    for row in zip(*(rows.column(name).to_pylist() for name in names), strict=True):
        try:
            values = [None if one is None else encode(one) for encode, one in zip(encoders, row, strict=True)]
        except (ValueError, ArithmeticError):
            continue
        found.append([*before, *values, *behind])
    return found


def _long(table: TableSchema) -> TableRefused:
    name = stored_name(table.name.table)
    return TableRefused(table=str(table.name), column="", reason="stored-name-long", detail=name)


def _load_again(table: TableSchema, what: str) -> RowRefused:
    return RowRefused(table=str(table.name), detail=f"{what} cannot be changed here; load the table again")
