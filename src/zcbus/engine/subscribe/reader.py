"""Changes of each wanted table from the frames of the real topic, and which tables a short range of it concerns."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from zcbus.bus.contract import Bus, Record
from zcbus.engine.key_hash import applier_numbers, hashed_columns
from zcbus.engine.subscribe.checkpoints.records import Partly
from zcbus.model.changes import CaptureResumed, ChangeFrame, Operation, TableChanges, Transactions
from zcbus.model.frames import decode_frame
from zcbus.model.origin import Origin, through
from zcbus.model.position import Position
from zcbus.model.schema import TableName

Booleans = npt.NDArray[np.bool_]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Wanted(Generic[T]):
    """A table whose changes are applied."""

    run: T
    """What applies them."""
    offset: int
    """Records before it are not for this table."""
    since: Position | None
    """Transactions up to here are in the loaded rows."""
    place: str
    """The target table (see model.origin): changes that came through it are not sent back."""
    partly: Partly | None = None
    """What of the changes is in the target already."""
    generation: int = 0
    """Number of the load that the rows are of."""

    def lacks(self, resumed: CaptureResumed, name: TableName, offset: int) -> bool:
        """Whether changes are missing behind what was applied, because the record at `offset` says so of the table."""
        before = dict(resumed.tables).get(name)
        if before is None or offset < self.offset:
            return False
        return self.since is None or self.generation <= before

    def takes(self, changes: TableChanges, offset: int) -> bool:
        """Whether changes of the table in the record at `offset` are for it."""
        return offset >= self.offset and self.place not in changes.origin


@dataclass(frozen=True, slots=True)
class PlacedChanges:
    """Changes with their place on the real topic."""

    changes: TableChanges
    offset: int
    """Of their record."""
    transactions: Transactions
    source: str
    """Identity of the captured database."""

    @property
    def origin(self) -> Origin:
        """Places that the changes came through, their table the last."""
        return through(self.changes.origin, self.source, self.changes.schema.name)

    @property
    def count(self) -> int:
        return len(self.changes.operations)

    def where(self, mask: Booleans) -> "PlacedChanges":
        """Those of the changes."""
        return replace(self, changes=_filtered(self.changes, mask))

    def slice(self, start: int, stop: int) -> "PlacedChanges":
        """Some of the changes."""
        changes, length = self.changes, stop - start
        part = replace(
            changes,
            operations=changes.operations.slice(start, length),
            transactions=changes.transactions.slice(start, length),
            order=changes.order.slice(start, length),
            rows=changes.rows.slice(start, length),
            keys_before=changes.keys_before.slice(start, length),
            unchanged={name: column.slice(start, length) for name, column in changes.unchanged.items()},
        )
        return replace(self, changes=part)


@dataclass(slots=True)
class TableWork:
    """Changes of one table in log order, and how many they are."""

    changes: list[PlacedChanges] = field(default_factory=list)
    operations: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    first_commit_ms: int | None = None
    last_commit_ms: int | None = None
    first_position: Position | None = None

    @property
    def count(self) -> int:
        return sum(self.operations)


def collect(work: dict[T, TableWork], frame: ChangeFrame, offset: int, wanted: Mapping[TableName, Wanted[T]]) -> None:
    """Add a record's changes to the work of the tables that want them."""
    for changes in frame.tables:
        want = wanted.get(changes.schema.name)
        if want is None or not want.takes(changes, offset):
            continue
        kept = _newer(changes, frame.transactions, want.since)
        if kept is not None:
            table = work.setdefault(want.run, TableWork())
            _count(table, kept, frame)
            table.changes.append(PlacedChanges(_lacking(kept, offset, want), offset, frame.transactions, frame.source))


def _lacking(changes: TableChanges, offset: int, want: Wanted[T]) -> TableChanges:
    """The changes without those that are in the target already; they have their keys for good."""
    partly = want.partly
    if partly is None or offset >= partly.until:
        return changes
    names = hashed_columns(changes.schema, changes.key)
    inserts = np.asarray(changes.operations) == Operation.INSERT
    keys = [pc.if_else(pa.array(inserts), changes.rows.column(n), changes.keys_before.column(n)) for n in names]
    numbers = applier_numbers(changes.schema, names, pa.RecordBatch.from_arrays(keys, names=list(names)), partly.count)
    assert numbers is not None
    return _filtered(changes, ~np.isin(numbers, partly.done))


def _newer(changes: TableChanges, transactions: Transactions, since: Position | None) -> TableChanges | None:
    if since is None:
        return changes
    newer = transactions.behind(since)
    if newer.all():
        return changes
    mask: Booleans = newer[np.asarray(changes.transactions).astype(np.int64)]
    return _filtered(changes, mask) if mask.any() else None


def _filtered(changes: TableChanges, mask: Booleans) -> TableChanges:
    if mask.all():
        return changes
    keep = pa.array(mask)
    return replace(
        changes,
        operations=changes.operations.filter(keep),
        transactions=changes.transactions.filter(keep),
        order=changes.order.filter(keep),
        rows=changes.rows.filter(keep),
        keys_before=changes.keys_before.filter(keep),
        unchanged={name: column.filter(keep) for name, column in changes.unchanged.items()},
    )


def _count(work: TableWork, changes: TableChanges, frame: ChangeFrame) -> None:
    counts = np.bincount(np.asarray(changes.operations).astype(np.int64), minlength=4)
    work.operations = [before + int(more) for before, more in zip(work.operations, counts, strict=True)]
    times = frame.transactions.commit_times
    if work.first_commit_ms is None:
        work.first_commit_ms = times[0].as_py()
    work.last_commit_ms = times[len(times) - 1].as_py()
    if work.first_position is None:
        work.first_position = frame.transactions.position(0)


def halves(placed: list[PlacedChanges], middle: int) -> tuple[list[PlacedChanges], list[PlacedChanges]]:
    """The first `middle` changes, and the others."""
    left: list[PlacedChanges] = []
    right: list[PlacedChanges] = []
    for part in placed:
        room = max(0, min(part.count, middle - sum(one.count for one in left)))
        if room:
            left.append(part.slice(0, room))
        if room < part.count:
            right.append(part.slice(room, part.count))
    return left, right


_MOST_BYTES = 32 << 20


class Gaps:
    """Thousands of tables may join a channel applier at once, most of them with nothing between their place and the
    checkpoint's: each stretch is read once. Not for several threads."""

    def __init__(self, bus: Bus, topic: str) -> None:
        self._bus, self._topic = bus, topic
        self._end = 0
        self._known: dict[int, frozenset[TableName]] = {}

    def tables(self, first: int, end: int) -> frozenset[TableName]:
        """Tables of which the records from `first` on and before `end` have changes, or a gap. Raises OffsetExpired."""
        if end != self._end:
            self._end, self._known = end, {}
        if first not in self._known:
            self._known[first] = frozenset(name for record in self._read(first, end) for name in _tables_of(record))
        return self._known[first]

    def _read(self, first: int, end: int) -> list[Record]:
        records: list[Record] = []
        with self._bus.reader(self._topic, first) as reader:
            while first < end and (part := reader.read(end - first, _MOST_BYTES, 0)):
                records += part
                first = part[-1].offset + 1
        return records


def _tables_of(record: Record) -> frozenset[TableName]:
    frame = decode_frame(record.payload)
    if isinstance(frame, CaptureResumed):
        return frozenset(name for name, _ in frame.tables)
    if not isinstance(frame, ChangeFrame):
        return frozenset()
    return frozenset(changes.schema.name for changes in frame.tables)
