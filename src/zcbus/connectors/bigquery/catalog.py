"""Datasets, tables and columns of a project. Declared keys are not enforced there."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any
from urllib.parse import quote

from zcbus.connectors.bigquery.connection import BigQueryConnection
from zcbus.connectors.bigquery.types import data_type
from zcbus.connectors.errors import TableMissing
from zcbus.connectors.jdbc.quote import identifier
from zcbus.model.schema import Column, TableName, TableSchema, TableSummary

_quoted = partial(quote, safe="")
_KEYED = "INFORMATION_SCHEMA.TABLE_CONSTRAINTS WHERE constraint_type = 'PRIMARY KEY'"


class BigQueryDiscoverer:
    """See roles.Discoverer."""

    def __init__(self, connection: BigQueryConnection) -> None:
        self._connection = connection

    def schemas(self) -> list[str]:
        found = _listed(self._connection, "/datasets", "datasets")
        return sorted(str(one["datasetReference"]["datasetId"]) for one in found)

    def tables(self, schema: str | None = None) -> list[TableSummary]:
        names = [schema] if schema else self.schemas()
        return sorted((one for name in names for one in self._tables(name)), key=lambda one: one.name)

    def _tables(self, dataset: str) -> Iterator[TableSummary]:
        found = list(_listed(self._connection, f"/datasets/{_quoted(dataset)}/tables", "tables"))
        mark = self._connection.dialect.quote
        keyed = f"SELECT table_name FROM {identifier(dataset, mark)}.{_KEYED}"
        keys = {name for (name,) in self._connection.rows(keyed)} if found else set()
        for one in found:
            name = str(one["tableReference"]["tableId"])
            if one.get("type") == "TABLE":
                yield TableSummary(TableName(dataset, name), None, None, name in keys, False)

    def describe(self, names: Sequence[TableName]) -> list[TableSchema]:
        found = [(name, describe(self._connection, name)) for name in names]
        for name, schema in found:
            if schema is None:
                raise TableMissing(table=str(name), side=self._connection.side)
        return [schema for _, schema in found if schema is not None]

    def __enter__(self) -> "BigQueryDiscoverer":
        return self

    def __exit__(self, *details: object) -> None:
        self._connection.close()


def describe(connection: BigQueryConnection, name: TableName) -> TableSchema | None:
    """A table's schema; None: the table does not exist."""
    try:
        found = connection.get(f"/datasets/{_quoted(name.schema)}/tables/{_quoted(name.table)}", str(name))
    except TableMissing:
        return None
    key = tuple(map(str, found.get("tableConstraints", {}).get("primaryKey", {}).get("columns", ())))
    columns = tuple(_column(one, key) for one in found.get("schema", {}).get("fields", ()))
    return TableSchema(name, connection.dialect.kind, columns, key)


def _column(described: Mapping[str, Any], key: tuple[str, ...]) -> Column:
    name = str(described["name"])
    return Column(name, data_type(described), described.get("mode") != "REQUIRED" and name not in key)


def _listed(connection: BigQueryConnection, place: str, name: str) -> Iterator[dict[str, Any]]:
    query = {"maxResults": "1000"}
    while True:
        found = connection.get(place, **query)
        yield from found.get(name, ())
        if not found.get("nextPageToken"):
            return
        query["pageToken"] = str(found["nextPageToken"])
