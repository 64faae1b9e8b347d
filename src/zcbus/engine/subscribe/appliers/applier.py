"""Applying the changes of one table in an open target transaction; without a key rows are only added."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from zcbus.connectors.errors import RowRefused
from zcbus.connectors.roles import TargetSession, TargetTable
from zcbus.engine.reasons import (
    SCHEMA_NOT_FOLLOWED,
    SNAPSHOT_NOT_CONVERGENT,
    ExpressionFailed,
    NotAppended,
    TableStopped,
)
from zcbus.engine.subscribe.appliers.effects import Effects, apply_nets, filtered_rows, nets, rows_added
from zcbus.engine.subscribe.reader import LeftOut, RecordChanges, TableWork, halves, is_truncate, segments
from zcbus.engine.subscribe.row_errors.images import ExpressionError, Image, first_image, without_value
from zcbus.engine.subscribe.row_errors.isolation import Isolation, RejectedRows
from zcbus.engine.subscribe.row_errors.single_change import Change, change_info
from zcbus.engine.subscribe.row_errors.store import close_all
from zcbus.engine.subscribe.schema.mapping import Columns, Mapped, columns_of, map_checkpoint
from zcbus.engine.subscribe.table import Skips, SyncRun
from zcbus.model.batches import select
from zcbus.model.changes import Operation, TableChanges
from zcbus.model.evolution import compare, compares_keys_otherwise
from zcbus.model.schema import TableSchema
from zcbus.model.states import DdlMode


class Appending:
    """Appends to one table within the open transaction of a session."""

    def __init__(self, session: TargetSession, rejected: RejectedRows, left_out: LeftOut, searches: bool) -> None:
        """`searches`: whether rejected rows are isolated; otherwise they raise RowRefused."""
        self._session, self._rejected, self._searches = session, rejected, searches
        self._left_out = left_out

    def apply(self, mapped: Mapped, records: Sequence[RecordChanges]) -> None:
        """Apply changes of one schema in log order. Raises RowRefused, RowBlocks at the error limit."""
        self._mapped = mapped
        self._rejected.use_mapping(mapped)
        masks = [np.asarray(part.changes.operations) == Operation.INSERT for part in records]
        added = [part.where(mask) for part, mask in zip(records, masks, strict=True) if mask.any()]
        if added:
            self._add(added)
        for part, mask in zip(records, masks, strict=True):
            for index in np.flatnonzero(~mask).tolist():
                self._refuse(part.slice(index, index + 1))

    def _add(self, records: list[RecordChanges]) -> None:
        if not self._searches:
            self._left_out.filtered += self._load(records)
            return
        try:
            with self._session.savepoint():
                filtered = self._load(records)
            self._left_out.filtered += filtered
            return
        except RowRefused as error:
            refused = error
        count = sum(part.count for part in records)
        if count == 1:
            after, without = self._image(records[0].changes.rows)
            self._rejected.reject(
                self._change(records[0], {}, after, without), refused if without is None else without.error
            )
            return
        for half in halves(records, count // 2):
            self._add(half)

    def _load(self, records: Sequence[RecordChanges]) -> int:
        """Returns how many rows a condition left out."""
        rows = rows_added(self._mapped, records)
        if rows.num_rows:
            self._session.load(self._mapped.table, rows)
        return sum(part.count for part in records) - rows.num_rows

    def _refuse(self, part: RecordChanges) -> None:
        """Reject an update or a delete, unless it changes nothing in the target."""
        before, _ = self._image(part.changes.keys_before)
        is_update = part.changes.operations[0].as_py() == Operation.UPDATE
        after, _ = self._image(part.changes.rows) if is_update else ({}, None)
        if before != after:
            self._rejected.reject(self._change(part, before, after, None), NotAppended(self._mapped.table.name))

    def _image(self, row: pa.RecordBatch) -> tuple[Image, ExpressionError | None]:
        """The row as the target receives it; {}: none."""
        try:
            shaped = self._mapped.rows(row)
        except ExpressionFailed as error:
            found = without_value(self._mapped, select(row, self._mapped.inputs), error)
            return found.after, found
        return first_image(shaped) if shaped.num_rows else {}, None

    def _change(self, part: RecordChanges, before: Image, after: Image, without: ExpressionError | None) -> Change:
        info = change_info(part)
        return Change(self._rejected.id_of(part), info.operation, before, after, info.position, info.commit_ms, without)


class StructureChanged(Exception):
    """Changes have a new schema that the target table does not have yet; none of them was applied.

    An internal signal of the engine.
    """

    def __init__(self, run: SyncRun, schema: TableSchema, key: tuple[str, ...]) -> None:
        super().__init__(str(schema.name))
        self.run, self.schema, self.key = run, schema, key


class Applier:
    """Applies work in one session. Caches the target tables of each schema."""

    def __init__(self, session: TargetSession, subscription: str, isolates: bool) -> None:
        """`isolates`: whether rejected changes may be isolated and skipped."""
        self._session, self._subscription, self._isolates = session, subscription, isolates
        self._mapped: dict[tuple[int, int], tuple[tuple[object, ...], Mapped]] = {}

    def check(self, run: SyncRun, work: TableWork) -> None:
        """Raise StructureChanged, before anything is applied, if the checkpoint does not have the schema."""
        newest = work.changes[-1].changes
        if not is_known(run, newest):
            raise StructureChanged(run, newest.schema, newest.key)
        for records in work.changes[:-1]:
            _check_older(run, records.changes, newest)

    def apply(self, run: SyncRun, work: TableWork, skips: Skips) -> None:
        """Apply all changes in the open transaction, starting one if needed.

        Raises RowRefused, or RowBlocks if rejected changes are skipped and the limit is reached.
        """
        left_out = work.left_out
        isolation = Isolation(self._session, self._subscription, run, skips, left_out, strict=not self._isolates)
        for segment in segments(work.changes):
            mapped = self._begin(run, segment)
            if is_truncate(segment[0]):
                self._truncate(run, mapped.table)
                continue
            _check_convergence(run, segment, work)
            if not mapped.table.key:
                Appending(self._session, isolation.rejected, left_out, self._isolates).apply(mapped, segment)
            elif self._isolates or isolation.touches(mapped, segment):
                isolation.apply(mapped, segment)
            else:
                found = nets(mapped, segment, run.equals_source)
                apply_nets(self._session, mapped.table, found)
                left_out.filtered += filtered_rows(found)

    def effects(self, run: SyncRun, work: TableWork) -> Effects | None:
        """Net effects of changes with one schema and one origin; None: apply segment by segment.

        Nothing is applied. Raises TableStopped, RowRefused.
        """
        found = list(segments(work.changes))
        if len(found) != 1 or is_truncate(found[0][0]):
            return None
        first, mapped = found[0][0].changes, self._begin(run, found[0])
        if not first.key or (mapped.shaping is not None and not mapped.shaping.computed.isdisjoint(first.key)):
            return None
        _check_convergence(run, found[0], work)
        return Effects(first.schema, first.key, mapped.table, nets(mapped, found[0], run.equals_source))

    def _begin(self, run: SyncRun, segment: Sequence[RecordChanges]) -> Mapped:
        first = segment[0].changes
        if run.structure is None and columns_of(first.schema) == _columns(run):
            run.seen = first.schema
        return self._map(run, first.schema, first.key).coming_through(segment[0].origin)

    def _truncate(self, run: SyncRun, target: TargetTable) -> None:
        self._session.truncate(target)
        if len(run.quarantined):
            close_all(self._session, self._subscription, run, "overtaken")

    def _map(self, run: SyncRun, schema: TableSchema, key: tuple[str, ...]) -> Mapped:
        assert run.checkpoint is not None
        # Compared by identity: the objects are cached with the result, so that their ids stay in use.
        made_from = (run, schema, run.task, run.checkpoint.columns)
        slot = (id(run), id(schema))
        found = self._mapped.get(slot)
        if found is None or any(one is not other for one, other in zip(found[0], made_from, strict=True)):
            found = (made_from, map_checkpoint(run, run.checkpoint, schema, key))
            self._mapped[slot] = found
        return found[1]


def is_known(run: SyncRun, changes: TableChanges) -> bool:
    """Whether the target table has the schema of these changes, or need not have it."""
    checkpoint = run.checkpoint
    if checkpoint is None or not checkpoint.columns or set(changes.key) != set(checkpoint.key):
        return False
    if changes.schema is run.structure:
        return True
    if compares_keys_otherwise(run.structure, changes.schema, checkpoint.key):
        return False  # The target may merge rows, which no mode allows.
    if run.task.ddl is DdlMode.IGNORE:
        return True
    if run.structure is not None and (run.task.ddl is DdlMode.FOLLOW or changes.schema == run.structure):
        return changes.schema == run.structure
    return columns_of(changes.schema) == checkpoint.columns


def _columns(run: SyncRun) -> Columns:
    return run.checkpoint.columns if run.checkpoint is not None else ()


def _check_older(run: SyncRun, older: TableChanges, newest: TableChanges) -> None:
    """Check changes around a schema change in one transaction.

    Columns that the newer schema lacks were dropped; renamed ones are not allowed.
    """
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


def _check_convergence(run: SyncRun, segment: Sequence[RecordChanges], work: TableWork) -> None:
    """Check rows that moved during an interrupted snapshot, which has several positions.

    A row that moved across a resume key without its large values may be in neither part: only a new load is right.
    """
    assert run.checkpoint is not None
    until = run.checkpoint.until_position
    if until is None or run.checkpoint.since == run.checkpoint.until:
        return
    if work.first_position is not None and work.first_position > until:
        return
    for records in segment:
        if records.changes.unchanged and _moves_partial(records.changes):
            raise TableStopped(SNAPSHOT_NOT_CONVERGENT, table=run.source)


def _moves_partial(changes: TableChanges) -> bool:
    masks = [np.asarray(mask.fill_null(False)).astype(np.bool_) for mask in changes.unchanged.values()]
    moved = np.zeros(len(changes.operations), np.bool_)
    for name in changes.key:
        same = pc.equal(changes.rows.column(name), changes.keys_before.column(name))
        moved |= ~np.asarray(same.fill_null(True)).astype(np.bool_)
    return bool((np.logical_or.reduce(masks) & moved).any())
