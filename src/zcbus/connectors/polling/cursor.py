"""Reading progress of one table, and the known rows after that."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

import pyarrow as pa

from zcbus.model.schema import TableSchema

Key = tuple[object, ...]


@dataclass(slots=True)
class TableCursor:
    """Reading progress of a table with a watermark.

    Rows may be committed later than others with a higher watermark. So each poll starts at the watermark that was the
    highest some seconds ago; rows after that are remembered, and published again only if they have changed.

    Watermarks are opaque texts; their order is the order in which they are read.
    """

    overlap: float
    """Seconds in which every transaction that took a watermark ends."""
    bound: str | None = None
    """Everything up to here was published; None: nothing. A restart resumes here: later rows are published again."""
    _seen: deque[tuple[float, str]] = field(default_factory=deque)
    """Time of the first poll with each higher watermark, after `bound`."""
    _published: dict[Key, tuple[int | None, str]] = field(default_factory=dict)
    """Of rows after `bound`: a hash of the values (None: unknown), and the watermark of their batch."""

    @property
    def count(self) -> int:
        """How many rows are remembered."""
        return len(self._published)

    def changed(self, rows: pa.RecordBatch, schema: TableSchema, key: tuple[str, ...], last: str) -> pa.RecordBatch:
        """Those of the rows just read that were not published with these values; records them as published. `last`: the
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
            self.saw_key(one)
        return rows if len(changed) == rows.num_rows else rows.take(pa.array(changed, pa.int64()))

    def saw_key(self, key: Key) -> None:
        """A row was read."""

    def reached(self, now: float, watermark: str) -> None:
        """Record that reading reached a watermark. `now`: of a monotonic clock."""
        if not self._seen or self._seen[-1][1] != watermark:
            self._seen.append((now, watermark))

    def advance_bound(self, now: float) -> bool:
        """Advance the bound as far as no late rows can follow, as of the poll that ended now; returns whether it
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
    """Reading progress of a table without a watermark: every row is remembered, and one that is missing in two polls
    was deleted.

    One poll may miss a row that moved from a page to another meanwhile.
    """

    _present: set[Key] = field(default_factory=set)
    _missing: set[Key] = field(default_factory=set)

    @property
    def keys(self) -> list[Key]:
        """Keys of the published rows."""
        return list(self._published)

    def restore(self, keys: Iterable[Key]) -> None:
        """Record rows as published, with unknown values."""
        self._published.update(dict.fromkeys(keys, (None, "")))

    def saw_key(self, key: Key) -> None:
        self._present.add(key)

    def reached(self, now: float, watermark: str) -> None:
        """There is no watermark."""

    def vanished(self) -> list[Key]:
        """The deleted rows after a complete poll; records them as published."""
        missing = self._published.keys() - self._present
        gone = missing & self._missing
        for key in gone:
            del self._published[key]
        self._missing, self._present = missing - gone, set()
        return sorted(gone, key=repr)
