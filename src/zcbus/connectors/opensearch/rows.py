"""Rows of tables to read from: by key, and the ids of all."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from zcbus.connectors.errors import TableMissing, TableRefused
from zcbus.connectors.opensearch.catalog import Catalog, StoredTable
from zcbus.connectors.opensearch.connection import TOO_LONG, OpenSearchConnection, Refusal, path
from zcbus.connectors.opensearch.indexes import refresh, scroll
from zcbus.connectors.opensearch.names import MAX_ID_BYTES
from zcbus.connectors.opensearch.spec import ID
from zcbus.connectors.roles.writer import Key, Row
from zcbus.model.schema import TableName, TableSchema

ROWS_AT_ONCE = 500
_KEYS_AT_ONCE = 5000


class Rows:
    """Over a connection that belongs to others. As far as comparisons use it, a Writer: see writing.reader."""

    def __init__(self, connection: OpenSearchConnection) -> None:
        self._connection, self._catalog = connection, Catalog(connection)

    def tables(self, names: Sequence[TableName] | None = None) -> dict[TableName, TableSchema]:
        """Those of these tables, or of all, that exist."""
        return {name: one.schema for name, one in self._catalog.tables(names).items()}

    def stored(self, name: TableName) -> StoredTable:
        """Raises TableMissing."""
        found = self._catalog.tables([name]).get(name)
        if found is None:
            raise TableMissing(table=str(name), side="source")
        return found

    def keys(self, table: TableSchema) -> Iterator[list[Key]]:
        """See Writer.keys. Documents by others in a table that the platform defined are passed over."""
        stored = self.stored(table.name)
        for found in self.ids(stored):
            keys = [key for one in found if (key := stored.key_of(one)) is not None]
            if keys:
                yield keys

    def rows(self, table: TableSchema, keys: Sequence[Key]) -> list[Row | None]:
        """See Writer.rows."""
        stored = self.stored(table.name)
        ids = [stored.id_of(key) for key in keys]
        found: dict[str, Row] = {}
        for begin in range(0, len(ids), ROWS_AT_ONCE):
            found |= self.by_id(stored, list(dict.fromkeys(ids[begin : begin + ROWS_AT_ONCE])))
        return [found.get(one) for one in ids]

    def ids(self, table: StoredTable) -> Iterator[list[str]]:
        """Ids of all documents, in any order. Raises TableRefused where an id may be that of two documents."""
        self.require_plain(table)
        for hits in scroll(self._connection, table.index, {"_source": False}, _KEYS_AT_ONCE):
            yield [str(hit["_id"]) for hit in hits]

    def by_id(self, table: StoredTable, ids: Sequence[str]) -> dict[str, Row]:
        """The rows of these ids that are there, as the last refresh saw them. A search rather than a request for the
        documents, which finds none that is stored by a routing value. Raises TableRefused."""
        asked = [one for one in ids if len(one.encode()) <= MAX_ID_BYTES]
        hits = self._hits(table, asked) if asked else []
        if len({hit["_id"] for hit in hits}) < len(hits):
            raise _twice(table, "_routing")
        return {str(hit["_id"]): table.row_of(hit) for hit in hits}

    def require_plain(self, table: StoredTable) -> None:
        """Raise TableRefused where documents have a routing value: two of them may have one id."""
        if refresh(self._connection, table.index) and self.count(table, {"exists": {"field": "_routing"}}):
            raise _twice(table, "_routing")

    def count(self, table: StoredTable, query: Mapping[str, Any]) -> int:
        """How many documents a query finds. Raises TableMissing."""
        answer = self._connection.ask("POST", path(table.index, "_count"), {"query": query})
        if answer is None:
            raise TableMissing(table=str(table.schema.name), side="source")
        if answer["_shards"]["failed"]:
            raise self._connection.unavailable(f"{table.index}: not all parts could be read")
        return int(answer["count"])

    def close(self) -> None:
        """Never raises. Idempotent."""
        self._connection.close()

    def _hits(self, table: StoredTable, ids: Sequence[str]) -> list[Any]:
        wanted = {"size": 2 * len(ids), "query": {"ids": {"values": ids}}, "sort": ["_doc"]}
        try:
            return self._connection.search(table.index, wanted)
        except Refusal as refusal:
            if refusal.status == 404:
                raise TableMissing(table=str(table.schema.name), side="source") from refusal
            if refusal.code != TOO_LONG or len(ids) == 1:
                raise self._connection.failed(refusal) from refusal
            half = len(ids) // 2
            return self._hits(table, ids[:half]) + self._hits(table, ids[half:])


def _twice(table: StoredTable, detail: str) -> TableRefused:
    return TableRefused(table=str(table.schema.name), column=ID, reason="document-routed", detail=detail)
