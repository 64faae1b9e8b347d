"""Rows under recheck that the log changes: two reads cannot reveal a value that changed and changed back."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

import pyarrow as pa

from zcbus.engine.comparison.rows import Key, Part, source_keys
from zcbus.model.batches import select
from zcbus.model.changes import Operation, TableChanges
from zcbus.model.kernels import compute

if TYPE_CHECKING:
    from zcbus.engine.comparison.sides import Plan


class ChangingRows(Protocol):
    """Observer of one table's changes on the real topic."""

    def note(self, offset: int, changes: TableChanges) -> None:
        """Record a bus record's changes of the table."""

    def changed_from(self, offset: int) -> frozenset[Key]:
        """The observed keys that the record at this offset, or a later one, changed."""


class ChangingCount:
    """Whether the number of a table's rows changes."""

    def __init__(self, plan: "Plan") -> None:
        self._plan, self._changed = plan, -1

    def note(self, offset: int, changes: TableChanges) -> None:
        """Record a bus record's changes of the table. An update can move a row into or out of a condition."""
        updates = compute.equal(changes.operations, int(Operation.UPDATE))
        if self._plan.mapped.shaping is not None or not compute.all(updates).as_py():
            self._changed = offset

    def changed_from(self, offset: int) -> frozenset[Key]:
        """One key without columns if the record at this offset, or a later one, changed the number; else empty."""
        return frozenset({()}) if self._changed >= offset else frozenset()


class ChangingKeys:
    """Keys of one table with the offset of their last change on the real topic."""

    def __init__(self, plan: "Plan", keys: Iterable[Key]) -> None:
        self._plan, self._keys = plan, frozenset(keys)
        self._changed: dict[Key, int] = {}
        self._any_row_changed = -1
        """Offset of the newest record that may have changed any row."""

    def note(self, offset: int, changes: TableChanges) -> None:
        """Record a bus record's changes of the table."""
        truncated = compute.any(compute.equal(changes.operations, int(Operation.TRUNCATE))).as_py()
        if truncated or changes.key != self._plan.source_key:
            self._any_row_changed = offset
            return
        for rows in (changes.keys_before, select(changes.rows, list(changes.key))):
            self._changed.update(dict.fromkeys(self._keys.intersection(self._keys_of(rows)), offset))

    def changed_from(self, offset: int) -> frozenset[Key]:
        """Keys that the record at this offset, or a later one, changed."""
        if self._any_row_changed >= offset:
            return self._keys
        return frozenset(key for key, newest in self._changed.items() if newest >= offset)

    def _keys_of(self, rows: pa.RecordBatch) -> list[Key]:
        return Part(rows, source_keys(self._plan, rows)).every_key()
