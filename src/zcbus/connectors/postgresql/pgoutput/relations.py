"""Relation messages: which table and columns the rows of the stream have."""

from dataclasses import dataclass

from zcbus.model.schema import TableName


@dataclass(frozen=True, slots=True)
class RelationColumn:
    """A column as the log has it."""

    name: str
    type: int
    modifier: int


@dataclass(frozen=True, slots=True)
class Relation:
    """A table as it was when the following changes were made."""

    oid: int
    name: TableName
    columns: tuple[RelationColumn, ...]


def parse_relation(message: bytes) -> Relation:
    """A relation from the body after the message's type byte."""
    oid = int.from_bytes(message[:4])
    schema, rest = message[4:].split(b"\0", 1)
    table, rest = rest.split(b"\0", 1)
    count = int.from_bytes(rest[1:3])  # after the replica identity
    rest, columns = rest[3:], []
    for _ in range(count):
        name, rest = rest[1:].split(b"\0", 1)  # after the flags
        modifier = int.from_bytes(rest[4:8], signed=True)
        columns.append(RelationColumn(name.decode(), int.from_bytes(rest[:4]), modifier))
        rest = rest[8:]
    # An empty schema stands for pg_catalog.
    return Relation(oid, TableName(schema.decode() or "pg_catalog", table.decode()), tuple(columns))
