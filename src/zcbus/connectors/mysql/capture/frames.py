"""Change frames from the rows events of a log segment."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pyarrow as pa

from zcbus.connectors.errors import TableRefused
from zcbus.connectors.mysql.binlog.charsets import Charsets
from zcbus.connectors.mysql.binlog.events import DELETES, UPDATES
from zcbus.connectors.mysql.binlog.nulls import Nulls
from zcbus.connectors.mysql.binlog.rows import Images, scan
from zcbus.connectors.mysql.binlog.tables import ColumnLayout
from zcbus.connectors.mysql.binlog.values import FixedField, fixed_column, long_column
from zcbus.connectors.mysql.binlog.vectors import Buffer, null_text
from zcbus.connectors.mysql.capture.tables import Captured
from zcbus.model.arrow import ArrowArray
from zcbus.model.changes import ChangeFrame, Operation, TableChanges, Transactions
from zcbus.model.characters import Flags, Integers
from zcbus.model.origin import Origin
from zcbus.model.position import Position
from zcbus.model.schema import TableSchema
from zcbus.model.types import Kind

_OPERATIONS = np.full(256, Operation.INSERT, np.int64)
"""By the kind of a rows event."""
_OPERATIONS[list(UPDATES)] = Operation.UPDATE
_OPERATIONS[list(DELETES)] = Operation.DELETE
_IMAGES_PER_EVENT = 1 << 32
_BLOCK_BYTES = 4 << 20
"""Bytes of the log decoded together: more exceed the processor's cache, fewer need more steps."""


@dataclass(slots=True)
class RowsEvent:
    """A rows event of a captured table."""

    kind: int
    table: Captured
    start: int
    """Where its column count begins in the buffer."""
    end: int
    transaction: int
    """Index into the frame's transactions."""
    origin: Origin = ()


@dataclass(slots=True)
class Transaction:
    """A transaction with captured changes."""

    position: Position
    time: int


@dataclass(frozen=True, slots=True)
class _Part:
    """One table's changes before their order among the other tables' is known."""

    table: Captured
    origin: Origin
    operations: Integers
    transactions: Integers
    order: Integers
    rows: pa.RecordBatch
    keys_before: pa.RecordBatch


def change_frame(
    buffer: Buffer,
    events: Sequence[RowsEvent],
    transactions: Sequence[Transaction],
    complete: bool,
    charsets: Charsets,
    gtid_set: str,
) -> ChangeFrame:
    """The frame of these events, which are in log order. `gtid_set`: see ChangeFrame."""
    parts = [part for numbers in _runs(events) for part in _parts(buffer, events, numbers, charsets)]
    return ChangeFrame(_transactions(transactions), complete, tuple(_in_order(parts)), gtid_set=gtid_set)


def _runs(events: Sequence[RowsEvent]) -> list[list[int]]:
    """Numbers of the events of one table, in runs of one origin."""
    runs: list[list[int]] = []
    newest: dict[Captured, list[int]] = {}
    for number, event in enumerate(events):
        run = newest.get(event.table)
        if run is None or events[run[-1]].origin != event.origin:
            run = newest[event.table] = []
            runs.append(run)
        run.append(number)
    return runs


def truncate_frame(
    schema: TableSchema, key: tuple[str, ...], transaction: Transaction, origin: Origin = ()
) -> ChangeFrame:
    """A frame with nothing but the emptying of a table."""
    changes = TableChanges(
        schema,
        key,
        pa.array([Operation.TRUNCATE], pa.uint8()),
        pa.array([0], pa.uint32()),
        pa.array([0], pa.uint32()),
        _nothing(schema, schema.names, 1),
        _nothing(schema, key or schema.names, 1),
        origin=origin,
    )
    return ChangeFrame(_transactions([transaction]), True, (changes,))


def schema_frame(schema: TableSchema, key: tuple[str, ...], transaction: Transaction) -> ChangeFrame:
    """A frame without rows that carries a table's schema from there on."""
    none = pa.array([], pa.uint32())
    rows, keys_before = _nothing(schema, schema.names, 0), _nothing(schema, key or schema.names, 0)
    changes = TableChanges(schema, key, pa.array([], pa.uint8()), none, none, rows, keys_before)
    return ChangeFrame(_transactions([transaction]), True, (changes,))


def _transactions(transactions: Sequence[Transaction]) -> Transactions:
    return Transactions(
        pa.array([one.position.file for one in transactions], pa.uint64()),
        pa.array([one.position.offset for one in transactions], pa.uint64()),
        pa.array([one.time for one in transactions], pa.int64()),
    )


def _nothing(schema: TableSchema, names: Sequence[str], count: int) -> pa.RecordBatch:
    arrays = [null_text(count, schema.column(name).type.kind is Kind.BINARY) for name in names]
    return pa.RecordBatch.from_arrays(arrays, names=list(names))


def _in_order(parts: Sequence[_Part]) -> list[TableChanges]:
    """Number the changes of all tables by their order in the log."""
    ranks = _ranks(np.concatenate([part.order for part in parts]) if parts else np.empty(0, np.int64))
    changes, at = [], 0
    for part in parts:
        count = len(part.order)
        changes.append(_table_changes(part, ranks[at : at + count]))
        at += count
    return changes


def _ranks(places: Integers) -> np.typing.NDArray[np.uint32]:
    """Each one's number when they are sorted, which changes of one table are already."""
    numbers = np.arange(len(places), dtype=np.uint32)
    if (places[1:] > places[:-1]).all():
        return numbers
    ranks = np.empty_like(numbers)
    ranks[np.argsort(places, kind="stable")] = numbers
    return ranks


def _table_changes(part: _Part, order: np.typing.NDArray[np.uint32]) -> TableChanges:
    return TableChanges(
        part.table.schema,
        part.table.key,
        pa.array(part.operations.astype(np.uint8)),
        pa.array(part.transactions.astype(np.uint32)),
        pa.array(order),
        part.rows,
        part.keys_before,
        origin=part.origin,
    )


def _parts(buffer: Buffer, events: Sequence[RowsEvent], numbers: Sequence[int], charsets: Charsets) -> Iterator[_Part]:
    table, origin = events[numbers[0]].table, events[numbers[0]].origin
    chosen = [events[number] for number in numbers]
    operations = _OPERATIONS.take([event.kind for event in chosen])
    starts = _image_starts(buffer, table, chosen, operations)
    ends = np.array([event.end for event in chosen], np.int64)
    found = scan(buffer, table.table_map.columns, starts, ends)
    of_image = operations.take(found.events)
    # A change begins with each image but the second one of an update.
    first = np.nonzero((of_image != Operation.UPDATE) | (found.places & 1 == 0))[0]
    operation = of_image.take(first)
    after = first + (operation == Operation.UPDATE)
    event = found.events.take(first)
    transactions = np.array([one.transaction for one in chosen], np.int64).take(event)
    order = np.array(numbers, np.int64).take(event) * _IMAGES_PER_EVENT + found.places.take(first)
    columns_before = table.key or table.schema.names
    for b in _blocks(found.images.bitmaps[first]):
        rows = _columns(table, found.images, after[b], operation[b] != Operation.DELETE, table.schema.names, charsets)
        keys = _columns(table, found.images, first[b], operation[b] != Operation.INSERT, columns_before, charsets)
        yield _Part(table, origin, operation[b], transactions[b], order[b], rows, keys)


def _blocks(places: Integers) -> list[slice]:
    """Parts of the changes, alike in size, whose bytes the processor's cache holds while they are read column by
    column."""
    parts = max(round((int(places[-1]) - int(places[0])) / _BLOCK_BYTES), 1)
    ends = [len(places) * part // parts for part in range(parts + 1)]
    return [slice(start, end) for start, end in pairwise(ends) if start < end]


def _image_starts(buffer: Buffer, table: Captured, events: Sequence[RowsEvent], operations: Integers) -> Integers:
    """Offset of the first image: after the column count and one or two bitmaps of the present columns."""
    count = len(table.table_map.columns)
    size = (count + 7) // 8
    bitmap = np.array([event.start for event in events], np.int64) + (1 if count < 251 else 3)
    bitmaps = 1 + (operations == Operation.UPDATE)
    full = np.frombuffer(((1 << count) - 1).to_bytes(size, "little"), np.uint8)
    found = buffer.u8[bitmap[:, None] + np.arange(size)]
    second = buffer.u8[(bitmap + size * (bitmaps - 1))[:, None] + np.arange(size)]
    # MySQL also sets the bits after the last column, MariaDB does not.
    if ((found & full) != full).any() or ((second & full) != full).any():
        raise TableRefused(table=str(table.schema.name), column="", reason="row-image-not-full")
    starts: Integers = bitmap + size * bitmaps
    return starts


def _columns(
    table: Captured, images: Images, chosen: Integers, selected: Flags, names: Sequence[str], charsets: Charsets
) -> pa.RecordBatch:
    """Some columns of the chosen images, null where no image is selected."""
    by_name = {layout.column.name: (place, layout) for place, layout in table.carried}
    if not selected.any():
        kinds = [by_name[name][1].column.type.kind for name in names]
        arrays = [null_text(len(chosen), kind is Kind.BINARY) for kind in kinds]
        return pa.RecordBatch.from_arrays(arrays, names=list(names))
    present_rows = chosen if selected.all() else chosen[selected]
    # Without updates the images are neighbours: no need to pick them one by one.
    neighbours = int(present_rows[-1] - present_rows[0]) == len(present_rows) - 1
    picked = images.chosen(slice(int(present_rows[0]), int(present_rows[-1]) + 1) if neighbours else present_rows)
    selection = _Selection(picked, selected, None if len(present_rows) == len(chosen) else Nulls(selected))
    arrays = [_column(table, selection, *by_name[name], charsets) for name in names]
    return pa.RecordBatch.from_arrays(arrays, names=list(names))


@dataclass(frozen=True, slots=True)
class _Selection:
    """Images in the order of the rows that they are selected for."""

    images: Images
    selected: Flags
    """By row."""
    gaps: Nulls | None
    """Rows without an image; None: all have one."""

    def column(self, values: ArrowArray, present: Flags | None) -> ArrowArray:
        """A value for each row; `values` where they are present in the images, None: in all of them."""
        if present is None:
            return values if self.gaps is None else self.gaps.between(values)
        present_rows = self.selected.copy()
        present_rows[self.selected] = present
        return Nulls(present_rows).between(values)


def _column(table: Captured, selection: _Selection, place: int, layout: ColumnLayout, charsets: Charsets) -> ArrowArray:
    present = selection.images.present(place)
    if layout.column.type.kind is Kind.UNSUPPORTED or (present is not None and not present.any()):
        return null_text(len(selection.selected), layout.column.type.kind is Kind.BINARY)
    if present is None or present.all():
        return selection.column(_values(table, selection.images, place, layout, None, charsets), None)
    rows = np.flatnonzero(present)
    return selection.column(_values(table, selection.images, place, layout, rows, charsets), present)


def _values(
    table: Captured, images: Images, place: int, layout: ColumnLayout, rows: Integers | None, charsets: Charsets
) -> ArrowArray:
    """The values of a column in these images, where it is not null; None: in all of them."""
    column = table.table_map.columns[place]
    found = images.fixed(place)
    if found is not None:
        records, at = found
        return fixed_column(FixedField(records if rows is None else records.chosen(rows), at), column, layout)
    starts, ends = images.starts(place) + column.prefix, images.ends(place)
    assert ends is not None
    if rows is not None:
        starts, ends = starts.take(rows), ends.take(rows)
    return long_column(images.buffer, starts, ends, column, layout, charsets)
