"""Rows as documents and back: of tables that the platform defined, and of collections by others."""

from collections.abc import Mapping, Sequence
from typing import Any

from zcbus.connectors.mongodb import fields
from zcbus.connectors.mongodb.names import field_of
from zcbus.connectors.mongodb.spec import ID
from zcbus.connectors.mongodb.types import decode, encoder
from zcbus.connectors.roles.writer import Key, Row
from zcbus.model.schema import TableSchema


class Documents:
    """The documents of one table. Their form says whether the platform defined it."""

    def __init__(self, table: TableSchema, *, is_defined: bool, common: bool) -> None:
        """`common`: see the option `values`."""
        self.table, self.is_defined = table, is_defined
        self._encoders = {one.name: encoder(one.type, common=common) for one in table.columns}
        self._fields = {one.name: self._field(one.name) for one in table.columns}

    def id_of(self, key: Sequence[str | bytes]) -> Any:
        """The id of a row's document. Raises ValueError for a key that no document has."""
        table = self.table
        if not self.is_defined:
            return fields.id_of(table.column(ID).type, str(key[0]))
        values = [self._encoders[name](one) for name, one in zip(table.primary_key, key, strict=True)]
        if len(values) == 1:
            return values[0]
        return {field_of(name): one for name, one in zip(table.primary_key, values, strict=True)}

    def key_of(self, document: Mapping[str, Any]) -> Key:
        """The key of a document, by its id alone. Raises TableRefused, ValueError."""
        if not self.is_defined:
            return fields.key_of(self.table, document)
        found, names = document[ID], self.table.primary_key
        if len(names) > 1 and not isinstance(found, dict):
            raise ValueError("no key of the table")
        values = [found] if len(names) == 1 else [found.get(field_of(name)) for name in names]
        key = [decode(self.table.column(name).type, one) for name, one in zip(names, values, strict=True)]
        if any(one is None for one in key):
            raise ValueError("no key of the table")
        return tuple(one for one in key if one is not None)

    def row_of(self, document: Mapping[str, Any]) -> Row:
        """A document as a row. Raises TableRefused; of a table that the platform defined ValueError."""
        if not self.is_defined:
            return fields.row_of(self.table, document)
        return {one.name: decode(one.type, document.get(self._fields[one.name])) for one in self.table.columns}

    def document(self, names: Sequence[str], values: Sequence[str | bytes | None]) -> dict[str, Any]:
        """The document of a row, without its id. Null has no field."""
        return {
            self._fields[name]: self._encoders[name](value)
            for name, value in zip(names, values, strict=True)
            if value is not None and self._fields[name] != ID
        }

    def field(self, column: str) -> str:
        """The field of a column."""
        return self._fields[column]

    def _field(self, column: str) -> str:
        if not self.is_defined or self.table.primary_key == (column,) == (ID,):
            return column
        return field_of(column)
