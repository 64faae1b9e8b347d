"""How far one table was read, and which rows behind that are known."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

import pyarrow as pa

from zcbus.model.schema import TableSchema

Key = tuple[object, ...]


@dataclass(slots=True)
class TableCursor:
    """Rows may be committed later than others with a higher watermark. So what is asked for begins at the watermark
    that was the highest some seconds ago; rows from there on are remembered, and told again only where they have
    changed.

    The watermarks are opaque texts; their order is that in which they come.
    """

    overlap: float
    """Seconds in which every transaction that took a watermark ends."""
    bound: str | None = None
    """Everything up to here was told; None: nothing. After a restart reading goes on here: rows behind it are told
    again."""
    _seen: deque[tuple[float, str]] = field(default_factory=deque)
    """When each higher watermark was first seen, behind `bound`."""
    _published: dict[Key, tuple[int | None, str]] = field(default_factory=dict)
    """Of rows behind `bound`: a hash of the values (None: not known), and the watermark of the batch that had them."""

    @property
    def count(self) -> int:
        """How many rows are remembered."""
        return len(self._published)

    def changed(self, rows: pa.RecordBatch, schema: TableSchema, key: tuple[str, ...], last: str) -> pa.RecordBatch:
        """Those of the rows just read that were not told with these values, which counts as telling them. `last`: the
        watermark of the batch."""
        columns = [column.to_pylist() for column in rows.columns]
        places = [schema.names.index(name) for name in key]
        changed = []
        for place, values in enumerate(zip(*columns, strict=True)):
            one, version = tuple(values[at] for at in places), hash(values)
            before = self._published.get(one)
            if before is None or before[0] != version:
                changed.append(place)
            self._published[one] = (version, last)
            self.noticed(one)
        return rows if len(changed) == rows.num_rows else rows.take(pa.array(changed, pa.int64()))

    def noticed(self, key: Key) -> None:
        """A row was read."""

    def reached(self, now: float, watermark: str) -> None:
        """Reading got to a watermark. `now`: of a clock that never goes back."""
        if not self._seen or self._seen[-1][1] != watermark:
            self._seen.append((now, watermark))

    def settle(self, now: float) -> bool:
        """Move the bound up to where no row comes late any more, as seen before the reading that ended now; whether it
        moved."""
        bound = self.bound
        passed = set()
        while self._seen and self._seen[0][0] <= now - self.overlap:
            bound = self._seen.popleft()[1]
            passed.add(bound)
        if bound == self.bound:
            return False
        self.bound = bound
        self._published = {one: version for one, version in self._published.items() if version[1] not in passed}
        return True


@dataclass(slots=True)
class FullScanCursor(TableCursor):
    """Of a table without a watermark: every row is remembered, and one that is missing in two readings is gone. One
    reading may miss a row that moved from a page to another meanwhile."""

    _present: set[Key] = field(default_factory=set)
    _missing: set[Key] = field(default_factory=set)

    @property
    def keys(self) -> list[Key]:
        """Of the rows that were told."""
        return list(self._published)

    def know(self, keys: Iterable[Key]) -> None:
        """Rows were told before, with values that are not known any more."""
        self._published.update(dict.fromkeys(keys, (None, "")))

    def noticed(self, key: Key) -> None:
        self._present.add(key)

    def reached(self, now: float, watermark: str) -> None:
        """There is none."""

    def vanished(self) -> list[Key]:
        """A reading of all rows ended: those that are gone, which counts as telling it."""
        missing = self._published.keys() - self._present
        gone = missing & self._missing
        for key in gone:
            del self._published[key]
        self._missing, self._present = missing - gone, set()
        return sorted(gone, key=repr)
