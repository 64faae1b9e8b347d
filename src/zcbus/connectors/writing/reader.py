"""A TableReader of a Writer's rows, for comparisons.

Such a target has no order of its own: each call reads and sorts the keys of the complete table, and then reads the
rows.
"""

import heapq
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import pyarrow as pa

from zcbus.connectors.conditions import Condition
from zcbus.connectors.errors import TargetUnavailable
from zcbus.connectors.roles.writer import Key, Row
from zcbus.connectors.writing.order import fulfils, key_of, keys_named, order_of, texts
from zcbus.connectors.writing.session import batch_of, in_parts
from zcbus.model.schema import TableName, TableSchema

_AT_ONCE = 1000


class _Range:
    """Keys after one and up to another, in the order of some columns."""

    def __init__(
        self, table: TableSchema, key: Sequence[str], after: tuple[str, ...] | None, until: tuple[str, ...] | None
    ) -> None:
        """`key`: the columns of the table's primary key, in the requested order; empty: any."""
        names = key or table.primary_key
        columns = [table.column(name) for name in names]
        self._indexes = [table.primary_key.index(name) for name in names]
        self._order = order_of(columns)
        bounds = (None if one is None else self._order(key_of(columns, one)) for one in (after, until))
        self._after, self._until = bounds

    def place(self, key: Key) -> tuple[object, ...] | None:
        """Where a key is in the order; None: not in the range, or no key of the table."""
        try:
            place = self._order(self._turned(key))
        except ValueError:
            return None
        if (self._after is not None and place <= self._after) or (self._until is not None and place > self._until):
            return None
        return place

    def text(self, key: Key) -> tuple[str, ...]:
        """As reading.Key."""
        return texts(self._turned(key))

    def _turned(self, key: Key) -> Key:
        return tuple(key[place] for place in self._indexes)


class RowLister(Protocol):
    """What is needed of a Writer, and all of it that a source has."""

    def tables(self, names: Sequence[TableName] | None = None) -> dict[TableName, TableSchema]:
        """As Writer.tables."""

    def keys(self, table: TableSchema) -> Iterator[list[Key]]:
        """As Writer.keys."""

    def rows(self, table: TableSchema, keys: Sequence[Key]) -> list[Row | None]:
        """As Writer.rows."""

    def close(self) -> None:
        """As Writer.close."""


class WriterTableReader:
    """See reading.TableReader."""

    def __init__(self, open_writer: Callable[[], RowLister], where: dict[str, str]) -> None:
        """`where`: facts of errors."""
        self._writer, self._where = open_writer(), where
        self._ended = threading.Event()

    def read(
        self,
        table: TableSchema,
        key: tuple[str, ...],
        after: tuple[str, ...] | None,
        rows: int,
        until: tuple[str, ...] | None = None,
        where: Condition | None = None,
    ) -> Iterator[tuple[pa.RecordBatch, tuple[str, ...]]]:
        defined = self._defined(table)
        key_range = _Range(defined, key, after, until)
        for found in self._rows(defined, self._sorted(defined, key_range, where), min(rows, _AT_ONCE)):
            yield from in_parts(batch_of(table, [row for _, row in found]), [key_range.text(one) for one, _ in found])

    def border(
        self, table: TableSchema, key: tuple[str, ...], after: tuple[str, ...] | None, rows: int
    ) -> tuple[str, ...] | None:
        defined = self._defined(table)
        key_range = _Range(defined, key, after, None)
        places = ((place, one) for one in self._keys(defined) if (place := key_range.place(one)) is not None)
        found = heapq.nsmallest(rows, places)
        return key_range.text(found[-1][1]) if len(found) == rows else None

    def estimate(self, table: TableSchema) -> int | None:
        return None

    def count(self, table: TableSchema) -> int:
        return sum(1 for _ in self._keys(self._defined(table)))

    def interrupt(self) -> None:
        self._ended.set()

    def __enter__(self) -> "WriterTableReader":
        return self

    def __exit__(self, *details: object) -> None:
        self._writer.close()

    def _sorted(self, table: TableSchema, key_range: _Range, where: Condition | None) -> list[Key]:
        is_selected, named = fulfils(table, where), keys_named(table, where)
        found = self._keys(table) if named is None else iter(dict.fromkeys(named))
        places = [(place, one) for one in found if (place := key_range.place(one)) is not None and is_selected(one)]
        return [one for _, one in sorted(places)]

    def _defined(self, table: TableSchema) -> TableSchema:
        """The complete schema: `table` may have only some of its columns."""
        return self._writer.tables([table.name]).get(table.name, table)

    def _keys(self, table: TableSchema) -> Iterator[Key]:
        for keys in self._writer.keys(table):
            self._check_interrupted()
            yield from keys

    def _rows(self, table: TableSchema, keys: Sequence[Key], count: int) -> Iterator[list[tuple[Key, Row]]]:
        for begin in range(0, len(keys), count):
            self._check_interrupted()
            part = keys[begin : begin + count]
            rows = self._writer.rows(table, part)
            found = [(key, row) for key, row in zip(part, rows, strict=True) if row is not None]
            if found:
                yield found

    def _check_interrupted(self) -> None:
        if self._ended.is_set():
            raise TargetUnavailable(**self._where, detail="interrupted")
