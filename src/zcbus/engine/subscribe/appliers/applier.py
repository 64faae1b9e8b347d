"""Applying the changes of one table to an open target transaction."""

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow.compute as pc

from zcbus.connectors.roles import TargetSession, TargetTable
from zcbus.engine.reasons import SCHEMA_NOT_FOLLOWED, SNAPSHOT_NOT_CONVERGENT, TableStopped
from zcbus.engine.subscribe.appliers.append import Appending
from zcbus.engine.subscribe.appliers.divided import Effects
from zcbus.engine.subscribe.appliers.effects import apply_nets, is_exact, nets
from zcbus.engine.subscribe.reader import PlacedChanges, TableWork
from zcbus.engine.subscribe.row_errors.isolation import Isolation
from zcbus.engine.subscribe.row_errors.skips import Skips
from zcbus.engine.subscribe.row_errors.store import close_all
from zcbus.engine.subscribe.schema.mapping import Columns, Mapped, columns_of
from zcbus.engine.subscribe.table import SyncRun, map_checkpoint
from zcbus.model.changes import Operation, TableChanges
from zcbus.model.evolution import compare
from zcbus.model.schema import TableSchema
from zcbus.model.states import DdlMode


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
