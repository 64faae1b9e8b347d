"""Comparison of a layout derived from statements with the current catalog."""

from dataclasses import replace

from zcbus.connectors.mysql.binlog.tables import ColumnLayout
from zcbus.connectors.mysql.catalog.layout import TableLayout, assembled
from zcbus.connectors.mysql.statements.declared import canonical_charset
from zcbus.model.types import Kind

_EVERYTHING = ("utf8mb4", "utf16", "utf32")
"""Character sets that have every character."""


def have_same_rows(one: TableLayout, other: TableLayout) -> bool:
    """Whether rows of both are read in the same way and to the same values."""
    return [_shape(column) for column in one.columns] == [_shape(column) for column in other.columns]


def spelt_as(worked_out: TableLayout, today: TableLayout) -> TableLayout:
    """The layout in the catalog's spelling, where that is equivalent; the catalog may be ahead."""
    known = {column.column.name: column for column in today.columns}
    columns = tuple(_spelt(column, known.get(column.column.name)) for column in worked_out.columns)
    schema = worked_out.schema
    return assembled(schema.name, columns, worked_out.indexes, worked_out.charset, schema.comment)


def with_former(layout: TableLayout, worked_out: TableLayout) -> TableLayout:
    """The catalog's layout, with the derived former names."""
    formers = {one.column.name: one.column.former for one in worked_out.columns}
    columns = tuple(
        replace(one, column=replace(one.column, former=formers.get(one.column.name, ""))) for one in layout.columns
    )
    return assembled(layout.schema.name, columns, layout.indexes, layout.charset, layout.schema.comment)


def may_change_values(before: TableLayout, after: TableLayout) -> str:
    """A column whose values the server may change when it does not refuse those that do not fit; empty: none.

    A name that exists before and after is the same column, otherwise the later one carries its former name.
    """
    known = {one.column.name: one for one in before.columns}
    for one in after.columns:
        old = known.get(one.column.name) or known.get(one.column.former)
        if old is None:
            continue
        if _removes_null(old, one) or _removes_sign(old, one) or not _holds(one.charset, old.charset):
            return one.column.name
    return ""


def _removes_null(before: ColumnLayout, after: ColumnLayout) -> bool:
    return before.column.nullable and not after.column.nullable


def _removes_sign(before: ColumnLayout, after: ColumnLayout) -> bool:
    return "unsigned" in after.column.type.native and "unsigned" not in before.column.type.native


def _holds(charset: str | None, characters_of: str | None) -> bool:
    """Whether a character set has all characters of another."""
    one, other = canonical_charset(charset or ""), canonical_charset(characters_of or "")
    return not other or one in (other, *_EVERYTHING) or (one == "utf8mb3" and other in ("latin1", "ascii"))


def _shape(layout: ColumnLayout) -> tuple[object, ...]:
    column, data_type = layout.column, layout.column.type
    charset = canonical_charset(layout.charset) if layout.charset else None
    # Servers that store JSON as text distinguish it by a check constraint only.
    kind = Kind.TEXT if data_type.kind is Kind.JSON and charset else data_type.kind
    length = None if kind is Kind.TEXT and data_type.length is None else data_type.length
    return (
        column.name,
        kind,
        length,
        data_type.precision,
        data_type.scale,
        data_type.fixed,
        data_type.values,
        charset,
        layout.virtual,
    )


def _spelt(column: ColumnLayout, today: ColumnLayout | None) -> ColumnLayout:
    if today is None or _shape(column) != _shape(today):
        return column
    mine, other = column.column, today.column
    default = other.default if _same_default(mine.default, other.default) else mine.default
    spelt = replace(mine, type=other.type, collation=other.collation, default=default)
    return replace(column, column=spelt, charset=today.charset)


def _same_default(one: str | None, other: str | None) -> bool:
    if one is None or other is None:
        return one is other
    return one.lower().strip("()'") == other.lower().strip("()'")
