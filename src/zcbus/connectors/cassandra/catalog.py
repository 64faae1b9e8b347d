"""Tables of a keyspace: those that the platform defined, whose structure is in their comment, and all others."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from zcbus.connectors.cassandra.connection import CassandraConnection
from zcbus.connectors.cassandra.names import OWN, stored_name, table_name
from zcbus.connectors.cassandra.spec import SCHEMA
from zcbus.connectors.cassandra.types import data_type
from zcbus.connectors.errors import TableMissing
from zcbus.model.schema import Column, TableName, TableSchema, TableSummary
from zcbus.model.serial import schema_from_json

MARK = "zcbus:"
"""A comment that begins with it is ours: the structure follows."""
_PART = "partition_key"


class Catalog:
    """Over a connection that belongs to others."""

    def __init__(self, connection: CassandraConnection) -> None:
        self._connection, self._keyspace = connection, connection.options.keyspace

    def defined(self, names: Sequence[TableName] | None = None) -> dict[TableName, TableSchema]:
        """Those of these tables, or of all, that the platform defined."""
        comments = self._comments(names)
        found = [schema_from_json(one[len(MARK) :]) for one in comments.values() if one.startswith(MARK)]
        return {schema.name: schema for schema in found}

    def schemas(self, names: Sequence[TableName] | None = None) -> dict[TableName, TableSchema]:
        """Those of these tables, or of all, that exist."""
        comments = self._comments(names)
        described = self._described(comments)
        return {
            TableName(SCHEMA, name): schema_from_json(comment[len(MARK) :])
            if comment.startswith(MARK)
            else described[name]
            for name, comment in sorted(comments.items())
            if comment.startswith(MARK) or name in described
        }

    def is_defined(self, name: TableName) -> bool:
        """Whether the platform defined a table."""
        return name in self.defined([name])

    def columns(self, name: TableName) -> dict[str, str]:
        """Types as the server names them, by column."""
        query = "SELECT column_name, type FROM system_schema.columns WHERE keyspace_name = ? AND table_name = ?"
        return dict(self._connection.rows(query, [self._keyspace, stored_name(name.table)]))

    def dropped_columns(self, name: TableName) -> set[str]:
        """Of the time since a table was made."""
        query = "SELECT column_name FROM system_schema.dropped_columns WHERE keyspace_name = ? AND table_name = ?"
        return {one for (one,) in self._connection.rows(query, [self._keyspace, stored_name(name.table)])}

    def partition_key(self, name: TableName) -> list[str]:
        """The columns that decide where a row is, in their order."""
        query = "SELECT column_name, kind, position FROM system_schema.columns"
        values = [self._keyspace, stored_name(name.table)]
        rows = self._connection.rows(f"{query} WHERE keyspace_name = ? AND table_name = ?", values)
        return [column for _, column in sorted((position, column) for column, kind, position in rows if kind == _PART)]

    def clustering(self, name: TableName) -> list[tuple[str, bool]]:
        """The columns by which the rows of a partition are ordered, and whether they descend."""
        query = "SELECT position, column_name, kind, clustering_order FROM system_schema.columns"
        values = [self._keyspace, stored_name(name.table)]
        rows = self._connection.rows(f"{query} WHERE keyspace_name = ? AND table_name = ?", values)
        return [(column, order == "desc") for _, column, kind, order in sorted(rows) if kind == "clustering"]

    def _comments(self, names: Sequence[TableName] | None) -> dict[str, str]:
        """By table."""
        query = "SELECT table_name, comment FROM system_schema.tables WHERE keyspace_name = ?"
        values: list[Any] = [self._keyspace]
        wanted = None if names is None else [name.table for name in names if name.schema == SCHEMA]
        if wanted is not None and len(wanted) == 1:
            query, values = f"{query} AND table_name = ?", [self._keyspace, stored_name(wanted[0])]
        rows = [row for page in self._connection.pages(query, values) for row in page]
        found = {table_name(name): comment or "" for name, comment in rows if name not in OWN}
        return {name: comment for name, comment in found.items() if wanted is None or name in wanted}

    def _described(self, comments: dict[str, str]) -> dict[str, TableSchema]:
        """Of tables by others."""
        others = [name for name, comment in comments.items() if not comment.startswith(MARK)]
        query = (
            "SELECT table_name, column_name, kind, position, type FROM system_schema.columns WHERE keyspace_name = ?"
        )
        values: list[Any] = [self._keyspace]
        if len(others) == 1:
            query, values = f"{query} AND table_name = ?", [self._keyspace, stored_name(others[0])]
        columns: defaultdict[str, list[tuple[Any, ...]]] = defaultdict(list)
        for page in self._connection.pages(query, values) if others else ():
            for name, *column in page:
                columns[table_name(name)].append(tuple(column))
        return {name: _schema(name, columns[name], comments[name]) for name in others if columns[name]}


def _schema(name: str, columns: Sequence[tuple[Any, ...]], comment: str) -> TableSchema:
    """`columns`: name, kind, position, type. The key first, as the server orders rows by it."""
    parts = (_PART, "clustering")
    key = sorted((one for one in columns if one[1] in parts), key=lambda one: (parts.index(one[1]), one[2]))
    others = sorted(one for one in columns if one[1] not in parts)
    found = [Column(one[0], data_type(one[3], in_key=True, static=False), False) for one in key]
    found += [Column(one[0], data_type(one[3], in_key=False, static=one[1] == "static"), True) for one in others]
    return TableSchema(TableName(SCHEMA, name), SCHEMA, tuple(found), tuple(one[0] for one in key), comment=comment)


class CassandraDiscoverer:
    """See roles.Discoverer."""

    def __init__(self, connection: CassandraConnection) -> None:
        self._connection = connection
        self._catalog = Catalog(connection)

    def schemas(self) -> list[str]:
        return [SCHEMA]

    def tables(self, schema: str | None = None) -> list[TableSummary]:
        found = self._catalog.schemas().values() if schema in (None, SCHEMA) else ()
        return [
            TableSummary(one.name, None, None, bool(one.primary_key), has_unique_key=False, comment=one.comment)
            for one in found
        ]

    def describe(self, names: Sequence[TableName]) -> list[TableSchema]:
        found = self._catalog.schemas(names)
        for name in names:
            if name not in found:
                raise TableMissing(table=str(name), side="source")
        return [found[name] for name in names]

    def __enter__(self) -> "CassandraDiscoverer":
        return self

    def __exit__(self, *details: object) -> None:
        self._connection.close()
