"""Applying the changes of one table to an open target transaction."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pyarrow.compute as pc

from zcbus.connectors.roles import TargetSession, TargetTable
from zcbus.engine.batches import select
from zcbus.engine.compaction import Net, compact
from zcbus.engine.reasons import SNAPSHOT_NOT_CONVERGENT, TableStopped
from zcbus.engine.subscribe.mapping import Mapped, columns_of
from zcbus.engine.subscribe.table import SyncRun, map_lane
from zcbus.engine.subscribe.work import TableWork
from zcbus.model.changes import Operation, TableChanges
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

    def __init__(self, session: TargetSession) -> None:
        self._session = session
        self._mapped: dict[tuple[int, int], tuple[tuple[object, ...], Mapped]] = {}

    def check(self, run: SyncRun, work: TableWork) -> None:
        """Raise StructureChanged before anything is applied, where the structure is not one the lane knows."""
        for changes in work.changes:
            if not _is_known(run, changes):
                raise StructureChanged(run, changes.schema, changes.key)

    def apply(self, run: SyncRun, work: TableWork) -> None:
        """Apply all changes in the open transaction, beginning one where none is open."""
        for stretch in _stretches(work.changes):
            if isinstance(stretch, TableChanges):
                self._session.truncate(self._map(run, stretch.schema, stretch.key).table)
                continue
            mapped = self._map(run, stretch[0].schema, stretch[0].key)
            names = mapped.inputs
            _check_convergence(run, stretch, work)
            for net in compact([_only(changes, names) for changes in stretch], tell_known=_is_exact(run)):
                self._apply(mapped.table, mapped.shaping.net(net) if mapped.shaping is not None else net)

    def _apply(self, target: TargetTable, net: Net) -> None:
        if net.deletes.num_rows:
            self._session.delete(target, net.deletes)
        for update in net.updates:
            self._session.update(target, update.keys, update.rows)
        if net.upserts.num_rows:
            self._session.upsert(target, net.upserts)

    def _map(self, run: SyncRun, schema: TableSchema, key: tuple[str, ...]) -> Mapped:
        assert run.lane is not None
        # Compared by identity: the objects are kept beside the result, so that their identities stay taken.
        made_from = (run, schema, run.task, run.lane.columns)
        slot = (id(run), id(schema))
        found = self._mapped.get(slot)
        if found is None or any(one is not other for one, other in zip(found[0], made_from, strict=True)):
            found = (made_from, map_lane(run, run.lane, schema, key))
            self._mapped[slot] = found
        return found[1]


def _is_exact(run: SyncRun) -> bool:
    """Whether the target has just the rows that the source had before the changes: a row that is added was not there.
    Not so behind a load that was interrupted, or without one."""
    lane = run.lane
    return run.task.transform.changes_rows and lane is not None and bool(lane.since) and lane.since == lane.until


def _is_known(run: SyncRun, changes: TableChanges) -> bool:
    lane = run.lane
    if lane is None or not lane.columns or set(changes.key) != set(lane.key):
        return False
    if run.task.ddl is DdlMode.IGNORE:
        return True
    columns = columns_of(changes.schema)
    if columns == lane.columns:
        return True
    # A table that follows its source may still get changes of an older structure, or have lost columns.
    return run.task.ddl is DdlMode.FOLLOW and set(columns) <= set(lane.columns)


def _stretches(changes: Sequence[TableChanges]) -> Iterator[TableChanges | list[TableChanges]]:
    """Runs of changes with one structure; a TRUNCATE stands alone. What a later TRUNCATE removes is left out."""
    parts = [part for frame in changes for part in _parts(frame)]
    last = max((place for place, part in enumerate(parts) if _is_truncate(part)), default=-1)
    if last >= 0:
        yield parts[last]
    stretch: list[TableChanges] = []
    for part in parts[last + 1 :]:
        if stretch and (part.schema != stretch[0].schema or part.key != stretch[0].key):
            yield stretch
            stretch = []
        stretch.append(part)
    if stretch:
        yield stretch


def _is_truncate(changes: TableChanges) -> bool:
    return len(changes.operations) == 1 and changes.operations[0].as_py() == Operation.TRUNCATE


def _parts(changes: TableChanges) -> Iterator[TableChanges]:
    operations = np.asarray(changes.operations)
    places = np.flatnonzero(operations == Operation.TRUNCATE)
    if not len(places):
        yield changes
        return
    start = 0
    for place in [*places.tolist(), len(operations)]:
        if place > start:
            yield _slice(changes, start, place)
        if place < len(operations):
            yield _slice(changes, place, place + 1)
        start = place + 1


def _slice(changes: TableChanges, start: int, stop: int) -> TableChanges:
    length = stop - start
    return replace(
        changes,
        operations=changes.operations.slice(start, length),
        transactions=changes.transactions.slice(start, length),
        order=changes.order.slice(start, length),
        rows=changes.rows.slice(start, length),
        keys_before=changes.keys_before.slice(start, length),
        unchanged={name: column.slice(start, length) for name, column in changes.unchanged.items()},
    )


def _only(changes: TableChanges, names: list[str]) -> TableChanges:
    unchanged = {name: mask for name, mask in changes.unchanged.items() if name in names}
    return replace(changes, rows=select(changes.rows, names), unchanged=unchanged)


def _check_convergence(run: SyncRun, stretch: Sequence[TableChanges], work: TableWork) -> None:
    """An interrupted snapshot was read at several positions. A row that moved over the place where it went on, and
    whose large values the source did not send, may be in neither part: then only a new load is right."""
    assert run.lane is not None
    until = run.lane.until_position
    if until is None or run.lane.since == run.lane.until:
        return
    if work.first_position is not None and work.first_position > until:
        return
    for changes in stretch:
        if changes.unchanged and _moves_partial(changes):
            raise TableStopped(SNAPSHOT_NOT_CONVERGENT, table=run.source)


def _moves_partial(changes: TableChanges) -> bool:
    masks = [np.asarray(mask.fill_null(False)).astype(np.bool_) for mask in changes.unchanged.values()]
    moved = np.zeros(len(changes.operations), np.bool_)
    for name in changes.key:
        same = pc.equal(changes.rows.column(name), changes.keys_before.column(name))
        moved |= ~np.asarray(same.fill_null(True)).astype(np.bool_)
    return bool((np.logical_or.reduce(masks) & moved).any())
