"""Loading a table's rows from the source itself, each exactly once, by ranges of its key."""

import itertools
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import TypeVar

import pyarrow as pa

from zcbus.connectors.raw_rows import LINES, PackedPart, PackedRows, RawRows
from zcbus.connectors.roles import Discoverer, SnapshotReader, Source, TargetSession, TargetTable
from zcbus.connectors.roles.sink import raw_load
from zcbus.connectors.roles.snapshot import PackedSnapshot, RawSnapshot
from zcbus.engine.subscribe.checkpoints.records import Amount, TableCheckpoint, with_amount
from zcbus.engine.subscribe.load.topic_load import Loading, loaded
from zcbus.engine.subscribe.writer_pool import WriterPool
from zcbus.model.position import Position
from zcbus.model.schema import TableName, TableSchema

Key = tuple[str, ...]
Stretch = tuple[Key, Key]

EVERYTHING: Stretch = ((), ())
_BEHIND_PARTS = 1 << 62


def gaps(loaded: Sequence[Stretch]) -> list[Stretch]:
    """What lies between stretches in order."""
    if not loaded:
        return [EVERYTHING]
    found = [(before[1], behind[0]) for before, behind in itertools.pairwise(loaded)]
    if loaded[0][0]:
        found.insert(0, ((), loaded[0][0]))
    if loaded[-1][1]:
        found.append((loaded[-1][1], ()))
    return found


class KeyOrder:
    """The order of the stretches of one attempt at a load."""

    def __init__(self, loaded: Sequence[Stretch]) -> None:
        """`loaded`: by earlier attempts, in order."""
        self.gaps = gaps(loaded)
        # The gap in front of the first stretch is missing where that begins at the start.
        self._first = 1 if loaded and not loaded[0][0] else 0
        self._places = {stretch[0]: (place, _BEHIND_PARTS) for place, stretch in enumerate(loaded)}
        self._parts = 0

    def found(self, gap: int, stretch: Stretch) -> None:
        """A part of a gap, by its number; called in order."""
        self._parts += 1
        self._places[stretch[0]] = (gap + self._first, self._parts)

    def with_part(self, loaded: Sequence[Stretch], part: Stretch) -> tuple[Stretch, ...]:
        """The stretches once a part is loaded as well; those that meet become one."""
        merged: list[Stretch] = []
        for stretch in sorted([*loaded, part], key=lambda one: self._places[one[0]]):
            if merged and merged[-1][1] == stretch[0]:
                merged[-1] = (merged[-1][0], stretch[1])
            else:
                merged.append(stretch)
        return tuple(merged)


_ROWS = 50_000
_RAW_ROWS = 100_000
_RAW_BYTES = 8 << 20
"""What a stretch that passes through counts for: so only a few are on their way."""
_MOST_IMAGES = threading.BoundedSemaphore(3)
"""Each image of a process takes connections of the source, of which there are few for those that make images."""
_LOOK_SECONDS = 0.2
_NOTHING = Amount(0, 0)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class DirectLoad:
    """A source that can be read where the target is written."""

    source: Callable[[], Source]
    discover: Callable[[], Discoverer]

    def describe(self, name: TableName) -> TableSchema:
        """The table as it is now. Raises TableMissing, SourceUnavailable."""
        with self.discover() as discoverer:
            return discoverer.describe([name])[0]

    @contextmanager
    def image(self, name: TableName, known: TableSchema | None) -> Iterator[tuple[SnapshotReader, TableSchema]]:
        """A new image, and the structure that the table has in it. `known`: the one that it had a moment ago."""
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
    """Loads from the source in the order of the key, over several sessions where it can. What is loaded is noted in the
    transaction of the rows. Each attempt reads an image of its own: what was changed between them the log tells."""

    def __init__(
        self,
        near: DirectLoad,
        loading: Loading,
        ended: Callable[[TableCheckpoint, int], TableCheckpoint],
        known: TableSchema | None,
    ) -> None:
        """`ended`: as for TopicRows. `known`: see DirectLoad.image."""
        self._near, self._loading, self._ended, self._known = near, loading, ended, known

    def load(self, checkpoint: TableCheckpoint) -> TableCheckpoint:
        """As TopicRows.load."""
        while not _MOST_IMAGES.acquire(timeout=_LOOK_SECONDS):
            if self._loading.stop.is_set():
                return checkpoint
        try:
            return self._load(checkpoint)
        finally:
            _MOST_IMAGES.release()

    def _load(self, checkpoint: TableCheckpoint) -> TableCheckpoint:
        with self._near.image(self._loading.run.source, self._known) as (image, schema):
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
        """Load in several sessions as far as that goes: up to the end, or a row that is refused."""
        order = KeyOrder(checkpoint.stretches)
        passage = self._passage(checkpoint, image, schema)
        with closing(passage) if passage is not None else nullcontext():
            pool = self._loading.pool(checkpoint)
            try:
                if passage is not None:
                    self._hand_over_stretches(order, pool, passage)
                elif (packed := self._packed(checkpoint, image, schema)) is not None:
                    self._hand_over_packed(checkpoint, packed, schema, order, pool)
                else:
                    self._hand_over_rows(checkpoint, image, schema, order, pool)
            finally:
                checkpoint = pool.finish()
        return checkpoint

    def _passage(self, checkpoint: TableCheckpoint, image: SnapshotReader, schema: TableSchema) -> "_Passage | None":
        """How rows pass without being looked at; None: they don't."""
        mapped = self._loading.mapped(schema, checkpoint)
        if mapped.shaping is not None:
            return None
        into = loaded(mapped.table, checkpoint)
        columns = [column.source for column in into.columns]
        for offered in (image.raw_rows, image.text_rows) if isinstance(image, RawSnapshot) else ():
            rows = offered(schema, columns, checkpoint.key)
            if rows is not None and raw_load(self._loading.session, into, rows.form) is not None:
                return _Passage(rows, into)
        return None

    def _packed(self, checkpoint: TableCheckpoint, image: SnapshotReader, schema: TableSchema) -> PackedRows | None:
        """Rows that are read once and passed on as lines; None: they cannot be."""
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
        for stretch, part in _parts(order, lambda after, until: packed.read(after, _ROWS, until)):
            if self._loading.stop.is_set() or not pool.put(_PackedStretch(order, stretch, into, part)):
                return

    def _hand_over_stretches(self, order: KeyOrder, pool: WriterPool, passage: "_Passage") -> None:
        for gap, (lower, upper) in enumerate(order.gaps):
            at: Key | None = lower
            while at is not None:
                border = passage.border(at, upper)
                stretch = _found(order, gap, (at, border or upper))
                if self._loading.stop.is_set() or not pool.put(_RawPart(order, stretch, passage)):
                    return
                at = border

    def _hand_over_rows(
        self, checkpoint: TableCheckpoint, image: SnapshotReader, schema: TableSchema, order: KeyOrder, pool: WriterPool
    ) -> None:
        mapped = self._loading.mapped(schema, checkpoint)
        into = loaded(mapped.table, checkpoint)
        for stretch, rows in _parts(order, self._reading(checkpoint, image, schema)):
            shaped = self._loading.shaped(schema, rows, checkpoint) if rows is not None else None
            if shaped is None and rows is not None:
                return  # one of them is to be found, row by row
            if self._loading.stop.is_set() or not pool.put(_RowsPart(order, stretch, into, shaped)):
                return

    def _load_rest(self, checkpoint: TableCheckpoint, image: SnapshotReader, schema: TableSchema) -> TableCheckpoint:
        """What is missing, in the session of the load, row by row where one is refused."""
        order = KeyOrder(checkpoint.stretches)
        for stretch, rows in _parts(order, self._reading(checkpoint, image, schema)):
            if self._loading.stop.is_set():
                break
            amount = _NOTHING
            if rows is not None:
                checkpoint, amount = self._loading.put(schema, rows, checkpoint, checkpoint.full_offset)
            checkpoint = _with_part(checkpoint, order, stretch, amount)
            self._loading.commit(checkpoint)
        return checkpoint

    def _reading(
        self, checkpoint: TableCheckpoint, image: SnapshotReader, schema: TableSchema
    ) -> "_Reading[pa.RecordBatch]":
        necessary = self._loading.mapped(schema, checkpoint).necessary
        return lambda after, until: image.read(schema, checkpoint.key, after, _ROWS, until, necessary)


class _Passage:
    """Rows of one table on their way through, over as many connections as there are sessions at work."""

    def __init__(self, rows: RawRows, into: TargetTable) -> None:
        self._rows, self._into = rows, into
        self._lock = threading.Lock()
        self._idle: list[RawRows] = []

    def border(self, after: Key, until: Key) -> Key | None:
        """Where the next stretch ends; None: with the gap."""
        with self._lock:
            return self._rows.border(after or None, _RAW_ROWS, until or None)

    def load(self, session: TargetSession, stretch: Stretch) -> Amount:
        """A stretch's rows into the target; returns how much that was."""
        load = raw_load(session, self._into, self._rows.form)
        assert load is not None
        with self._lock:
            rows = self._idle.pop() if self._idle else self._rows.another_connection()
        try:
            counted = _Counted(rows.read(stretch[0] or None, stretch[1] or None))
            count = load(counted)
        except BaseException:
            rows.__exit__()
            raise
        with self._lock:
            self._idle.append(rows)
        return Amount(count, counted.nbytes)

    def close(self) -> None:
        """Close the connections; nobody is at work any more."""
        for rows in self._idle:
            rows.__exit__()


class _Counted:
    """What passes, with its size so far."""

    def __init__(self, parts: Iterator[memoryview]) -> None:
        self._parts, self.nbytes = parts, 0

    def __iter__(self) -> Iterator[memoryview]:
        for part in self._parts:
            self.nbytes += part.nbytes
            yield part


@dataclass(frozen=True, slots=True)
class _RawPart:
    """See pool.Part."""

    order: KeyOrder
    stretch: Stretch
    passage: _Passage

    @property
    def nbytes(self) -> int:
        return _RAW_BYTES

    def load(self, session: TargetSession) -> Amount:
        return self.passage.load(session, self.stretch)

    def noted(self, checkpoint: TableCheckpoint, amount: Amount) -> TableCheckpoint:
        return _with_part(checkpoint, self.order, self.stretch, amount)


@dataclass(frozen=True, slots=True)
class _RowsPart:
    """See pool.Part."""

    order: KeyOrder
    stretch: Stretch
    into: TargetTable
    rows: pa.RecordBatch | None
    """None: there are none in the stretch."""

    @property
    def nbytes(self) -> int:
        return int(self.rows.nbytes) if self.rows is not None else 0

    def load(self, session: TargetSession) -> Amount:
        if self.rows is None:
            return _NOTHING
        session.load(self.into, self.rows)
        return Amount(self.rows.num_rows, self.nbytes)

    def noted(self, checkpoint: TableCheckpoint, amount: Amount) -> TableCheckpoint:
        return _with_part(checkpoint, self.order, self.stretch, amount)


@dataclass(frozen=True, slots=True)
class _PackedStretch:
    """See pool.Part."""

    order: KeyOrder
    stretch: Stretch
    into: TargetTable
    part: PackedPart | None
    """None: there are no rows in the stretch."""

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
        return _with_part(checkpoint, self.order, self.stretch, amount)


_Reading = Callable[[Key | None, Key | None], Iterator[tuple[T, Key]]]
"""Reads the rows between two keys, each part with the key of its last row."""


def _parts(order: KeyOrder, reading: _Reading[T]) -> Iterator[tuple[Stretch, T | None]]:
    """The rows of all gaps, each part with the stretch that it fills."""
    for gap, (lower, upper) in enumerate(order.gaps):
        at, last = lower, None
        for rows, key_text in reading(lower or None, upper or None):
            if last is not None:
                yield _found(order, gap, (at, last[1])), last[0]
                at = last[1]
            last = rows, key_text
        # The last part of a gap fills it up to its end, also where there is no row.
        yield _found(order, gap, (at, upper)), last[0] if last is not None else None


def _found(order: KeyOrder, gap: int, stretch: Stretch) -> Stretch:
    order.found(gap, stretch)
    return stretch


def _with_part(checkpoint: TableCheckpoint, order: KeyOrder, stretch: Stretch, amount: Amount) -> TableCheckpoint:
    stretches = order.with_part(checkpoint.stretches, stretch)
    return replace(with_amount(checkpoint, amount), stretches=stretches, full_offset=checkpoint.full_offset + 1)


def _reaching(checkpoint: TableCheckpoint, position: Position) -> TableCheckpoint:
    """The checkpoint once rows of an image at this position are loaded as well."""
    if not checkpoint.stretches:
        return replace(checkpoint, since=str(position), until=str(position))
    until = checkpoint.until_position
    assert until is not None
    return replace(checkpoint, until=str(max(until, position)))
