"""Tables of the platform: how they are defined, and how their documents are written."""

from zcbus.connectors.errors import RowRefused, TableRefused
from zcbus.connectors.mongodb.carrying import Carrier
from zcbus.connectors.mongodb.catalog import Catalog
from zcbus.connectors.mongodb.connection import MongoDBConnection, Refusal
from zcbus.connectors.mongodb.names import OWN, VERSION, stored_name
from zcbus.connectors.mongodb.parts import Part
from zcbus.connectors.mongodb.spec import SCHEMA
from zcbus.connectors.mongodb.types import declared
from zcbus.model.schema import TableName, TableSchema

_EXISTS = 48
_MAX_NAME_BYTES = 255
"""Of database and collection with a dot between them."""


class Tables:
    """Over a connection that belongs to others."""

    def __init__(self, connection: MongoDBConnection, catalog: Catalog) -> None:
        self._connection, self._catalog = connection, catalog

    def define(self, table: TableSchema) -> None:
        """See Writer.define."""
        before = self._catalog.defined([table.name]).get(table.name)
        if before is None:
            self._make(table)
        elif before != table:
            self._require_same_key(before, table)
        self._catalog.define(table)

    def drop(self, name: TableName) -> None:
        """Idempotent."""
        is_ours = name in self._catalog.defined([name])
        self._catalog.undefine(name)
        if is_ours:
            with self._connection.translated():
                self._connection.collection(name.table).drop()

    def clear(self, name: TableName) -> None:
        """Delete all documents."""
        with self._connection.translated():
            self._connection.collection(name.table).delete_many({})

    def carry_out(self, part: Part, number: int, *, careful: bool) -> None:
        """Do what a part says. What has a greater number stays as it is; a table that was dropped later has no
        documents to change. `careful`: see state."""
        name = TableName(SCHEMA, part.table)
        if part.table and name not in self._catalog.defined([name]):
            return
        collection = stored_name(part.table) if part.table else OWN
        Carrier(self._connection, collection).carry_out(part.changes(), number, careful=careful)

    def _make(self, table: TableSchema) -> None:
        """Where there is a collection already, it may have what a leftover process of ours sent late, and nothing
        else."""
        name = stored_name(table.name.table)
        if len(f"{self._connection.options.database}.{name}".encode()) > _MAX_NAME_BYTES:
            raise TableRefused(table=str(table.name), column="", reason="stored-name-long", detail=name)
        collection = self._connection.collection(table.name.table)
        if self._catalog.has_collection(table.name):
            if self._connection.one(collection, {VERSION: None}) is not None:
                raise TableRefused(table=str(table.name), column="", reason="table-of-others")
            self.clear(table.name)
            return
        try:
            with self._connection.refusing():
                self._connection.database.create_collection(name)
        except Refusal as refusal:
            if refusal.code != _EXISTS:
                raise self._connection.failed(refusal) from refusal

    def _require_same_key(self, before: TableSchema, after: TableSchema) -> None:
        """Ids are made of it. Raises RowRefused."""

        def form(table: TableSchema) -> list[tuple[str, str]]:
            return [(name, declared(table.column(name).type)) for name in table.primary_key]

        if form(before) != form(after):
            raise RowRefused(table=str(after.name), detail="the key cannot be changed here; load the table again")
