"""Relation messages: which table and columns the rows of the stream have."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from zcbus.connectors.postgresql.catalog.tables import read_schemas
from zcbus.connectors.postgresql.catalog.types import data_type, load_types
from zcbus.connectors.postgresql.connection.session import Connection
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
    comments, nullability) comes from the catalog of today where it still has the column, else from `before`, the schema
    known until now."""
    today = read_schemas(connection, [relation.name]).get(relation.name)
    types = _types(connection, relation)
    names = {column.name for column in relation.columns}
    numbers = column_numbers([column.name for column in relation.columns], before, today)
    columns = tuple(
        replace(_described(column.name, kind, number, before, today), name=column.name, type=kind, number=number)
        for column, kind, number in zip(relation.columns, types, numbers, strict=True)
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
        indexes=tuple(index for index in today.indexes if names.issuperset(index.columns)),
    )


def column_numbers(names: Sequence[str], before: TableSchema | None, today: TableSchema | None) -> list[int]:
    """The columns' numbers, which the log does not tell but by their order: they go up. The catalog of today may be
    ahead of the log, so a name may be that of another column by now. 0: not known."""
    known = [{c.name: c.number for c in schema.columns} if schema is not None else {} for schema in (today, before)]
    plain = [known[0].get(name, 0) for name in names]
    if all(one < other for one, other in pairwise([0, *plain])):
        return plain
    places = [_Known(-1, 0, 0)]
    for place, name in enumerate(names):
        for newer, numbers in enumerate(reversed(known)):
            if name in numbers:
                places.append(_best(places, place, numbers[name], newer))
    last = max(places, key=lambda one: one.score)
    # What is there today and came before a column of the log is in the log too, by whatever name.
    there, end = set(known[0].values()), last.number + len(names) - last.place
    if there.issuperset(range(last.number + 1, end)):
        last = _Known(len(names), end, 0, last)
    return _filled(last, len(names) + 1)[: len(names)]


@dataclass(frozen=True, slots=True)
class _Known:
    """A column whose number is taken for known, behind the best ones before it."""

    place: int
    number: int
    score: int
    before: "_Known | None" = None


def _best(places: list[_Known], place: int, number: int, newer: int) -> _Known:
    """Most columns are known behind it; numbers that the catalog of today tells are better than older ones."""
    found = []
    for one in places:
        steps, distance = place - one.place, number - one.number
        if 0 < steps <= distance:
            sure = steps if steps == distance else 1
            found.append(_Known(place, number, one.score + 4 * sure + newer, one))
    return max(found, key=lambda one: one.score, default=places[0])


def _filled(last: _Known, count: int) -> list[int]:
    numbers = [0] * count
    one: _Known | None = last
    while one is not None and one.place >= 0:
        numbers[one.place] = one.number
        if one.before is not None and one.number - one.before.number == one.place - one.before.place:
            for place in range(one.before.place + 1, one.place):
                numbers[place] = one.number - (one.place - place)
        one = one.before
    return numbers


def _described(name: str, kind: DataType, number: int, before: TableSchema | None, today: TableSchema | None) -> Column:
    """What the catalog says or said of a column."""
    for schema in (today, before):
        for column in schema.columns if schema is not None and number else ():
            if column.number == number:
                return column
    return next((one for one in (before.columns if before else ()) if one.name == name), Column(name, kind))


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
