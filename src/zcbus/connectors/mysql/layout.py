"""A table with what only its own dialect needs to know: every column's place and character set, names of indexes."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from zcbus.model.schema import Column, Dialect, TableName, TableSchema
from zcbus.model.serial import column_from_dict

PRIMARY = "PRIMARY"


@dataclass(frozen=True, slots=True)
class ColumnLayout:
    """A column as the table has it."""

    column: Column
    charset: str | None
    """Character set of text; None for all else."""
    virtual: bool = False
    """Computed when read; it has a place in the table but is not carried."""


@dataclass(frozen=True, slots=True)
class UniqueIndex:
    """A unique index, or the primary key."""

    name: str
    columns: tuple[str, ...]
    whole: bool = True
    """No part of it is a prefix or an expression."""


@dataclass(frozen=True, slots=True)
class TableLayout:
    """All columns of a table in its own order; `schema` has the carried ones."""

    schema: TableSchema
    columns: tuple[ColumnLayout, ...]
    charset: str = ""
    """Of columns whose declaration names none; empty: not known."""
    indexes: tuple[UniqueIndex, ...] = ()


def assembled(
    name: TableName,
    columns: Iterable[ColumnLayout],
    indexes: Iterable[UniqueIndex],
    charset: str = "",
    comment: str = "",
) -> TableLayout:
    """A layout with the schema that follows from it."""
    columns, indexes = tuple(columns), tuple(indexes)
    # Values of virtual columns are computed when they are read; a replica computes them again.
    carried = tuple(layout.column for layout in columns if not layout.virtual)
    solid = {column.name for column in carried if not column.nullable}
    # A primary key over a prefix identifies the row all the more by the whole column.
    primary = next((index.columns for index in indexes if index.name == PRIMARY), ())
    unique = tuple(
        index.columns
        for index in indexes
        if index.name != PRIMARY and index.whole and index.columns and solid.issuperset(index.columns)
    )
    schema = TableSchema(name, Dialect.MYSQL, carried, primary, unique, comment)
    return TableLayout(schema, columns, charset, indexes)


def layout_to_dict(layout: TableLayout) -> dict[str, Any]:
    """For JSON."""
    return {
        "name": asdict(layout.schema.name),
        "columns": [asdict(column) for column in layout.columns],
        "indexes": [asdict(index) for index in layout.indexes],
        "charset": layout.charset,
        "comment": layout.schema.comment,
    }


def layout_from_dict(data: Any) -> TableLayout:
    """Inverse of layout_to_dict."""
    columns = (ColumnLayout(column_from_dict(one["column"]), one["charset"], one["virtual"]) for one in data["columns"])
    indexes = (UniqueIndex(one["name"], tuple(one["columns"]), one["whole"]) for one in data["indexes"])
    return assembled(TableName(**data["name"]), columns, indexes, data["charset"], data["comment"])
