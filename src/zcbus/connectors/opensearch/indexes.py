"""Indexes of tables: how they are defined, and their documents by id."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from zcbus.connectors.errors import RowRefused, TableRefused
from zcbus.connectors.opensearch.connection import OpenSearchConnection, Refusal, path
from zcbus.connectors.opensearch.documents import row_of
from zcbus.connectors.opensearch.names import MAX_ID_BYTES, field_of, ids_of, index_of, key_of
from zcbus.connectors.opensearch.spec import SCHEMA
from zcbus.connectors.opensearch.types import field
from zcbus.connectors.roles.writer import Key, Row
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.serial import schema_from_json, schema_to_json

META = "zcbus"
"""In the mapping of an index: prefix, table and structure."""
_PATH_BYTES = 3000
"""Of the names in a path; with all else a request's first line has 4,096."""
_ROWS_AT_ONCE = 500
_KEYS_AT_ONCE = 5000
SETTINGS = {
    # Deleted documents keep their version for so long: what a leftover process sends late loses against it.
    "index.gc_deletes": "10m",
    # Whatever templates say: what was answered is durable.
    "index.translog.durability": "request",
}
"""Of each index."""
_FEW_FIELDS = 1000
_KEPT = "10m"
"""How long the server keeps a search for its next part."""


class Indexes:
    """The tables of one prefix."""

    def __init__(self, connection: OpenSearchConnection) -> None:
        self._connection, self._prefix = connection, connection.options.prefix

    def schemas(self, names: Sequence[TableName] | None) -> dict[TableName, TableSchema]:
        """Those of these tables, or of all, that were defined."""
        if names is None:
            patterns = [f"{self._prefix}*"]
        else:
            patterns = list(dict.fromkeys(self._index(name.table) for name in names if name.schema == SCHEMA))
        found: dict[TableName, TableSchema] = {}
        for names_at_once in paths(path(one)[1:].replace("%2A", "*") for one in patterns):
            found |= self._defined(names_at_once)
        wanted = found if names is None else set(names)
        return {name: found[name] for name in sorted(found) if name in wanted}

    def is_there(self, name: str) -> bool:
        """Whether a table was defined."""
        return TableName(SCHEMA, name) in self._defined(path(self._index(name))[1:])

    def define(self, table: TableSchema) -> None:
        """See Writer.define."""
        index = self._index(table.name.table)
        mapping = {
            "dynamic": False,
            "_meta": {META: {"prefix": self._prefix, "table": table.name.table, "schema": schema_to_json(table)}},
            "properties": {field_of(one.name): field(one.type) for one in table.columns},
        }
        found = self._connection.ask("GET", path(index, "_mapping"))
        if found is None:
            settings = {
                **SETTINGS,
                "index.mapping.ignore_malformed": True,
                "index.mapping.total_fields.limit": max(_FEW_FIELDS, 4 * len(table.columns)),
            }
            self._connection.ask("PUT", path(index), {"settings": settings, "mappings": mapping})
            return
        self._require_ours(table.name, index, found)
        try:
            self._connection.try_("PUT", path(index, "_mapping"), mapping)
        except Refusal as refusal:
            if "cannot be changed from type" not in str(refusal):
                raise self._connection.failed(refusal) from refusal
            detail = f"{refusal}; a field keeps its type: load the table again"
            raise RowRefused(table=str(table.name), detail=detail) from refusal

    def drop(self, name: TableName) -> None:
        """Idempotent."""
        self._connection.ask("DELETE", path(self._index(name.table)))

    def keys(self, table: TableSchema) -> Iterator[list[Key]]:
        """See Writer.keys."""
        for hits in scroll(self._connection, self._index(table.name.table), {"_source": False}, _KEYS_AT_ONCE):
            found = (key_of(table, hit["_id"]) for hit in hits)
            keys = [key for key in found if key is not None]
            if keys:
                yield keys

    def rows(self, table: TableSchema, keys: Sequence[Key]) -> list[Row | None]:
        """See Writer.rows."""
        index, found = self._index(table.name.table), list[Row | None]()
        ids = ids_of(keys)
        for begin in range(0, len(ids), _ROWS_AT_ONCE):
            part = ids[begin : begin + _ROWS_AT_ONCE]
            asked = list(dict.fromkeys(one for one in part if len(one.encode()) <= MAX_ID_BYTES))
            documents = self._connection.documents(index, asked)
            found += [row_of(table, documents[one]["_source"]) if one in documents else None for one in part]
        return found

    def _defined(self, names: str) -> dict[TableName, TableSchema]:
        mappings = self._connection.ask(
            "GET",
            f"/{names}/_mapping",
            filter_path="*.mappings._meta",
            ignore_unavailable="true",
            allow_no_indices="true",
        )
        notes = map(meta, (mappings or {}).values())
        ours = [note for note in notes if note.get("prefix") == self._prefix]
        found = [schema_from_json(str(note["schema"])) for note in ours]
        return {schema.name: schema for schema in found}

    def _require_ours(self, name: TableName, index: str, mappings: Any) -> None:
        note = meta(next(iter(mappings.values()), {}))
        if (note.get("prefix"), note.get("table")) != (self._prefix, name.table):
            raise TableRefused(table=str(name), column="", reason="index-of-others", detail=index)

    def _index(self, table: str) -> str:
        return index_of(self._prefix, table)


def paths(names: Iterable[str]) -> Iterator[str]:
    """Names with commas between them, as many as a path takes."""
    found, size = list[str](), 0
    for name in names:
        if found and size + len(name) > _PATH_BYTES:
            yield ",".join(found)
            found, size = [], 0
        found.append(name)
        size += len(name) + 1
    if found:
        yield ",".join(found)


def meta(index: dict[str, Any]) -> dict[str, Any]:
    """The platform's note of an index; empty: it is not ours."""
    noted: Any = ((index.get("mappings") or {}).get("_meta") or {}).get(META)
    return noted if isinstance(noted, dict) else {}


def refresh(connection: OpenSearchConnection, index: str) -> bool:
    """Let searches find all that was written before; False: there is no such index."""
    refreshed = connection.ask("POST", path(index, "_refresh"))
    if refreshed is None:
        return False
    if refreshed["_shards"]["failed"]:
        raise connection.unavailable(f"{index}: not all parts could be refreshed")
    return True


def scroll(connection: OpenSearchConnection, index: str, search: dict[str, Any], size: int) -> Iterator[list[Any]]:
    """All documents that a search finds, as they are now, in parts; none where there is no such index."""
    if not refresh(connection, index):
        return
    wanted = {"size": size, "sort": ["_doc"], **search}
    query = {"scroll": _KEPT, "allow_partial_search_results": "false"}
    answer = connection.ask("POST", path(index, "_search"), wanted, **query)
    last = ""
    try:
        while answer is not None:
            last = answer["_scroll_id"]
            if answer["_shards"]["failed"]:
                raise connection.unavailable(f"{index}: not all parts could be read")
            if not answer["hits"]["hits"]:
                return
            yield answer["hits"]["hits"]
            answer = connection.ask("POST", "/_search/scroll", {"scroll": _KEPT, "scroll_id": last})
            if answer is None:
                raise connection.unavailable("the server has given up a search that was not read for a while")
    finally:
        if last:
            connection.ask("DELETE", "/_search/scroll", {"scroll_id": [last]})
