"""Rows after a watermark; see polling.puller.Puller.

The server finds documents by what it indexed: one without the watermark, or with one that it could not index, would
never be found. They are counted in each poll, and stop the table.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from zcbus.connectors.errors import TableMissing
from zcbus.connectors.opensearch.catalog import StoredTable
from zcbus.connectors.opensearch.connection import OpenSearchConnection, path
from zcbus.connectors.opensearch.indexes import refresh, scroll
from zcbus.connectors.opensearch.rows import ROWS_AT_ONCE, Rows
from zcbus.connectors.polling.puller import refused
from zcbus.connectors.writing.session import batch_of, in_parts
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.types import INTEGERS, Kind

_MOMENTS = (Kind.TIMESTAMP, Kind.TIMESTAMP_TZ)
_DATES = frozenset({"date", "date_nanos"})
_WHOLE = frozenset({"byte", "short", "integer", "long", "unsigned_long"})


class OpenSearchPuller:
    """Watermarks are integers; moments are in milliseconds since 1970."""

    def __init__(self, connection: OpenSearchConnection) -> None:
        self._connection, self._rows = connection, Rows(connection)
        self._names = [name.strip() for name in connection.options.watermark.split(",") if name.strip()]

    def table_schemas(self, names: Sequence[TableName]) -> list[TableSchema]:
        found = self._rows.tables(names)
        for name in names:
            if name not in found:
                raise TableMissing(table=str(name), side="source")
        return [found[name] for name in names]

    def watermark(self, table: TableSchema) -> str:
        column = next((column for name in self._names for column in table.columns if column.name == name), None)
        if column is None:
            raise refused(table, "", "watermark-missing")
        stored = self._rows.stored(table.name)
        types = _DATES if column.type.kind in _MOMENTS else _WHOLE if column.type.kind in INTEGERS else frozenset()
        if stored.fields.get(stored.field_of(column.name), {}).get("type") not in types:
            raise refused(table, column.name, "watermark-unordered")
        return column.name

    def newest(self, table: TableSchema, column: str, behind: int) -> str | None:
        stored = self._ready(table, column)
        search = {
            **_search(stored, column, "desc", None),
            "size": 1,
            "from": behind,
        }
        answer = self._connection.ask(
            "POST", path(stored.index, "_search"), search, allow_partial_search_results="false"
        )
        hits = answer["hits"]["hits"] if answer else []
        return str(hits[0]["sort"][0]) if hits else None

    def pull(
        self, table: TableSchema, column: str, after: str | None, rows: int
    ) -> Iterator[tuple[pa.RecordBatch, str]]:
        stored = self._ready(table, column)
        size = min(rows, ROWS_AT_ONCE)
        for hits in scroll(self._connection, stored.index, _search(stored, column, "asc", after), size):
            marks = {str(hit["_id"]): str(hit["sort"][0]) for hit in hits}
            found = self._rows.by_id(stored, list(marks))
            # A document that changed since it was found has a later watermark, and is found again by that.
            there = [one for one in marks if one in found]
            yield from in_parts(batch_of(table, [found[one] for one in there]), [marks[one] for one in there])

    def identity(self) -> str:
        answer = self._connection.ask("GET", "/")
        return f"opensearch:{answer['cluster_uuid']}/{self._connection.options.prefix}"

    def __enter__(self) -> "OpenSearchPuller":
        return self

    def __exit__(self, *details: object) -> None:
        self._connection.close()

    def _ready(self, table: TableSchema, column: str) -> StoredTable:
        """A table whose documents are all found by their watermark. Raises TableRefused, TableMissing."""
        stored = self._rows.stored(table.name)
        if not refresh(self._connection, stored.index):
            raise TableMissing(table=str(table.name), side="source")
        self._rows.require_plain(stored)
        if self._rows.count(stored, {"bool": {"must_not": _exists(stored, column)}}):
            raise refused(table, column, "watermark-nullable")
        return stored


def _exists(table: StoredTable, column: str) -> Mapping[str, Any]:
    return {"exists": {"field": table.field_of(column)}}


def _search(table: StoredTable, column: str, order: str, after: str | None) -> dict[str, Any]:
    """Documents by their watermark, without their values. Nanoseconds are cut: what has the same milliseconds as a
    bound is found again."""
    field = table.field_of(column)
    of_times = table.fields[field]["type"] in _DATES
    wanted = [_exists(table, column)]
    if after is not None:
        wanted.append({"range": {field: {"gt": int(after), **({"format": "epoch_millis"} if of_times else {})}}})
    sort = {"order": order, **({"numeric_type": "date"} if of_times else {})}
    return {"query": {"bool": {"filter": wanted}}, "sort": [{field: sort}], "_source": False}
