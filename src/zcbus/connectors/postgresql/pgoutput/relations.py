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
    identity: frozenset[str]
    """Names of the columns whose old values the log has."""


def parse_relation(message: bytes) -> Relation:
    """A relation from the body after the message's type byte."""
    oid = int.from_bytes(message[:4])
    schema, rest = message[4:].split(b"\0", 1)
    table, rest = rest.split(b"\0", 1)
    count = int.from_bytes(rest[1:3])  # after the replica identity
    rest, columns, identity = rest[3:], [], set()
    for _ in range(count):
        logged, (name, rest) = rest[0] & 1, rest[1:].split(b"\0", 1)
        modifier = int.from_bytes(rest[4:8], signed=True)
        columns.append(RelationColumn(name.decode(), int.from_bytes(rest[:4]), modifier))
        if logged:
            identity.add(name.decode())
        rest = rest[8:]
    # An empty schema stands for pg_catalog.
    of = TableName(schema.decode() or "pg_catalog", table.decode())
    return Relation(oid, of, tuple(columns), frozenset(identity))
