"""The rows of pgoutput's messages: all of a table at once, column by column."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from zcbus.connectors.postgresql.pgoutput.columns import (
    Buffer,
    Mask,
    Span,
    decode_hexadecimal,
    decode_large_hexadecimal,
)
from zcbus.connectors.postgresql.pgoutput.framing import Offsets
from zcbus.connectors.postgresql.pgoutput.relations import Relation
from zcbus.model.arrow import ArrowArray
from zcbus.model.changes import Operation, TableChanges
from zcbus.model.origin import Origin
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.types import Kind

INSERT, UPDATE, DELETE, TRUNCATE = b"IUDT"
"""Types of messages that carry changes."""
_NEW, _NULL, _UNCHANGED, _TEXT = b"Nnut"
_LARGE_BYTES = 8 << 20
"""Binary values of more than this together are decoded with care for memory instead of speed."""
_OPERATIONS = np.full(256, -1, np.int8)
_OPERATIONS[[INSERT, UPDATE, DELETE, TRUNCATE]] = [
    Operation.INSERT,
    Operation.UPDATE,
    Operation.DELETE,
    Operation.TRUNCATE,
]


class KeyNotLogged(Exception):
    """The log does not have the old value of a key's column."""

    def __init__(self, table: TableName, column: str) -> None:
        super().__init__(f"{table}.{column}")
        self.table = table
        self.column = column


@dataclass(frozen=True, slots=True)
class CapturedShape:
    """How the rows of a relation are to appear."""

    schema: TableSchema
    key: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Changes of one relation with the same columns and the same origin."""

    relation: Relation
    captured: CapturedShape
    places: npt.NDArray[np.int64]
    """Which messages."""
    types: npt.NDArray[np.uint8]
    shifts: npt.NDArray[np.int64]
    """Index within a message that truncates several tables."""
    origin: Origin


@dataclass(slots=True)
class _Tuples:
    """Offsets of column values of some of a group's rows: starts, ends and kinds, one array per column."""

    starts: list[Offsets]
    ends: list[Offsets]
    kinds: list[npt.NDArray[np.uint8]]
    end: Offsets


def _walk(buffer: Buffer, position: Offsets, count: int) -> _Tuples:
    """Follow the columns of all tuples at once; `position` is where the first column begins."""
    starts, ends, kinds = [], [], []
    for _ in range(count):
        kind = buffer.bytes[position]
        text = kind == _TEXT
        if text.all():
            start = position + 5
            end = start + buffer.int32[position + 1]
        else:
            start = position + 1 + 4 * text
            end = start + np.where(text, buffer.int32[position + 1], 0)
        starts.append(start)
        ends.append(end)
        kinds.append(kind)
        position = end
    return _Tuples(starts, ends, kinds, position)


def table_changes(
    buffer: Buffer, messages: Offsets, group: Group, transactions: Offsets, first: Offsets
) -> TableChanges:
    """The changes of a group.

    `messages`: offsets of all messages; `transactions`: the index of each change's transaction; `first`: the order
    number of each message's first change. Raises KeyNotLogged.
    """
    offsets, types = messages[group.places], group.types
    count = len(group.relation.columns)
    tags = buffer.bytes[np.minimum(offsets + 5, len(buffer.bytes) - 1)]
    has_old = ((types == UPDATE) & (tags != _NEW)) | (types == DELETE)
    has_new = (types == INSERT) | (types == UPDATE)
    old = _walk(buffer, offsets[has_old] + 8, count)
    new_tuples = offsets + 8
    new_tuples[has_old] = old.end + 3
    new = _walk(buffer, new_tuples[has_new], count)
    after = [_spread(offsets, has_new, new, place) for place in range(count)]
    before = _Before(offsets, has_old, old)
    rows, unchanged = _rows(buffer, group, after, before)
    return TableChanges(
        schema=group.captured.schema,
        key=group.captured.key,
        operations=pa.array(_OPERATIONS[types]),
        transactions=pa.array(transactions.astype(np.int32)),
        order=pa.array(first[group.places] + group.shifts),
        rows=rows,
        keys_before=_keys_before(buffer, group, after, before),
        unchanged=unchanged,
        origin=group.origin,
    )


@dataclass(slots=True)
class _Column:
    """One column over all rows of a group; `kinds` is NULL's where a row has no such tuple."""

    starts: Offsets
    ends: Offsets
    kinds: npt.NDArray[np.uint8]

    def select_where(self, mask: Mask, other: "_Column") -> "_Column":
        """This column, with the other's values where the mask is set."""
        return _Column(
            np.where(mask, other.starts, self.starts),
            np.where(mask, other.ends, self.ends),
            np.where(mask, other.kinds, self.kinds),
        )

    def array(self, buffer: Buffer, kind: Kind) -> ArrowArray:
        text = self.kinds == _TEXT
        span = Span(self.starts, self.ends, None if text.all() else text)
        if kind != Kind.BINARY:
            return span.array(buffer)
        large = int((self.ends - self.starts).sum()) > _LARGE_BYTES
        return decode_large_hexadecimal(buffer, span) if large else decode_hexadecimal(span.array(buffer))


def _spread(offsets: Offsets, mask: Mask, tuples: _Tuples, place: int) -> _Column:
    """A column of some rows as a column of all rows. Rows without the tuple point at their own message, so that offsets
    ascend."""
    if mask.all():
        return _Column(tuples.starts[place], tuples.ends[place], tuples.kinds[place])
    starts, ends = offsets.copy(), offsets.copy()
    kinds = np.full(len(offsets), _NULL, np.uint8)
    starts[mask], ends[mask], kinds[mask] = tuples.starts[place], tuples.ends[place], tuples.kinds[place]
    return _Column(starts, ends, kinds)


@dataclass(frozen=True, slots=True)
class _Before:
    """Columns of the old tuples, decoded only where one is needed."""

    offsets: Offsets
    mask: Mask
    tuples: _Tuples

    def column(self, place: int) -> _Column:
        return _spread(self.offsets, self.mask, self.tuples, place)


def _rows(
    buffer: Buffer, group: Group, after: list[_Column], before: _Before
) -> tuple[pa.RecordBatch, dict[str, ArrowArray]]:
    arrays, unchanged = [], {}
    for place, column in enumerate(group.captured.schema.columns):
        # Values that an update did not touch are not sent; a full old row has them nevertheless.
        missing = after[place].kinds == _UNCHANGED
        if missing.any():
            old = before.column(place)
            after[place] = after[place].select_where(missing & (old.kinds == _TEXT), old)
            missing = after[place].kinds == _UNCHANGED
            if missing.any():
                unchanged[column.name] = pa.array(missing)
        arrays.append(after[place].array(buffer, column.type.kind))
    return pa.RecordBatch.from_arrays(arrays, names=list(group.captured.schema.names)), unchanged


def _keys_before(buffer: Buffer, group: Group, after: list[_Column], before: _Before) -> pa.RecordBatch:
    schema, key = group.captured.schema, group.captured.key
    is_update = (group.types == UPDATE) & ~before.mask
    needed = before.mask | is_update
    arrays: list[ArrowArray] = []
    for name in key or schema.names:
        place = schema.names.index(name)
        # Without an old tuple the key is unchanged.
        values = before.column(place).select_where(is_update, after[place])
        if key and (values.kinds[needed] != _TEXT).any():
            raise KeyNotLogged(schema.name, name)
        arrays.append(values.array(buffer, schema.column(name).type.kind))
    return pa.RecordBatch.from_arrays(arrays, names=list(key or schema.names))
