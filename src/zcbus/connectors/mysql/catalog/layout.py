"""A table with facts for its own dialect only: positions and character sets of columns, names of indexes."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from zcbus.connectors.mysql.binlog.tables import ColumnLayout
from zcbus.model.schema import Index, IndexPart, TableName, TableSchema
from zcbus.model.serial import column_from_dict

PRIMARY = "PRIMARY"


@dataclass(frozen=True, slots=True)
class IndexLayout:
    """An index that rows can be ordered by; the primary key is named PRIMARY."""

    name: str
    parts: tuple[IndexPart, ...]
    unique: bool = True
    computed: bool = False
    """A part of it is an expression, which is left out of `parts`."""

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(part.column for part in self.parts)

    @property
    def full(self) -> bool:
        """No part of it is the beginning of a value or an expression."""
        return not self.computed and all(part.length is None for part in self.parts)


@dataclass(frozen=True, slots=True)
class TableLayout:
    """All columns of a table in its own order; `schema` has the carried ones."""

    schema: TableSchema
    columns: tuple[ColumnLayout, ...]
    charset: str = ""
    """Of columns whose declaration names none; empty: not known."""
    indexes: tuple[IndexLayout, ...] = ()


def assembled(
    name: TableName,
    columns: Iterable[ColumnLayout],
    indexes: Iterable[IndexLayout],
    charset: str = "",
    comment: str = "",
) -> TableLayout:
    """A layout with the schema that follows from it."""
    columns, indexes = tuple(columns), tuple(sorted(indexes, key=lambda index: index.name.lower()))
    # Values of virtual columns are computed when they are read; a replica computes them again.
    carried = tuple(layout.column for layout in columns if not layout.virtual)
    solid = {column.name for column in carried if not column.nullable}
    # A primary key over a prefix identifies rows by the complete column too.
    primary = next((index.columns for index in indexes if index.name == PRIMARY), ())
    others = [index for index in indexes if index.name != PRIMARY]
    keys = [one for one in others if one.unique and one.full and one.columns and solid.issuperset(one.columns)]
    known = {column.name for column in carried}
    plain = tuple(
        Index(one.name, one.parts, one.unique and one.full)
        for one in others
        if one not in keys and not one.computed and known.issuperset(one.columns)
    )
    unique = tuple(one.columns for one in keys)
    schema = TableSchema(name, "mysql", carried, primary, unique, comment, plain)
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
    indexes = (_index_from_dict(one) for one in data["indexes"])
    return assembled(TableName(**data["name"]), columns, indexes, data["charset"], data["comment"])


def _index_from_dict(data: Any) -> IndexLayout:
    if "parts" not in data:  # written when only keys were known
        return IndexLayout(data["name"], tuple(map(IndexPart, data["columns"])), computed=not data["whole"])
    return IndexLayout(
        data["name"], tuple(IndexPart(**part) for part in data["parts"]), data["unique"], data["computed"]
    )
