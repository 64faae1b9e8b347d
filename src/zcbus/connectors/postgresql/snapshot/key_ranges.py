"""Statements that read a table from one key to another."""

from dataclasses import dataclass

from zcbus.connectors.conditions import Condition, written
from zcbus.connectors.postgresql.connection import quote
from zcbus.connectors.reading import ordered_by_value
from zcbus.model.schema import Column, TableSchema
from zcbus.model.types import Kind

_MOMENTS = {Kind.DATE: "date", Kind.TIMESTAMP: "timestamp", Kind.TIMESTAMP_TZ: "timestamptz"}

_NUMBERS = frozenset({Kind.INT16, Kind.INT32, Kind.INT64, Kind.DECIMAL, Kind.FLOAT32, Kind.FLOAT64})

Key = tuple[str, ...]
"""Canonical key text; see roles.SnapshotReader."""


@dataclass(frozen=True, slots=True)
class KeyRanges:
    """Of one table in the order of its key."""

    table: TableSchema
    source: str
    """Relation or subquery, for FROM."""
    columns: tuple[str, ...]
    """Expressions."""
    key: Key
    shared_order: bool = False
    """In the order of reading.ordered_by_value instead of the database's own."""

    def select(self, after: Key | None, until: Key | None, where: Condition | None = None) -> str:
        """The query for the rows after one key and up to another that satisfy a condition."""
        order = f" ORDER BY {self._ordered}" if self.key else ""
        return f"SELECT {', '.join(self.columns)} FROM {self.source}{self._between(after, until, where)}{order}"

    def border(self, after: Key | None, rows: int, until: Key | None) -> str:
        """The query for the key of the row that is `rows` rows after one key and not after another, as canonical
        text."""
        columns = ", ".join(self._key_text(self.table.column(name)) for name in self.key)
        place = f"ORDER BY {self._ordered} OFFSET {rows - 1} LIMIT 1"
        return f"SELECT {columns} FROM {self.source}{self._between(after, until)} {place}"

    @property
    def _ordered(self) -> str:
        """Expressions of ORDER BY."""
        return ", ".join(self._by_bytes(self.table.column(name)) for name in self.key)

    def _by_bytes(self, column: Column) -> str:
        name = quote.identifier(column.name)
        return f'{name}::text COLLATE "C"' if self._is_by_bytes(column) else name

    def _is_by_bytes(self, column: Column) -> bool:
        return self.shared_order and column.type.kind is not Kind.UUID and not ordered_by_value(column)

    def _between(self, after: Key | None, until: Key | None, where: Condition | None = None) -> str:
        conditions = [
            f"({self._ordered}) {sign} ({self._literals(place)})"
            for sign, place in ((">", after), ("<=", until))
            if place is not None
        ]
        if where is not None:
            conditions.append(written(where, quote.identifier, self._compared))
        return f" WHERE {' AND '.join(conditions)}" if conditions else ""

    def _compared(self, column: str, value: str) -> str:
        """Without the column's own size, which would round or cut the value."""
        kind = self.table.column(column).type.kind
        if kind in _MOMENTS:
            return f"{quote.literal(value)}::{_MOMENTS[kind]}"
        if kind is Kind.TEXT:
            return quote.literal(value)
        return value if kind in _NUMBERS else _key_literal(self.table.column(column), value)

    def _literals(self, place: Key) -> str:
        return ", ".join(
            self._term(self.table.column(name), value) for name, value in zip(self.key, place, strict=True)
        )

    def _term(self, column: Column, value: str) -> str:
        return f"{quote.literal(value)}::text" if self._is_by_bytes(column) else _key_literal(column, value)

    def _key_text(self, column: Column) -> str:
        name = quote.identifier(column.name)
        return f"pg_catalog.encode({name}, 'hex')" if column.type.kind == Kind.BINARY else name


def _key_literal(column: Column, value: str) -> str:
    text = "\\x" + value if column.type.kind == Kind.BINARY else value
    return f"{quote.literal(text)}::{column.type.native}"
