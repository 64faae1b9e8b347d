"""SQL conditions for the rows to read: after a key, up to a key, and by a caller's condition."""

from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from zcbus.connectors.conditions import Condition, written
from zcbus.connectors.mysql.connection import quote
from zcbus.connectors.reading import ordered_by_value
from zcbus.model.schema import Column, TableSchema
from zcbus.model.types import INTEGERS, Kind

_INTEGERS = INTEGERS | {Kind.YEAR}


@dataclass(frozen=True, slots=True)
class KeyOrder:
    """The order of a table by a key."""

    schema: TableSchema
    key: tuple[str, ...]
    shared: bool = False
    """That of reading.ordered_by_value instead of the server's own."""

    @property
    def sorted(self) -> str:
        """Key columns for ORDER BY."""
        if not self.shared:
            return quote.identifiers(self.key)
        return ", ".join(self._expression(self.schema.column(name)) for name in self.key)

    def behind(self, after: tuple[str, ...]) -> tuple[str, list[str]]:
        """Condition and parameters for the rows whose key is greater than `after`.

        The comparison is spelt out column by column, because servers use no index for `(a, b) > (x, y)`.
        """
        columns = [self.schema.column(name) for name in self.key]
        terms, params = [self._term(column, value) for column, value in zip(columns, after, strict=True)], []
        alternatives = []
        for place, column in enumerate(columns):
            equal = [f"{self._expression(columns[i])} = {terms[i][0]}" for i in range(place)]
            alternatives.append(" AND ".join([*equal, f"{self._expression(column)} > {terms[place][0]}"]))
            params += [value for term in terms[: place + 1] for value in term[1]]
        if len(columns) == 1:
            return alternatives[0], params
        # The first condition is redundant, but gives the server a range of its index to read.
        first = f"{self._expression(columns[0])} >= {terms[0][0]}"
        return f"{first} AND ({' OR '.join(f'({one})' for one in alternatives)})", [*terms[0][1], *params]

    def up_to(self, until: tuple[str, ...]) -> tuple[str, list[str]]:
        """Condition and parameters for the rows whose key is not greater than `until`."""
        condition, params = self.behind(until)
        column = self.schema.column(self.key[0])
        term, own = self._term(column, until[0])
        # As in `behind`, the first condition gives the server a range of its index to read.
        return f"{self._expression(column)} <= {term} AND NOT ({condition})", [*own, *params]

    def _expression(self, column: Column) -> str:
        if not self._is_by_bytes(column):
            return sort_expression(column)
        return f"CAST(CONVERT({quote.identifier(column.name)} USING utf8mb4) AS BINARY)"

    def _term(self, column: Column, value: str) -> tuple[str, list[str]]:
        return ("%s", [value]) if self._is_by_bytes(column) else literal(column, value)

    def _is_by_bytes(self, column: Column) -> bool:
        return self.shared and not ordered_by_value(column)


def fulfilling(schema: TableSchema, where: Condition) -> tuple[str, list[str]]:
    """Condition and parameters for the rows for which a condition is true."""
    params: list[str] = []

    def term(column: str, value: str) -> str:
        kind = schema.column(column).type.kind
        if kind in _INTEGERS or kind is Kind.DECIMAL:
            return value
        sql, own = literal(schema.column(column), value)
        params.extend(own)
        return sql

    return written(where, quote.identifier, term), params


def sort_expression(column: Column) -> str:
    """The expression by which the server sorts and compares a column."""
    name = quote.identifier(column.name)
    return f"{name}+0" if column.type.kind in (Kind.ENUM, Kind.SET, Kind.BIT) else name


def literal(column: Column, value: str) -> tuple[str, list[str]]:
    """A key's canonical text as an SQL term with its parameters."""
    kind = column.type.kind
    if kind in _INTEGERS:
        return str(int(value)), []
    if kind is Kind.DECIMAL:
        return format(Decimal(value), "f"), []
    if kind in (Kind.FLOAT32, Kind.FLOAT64):
        number = float(np.float32(value)) if kind is Kind.FLOAT32 else float(value)
        return f"({number!r}*1e0)", []
    if kind is Kind.BINARY:
        return f"X'{bytes.fromhex(value).hex()}'", []
    if kind is Kind.BIT:
        return str(int(value, 2)), []
    if kind is Kind.ENUM:
        return str(column.type.values.index(value) + 1 if value else 0), []
    if kind is Kind.SET:
        labels = value.split(",") if value else []
        return str(sum(1 << column.type.values.index(label) for label in labels)), []
    return "%s", [value.removesuffix("+00") if kind is Kind.TIMESTAMP_TZ else value]
