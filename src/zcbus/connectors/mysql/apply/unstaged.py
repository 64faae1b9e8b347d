"""Changes of rows on servers without temporary tables: those that depend on existing rows pass through this process.

Most changes are statements with literals; these are the rest: partial updates of unique columns, tables with columns or
unique keys of their own, and keys that literals do not find.
"""

from collections.abc import Iterator, Sequence

import pyarrow as pa

from zcbus.connectors.mysql.apply.changes import Applier
from zcbus.connectors.mysql.apply.encode import EncodedColumn, Form, encode
from zcbus.connectors.mysql.canonical import canonical, select_expression
from zcbus.connectors.mysql.connection import quote
from zcbus.connectors.mysql.connection.errors import translated
from zcbus.connectors.mysql.connection.session import Session
from zcbus.connectors.mysql.connection.text_rows import TextRows
from zcbus.connectors.mysql.snapshot.key_conditions import literal, sort_expression
from zcbus.connectors.roles import TargetTable
from zcbus.model.arrow import ArrowArray
from zcbus.model.schema import Column
from zcbus.model.types import Kind

Condition = tuple[str, list[str]]
"""On the row with a key, with its parameters."""
_ROWS = 1000
_MOMENTS = {Kind.TIMESTAMP: "DATETIME", Kind.TIMESTAMP_TZ: "DATETIME", Kind.TIME: "TIME", Kind.DURATION: "TIME"}


class UnstagedApplier(Applier):
    """See Applier."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._by_statements = True

    def _update_staged(self, table: TargetTable, keys: pa.RecordBatch, rows: pa.RecordBatch) -> None:
        """Read the rows, delete all, then insert them: new values of unique columns may be swapped among the rows."""
        writable = [self.shape(table).schema.column(name) for name in self.shape(table).writable()]
        conditions = list(self._conditions(table, keys))
        places, old = self._existing(table, writable, conditions)
        new = {column.name: column for column in _chosen(self._encoded(table, rows), places)}
        self._delete(table, conditions)
        self._insert(table, [new.get(column.name, column) for column in old])

    def _exchange(self, table: TargetTable, rows: pa.RecordBatch, others: list[str]) -> None:
        """Delete the rows with these keys and insert the new ones, keeping the values of the other columns."""
        kept = [self.shape(table).schema.column(name) for name in (table.key[0], *others)]
        encoded = self._encoded(table, rows)
        by_name = {column.name: column for column in encoded}
        conditions = list(self._conditions_of(table, [by_name[name] for name in table.key]))
        places, old = self._existing(table, kept, conditions)
        known = set(places)
        self._delete(table, conditions)
        self._insert(table, [*_chosen(encoded, places), *old[1:]])
        self._insert(table, _chosen(encoded, [place for place in range(rows.num_rows) if place not in known]))

    def _delete_staged(self, table: TargetTable, keys: pa.RecordBatch) -> int:
        return self._delete(table, list(self._conditions(table, keys)))

    def _conditions(self, table: TargetTable, keys: pa.RecordBatch) -> Iterator[Condition]:
        return self._conditions_of(table, self._encoded(table, keys))

    def _conditions_of(self, table: TargetTable, keys: Sequence[EncodedColumn]) -> Iterator[Condition]:
        columns = [self.shape(table).schema.column(key.name) for key in keys]
        for values in zip(*(key.text.to_pylist() for key in keys), strict=True):
            terms = [_equals(*one) for one in zip(columns, keys, values, strict=True)]
            yield " AND ".join(sql for sql, _ in terms), [value for _, own in terms for value in own]

    def _existing(
        self, table: TargetTable, columns: Sequence[Column], conditions: Sequence[Condition]
    ) -> tuple[list[int], list[EncodedColumn]]:
        """The values of these columns in the rows of the conditions, and for each row the index of its condition."""
        places: list[int] = []
        batches = [_batch(columns, [])]
        for place, condition in enumerate(conditions):
            for batch in self._rows_where(table, columns, condition):
                places += [place] * batch.num_rows
                batches.append(batch)
        joined = pa.Table.from_batches(batches).combine_chunks().to_batches()
        found = joined[0] if joined else batches[0]
        return places, [
            encode(values, column.type, column.type, column.name)
            for values, column in zip(found.columns, columns, strict=True)
        ]

    def _rows_where(self, table: TargetTable, columns: Sequence[Column], where: Condition) -> Iterator[pa.RecordBatch]:
        chosen = ", ".join(select_expression(column) for column in columns)
        sql, params = f"SELECT {chosen} FROM {quote.table(table.name)} WHERE {where[0]} FOR UPDATE", where[1]
        session = self._session
        with translated(session.options, session.side, str(table.name)):
            with session.driver.cursor() as cursor:
                statement = str(cursor.mogrify(sql, params or None))
            result = TextRows(session.driver, statement, len(columns))
            for values in result.batches(_ROWS):
                arrays = [canonical(one, column.type) for column, one in zip(columns, values, strict=True)]
                yield _batch(columns, arrays)

    def _delete(self, table: TargetTable, conditions: Sequence[Condition]) -> int:
        name = quote.table(table.name)
        return sum(
            self._session.execute(f"DELETE FROM {name} WHERE {sql}", params, str(table.name))
            for sql, params in conditions
        )

    def _insert(self, table: TargetTable, columns: Sequence[EncodedColumn]) -> None:
        self._loader.write(quote.table(table.name), columns, False, str(table.name))


def _batch(columns: Sequence[Column], arrays: Sequence[ArrowArray]) -> pa.RecordBatch:
    """With the types of canonical columns; no arrays: no rows."""
    types = [pa.binary() if column.type.kind is Kind.BINARY else pa.string() for column in columns]
    given = [one.cast(kind) for one, kind in zip(arrays, types, strict=True)] if arrays else None
    return pa.RecordBatch.from_arrays(
        given or [pa.array([], kind) for kind in types], names=[column.name for column in columns]
    )


def _chosen(columns: Sequence[EncodedColumn], places: Sequence[int]) -> list[EncodedColumn]:
    at = pa.array(places, pa.int64())
    return [EncodedColumn(column.name, column.text.take(at), column.form) for column in columns]


def _equals(column: Column, encoded: EncodedColumn, text: str | None) -> Condition:
    """As the column would have stored the value; NULL equals NULL."""
    if text is None:
        return f"{quote.identifier(column.name)} IS NULL", []
    term, params = _term(column, encoded, text)
    return f"{sort_expression(column)} = {term}", params


def _term(column: Column, encoded: EncodedColumn, text: str) -> Condition:
    kind, digits = column.type.kind, column.type.precision or 0
    if encoded.form is Form.NUMBER:
        return str(int(text)), []
    if kind is Kind.DECIMAL:
        return f"CAST(%s AS DECIMAL({column.type.precision},{column.type.scale or 0}))", [text]
    if kind in _MOMENTS:
        return f"CAST(%s AS {_MOMENTS[kind]}({digits}))", [text]
    if kind is Kind.BINARY and column.type.fixed:
        text = text.ljust(2 * (column.type.length or 1), "0")
    return literal(column, text)
