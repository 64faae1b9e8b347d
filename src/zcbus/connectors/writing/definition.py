"""Definitions of target tables: created for a source's table, and changed with it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from zcbus.connectors.errors import RowRefused
from zcbus.connectors.roles.alteration import Alteration
from zcbus.connectors.roles.target_table import MappedColumn, TargetTable
from zcbus.connectors.roles.writer import Row
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import INTEGERS, SIGNED, UNSIGNED, DataType, Kind

_SAME_AS_TEXT = INTEGERS | {Kind.UUID, Kind.JSON, Kind.ENUM}
"""Databases write these as text just as their canonical texts are."""
_DIGITS = 20
"""Of the greatest integer."""


def schema_of(table: TargetTable, dialect: str) -> TableSchema:
    """The definition of a table for a source's table. Keys are never null."""
    columns = tuple(
        _column(column, nullable=column.nullable and column.target not in table.key) for column in table.columns
    )
    return TableSchema(table.name, dialect, columns, table.key, comment=table.source_schema.comment)


def with_columns(schema: TableSchema, columns: Sequence[MappedColumn]) -> TableSchema:
    """The definition with these columns added; existing rows have no value for them."""
    added = tuple(_column(column, nullable=True) for column in columns if column.target not in schema.names)
    return replace(schema, columns=schema.columns + added)


def copy_of(schema: TableSchema, name: TableName) -> TableSchema:
    """The same structure under another name."""
    return replace(schema, name=name)


@dataclass(frozen=True, slots=True)
class Reshaping:
    """How rows follow an alteration. Done twice it does no more than once."""

    between: TableSchema
    """The structure while rows are changed: the columns of both sides."""
    after: TableSchema
    renamed: tuple[tuple[str, str], ...]
    filled: tuple[tuple[str, str], ...]
    """Names of new columns, and the value of existing rows."""
    dropped: tuple[str, ...]

    @property
    def touches_rows(self) -> bool:
        return bool(self.renamed or self.filled or self.dropped)

    def row(self, row: Row) -> Row:
        """A row of the definition `between`, converted."""
        changed = dict(row)
        for old, new in self.renamed:
            if changed.get(old) is not None:
                changed[new] = changed[old]
            changed[old] = None
        for name, value in self.filled:
            if changed.get(name) is None:
                changed[name] = value
        return changed | dict.fromkeys(self.dropped)


def reshaping(present: TableSchema, change: Alteration) -> Reshaping:
    """Raises RowRefused where values would have to be converted."""
    names = set(present.names)
    renamed = tuple((old, column.target) for old, column in change.rename if old in names)
    dropped = tuple(name for name in change.drop if name in names)
    filled = tuple((one.column.target, one.value) for one in change.add if one.value is not None)
    between = with_columns(
        present, [*(column for old, column in change.rename if old in names), *(one.column for one in change.add)]
    )
    redefined = {column.target: column for column in change.redefine}
    gone = {*dropped, *(old for old, _ in renamed)}
    after = tuple(
        _redefined(present, column, redefined.get(column.name)) for column in between.columns if column.name not in gone
    )
    key = tuple(dict(renamed).get(name, name) for name in present.primary_key)
    comment = present.comment if change.comment is None else change.comment
    changed = replace(present, columns=after, primary_key=key, comment=comment)
    return Reshaping(between, changed, renamed, filled, dropped)


def holds(source: DataType, target: DataType) -> bool:
    """Whether a column stores every canonical value of the source's type unchanged."""
    if source.kind is target.kind:
        return True
    if source.kind in INTEGERS and target.kind is Kind.DECIMAL:
        return not target.scale and (target.precision or _DIGITS) >= _DIGITS
    if source.kind in INTEGERS or source.kind is Kind.YEAR:
        return target.kind is Kind.TEXT or _is_wider(source.kind, target.kind)
    return target.kind is Kind.TEXT and source.kind is not Kind.BINARY


def _is_wider(source: Kind, target: Kind) -> bool:
    if source is Kind.YEAR:
        return target in SIGNED[1:] or target in UNSIGNED[1:]
    for order in (SIGNED, UNSIGNED):
        if source in order and target in order:
            return order.index(source) <= order.index(target)
    return source in UNSIGNED and target in SIGNED and UNSIGNED.index(source) < SIGNED.index(target)


def _column(column: MappedColumn, *, nullable: bool) -> Column:
    return Column(column.target, replace(column.type, native=type_name(column.type)), nullable)


def _redefined(table: TableSchema, column: Column, desired: MappedColumn | None) -> Column:
    if desired is None:
        return column
    if not _same_texts(column.type, desired.type):
        detail = (
            f"column {column.name}: values of type {column.type.native} do not become {type_name(desired.type)} here; "
            "load the table again"
        )
        raise RowRefused(table=str(table.name), detail=detail)
    return _column(desired, nullable=desired.nullable and column.name not in table.primary_key)


def _same_texts(before: DataType, after: DataType) -> bool:
    """Whether the canonical texts of old values stay right under a new type."""
    if before.kind is Kind.DECIMAL and after.kind is Kind.DECIMAL:
        return before.scale == after.scale
    if before.fixed != after.fixed or before.element != after.element:
        return False
    shrinks = after.precision is not None and (before.precision is None or before.precision > after.precision)
    same = before.kind is after.kind or before.kind in _SAME_AS_TEXT
    return same and holds(before, after) and not shrinks


def type_name(data: DataType) -> str:
    """Name of a type for values that are canonical texts: its kind, with its size."""
    if data.kind is Kind.DECIMAL and data.precision is not None:
        return f"{data.kind.value}({data.precision},{data.scale or 0})"
    return f"{data.kind.value}({data.length})" if data.length is not None else data.kind.value
