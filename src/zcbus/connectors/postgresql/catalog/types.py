"""PostgreSQL's column types in neutral terms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zcbus.connectors.postgresql.connection.session import Connection
from zcbus.model.types import DataType, Kind

_SIMPLE: Mapping[str, Kind] = {
    "bool": Kind.BOOLEAN,
    "int2": Kind.INT16,
    "int4": Kind.INT32,
    "int8": Kind.INT64,
    "float4": Kind.FLOAT32,
    "float8": Kind.FLOAT64,
    "text": Kind.TEXT,
    "bytea": Kind.BINARY,
    "date": Kind.DATE,
    "json": Kind.JSON,
    "jsonb": Kind.JSON,
    "uuid": Kind.UUID,
    "xml": Kind.XML,
}
_WITH_PRECISION: Mapping[str, Kind] = {
    "time": Kind.TIME,
    "timetz": Kind.TIME_TZ,
    "timestamp": Kind.TIMESTAMP,
    "timestamptz": Kind.TIMESTAMP_TZ,
}
_FIRST_GENERATED = 10_000
"""Oids below are assigned manually (FirstGenbkiObjectId in access/transam.h): the same in all databases and
releases."""
_VARIABLE_HEADER = 4
_NO_PRECISION = 0xFFFF


@dataclass(frozen=True, slots=True)
class CatalogType:
    """A row of pg_type with the facts needed to describe columns of the type."""

    oid: int
    name: str
    builtin: bool
    """In pg_catalog: exists in every database."""
    type: str
    """typtype: b base, c composite, d domain, e enum, m multirange, r range."""
    element: int
    """Oid of the elements of a true array, else 0."""
    base: int
    """Oid of a domain's base type, else 0."""
    base_modifier: int
    base_formatted: str
    """format_type() of the base."""
    labels: tuple[str, ...]


_fixed: dict[int, CatalogType] = {}
"""Types by oid, as far as they were requested, with their element and base types."""


def load_types(connection: Connection, oids: Sequence[int]) -> Mapping[int, CatalogType]:
    """The types of these oids with their element and base types, in at most one query."""
    unknown = set(oids) - _fixed.keys()
    if not unknown:
        return _fixed
    found = [_catalog_type(*row) for row in connection.execute(_TYPES, [list(unknown)]).fetchall()]
    _fixed.update({one.oid: one for one in found if one.oid < _FIRST_GENERATED})
    return {**_fixed, **{one.oid: one for one in found}}


def _catalog_type(*row: Any) -> CatalogType:
    oid, name, builtin, kind, element, base, base_modifier, base_formatted, labels = row
    return CatalogType(oid, name, builtin, kind, element, base, base_modifier, base_formatted, tuple(labels or ()))


def data_type(types: Mapping[int, CatalogType], oid: int, modifier: int, formatted: str) -> DataType:
    """A column's type from its pg_type oid, atttypmod and format_type().

    Domains appear as their base types, because a target need not have them.
    """
    row = types[oid]
    if row.base:
        return data_type(types, row.base, row.base_modifier, row.base_formatted)
    if row.element:
        return _array(types, row, modifier, formatted)
    if row.labels:
        return DataType(Kind.ENUM, formatted, values=row.labels)
    if row.builtin:
        return _builtin(row.name, modifier, formatted)
    return DataType(Kind.TEXT if row.name == "citext" else Kind.OTHER, formatted)


def _array(types: Mapping[int, CatalogType], row: CatalogType, modifier: int, formatted: str) -> DataType:
    element = data_type(types, row.element, modifier, formatted.removesuffix("[]"))
    return DataType(Kind.ARRAY, element.native + "[]", element=element)


def _builtin(name: str, modifier: int, formatted: str) -> DataType:
    if name in _SIMPLE:
        return DataType(_SIMPLE[name], formatted)
    if name in _WITH_PRECISION:
        return DataType(_WITH_PRECISION[name], formatted, precision=6 if modifier < 0 else modifier)
    match name:
        case "numeric":
            return _numeric(modifier, formatted)
        case "varchar" | "bpchar":
            return _characters(name, modifier, formatted)
        case "bit" | "varbit":
            length = None if modifier < 0 else modifier
            return DataType(Kind.BIT, formatted, length=length, fixed=name == "bit")
        case "interval":
            precision = modifier & _NO_PRECISION
            return DataType(Kind.INTERVAL, formatted, precision=6 if precision == _NO_PRECISION else precision)
        case "name":
            return DataType(Kind.TEXT, formatted, length=63)
        case _:
            return DataType(Kind.OTHER, formatted)


def _numeric(modifier: int, formatted: str) -> DataType:
    if modifier < 0:
        return DataType(Kind.DECIMAL, formatted)
    packed = modifier - _VARIABLE_HEADER
    scale = ((packed & 0x7FF) ^ 1024) - 1024  # eleven bits with sign since PostgreSQL 15
    return DataType(Kind.DECIMAL, formatted, precision=(packed >> 16) & 0xFFFF, scale=scale)


def _characters(name: str, modifier: int, formatted: str) -> DataType:
    length = None if modifier < 0 else modifier - _VARIABLE_HEADER
    return DataType(Kind.TEXT, formatted, length=length, fixed=name == "bpchar" and length is not None)


_TYPES = """
WITH RECURSIVE used(oid) AS (
    SELECT pg_catalog.unnest(%s::pg_catalog.oid[])
  UNION
    SELECT part.oid
      FROM used
      JOIN pg_catalog.pg_type t ON t.oid = used.oid
     CROSS JOIN LATERAL (VALUES (t.typbasetype), (CASE WHEN t.typcategory = 'A' THEN t.typelem END)) AS part(oid)
     WHERE part.oid <> 0
)
SELECT t.oid::pg_catalog.int8, t.typname::text, n.nspname = 'pg_catalog', t.typtype::text,
       CASE WHEN t.typcategory = 'A' AND t.typlen = -1 AND t.typname NOT IN ('int2vector', 'oidvector')
            THEN t.typelem::pg_catalog.int8 ELSE 0 END,
       t.typbasetype::pg_catalog.int8, t.typtypmod,
       CASE WHEN t.typbasetype <> 0 THEN pg_catalog.format_type(t.typbasetype, t.typtypmod) ELSE '' END,
       (SELECT pg_catalog.array_agg(e.enumlabel::text ORDER BY e.enumsortorder)
          FROM pg_catalog.pg_enum e WHERE e.enumtypid = t.oid)
  FROM used
  JOIN pg_catalog.pg_type t ON t.oid = used.oid
  JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
"""
