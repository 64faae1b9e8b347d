"""Relation messages: which table and columns the rows of the stream have."""

from dataclasses import dataclass, replace

from zcbus.connectors.postgresql.catalog import read_schemas
from zcbus.connectors.postgresql.session import Connection
from zcbus.connectors.postgresql.types import data_type, load_types
from zcbus.model.schema import Column, Dialect, TableName, TableSchema
from zcbus.model.types import DataType, Kind


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
    """A relation from the body behind the message's type byte."""
    oid = int.from_bytes(message[:4])
    schema, rest = message[4:].split(b"\0", 1)
    table, rest = rest.split(b"\0", 1)
    count = int.from_bytes(rest[1:3])  # behind the replica identity
    rest, columns = rest[3:], []
    for _ in range(count):
        name, rest = rest[1:].split(b"\0", 1)  # behind the flags
        modifier = int.from_bytes(rest[4:8], signed=True)
        columns.append(RelationColumn(name.decode(), int.from_bytes(rest[:4]), modifier))
        rest = rest[8:]
    # An empty schema stands for pg_catalog.
    return Relation(oid, TableName(schema.decode() or "pg_catalog", table.decode()), tuple(columns))


def relation_schema(
    connection: Connection, relation: Relation, name: TableName, key: tuple[str, ...], before: TableSchema | None
) -> TableSchema:
    """The schema for rows of a relation. Columns and types are those of the log; what the log does not tell (defaults,
    comments, nullability, numbers) comes from the catalog of today where it still has the column, else from `before`,
    the schema known until now."""
    today = read_schemas(connection, [relation.name]).get(relation.name)
    known = {column.name: column for schema in (before, today) if schema is not None for column in schema.columns}
    types = _types(connection, relation)
    names = {column.name for column in relation.columns}
    columns = tuple(
        replace(known.get(column.name, Column(column.name, kind)), type=kind)
        for column, kind in zip(relation.columns, types, strict=True)
    )
    if today is None:
        return TableSchema(name, Dialect.POSTGRESQL, columns, key)
    return TableSchema(
        name=name,
        dialect=Dialect.POSTGRESQL,
        columns=columns,
        primary_key=today.primary_key if names.issuperset(today.primary_key) else (),
        unique_keys=tuple(unique for unique in today.unique_keys if names.issuperset(unique)),
        comment=today.comment,
    )


def _types(connection: Connection, relation: Relation) -> list[DataType]:
    oids = [column.type for column in relation.columns]
    modifiers = [column.modifier for column in relation.columns]
    formatted = [row[0] for row in connection.execute(_FORMATTED, [oids, modifiers])]
    types = load_types(connection, oids)
    return [
        # A type that was dropped since then: its values are text all the same.
        data_type(types, oid, modifier, text) if oid in types else DataType(Kind.OTHER, "text")
        for oid, modifier, text in zip(oids, modifiers, formatted, strict=True)
    ]


_FORMATTED = """
SELECT pg_catalog.format_type(part.oid, part.modifier)
  FROM unnest(%s::oid[], %s::int4[]) WITH ORDINALITY AS part(oid, modifier, place) ORDER BY part.place
"""
