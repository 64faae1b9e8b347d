"""Rows of tables: by key, and all of them in the order of ids."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from bson import Decimal128

from zcbus.connectors.errors import TableRefused
from zcbus.connectors.mongodb.catalog import Catalog
from zcbus.connectors.mongodb.connection import Document, MongoDBConnection
from zcbus.connectors.mongodb.names import GONE
from zcbus.connectors.mongodb.spec import ID
from zcbus.connectors.roles.writer import Key, Row
from zcbus.model.schema import TableName, TableSchema

_KEYS_AT_ONCE = 5000
_ROWS_AT_ONCE = 500
PRESENT = {GONE: None}
"""Documents that are rows."""


class Rows:
    """Over a connection that belongs to others. As far as comparisons use it, a Writer: see writing.reader."""

    def __init__(self, connection: MongoDBConnection) -> None:
        self._connection, self.catalog = connection, Catalog(connection)

    def tables(self, names: Sequence[TableName] | None = None) -> dict[TableName, TableSchema]:
        """Those of these tables, or of all, that exist."""
        return self.catalog.schemas(names)

    def keys(self, table: TableSchema) -> Iterator[list[Key]]:
        """See Writer.keys. Documents by others in a table that the platform defined are passed over."""
        collection = self._connection.collection(table.name.table)
        for page in self._connection.pages(collection, PRESENT, {ID: 1}, rows=_KEYS_AT_ONCE):
            found = [key for one in page if (key := self._key(table, one)) is not None]
            if found:
                yield found

    def rows(self, table: TableSchema, keys: Sequence[Key]) -> list[Row | None]:
        """See Writer.rows."""
        documents = self.catalog.documents(table)
        found: dict[Key, Row] = {}
        for begin in range(0, len(keys), _ROWS_AT_ONCE):
            asked = [one for key in keys[begin : begin + _ROWS_AT_ONCE] if (one := self._id(table, key)) is not None]
            wanted = {ID: {"$in": asked}, **PRESENT}
            for page in self._connection.pages(self._connection.collection(table.name.table), wanted):
                for one in page:
                    key = self._key(table, one)
                    if key is not None:
                        with suppress(ValueError):  # of a document that others changed: it is no row
                            found[key] = documents.row_of(one)
        return [found.get(key) for key in keys]

    def scan(self, table: TableSchema, rows: int, after: Key | None, until: Key | None) -> Iterator[list[Document]]:
        """All documents behind a key up to another, in pages by id, as the server orders them. Raises TableRefused
        where not all ids have one type: a bound would pass over the others."""
        self.require_one_type(table)
        documents = self.catalog.documents(table)
        bounds = {sign: documents.id_of(key) for sign, key in (("$gt", after), ("$lte", until)) if key is not None}
        wanted = {**({ID: bounds} if bounds else {}), **PRESENT}
        collection = self._connection.collection(table.name.table)
        yield from self._connection.pages(collection, wanted, order=[(ID, 1)], rows=rows)

    def require_one_type(self, table: TableSchema) -> None:
        """Raise TableRefused unless all ids are keys of the table. The server orders values by their types first, so
        the least and the greatest id say it of all."""
        collection, documents = self._connection.collection(table.name.table), self.catalog.documents(table)
        ends = [self._connection.one(collection, {}, [(ID, direction)]) for direction in (1, -1)]
        kinds = set[type]()
        for one in ends:
            if one is not None:
                try:
                    documents.key_of(one)
                except ValueError as error:
                    raise mixed(table, str(error)) from error
                kinds.add(_type(one[ID]))
        if len(kinds) > 1:
            raise mixed(table, ", ".join(sorted(one.__name__ for one in kinds)))

    def close(self) -> None:
        """Never raises. Idempotent."""
        self._connection.close()

    def _key(self, table: TableSchema, document: Document) -> Key | None:
        """None: none of the platform's."""
        try:
            return self.catalog.documents(table).key_of(document)
        except ValueError:
            return None

    def _id(self, table: TableSchema, key: Key) -> Any:
        """None: no document has it."""
        try:
            return self.catalog.documents(table).id_of(key)
        except (ValueError, ArithmeticError):
            return None


def _type(value: Any) -> type:
    """All numbers are one type to the server's order."""
    return float if isinstance(value, int | float | Decimal128) and not isinstance(value, bool) else type(value)


def mixed(table: TableSchema, detail: str) -> TableRefused:
    """The error for ids that are no keys of the table, or of several types."""
    return TableRefused(table=str(table.name), column=ID, reason="document-keys", detail=detail)
