"""Tables of a prefix to read from: those that the platform defined, and all other indexes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zcbus.connectors.errors import TableMissing, TableRefused
from zcbus.connectors.opensearch import documents, fields, names
from zcbus.connectors.opensearch.connection import OpenSearchConnection, path
from zcbus.connectors.opensearch.fields import Field
from zcbus.connectors.opensearch.indexes import META, meta, paths
from zcbus.connectors.opensearch.spec import ID, SCHEMA
from zcbus.connectors.roles.writer import Key, Row
from zcbus.model.schema import TableName, TableSchema, TableSummary
from zcbus.model.serial import schema_from_json

_READ = f"*.mappings._meta.{META},*.mappings.properties.*.type,*.mappings.properties.*.format"
_IN_NO_NAME = frozenset('\\/*?"<>|,# :')


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table and the index that has its rows."""

    schema: TableSchema
    index: str
    is_defined: bool
    """By the platform."""
    fields: Mapping[str, Field]

    def field_of(self, column: str) -> str:
        """The field of a column."""
        return names.field_of(column) if self.is_defined else column

    def id_of(self, key: Key) -> str:
        """The id of a row's document."""
        return names.ids_of([key])[0] if self.is_defined else str(key[0])

    def key_of(self, document: str) -> Key | None:
        """Inverse of `id_of`; None: no row of the table has this id."""
        return names.key_of(self.schema, document) if self.is_defined else (document,)

    def row_of(self, hit: Mapping[str, Any]) -> Row:
        """A document, parsed by json_text.parse, as a row. Raises TableRefused."""
        if not self.is_defined:
            return fields.row_of(self.schema, self.fields, hit)
        found = documents.row_of(self.schema, hit.get("_source") or {})
        if found is None or self.key_of(hit["_id"]) is None:
            detail = f"_id {hit['_id']}"
            raise TableRefused(table=str(self.schema.name), column=ID, reason="document-unfit", detail=detail)
        return found


class Catalog:
    """Over a connection that belongs to others."""

    def __init__(self, connection: OpenSearchConnection) -> None:
        self._connection = connection

    def tables(self, wanted: Sequence[TableName] | None = None) -> dict[TableName, StoredTable]:
        """Those of these tables, or of all, that exist, by name."""
        prefix = self._connection.options.prefix
        patterns = [f"{prefix}*"] if wanted is None else list(dict.fromkeys(self._candidates(wanted)))
        found: dict[TableName, StoredTable] = {}
        for names_at_once in paths(path(one)[1:].replace("%2A", "*") for one in patterns):
            for one in self._read(names_at_once):
                before = found.get(one.schema.name)
                if before is None or not before.is_defined:
                    found[one.schema.name] = one
        return {name: found[name] for name in sorted(found) if wanted is None or name in wanted}

    def _candidates(self, wanted: Sequence[TableName]) -> Iterator[str]:
        """Indexes that may have the rows of tables."""
        prefix = self._connection.options.prefix
        for name in wanted:
            if name.schema == SCHEMA:
                yield names.index_of(prefix, name.table)
                if not _IN_NO_NAME.intersection(name.table):
                    yield f"{prefix}{name.table}"

    def _read(self, indexes: str) -> Iterator[StoredTable]:
        options = self._connection.options
        query = {"ignore_unavailable": "true", "allow_no_indices": "true"}
        answer = self._connection.ask("GET", f"/{indexes}/_mapping", filter_path=_READ, **query) or {}
        # Indexes without fields are left out of an answer that is filtered.
        every = self._connection.ask("GET", f"/{indexes}/_settings", filter_path="*.settings.index.uuid", **query) or {}
        for index in every:
            found = answer.get(index, {})
            note = meta(found)
            mapped = (found.get("mappings") or {}).get("properties") or {}
            if note.get("prefix") == options.prefix:
                yield StoredTable(schema_from_json(str(note["schema"])), index, True, mapped)
            elif not note and index != names.own_index(options.prefix) and not index.startswith("."):
                schema = fields.schema_of(index.removeprefix(options.prefix), options.columns)
                yield StoredTable(schema, index, False, mapped)


class OpenSearchDiscoverer:
    """See roles.Discoverer."""

    def __init__(self, connection: OpenSearchConnection) -> None:
        self._connection, self._catalog = connection, Catalog(connection)

    def schemas(self) -> list[str]:
        return [SCHEMA]

    def tables(self, schema: str | None = None) -> list[TableSummary]:
        if schema not in (None, SCHEMA):
            return []
        return [self._summary(one) for one in self._catalog.tables().values()]

    def describe(self, names: Sequence[TableName]) -> list[TableSchema]:
        found = self._catalog.tables(names)
        for name in names:
            if name not in found:
                raise TableMissing(table=str(name), side="source")
        return [found[name].schema for name in names]

    def __enter__(self) -> "OpenSearchDiscoverer":
        return self

    def __exit__(self, *details: object) -> None:
        self._connection.close()

    def _summary(self, table: StoredTable) -> TableSummary:
        comment = table.schema.comment
        return TableSummary(table.schema.name, None, None, True, has_unique_key=False, comment=comment)
