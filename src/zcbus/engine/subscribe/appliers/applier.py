"""Applying the changes of one table to an open target transaction; without a key rows are only added."""

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from zcbus.connectors.errors import RowRefused
from zcbus.connectors.roles import TargetSession, TargetTable
from zcbus.engine.batches import select
from zcbus.engine.reasons import (
    SCHEMA_NOT_FOLLOWED,
    SNAPSHOT_NOT_CONVERGENT,
    ExpressionFailed,
    NotAppended,
    TableStopped,
)
from zcbus.engine.subscribe.appliers.effects import Effects, apply_nets, is_exact, nets, rows_added
from zcbus.engine.subscribe.reader import PlacedChanges, TableWork, halves
from zcbus.engine.subscribe.row_errors.images import Image, first_image
from zcbus.engine.subscribe.row_errors.isolation import Isolation, RejectedRows
from zcbus.engine.subscribe.row_errors.single_change import Change, ExpressionError, place_of, unevaluated
from zcbus.engine.subscribe.row_errors.store import close_all
from zcbus.engine.subscribe.schema.mapping import Columns, Mapped, columns_of
from zcbus.engine.subscribe.table import Skips, SyncRun, map_checkpoint
from zcbus.model.changes import Operation, TableChanges
from zcbus.model.evolution import compare
from zcbus.model.schema import TableSchema
from zcbus.model.states import DdlMode


class Appending:
    """Works on one table within the open transaction of a session."""

    def __init__(self, session: TargetSession, refusals: RejectedRows, searches: bool) -> None:
        """`searches`: whether rows that the target refuses are searched for; else they raise RowRefused."""
        self._session, self._refusals, self._searches = session, refusals, searches

    def apply(self, mapped: Mapped, placed: Sequence[PlacedChanges]) -> None:
        """Changes of one structure in log order. Raises RowRefused, RowBlocks where no more may be passed over."""
        self._mapped = mapped
        self._refusals.work_on(mapped)
        masks = [np.asarray(part.changes.operations) == Operation.INSERT for part in placed]
        added = [part.where(mask) for part, mask in zip(placed, masks, strict=True) if mask.any()]
        if added:
            self._add(added)
        for part, mask in zip(placed, masks, strict=True):
            for place in np.flatnonzero(~mask).tolist():
                self._refuse(part.slice(place, place + 1))

    def _add(self, placed: list[PlacedChanges]) -> None:
        if not self._searches:
            self._load(placed)
            return
        try:
            with self._session.savepoint():
                self._load(placed)
            return
        except RowRefused as error:
            refused = error
        count = sum(part.count for part in placed)
        if count == 1:
            after, without = self._image(placed[0].changes.rows)
            self._refusals.refuse(
                self._change(placed[0], {}, after, without), refused if without is None else without.error
            )
            return
        for half in halves(placed, count // 2):
            self._add(half)

    def _load(self, placed: Sequence[PlacedChanges]) -> None:
        rows = rows_added(self._mapped, placed)
        if rows.num_rows:
            self._session.load(self._mapped.table, rows)

    def _refuse(self, part: PlacedChanges) -> None:
        """An update or a delete. One that changes nothing of what the target gets is none."""
        before, _ = self._image(part.changes.keys_before)
        is_update = part.changes.operations[0].as_py() == Operation.UPDATE
        after, _ = self._image(part.changes.rows) if is_update else ({}, None)
        if before != after:
            self._refusals.refuse(self._change(part, before, after, None), NotAppended(self._mapped.table.name))

    def _image(self, row: pa.RecordBatch) -> tuple[Image, ExpressionError | None]:
        """The row as the target gets it; {}: it does not."""
        try:
            shaped = self._mapped.rows(row)
        except ExpressionFailed as error:
            found = unevaluated(self._mapped, select(row, self._mapped.inputs), error)
            return found.after, found
        return first_image(shaped) if shaped.num_rows else {}, None

    def _change(self, part: PlacedChanges, before: Image, after: Image, without: ExpressionError | None) -> Change:
        place = place_of(part)
        return Change(
            self._refusals.id_of(part), place.operation, before, after, place.position, place.commit_ms, without
        )


class StructureChanged(Exception):
    """The table's changes have a structure that the target table was not made for; nothing of them was applied.

    A signal within the engine, never seen by people.
    """

    def __init__(self, run: SyncRun, schema: TableSchema, key: tuple[str, ...]) -> None:
        super().__init__(str(schema.name))
        self.run, self.schema, self.key = run, schema, key


class Applier:
    """Applies work to one session. Keeps the target tables it has worked out per schema."""

    def __init__(self, session: TargetSession, subscription: str, isolates: bool) -> None:
        """`isolates`: whether changes that the target refuses may be kept and passed over."""
        self._session, self._subscription, self._isolates = session, subscription, isolates
        self._mapped: dict[tuple[int, int], tuple[tuple[object, ...], Mapped]] = {}

    def check(self, run: SyncRun, work: TableWork) -> None:
        """Raise StructureChanged before anything is applied, where the structure is not one the checkpoint knows."""
        newest = work.changes[-1].changes
        if not is_known(run, newest):
            raise StructureChanged(run, newest.schema, newest.key)
        for placed in work.changes[:-1]:
            _check_older(run, placed.changes, newest)

    def apply(self, run: SyncRun, work: TableWork, skips: Skips) -> None:
        """Apply all changes in the open transaction, beginning one where none is open. Raises RowRefused, or RowBlocks
        where refused changes are passed over and no more may be."""
        isolation = Isolation(self._session, self._subscription, run, skips, strict=not self._isolates)
        for stretch in stretches(work.changes):
            mapped = self._begin(run, stretch)
            if is_truncate(stretch[0]):
                self._truncate(run, mapped.table)
                continue
            _check_convergence(run, stretch, work)
            if not mapped.table.key:
                Appending(self._session, isolation.refusals, self._isolates).apply(mapped, stretch)
            elif self._isolates or isolation.touches(mapped, stretch):
                isolation.apply(mapped, stretch)
            else:
                apply_nets(self._session, mapped.table, nets(mapped, stretch, is_exact(run)))

    def effects(self, run: SyncRun, work: TableWork) -> Effects | None:
        """What the changes amount to, where all are of one structure and one origin; None: they are to be applied one
        stretch after the other. Nothing is applied. Raises TableStopped, RowRefused."""
        found = list(stretches(work.changes))
        if len(found) != 1 or is_truncate(found[0][0]):
            return None
        first, mapped = found[0][0].changes, self._begin(run, found[0])
        if not first.key or (mapped.shaping is not None and not mapped.shaping.computed.isdisjoint(first.key)):
            return None
        _check_convergence(run, found[0], work)
        return Effects(first.schema, first.key, mapped.table, nets(mapped, found[0], is_exact(run)))

    def _begin(self, run: SyncRun, stretch: Sequence[PlacedChanges]) -> Mapped:
        first = stretch[0].changes
        if run.structure is None and columns_of(first.schema) == _columns(run):
            run.seen = first.schema
        return self._map(run, first.schema, first.key).coming_through(stretch[0].origin)

    def _truncate(self, run: SyncRun, target: TargetTable) -> None:
        self._session.truncate(target)
        if len(run.held):
            close_all(self._session, self._subscription, run, "overtaken")

    def _map(self, run: SyncRun, schema: TableSchema, key: tuple[str, ...]) -> Mapped:
        assert run.checkpoint is not None
        # Compared by identity: the objects are kept beside the result, so that their identities stay taken.
        made_from = (run, schema, run.task, run.checkpoint.columns)
        slot = (id(run), id(schema))
        found = self._mapped.get(slot)
        if found is None or any(one is not other for one, other in zip(found[0], made_from, strict=True)):
            found = (made_from, map_checkpoint(run, run.checkpoint, schema, key))
            self._mapped[slot] = found
        return found[1]


def is_known(run: SyncRun, changes: TableChanges) -> bool:
    """Whether the target table was made for the structure of these changes, or need not follow it."""
    checkpoint = run.checkpoint
    if checkpoint is None or not checkpoint.columns or set(changes.key) != set(checkpoint.key):
        return False
    if run.task.ddl is DdlMode.IGNORE or changes.schema is run.structure:
        return True
    if run.structure is not None and (run.task.ddl is DdlMode.FOLLOW or changes.schema == run.structure):
        return changes.schema == run.structure
    return columns_of(changes.schema) == checkpoint.columns


def _columns(run: SyncRun) -> Columns:
    return run.checkpoint.columns if run.checkpoint is not None else ()


def _check_older(run: SyncRun, older: TableChanges, newest: TableChanges) -> None:
    """Changes of one transaction before and behind a change of structure meet in one batch. What the newer structure
    does not have went away; a column that only has another name must not."""
    if older.schema is newest.schema or older.schema == newest.schema or run.task.ddl is not DdlMode.FOLLOW:
        return
    for before, after in compare(older.schema, newest.schema).renamed:
        raise TableStopped(
            SCHEMA_NOT_FOLLOWED,
            table=run.source,
            column=after,
            why="renamed-in-transaction",
            before=before,
            after=after,
        )


def stretches(changes: Sequence[PlacedChanges]) -> Iterator[list[PlacedChanges]]:
    """Runs of changes with one structure and one origin; a TRUNCATE is alone. What a later one removes is left out."""
    # Without a change of a row a frame only tells the structure.
    parts = [part for frame in changes if frame.count for part in _parts(frame)]
    last = max((place for place, part in enumerate(parts) if is_truncate(part)), default=-1)
    if last >= 0:
        yield [parts[last]]
    stretch: list[PlacedChanges] = []
    for part in parts[last + 1 :]:
        if stretch and not _belong_together(part, stretch[0]):
            yield stretch
            stretch = []
        stretch.append(part)
    if stretch:
        yield stretch


def _belong_together(one: PlacedChanges, other: PlacedChanges) -> bool:
    same_structure = one.changes.schema == other.changes.schema and one.changes.key == other.changes.key
    return same_structure and one.changes.origin == other.changes.origin and one.source == other.source


def is_truncate(placed: PlacedChanges) -> bool:
    """Whether this is the emptying of a table, which is alone in its stretch."""
    operations = placed.changes.operations
    return len(operations) == 1 and operations[0].as_py() == Operation.TRUNCATE


def _parts(placed: PlacedChanges) -> Iterator[PlacedChanges]:
    operations = np.asarray(placed.changes.operations)
    places = np.flatnonzero(operations == Operation.TRUNCATE)
    if not len(places):
        yield placed
        return
    start = 0
    for place in [*places.tolist(), len(operations)]:
        if place > start:
            yield placed.slice(start, place)
        if place < len(operations):
            yield placed.slice(place, place + 1)
        start = place + 1


def _check_convergence(run: SyncRun, stretch: Sequence[PlacedChanges], work: TableWork) -> None:
    """An interrupted snapshot was read at several positions. A row that moved over the place where it went on, and
    whose large values the source did not send, may be in neither part: then only a new load is right."""
    assert run.checkpoint is not None
    until = run.checkpoint.until_position
    if until is None or run.checkpoint.since == run.checkpoint.until:
        return
    if work.first_position is not None and work.first_position > until:
        return
    for placed in stretch:
        if placed.changes.unchanged and _moves_partial(placed.changes):
            raise TableStopped(SNAPSHOT_NOT_CONVERGENT, table=run.source)


def _moves_partial(changes: TableChanges) -> bool:
    masks = [np.asarray(mask.fill_null(False)).astype(np.bool_) for mask in changes.unchanged.values()]
    moved = np.zeros(len(changes.operations), np.bool_)
    for name in changes.key:
        same = pc.equal(changes.rows.column(name), changes.keys_before.column(name))
        moved |= ~np.asarray(same.fill_null(True)).astype(np.bool_)
    return bool((np.logical_or.reduce(masks) & moved).any())
