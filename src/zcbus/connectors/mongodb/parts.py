"""Changes of a transaction as parts, each of one collection and small enough for a document of its own."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import bson
import pyarrow as pa

from zcbus.connectors.errors import RowRefused
from zcbus.connectors.mongodb.connection import CODEC, Document
from zcbus.connectors.mongodb.documents import Documents
from zcbus.connectors.roles.writer import PutRows, RowOperation
from zcbus.connectors.writing.journal import keys_of
from zcbus.model.schema import TableSchema

_PART_BYTES = 4 << 20
_MAX_DOCUMENT_BYTES = 14 << 20
"""Servers take documents of 16 MiB; a part with one is a document too."""
_SURELY_SHORT = 1 << 20
"""Bytes of values: names of fields make no document of them too long."""
_CHANGE_BYTES = 32
"""Of what a change has besides its id and its document."""


@dataclass(frozen=True, slots=True)
class Part:
    """Documents of one collection that a transaction changes."""

    table: str
    """Empty: what the platform stores itself."""
    data: bytes
    """BSON: `changes`, pairs of an id and the document without it, null to delete it; each id once."""

    def changes(self) -> list[tuple[Any, Document | None]]:
        return [(one, document) for one, document in bson.decode(self.data, CODEC)["changes"]]


def parts_of(operations: Iterable[RowOperation], common: bool) -> Iterator[Part]:
    """Operations as parts, in their order. `common`: see the option `values`. Raises RowRefused."""
    found: dict[bytes, tuple[Any, Document | None]] = {}
    name, size = "", 0
    for operation in operations:
        if found and operation.table.name.table != name:
            yield part(name, found)
            found, size = {}, 0
        name = operation.table.name.table
        for one, document in _changes(operation, common):
            place = bson.encode({"": one}, codec_options=CODEC)
            length = len(place) + _CHANGE_BYTES + (0 if document is None else _length(operation.table, document))
            if found and size + length > _PART_BYTES:
                yield part(name, found)
                found, size = {}, 0
            found[place] = one, document
            size += length
    if found:
        yield part(name, found)


def part(table: str, changes: Mapping[bytes, tuple[Any, Document | None]]) -> Part:
    """A part of documents: ids and documents by the ids' bytes."""
    return Part(table, bson.encode({"changes": list(changes.values())}, codec_options=CODEC))


def check(table: TableSchema, rows: pa.RecordBatch, common: bool) -> None:
    """Raise RowRefused unless the rows, perhaps with some columns only, can be documents: once a transaction is
    decided, the server must not refuse them."""
    if rows.nbytes > _SURELY_SHORT:
        documents = Documents(table, is_defined=True, common=common)
        for values in _values(rows):
            _length(table, documents.document(rows.schema.names, values))


def _changes(operation: RowOperation, common: bool) -> Iterator[tuple[Any, Document | None]]:
    table = operation.table
    documents = Documents(table, is_defined=True, common=common)
    if not isinstance(operation, PutRows):
        yield from ((documents.id_of(key), None) for key in keys_of(operation.keys))
        return
    names = operation.rows.schema.names
    keys = keys_of(operation.rows.select(list(table.primary_key)))
    for key, values in zip(keys, _values(operation.rows), strict=True):
        yield documents.id_of(key), documents.document(names, values)


def _values(rows: pa.RecordBatch) -> Iterator[tuple[Any, ...]]:
    return zip(*(column.to_pylist() for column in rows.columns), strict=True)


def _length(table: TableSchema, document: Document) -> int:
    """Raises RowRefused."""
    try:
        found = len(bson.encode(document, codec_options=CODEC))
    except bson.errors.InvalidDocument as error:
        raise RowRefused(table=str(table.name), detail=str(error)) from error
    if found > _MAX_DOCUMENT_BYTES:
        raise RowRefused(table=str(table.name), detail=f"a row of more than {_MAX_DOCUMENT_BYTES >> 20} MiB")
    return found
