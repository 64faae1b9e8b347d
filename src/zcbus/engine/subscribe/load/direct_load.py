"""Direct load of a table from its source, by ranges of the key, each row exactly once."""

import itertools
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, TypeVar

import pyarrow as pa

from zcbus.connectors.raw_rows import LINES, PackedPart, PackedRows, RawRows
from zcbus.connectors.roles import Discoverer, SnapshotReader, Source, TargetSession, TargetTable
from zcbus.connectors.roles.sink import raw_load
from zcbus.connectors.roles.snapshot import PackedSnapshot, RawSnapshot
from zcbus.engine.subscribe.checkpoints.records import Amount, TableCheckpoint, with_amount
from zcbus.engine.subscribe.writer_pool import WriterPool, loaded
from zcbus.model.position import Position
from zcbus.model.schema import TableName, TableSchema

if TYPE_CHECKING:
    from zcbus.engine.subscribe.load.topic_load import Loading

Key = tuple[str, ...]
KeyRange = tuple[Key, Key]

EVERYTHING: KeyRange = ((), ())
_BEHIND_PARTS = 1 << 62


def gaps(loaded: Sequence[KeyRange]) -> list[KeyRange]:
    """Gaps between sorted key ranges."""
    if not loaded:
        return [EVERYTHING]
    found = [(before[1], behind[0]) for before, behind in itertools.pairwise(loaded)]
    if loaded[0][0]:
        found.insert(0, ((), loaded[0][0]))
    if loaded[-1][1]:
        found.append((loaded[-1][1], ()))
    return found


class KeyOrder:
    """Order of the key ranges of one load attempt. Only the source knows how keys sort."""

    def __init__(self, loaded: Sequence[KeyRange]) -> None:
        """`loaded`: sorted key ranges of earlier attempts."""
        self.gaps = gaps(loaded)
        # There is no gap before a first range that begins at the table's start.
        self._first = 1 if loaded and not loaded[0][0] else 0
        self._ranks = {key_range[0]: (rank, _BEHIND_PARTS) for rank, key_range in enumerate(loaded)}
        self._parts = 0

    def found(self, gap: int, key_range: KeyRange) -> None:
        """Record the next part of a gap, by the gap's number. Parts of a gap come in order."""
        self._parts += 1
        self._ranks[key_range[0]] = (gap + self._first, self._parts)

    def with_part(self, loaded: Sequence[KeyRange], part: KeyRange) -> tuple[KeyRange, ...]:
        """The loaded key ranges with one more part. Adjacent ranges are merged."""
        merged: list[KeyRange] = []
        for key_range in sorted([*loaded, part], key=lambda one: self._ranks[one[0]]):
            if merged and merged[-1][1] == key_range[0]:
                merged[-1] = (merged[-1][0], key_range[1])
            else:
                merged.append(key_range)
        return tuple(merged)


_ROWS = 50_000
_RAW_ROWS = 100_000
_RAW_BYTES = 8 << 20
"""Assumed size of a raw part, which limits the number of parts in flight."""
_MAX_IMAGES = threading.BoundedSemaphore(3)
"""Limits the images of a process: each takes connections of the source, which are few."""
_POLL_SECONDS = 0.2
_NOTHING = Amount(0, 0)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class DirectLoad:
    """A source that the subscriber can read itself."""

    source: Callable[[], Source]
    discover: Callable[[], Discoverer]

    def describe(self, name: TableName) -> TableSchema:
        """The table as it is now. Raises TableMissing, SourceUnavailable."""
        with self.discover() as discoverer:
            return discoverer.describe([name])[0]

    @contextmanager
    def image(self, name: TableName, known: TableSchema | None) -> Iterator[tuple[SnapshotReader, TableSchema]]:
        """A new image, and the table's schema in it. `known`: the schema a moment ago."""
        while True:
            with ExitStack() as opened:
                with self.discover() as discoverer:
                    before = known or discoverer.describe([name])[0]
                    image = opened.enter_context(self.source().open_snapshot())
                    schema = discoverer.describe([name])[0]
                if schema == before:
                    yield image, schema
                    return
            known = schema


class SourceRows:
    """Loads rows from the source in the order of the key, over several sessions if possible. The checkpoint records the
    loaded ranges in the transaction of the rows. Each attempt reads its own image; the log has the changes between
    images."""

    def __init__(
        self,
        direct_load: DirectLoad,
        loading: "Loading",
        ended: Callable[[TableCheckpoint, int], TableCheckpoint],
        known: TableSchema | None,
    ) -> None:
        """`ended`: as for TopicRows. `known`: see DirectLoad.image."""
        self._direct_load, self._loading, self._ended, self._known = direct_load, loading, ended, known

    def load(self, checkpoint: TableCheckpoint) -> TableCheckpoint:
        """As TopicRows.load."""
        while not _MAX_IMAGES.acquire(timeout=_POLL_SECONDS):
            if self._loading.stop.is_set():
                return checkpoint
        try:
            return self._load(checkpoint)
        finally:
            _MAX_IMAGES.release()

    def _load(self, checkpoint: TableCheckpoint) -> TableCheckpoint:
        with self._direct_load.image(self._loading.run.source, self._known) as (image, schema):
            checkpoint = replace(_reaching(checkpoint, image.position), rows_total=image.estimate(schema))
            self._loading.run.seen = schema
            self._loading.keep(checkpoint)
            if not checkpoint.merge:
                checkpoint = self._load_most(checkpoint, image, schema)
            checkpoint = self._load_rest(checkpoint, image, schema)
        if checkpoint.stretches != (EVERYTHING,):
            return checkpoint
        self._loading.mapped(schema, checkpoint)
        return self._ended(checkpoint, checkpoint.rows_loaded)

    def _load_most(self, checkpoint: TableCheckpoint, image: SnapshotReader, schema: TableSchema) -> TableCheckpoint:
        """Load in several sessions, up to the end or to a refused row."""
        order = KeyOrder(checkpoint.stretches)
        transfer = self._raw_transfer(checkpoint, image, schema)
        with closing(transfer) if transfer is not None else nullcontext():
            pool = self._loading.pool(checkpoint)
            try:
                if transfer is not None:
                    self._hand_over_raw(order, pool, transfer)
                elif (packed := self._packed(checkpoint, image, schema)) is not None:
                    self._hand_over_packed(checkpoint, packed, schema, order, pool)
                else:
                    self._hand_over_rows(checkpoint, image, schema, order, pool)
            finally:
                checkpoint = pool.finish()
        return checkpoint

    def _raw_transfer(
        self, checkpoint: TableCheckpoint, image: SnapshotReader, schema: TableSchema
    ) -> "_RawTransfer | None":
        """Transfer of rows in the target's own load format; None: not possible."""
        mapped = self._loading.mapped(schema, checkpoint)
        if mapped.shaping is not None:
            return None
        into = loaded(mapped.table, checkpoint)
        columns = [column.source for column in into.columns]
        for offered in (image.raw_rows, image.text_rows) if isinstance(image, RawSnapshot) else ():
            rows = offered(schema, columns, checkpoint.key)
            if rows is not None and raw_load(self._loading.session, into, rows.form) is not None:
                return _RawTransfer(rows, into)
        return None

    def _packed(self, checkpoint: TableCheckpoint, image: SnapshotReader, schema: TableSchema) -> PackedRows | None:
        """Rows that are read once and loaded as lines; None: not possible."""
        if not isinstance(image, PackedSnapshot):
            return None
        mapped = self._loading.mapped(schema, checkpoint)
        into = loaded(mapped.table, checkpoint)
        if mapped.shaping is not None or raw_load(self._loading.session, into, LINES) is None:
            return None
        return image.packed_rows(schema, [column.source for column in into.columns], checkpoint.key)

    def _hand_over_packed(
        self, checkpoint: TableCheckpoint, packed: PackedRows, schema: TableSchema, order: KeyOrder, pool: WriterPool
    ) -> None:
        into = loaded(self._loading.mapped(schema, checkpoint).table, checkpoint)
        for key_range, part in _parts(order, lambda after, until: packed.read(after, _ROWS, until)):
            if self._loading.stop.is_set() or not pool.put(_PackedPart(order, key_range, into, part)):
                return

    def _hand_over_raw(self, order: KeyOrder, pool: WriterPool, transfer: "_RawTransfer") -> None:
        for gap, (lower, upper) in enumerate(order.gaps):
            at: Key | None = lower
            while at is not None:
                border = transfer.border(at, upper)
                key_range = _found(order, gap, (at, border or upper))
                if self._loading.stop.is_set() or not pool.put(_RawPart(order, key_range, transfer)):
                    return
                at = border

    def _hand_over_rows(
        self, checkpoint: TableCheckpoint, image: SnapshotReader, schema: TableSchema, order: KeyOrder, pool: WriterPool
    ) -> None:
        mapped = self._loading.mapped(schema, checkpoint)
        into = loaded(mapped.table, checkpoint)
        for key_range, rows in _parts(order, self._reading(checkpoint, image, schema)):
            shaped = self._loading.shaped(schema, rows, checkpoint) if rows is not None else None
            if shaped is None and rows is not None:
                return  # the rest is loaded row by row
            if self._loading.stop.is_set() or not pool.put(_RowsPart(order, key_range, into, shaped)):
                return

    def _load_rest(self, checkpoint: TableCheckpoint, image: SnapshotReader, schema: TableSchema) -> TableCheckpoint:
        """Load what is missing in the load's own session, row by row after a refusal."""
        order = KeyOrder(checkpoint.stretches)
        for key_range, rows in _parts(order, self._reading(checkpoint, image, schema)):
            if self._loading.stop.is_set():
                break
            amount = _NOTHING
            if rows is not None:
                checkpoint, amount = self._loading.put(schema, rows, checkpoint, checkpoint.full_offset)
            checkpoint = _with_part(checkpoint, order, key_range, amount)
            self._loading.commit(checkpoint)
        return checkpoint

    def _reading(
        self, checkpoint: TableCheckpoint, image: SnapshotReader, schema: TableSchema
    ) -> "_Reading[pa.RecordBatch]":
        necessary = self._loading.mapped(schema, checkpoint).necessary
        return lambda after, until: image.read(schema, checkpoint.key, after, _ROWS, until, necessary)


class _RawTransfer:
    """Raw rows of one table from source to target, with a source connection for each session."""

    def __init__(self, rows: RawRows, into: TargetTable) -> None:
        self._rows, self._into = rows, into
        self._lock = threading.Lock()
        self._idle: list[RawRows] = []

    def border(self, after: Key, until: Key) -> Key | None:
        """Last key of the next range; None: the range ends with the gap."""
        with self._lock:
            return self._rows.border(after or None, _RAW_ROWS, until or None)

    def load(self, session: TargetSession, key_range: KeyRange) -> Amount:
        """Load the rows of a range; returns their amount."""
        load = raw_load(session, self._into, self._rows.form)
        assert load is not None
        with self._lock:
            rows = self._idle.pop() if self._idle else self._rows.another_connection()
        try:
            counted = _Counted(rows.read(key_range[0] or None, key_range[1] or None))
            count = load(counted)
        except BaseException:
            rows.__exit__()
            raise
        with self._lock:
            self._idle.append(rows)
        return Amount(count, counted.nbytes)

    def close(self) -> None:
        """Close the idle connections, after the sessions' work has ended."""
        for rows in self._idle:
            rows.__exit__()


class _Counted:
    """Raw parts, counted while they are iterated."""

    def __init__(self, parts: Iterator[memoryview]) -> None:
        self._parts, self.nbytes = parts, 0

    def __iter__(self) -> Iterator[memoryview]:
        for part in self._parts:
            self.nbytes += part.nbytes
            yield part


@dataclass(frozen=True, slots=True)
class _RawPart:
    """See writer_pool.Part."""

    order: KeyOrder
    key_range: KeyRange
    transfer: _RawTransfer

    origin: ClassVar[None] = None

    @property
    def nbytes(self) -> int:
        return _RAW_BYTES

    def load(self, session: TargetSession) -> Amount:
        return self.transfer.load(session, self.key_range)

    def noted(self, checkpoint: TableCheckpoint, amount: Amount) -> TableCheckpoint:
        return _with_part(checkpoint, self.order, self.key_range, amount)


@dataclass(frozen=True, slots=True)
class _RowsPart:
    """See writer_pool.Part."""

    order: KeyOrder
    key_range: KeyRange
    into: TargetTable
    rows: pa.RecordBatch | None
    """None: the range has no rows."""

    origin: ClassVar[None] = None

    @property
    def nbytes(self) -> int:
        return int(self.rows.nbytes) if self.rows is not None else 0

    def load(self, session: TargetSession) -> Amount:
        if self.rows is None:
            return _NOTHING
        session.load(self.into, self.rows)
        return Amount(self.rows.num_rows, self.nbytes)

    def noted(self, checkpoint: TableCheckpoint, amount: Amount) -> TableCheckpoint:
        return _with_part(checkpoint, self.order, self.key_range, amount)


@dataclass(frozen=True, slots=True)
class _PackedPart:
    """See writer_pool.Part."""

    order: KeyOrder
    key_range: KeyRange
    into: TargetTable
    part: PackedPart | None
    """None: the range has no rows."""

    origin: ClassVar[None] = None

    @property
    def nbytes(self) -> int:
        return self.part.nbytes if self.part is not None else 0

    def load(self, session: TargetSession) -> Amount:
        load = raw_load(session, self.into, LINES)
        assert load is not None
        if self.part is None:
            return _NOTHING
        counted = _Counted(self.part.lines())
        return Amount(load(counted), counted.nbytes)

    def noted(self, checkpoint: TableCheckpoint, amount: Amount) -> TableCheckpoint:
        return _with_part(checkpoint, self.order, self.key_range, amount)


_Reading = Callable[[Key | None, Key | None], Iterator[tuple[T, Key]]]
"""Reads the rows between two keys, each part with the key of its last row."""


def _parts(order: KeyOrder, reading: _Reading[T]) -> Iterator[tuple[KeyRange, T | None]]:
    """The rows of all gaps, in parts with their key ranges."""
    for gap, (lower, upper) in enumerate(order.gaps):
        at, last = lower, None
        for rows, key_text in reading(lower or None, upper or None):
            if last is not None:
                yield _found(order, gap, (at, last[1])), last[0]
                at = last[1]
            last = rows, key_text
        # The last part of a gap extends to the gap's end, even without rows.
        yield _found(order, gap, (at, upper)), last[0] if last is not None else None


def _found(order: KeyOrder, gap: int, key_range: KeyRange) -> KeyRange:
    order.found(gap, key_range)
    return key_range


def _with_part(checkpoint: TableCheckpoint, order: KeyOrder, key_range: KeyRange, amount: Amount) -> TableCheckpoint:
    ranges = order.with_part(checkpoint.stretches, key_range)
    return replace(with_amount(checkpoint, amount), stretches=ranges, full_offset=checkpoint.full_offset + 1)


def _reaching(checkpoint: TableCheckpoint, position: Position) -> TableCheckpoint:
    """The checkpoint for a load that also reads an image at this position."""
    if not checkpoint.stretches:
        return replace(checkpoint, since=str(position), until=str(position))
    until = checkpoint.until_position
    assert until is not None
    return replace(checkpoint, until=str(max(until, position)))
