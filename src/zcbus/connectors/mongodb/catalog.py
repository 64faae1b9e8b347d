"""Tables of a database: those that the platform defined, and all other collections."""

from collections.abc import Iterator, Sequence

from zcbus.connectors.errors import TableMissing
from zcbus.connectors.mongodb import fields
from zcbus.connectors.mongodb.connection import MongoDBConnection
from zcbus.connectors.mongodb.documents import Documents
from zcbus.connectors.mongodb.names import is_own, stored_name, table_name
from zcbus.connectors.mongodb.spec import SCHEMA
from zcbus.model.schema import TableName, TableSchema, TableSummary
from zcbus.model.serial import schema_from_json, schema_to_json

_KIND = "table"


class Catalog:
    """Over a connection that belongs to others."""

    def __init__(self, connection: MongoDBConnection) -> None:
        self._connection = connection
        self._known: dict[TableName, Documents] = {}

    def defined(self, names: Sequence[TableName] | None = None) -> dict[TableName, TableSchema]:
        """Those of these tables, or of all, that the platform defined."""
        wanted: dict[str, object] = {"kind": _KIND}
        if names is not None:
            wanted["_id"] = {"$in": [_id(name) for name in names if name.schema == SCHEMA]}
        found = [
            schema_from_json(one["schema"])
            for page in self._connection.pages(self._connection.own, wanted)
            for one in page
        ]
        return {schema.name: schema for schema in sorted(found, key=lambda schema: schema.name)}

    def schemas(self, names: Sequence[TableName] | None = None) -> dict[TableName, TableSchema]:
        """Those of these tables, or of all, that exist."""
        defined = self.defined(names)
        there = {TableName(SCHEMA, table_name(one)) for one in self._collections()}
        columns = self._connection.options.columns
        return {
            name: defined[name] if name in defined else fields.schema_of(name.table, columns)
            for name in sorted(there)
            if names is None or name in names
        }

    def is_there(self, name: TableName) -> bool:
        """Whether a table is defined, and its collection was not dropped by others."""
        return stored_name(name.table) in self._collections() and name in self.defined([name])

    def has_collection(self, name: TableName) -> bool:
        """Whether there is a collection for a table, by whomever."""
        return stored_name(name.table) in self._collections()

    def define(self, table: TableSchema) -> None:
        """Note the structure of a table."""
        document = {"_id": _id(table.name), "kind": _KIND, "schema": schema_to_json(table)}
        with self._connection.translated():
            self._connection.own.replace_one({"_id": document["_id"]}, document, upsert=True)
        self._known.pop(table.name, None)

    def undefine(self, name: TableName) -> None:
        """Forget the structure of a table. Idempotent."""
        with self._connection.translated():
            self._connection.own.delete_one({"_id": _id(name)})
        self._known.pop(name, None)

    def documents(self, table: TableSchema) -> Documents:
        """The documents of a table."""
        known = self._known.get(table.name)
        if known is None or known.table != table:
            is_defined = table.name in self.defined([table.name])
            common = self._connection.options.values == "common"
            known = self._known[table.name] = Documents(table, is_defined=is_defined, common=common)
        return known

    def _collections(self) -> list[str]:
        with self._connection.translated():
            found = list(self._connection.database.list_collections())
        return [
            str(one["name"])
            for one in found
            if one.get("type", "collection") == "collection" and not is_own(str(one["name"]))
        ]


def _id(name: TableName) -> str:
    return f"{_KIND}-{name.table}"


class MongoDBDiscoverer:
    """See roles.Discoverer."""

    def __init__(self, connection: MongoDBConnection) -> None:
        self._connection, self._catalog = connection, Catalog(connection)

    def schemas(self) -> list[str]:
        return [SCHEMA]

    def tables(self, schema: str | None = None) -> list[TableSummary]:
        return list(self._summaries()) if schema in (None, SCHEMA) else []

    def describe(self, names: Sequence[TableName]) -> list[TableSchema]:
        found = self._catalog.schemas(names)
        for name in names:
            if name not in found:
                raise TableMissing(table=str(name), side="source")
        return [found[name] for name in names]

    def __enter__(self) -> "MongoDBDiscoverer":
        return self

    def __exit__(self, *details: object) -> None:
        self._connection.close()

    def _summaries(self) -> Iterator[TableSummary]:
        for one in self._catalog.schemas().values():
            with self._connection.translated():
                count = self._connection.collection(one.name.table).estimated_document_count()
            yield TableSummary(one.name, count, None, True, has_unique_key=False, comment=one.comment)
