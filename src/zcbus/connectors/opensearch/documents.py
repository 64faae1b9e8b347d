"""Rows as documents, and operations as the bodies of bulk requests."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import orjson
import pyarrow as pa

from zcbus.connectors.errors import RowRefused
from zcbus.connectors.opensearch.names import MAX_ID_BYTES, field_of, ids_of
from zcbus.connectors.opensearch.types import from_json, to_json
from zcbus.connectors.roles.writer import PutRows, Row, RowOperation
from zcbus.connectors.writing.journal import keys_of
from zcbus.model.schema import TableSchema

_PART_BYTES = 4 << 20
"""Of the request that carries a part out. Small clusters at providers take requests of 10 MB, and a part is stored as a
text in a document of its own, where quotation marks take two bytes."""
_ACTION_BYTES = 100
"""Of the line in front of a document, without its id."""
_MAX_DOCUMENT_LENGTH = 32 << 20
"""Bytes. Servers accept requests of 100 MB by default."""
_MAX_ESCAPE_LENGTH = 6
"""Bytes that one byte of a value takes in JSON."""


@dataclass(frozen=True, slots=True)
class Part:
    """Documents of one table that a transaction changes."""

    table: str
    """Empty: what the platform stores itself."""
    body: str
    """Two lines for each document: its id, and its content, `null` to delete it. All as JSON; each id once."""


def parts_of(operations: Iterable[RowOperation]) -> Iterator[Part]:
    """Operations as parts, in their order. Raises RowRefused."""
    found: dict[bytes, bytes] = {}
    name, size = "", 0
    for operation in operations:
        if found and operation.table.name.table != name:
            yield part(name, found)
            found, size = {}, 0
        name = operation.table.name.table
        for document, content in _documents(operation):
            line = orjson.dumps(document)
            found[line] = content
            size += len(line) + len(content) + _ACTION_BYTES
            if size > _PART_BYTES:
                yield part(name, found)
                found, size = {}, 0
    if found:
        yield part(name, found)


def part(table: str, contents: Mapping[bytes, bytes]) -> Part:
    """A part of documents: contents by id."""
    return Part(table, b"\n".join(b"%b\n%b" % one for one in contents.items()).decode())


def bulk(found: Part, version: int) -> bytes:
    """The body of a bulk request that carries a part out. A document with a greater version stays as it is."""
    lines = found.body.split("\n")
    versioned = f'"version":{version},"version_type":"external_gte"'
    return "".join(
        f'{{"delete":{{"_id":{document},{versioned}}}}}\n'
        if content == "null"
        else f'{{"index":{{"_id":{document},{versioned}}}}}\n{content}\n'
        for document, content in zip(lines[::2], lines[1::2], strict=True)
    ).encode()


def check(table: TableSchema, rows: pa.RecordBatch) -> None:
    """Raise RowRefused unless the rows, perhaps with some columns only, can be documents."""
    if set(table.primary_key) <= set(rows.schema.names):
        _ids(table, rows.select(list(table.primary_key)))
    if rows.nbytes > _MAX_DOCUMENT_LENGTH // (2 * _MAX_ESCAPE_LENGTH):
        for _ in _contents(table, rows):
            """Refuses what is too long."""


def row_of(table: TableSchema, found: dict[str, Any]) -> Row | None:
    """A document as a row; None: it is none of ours."""
    try:
        return {one.name: from_json(one.type, found.get(field_of(one.name))) for one in table.columns}
    except (ValueError, TypeError):
        return None


def _documents(operation: RowOperation) -> Iterator[tuple[str, bytes]]:
    table = operation.table
    if not isinstance(operation, PutRows):
        for document in ids_of(keys_of(operation.keys)):
            if len(document.encode()) <= MAX_ID_BYTES:  # else no row has it
                yield document, b"null"
        return
    ids = _ids(table, operation.rows.select(list(table.primary_key)))
    yield from zip(ids, _contents(table, operation.rows), strict=True)


def _ids(table: TableSchema, keys: pa.RecordBatch) -> list[str]:
    found = ids_of(keys_of(keys))
    if any(len(one.encode()) > MAX_ID_BYTES for one in found):
        raise RowRefused(table=str(table.name), detail=f"a key of more than {MAX_ID_BYTES} bytes")
    return found


def _contents(table: TableSchema, rows: pa.RecordBatch) -> Iterator[bytes]:
    fields = [field_of(name) for name in rows.schema.names]
    forms = [to_json(table.column(name).type) for name in rows.schema.names]
    for values in zip(*(column.to_pylist() for column in rows.columns), strict=True):
        try:
            found = orjson.dumps(
                {
                    name: form(value)
                    for name, form, value in zip(fields, forms, values, strict=True)
                    if value is not None
                }
            )
        except (ValueError, TypeError) as error:
            raise RowRefused(table=str(table.name), detail=str(error)) from error
        if len(found) > _MAX_DOCUMENT_LENGTH:
            raise RowRefused(table=str(table.name), detail=f"a row of more than {_MAX_DOCUMENT_LENGTH >> 20} MiB")
        yield found
