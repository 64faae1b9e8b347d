"""Net effect of many changes of one table, computed column by column without touching single rows.

Within a batch the last image of a row wins. The keys of a table are unique at every moment (constraints that are
checked at once; both databases demand that of a key that identifies logged rows), so replaying in log order and
keeping what the last event of each key leaves gives the same table as applying change by change.

Values that the source did not send (`unchanged`) come from the row's previous image where the batch has one, else they
stay in the target: such a row becomes an update of the row that carries the base key, which may move to a new key.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from zcbus.model.arrow import ArrowArray
from zcbus.model.batches import concat, select, take, take_or_null
from zcbus.model.changes import Operation, TableChanges

Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class PartialUpdate:
    """Updates of some columns in the target; `keys`: the rows' keys before the change."""

    keys: pa.RecordBatch
    rows: pa.RecordBatch


@dataclass(frozen=True, slots=True)
class Net:
    """Net changes, applied in this order: deletes, updates, upserts. Each key occurs once in `upserts`."""

    deletes: pa.RecordBatch
    updates: tuple[PartialUpdate, ...]
    upserts: pa.RecordBatch
    existing: Booleans | None = None
    """Mask of the upserts whose key had a row before; None: not requested."""
    moves: bool = False
    """Whether a change gave a row another key."""
    filtered: int = 0
    """Rows that a condition has left out of the upserts."""


def compact(changes: Sequence[TableChanges], *, with_existing: bool = False) -> list[Net]:
    """The net effect of changes of one table with one schema, in log order, without TRUNCATE.

    Nearly always one Net; several, to be applied one after the other, where rows with unsent values follow each other
    through the same keys.
    """
    return _compact(_Changes.of(changes), with_existing)


@dataclass(frozen=True, slots=True)
class _Changes:
    """Concatenated changes of several frames."""

    key: tuple[str, ...]
    operations: npt.NDArray[np.int8]
    rows: pa.RecordBatch
    keys_before: pa.RecordBatch
    unchanged: dict[str, Booleans]

    @classmethod
    def of(cls, changes: Sequence[TableChanges]) -> "_Changes":
        key = changes[0].key
        names = {name for part in changes for name in part.unchanged}
        return cls(
            key,
            np.concatenate([np.asarray(part.operations).astype(np.int8) for part in changes]),
            concat([_with_key(part) for part in changes]),
            concat([part.keys_before for part in changes]),
            {name: np.concatenate([_mask(part, name) for part in changes]) for name in sorted(names - set(key))},
        )

    def halves(self) -> tuple["_Changes", "_Changes"]:
        middle = len(self.operations) // 2
        return self._slice(0, middle), self._slice(middle, len(self.operations))

    def _slice(self, start: int, stop: int) -> "_Changes":
        return _Changes(
            self.key,
            self.operations[start:stop],
            self.rows.slice(start, stop - start),
            self.keys_before.slice(start, stop - start),
            {name: mask[start:stop] for name, mask in self.unchanged.items()},
        )


def _with_key(part: TableChanges) -> pa.RecordBatch:
    """The rows, with unsent key values taken from the key before."""
    rows = part.rows
    for name in set(part.key) & set(part.unchanged):
        index = rows.schema.get_field_index(name)
        value = pc.if_else(part.unchanged[name].fill_null(False), part.keys_before.column(name), rows.column(index))
        rows = rows.set_column(index, name, value)
    return rows


def _mask(part: TableChanges, name: str) -> Booleans:
    if name not in part.unchanged:
        return np.zeros(len(part.operations), np.bool_)
    return np.asarray(part.unchanged[name].fill_null(False)).astype(np.bool_)


@dataclass(frozen=True, slots=True)
class _Events:
    """Events of keys: event 2·i removes the row of change i from its old key, 2·i+1 puts it at its new one."""

    before: Integers
    """Number of the key before change i."""
    after: Integers
    keys: Integers
    """Key of each event."""
    happened: Integers
    """Numbers of effective events, ascending."""
    last: Integers
    """Last event of each key."""
    moves: bool
    """Whether a row changed its key."""

    @classmethod
    def of(cls, changes: _Changes) -> "_Events":
        count = len(changes.operations)
        after, before = _number_keys(changes, count)
        operations = changes.operations
        puts = operations != Operation.DELETE
        moved = (operations == Operation.UPDATE) & (before != after)
        takes = (operations == Operation.DELETE) | moved
        keys = np.empty(2 * count, np.int64)
        keys[0::2], keys[1::2] = before, after
        effective = np.empty(2 * count, np.bool_)
        effective[0::2], effective[1::2] = takes, puts
        happened = np.flatnonzero(effective)
        last = np.full(int(keys.max()) + 1, -1, np.int64)
        last[keys[happened]] = happened  # Of several values for one index numpy keeps the last.
        return cls(before, after, keys, happened, last, bool(moved.any()))

    def previous(self) -> Integers:
        """For each change the one that put its row there; -1: the row is the target's."""
        keys = self.keys[self.happened]
        order = np.argsort(keys, kind="stable")
        same = keys[order[1:]] == keys[order[:-1]]
        earlier = np.full(len(self.keys), -1, np.int64)
        earlier[self.happened[order[1:][same]]] = self.happened[order[:-1][same]]
        changes = np.arange(len(self.before))
        moved = self.before != self.after
        found = earlier[np.where(moved, 2 * changes, 2 * changes + 1)]
        return np.where((found >= 0) & (found % 2 == 1), found // 2, -1)

    def first(self) -> Integers:
        """First event of each key; -1: none."""
        first = np.full(len(self.last), -1, np.int64)
        first[self.keys[self.happened[::-1]]] = self.happened[::-1]
        return first

    def existed(self, keys: Integers) -> Booleans:
        """Mask of keys that had a row before the first change."""
        first = self.first()[keys]
        change = first // 2
        found: Booleans = (first % 2 == 0) | (self.before[change] == self.after[change])
        return found


def _number_keys(changes: _Changes, count: int) -> tuple[Integers, Integers]:
    """Small numbers for the keys after and before each change; equal keys have equal numbers."""
    numbers: Integers | None = None
    for name in changes.key:
        both = pa.concat_arrays([changes.rows.column(name), changes.keys_before.column(name)])
        encoded: Any = pc.dictionary_encode(both, null_encoding="encode")
        codes = np.asarray(encoded.indices).astype(np.int64)
        if numbers is None:
            numbers = codes
        else:
            _, numbers = np.unique(numbers * len(encoded.dictionary) + codes, return_inverse=True)
    assert numbers is not None
    return numbers[:count], numbers[count:]


def _compact(changes: _Changes, with_existing: bool) -> list[Net]:
    events = _Events.of(changes)
    final = events.last[events.last >= 0]
    puts = np.sort(final[final % 2 == 1] // 2)
    takes = np.sort(final[final % 2 == 0] // 2)
    if not any(mask.any() for mask in changes.unchanged.values()):
        existing = events.existed(events.after[puts]) if with_existing else None
        return [Net(take(changes.keys_before, takes), (), take(changes.rows, puts), existing, events.moves)]
    return _compact_partial(changes, events, puts, takes, with_existing)


def _compact_partial(
    changes: _Changes, events: _Events, puts: Integers, takes: Integers, with_existing: bool
) -> list[Net]:
    count = len(changes.operations)
    previous = events.previous()
    origin = {name: _follow(mask, previous, count) for name, mask in changes.unchanged.items()}
    missing = {name: where[puts] == count for name, where in origin.items()}
    partial = np.logical_or.reduce(list(missing.values()))
    complete, incomplete = puts[~partial], puts[partial]
    heads = _follow(previous >= 0, previous, count)[incomplete]
    bases, landings = events.before[heads], events.after[incomplete]
    vacated = _vacated(events, bases, landings)
    if np.isin(landings[vacated], bases).any() and count > 1:
        return [net for half in changes.halves() for net in _compact(half, with_existing)]
    resolved = _resolve(changes, origin, count)
    deletes = [
        take(changes.keys_before, takes[~np.isin(events.before[takes], bases)]),
        take(select(resolved, changes.keys_before.schema.names), incomplete[vacated]),
    ]
    gone = concat(deletes)
    groups = _groups({name: gaps[partial] for name, gaps in missing.items()})
    updates = tuple(
        PartialUpdate(
            take(changes.keys_before, heads[members]),
            take(select(resolved, [n for n in resolved.schema.names if n not in absent]), incomplete[members]),
        )
        for absent, members in groups
    )
    existing = events.existed(events.after[complete]) if with_existing else None
    return [Net(gone, updates, take(resolved, complete), existing, events.moves)]


def _follow(further: Booleans, previous: Integers, count: int) -> Integers:
    """For each change the end of its chain: the first without `further`; `count`: outside the batch."""
    pointer = np.append(np.where(further, np.where(previous < 0, count, previous), np.arange(count)), count)
    while True:
        doubled = pointer[pointer]
        if np.array_equal(doubled, pointer):
            return pointer[:count]
        pointer = doubled


def _vacated(events: _Events, bases: Integers, landings: Integers) -> Booleans:
    """Mask of target keys that had another row before the batch, which must be deleted first."""
    moved: Booleans = landings != bases
    return events.existed(landings) & moved


def _resolve(changes: _Changes, origin: dict[str, Integers], count: int) -> pa.RecordBatch:
    columns: list[ArrowArray] = []
    for name in changes.rows.schema.names:
        column: ArrowArray = changes.rows.column(name)
        if name in origin:
            where = origin[name]
            column = take_or_null(column, where, where == count)
        columns.append(column)
    return pa.RecordBatch.from_arrays(columns, names=changes.rows.schema.names)


def _groups(missing: dict[str, Booleans]) -> list[tuple[frozenset[str], Integers]]:
    """Rows grouped by the columns they lack: (names, indexes)."""
    names = list(missing)
    matrix = np.stack([missing[name] for name in names], axis=1)
    kinds, inverse = np.unique(matrix, axis=0, return_inverse=True)
    return [
        (
            frozenset(name for name, gap in zip(names, kind, strict=True) if gap),
            np.flatnonzero(inverse.ravel() == place),
        )
        for place, kind in enumerate(kinds)
    ]
