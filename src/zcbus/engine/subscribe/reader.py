"""Changes of the applied tables in frames of the real topic."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from zcbus.bus.contract import Bus, Record
from zcbus.engine.key_hash import applier_numbers, hashed_columns
from zcbus.model.changes import CaptureResumed, ChangeFrame, Operation, TableChanges, Transactions
from zcbus.model.frames import decode_frame
from zcbus.model.origin import Origin, through
from zcbus.model.position import Position
from zcbus.model.schema import TableName

if TYPE_CHECKING:
    from zcbus.engine.subscribe.checkpoints.records import Partly

Booleans = npt.NDArray[np.bool_]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class AppliedTable(Generic[T]):
    """A table whose changes are applied."""

    run: T
    """Its owner."""
    offset: int
    """Records before this offset are not for this table."""
    since: Position | None
    """Transactions up to here are in the loaded rows."""
    address: str
    """Address of the target table (see model.origin): changes that came through it are skipped."""
    partly: "Partly | None" = None
    """Changes that are already in the target."""
    generation: int = 0
    """Number of the rows' load."""

    def has_gap(self, resumed: CaptureResumed, name: TableName, offset: int) -> bool:
        """Whether the record at `offset` reports a gap behind the applied changes."""
        before = dict(resumed.tables).get(name)
        if before is None or offset < self.offset:
            return False
        return self.since is None or self.generation <= before

    def accepts(self, changes: TableChanges, offset: int) -> bool:
        """Whether changes of the table in the record at `offset` are for it."""
        return offset >= self.offset and self.address not in changes.origin


@dataclass(frozen=True, slots=True)
class RecordChanges:
    """Changes with their record on the real topic."""

    changes: TableChanges
    offset: int
    """Offset of their record."""
    transactions: Transactions
    source: str
    """Identity of the captured database."""

    @property
    def origin(self) -> Origin:
        """Addresses that the changes came through, their own table last."""
        return through(self.changes.origin, self.source, self.changes.schema.name)

    @property
    def count(self) -> int:
        return len(self.changes.operations)

    def where(self, mask: Booleans) -> "RecordChanges":
        """The changes in a mask."""
        return replace(self, changes=_filtered(self.changes, mask))

    def slice(self, start: int, stop: int) -> "RecordChanges":
        """A slice of the changes."""
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
class LeftOut:
    """Changes that are not in the target after they were applied."""

    filtered: int = 0
    """By a condition."""
    refused: int = 0
    """They are row errors."""


class Read(NamedTuple, Generic[T]):
    """What a record has for a table."""

    run: T
    changes: int
    skipped: int
    """Of these: in the loaded rows already, or come through the target."""


@dataclass(slots=True)
class TableWork:
    """Changes of one table in log order, with their counts."""

    changes: list[RecordChanges] = field(default_factory=list)
    operations: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    first_commit_ms: int | None = None
    last_commit_ms: int | None = None
    first_position: Position | None = None
    left_out: LeftOut = field(default_factory=LeftOut)

    @property
    def count(self) -> int:
        return sum(self.operations)


def collect(
    work: dict[T, TableWork], frame: ChangeFrame, offset: int, tables: Mapping[TableName, AppliedTable[T]]
) -> list[Read[T]]:
    """Add a record's changes to the work of the applied tables; returns what it has for them."""
    found: list[Read[T]] = []
    for changes in frame.tables:
        entry = tables.get(changes.schema.name)
        if entry is None or offset < entry.offset:
            continue
        accepted = entry.accepts(changes, offset)
        newer = _newer(changes, frame.transactions, entry.since) if accepted else None
        count = len(changes.operations)
        found.append(Read(entry.run, count, count - (len(newer.operations) if newer is not None else 0)))
        if newer is not None:
            table = work.setdefault(entry.run, TableWork())
            _count(table, newer, frame)
            table.changes.append(
                RecordChanges(_without_applied(newer, offset, entry), offset, frame.transactions, frame.source)
            )
    return found


def _without_applied(changes: TableChanges, offset: int, entry: AppliedTable[T]) -> TableChanges:
    """The changes without those in the target, by the hash of their keys."""
    partly = entry.partly
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


def halves(placed: list[RecordChanges], middle: int) -> tuple[list[RecordChanges], list[RecordChanges]]:
    """The first `middle` changes, and the others."""
    left: list[RecordChanges] = []
    right: list[RecordChanges] = []
    for part in placed:
        count = max(0, min(part.count, middle - sum(one.count for one in left)))
        if count:
            left.append(part.slice(0, count))
        if count < part.count:
            right.append(part.slice(count, part.count))
    return left, right


_MAX_BYTES = 32 << 20


class Gaps:
    """Tables changed in a range of the topic, cached because thousands of tables may join at once.

    Not thread-safe.
    """

    def __init__(self, bus: Bus, topic: str) -> None:
        self._bus, self._topic = bus, topic
        self._end = 0
        self._tables: dict[int, frozenset[TableName]] = {}

    def tables(self, first: int, end: int) -> frozenset[TableName]:
        """Tables with changes or a gap in the records from `first` to before `end`. Raises OffsetExpired."""
        if end != self._end:
            self._end, self._tables = end, {}
        if first not in self._tables:
            self._tables[first] = frozenset(name for record in self._read(first, end) for name in _tables_of(record))
        return self._tables[first]

    def _read(self, first: int, end: int) -> list[Record]:
        records: list[Record] = []
        with self._bus.reader(self._topic, first) as reader:
            while first < end and (part := reader.read(end - first, _MAX_BYTES, 0)):
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


def segments(changes: Sequence[RecordChanges]) -> Iterator[list[RecordChanges]]:
    """Segments of changes with one schema and one origin; a TRUNCATE is alone. Changes before it are omitted."""
    # A frame without rows only contains the schema.
    parts = [part for frame in changes if frame.count for part in _parts(frame)]
    last = max((index for index, part in enumerate(parts) if is_truncate(part)), default=-1)
    if last >= 0:
        yield [parts[last]]
    segment: list[RecordChanges] = []
    for part in parts[last + 1 :]:
        if segment and not _belong_together(part, segment[0]):
            yield segment
            segment = []
        segment.append(part)
    if segment:
        yield segment


def _belong_together(one: RecordChanges, other: RecordChanges) -> bool:
    same_structure = one.changes.schema == other.changes.schema and one.changes.key == other.changes.key
    return same_structure and one.changes.origin == other.changes.origin and one.source == other.source


def is_truncate(records: RecordChanges) -> bool:
    """Whether this is a TRUNCATE, which is alone in its segment."""
    operations = records.changes.operations
    return len(operations) == 1 and operations[0].as_py() == Operation.TRUNCATE


def _parts(records: RecordChanges) -> Iterator[RecordChanges]:
    operations = np.asarray(records.changes.operations)
    starts = np.flatnonzero(operations == Operation.TRUNCATE)
    if not len(starts):
        yield records
        return
    start = 0
    for index in [*starts.tolist(), len(operations)]:
        if index > start:
            yield records.slice(start, index)
        if index < len(operations):
            yield records.slice(index, index + 1)
        start = index + 1
