"""Which rows that may differ the log changes: reading them cannot tell that a value went and came back."""

from collections.abc import Iterable

import pyarrow as pa

from zcbus.engine.batches import select
from zcbus.engine.contrast.forms import compute
from zcbus.engine.contrast.merge import Key, Part
from zcbus.engine.contrast.sides import Plan, source_keys
from zcbus.model.changes import Operation, TableChanges
from zcbus.model.schema import TableName


class WatchedKeys:
    """Keys of one table, and where on the real topic they were changed last."""

    def __init__(self, plan: Plan, keys: Iterable[Key]) -> None:
        self._plan, self._keys = plan, frozenset(keys)
        self._changed: dict[Key, int] = {}
        self._whole_table = -1
        """The newest record that may have changed any row."""

    @property
    def table(self) -> TableName:
        """Its name in the source."""
        return self._plan.source.name

    def note(self, offset: int, changes: TableChanges) -> None:
        """Take notice of a record's changes of the table."""
        truncated = compute.any(compute.equal(changes.operations, int(Operation.TRUNCATE))).as_py()
        if truncated or changes.key != self._plan.source_key:
            self._whole_table = offset
            return
        for rows in (changes.keys_before, select(changes.rows, list(changes.key))):
            self._changed.update(dict.fromkeys(self._keys.intersection(self._keys_of(rows)), offset))

    def changed_from(self, offset: int) -> frozenset[Key]:
        """Keys that a record from this one on has changed."""
        if self._whole_table >= offset:
            return self._keys
        return frozenset(key for key, newest in self._changed.items() if newest >= offset)

    def _keys_of(self, rows: pa.RecordBatch) -> list[Key]:
        return Part(rows, source_keys(self._plan, rows)).every_key()
