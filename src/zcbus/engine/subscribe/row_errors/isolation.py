"""Applying a table's changes so that a change that the target refuses is found, kept, and passed over."""

from collections.abc import Callable, Sequence

import pyarrow as pa

from zcbus.connectors.errors import RowRefused
from zcbus.connectors.roles import TargetSession
from zcbus.engine.batches import select
from zcbus.engine.compaction import Net
from zcbus.engine.reasons import ExpressionFailed
from zcbus.engine.subscribe.appliers.effects import apply_nets, is_exact, keys_after, keys_before, nets, row_after
from zcbus.engine.subscribe.checkpoints.records import Amount
from zcbus.engine.subscribe.reader import PlacedChanges, halves
from zcbus.engine.subscribe.row_errors.expression_errors import ExpressionError, unevaluated
from zcbus.engine.subscribe.row_errors.images import Image, first_image, put
from zcbus.engine.subscribe.row_errors.quarantine import Key, key_tuple
from zcbus.engine.subscribe.row_errors.rejected_rows import RejectedRows
from zcbus.engine.subscribe.row_errors.single_change import Change, place_of, with_earlier
from zcbus.engine.subscribe.row_errors.skips import Skips
from zcbus.engine.subscribe.schema.mapping import Mapped
from zcbus.engine.subscribe.table import SyncRun
from zcbus.model.row_errors import RowError, RowOperation


class Isolation:
    """Works on one table within the open transaction of a session.

    Rows that the target lacks because of an earlier refusal are `held`: a later change of such a row is applied by
    itself, together with what the refused one brought, so that the row ends as the source has it.
    """

    def __init__(self, session: TargetSession, subscription: str, run: SyncRun, skips: Skips, strict: bool) -> None:
        """`strict`: refuse instead of passing over (RowRefused)."""
        self._session, self._run = session, run
        self.refusals = RejectedRows(session, subscription, run, skips, strict)
        if run.checkpoint is not None:
            run.held.by(run.checkpoint.key)

    def apply(self, mapped: Mapped, placed: Sequence[PlacedChanges]) -> None:
        """Changes of one structure in log order."""
        self._work_on(mapped)
        self._parts(list(placed))

    def _work_on(self, mapped: Mapped) -> None:
        self._mapped, self._target = mapped, mapped.table
        self.refusals.work_on(mapped)

    def touches(self, mapped: Mapped, placed: Sequence[PlacedChanges]) -> bool:
        """Whether a row that is held is among the changes."""
        if not len(self._run.held):
            return False
        held, names = self._run.held.keys(), self._run.held.names
        batches = (keys_before(mapped, placed), keys_after(mapped, placed))
        return any(not held.isdisjoint(_keys(batch, names)) for batch in batches)

    def load(self, mapped: Mapped, rows: pa.RecordBatch, offset: int, load: Callable[[pa.RecordBatch], None]) -> Amount:
        """Source rows of a full load; returns how much got there. `load` gets them as the target does, and raises
        RowRefused."""
        self._work_on(mapped)
        return self._load(rows, offset, 0, load)

    def _load(self, rows: pa.RecordBatch, offset: int, first: int, load: Callable[[pa.RecordBatch], None]) -> Amount:
        try:
            with self._session.savepoint():
                shaped = self._mapped.rows(rows)
                load(shaped)
        except RowRefused as error:
            if rows.num_rows == 1:
                self._refuse_loaded(rows, self.refusals.name(f"full-{offset}", first), error)
                return Amount(0, 0)
            middle = rows.num_rows // 2
            left = self._load(rows.slice(0, middle), offset, first, load)
            right = self._load(rows.slice(middle), offset, first + middle, load)
            return Amount(left.rows + right.rows, left.nbytes + right.nbytes)
        return Amount(shaped.num_rows, shaped.nbytes)

    def _refuse_loaded(self, row: pa.RecordBatch, name: str, error: RowRefused) -> None:
        found = None
        if isinstance(error, ExpressionFailed):
            found = unevaluated(self._mapped, select(row, self._mapped.inputs), error)
            error = found.error
        after = found.after if found is not None else first_image(self._mapped.rows(row))
        self.refusals.refuse(Change(name, RowOperation.LOAD, {}, after, "", None, found), error)

    def _parts(self, placed: list[PlacedChanges]) -> None:
        count = sum(part.count for part in placed)
        if count == 1:
            self._single(placed[0])
            return
        if not self.touches(self._mapped, placed):
            try:
                with self._session.savepoint():
                    apply_nets(self._session, self._target, self._nets(placed))
                return
            except RowRefused:
                if self.refusals.strict:
                    raise
        left, right = halves(placed, count // 2)
        self._parts(left)
        self._parts(right)

    def _single(self, part: PlacedChanges) -> None:
        change = self._change(part)
        held = self._run.held
        names = held.names
        earlier = held.find(key_tuple(change.before, names)) if change.before else None
        place = held.find(key_tuple(change.after, names)) if change.after else None
        merged = with_earlier(change, earlier)
        try:
            self._check_values(merged, earlier)
            with self._session.savepoint():
                if place is not None and place is not earlier and place.operation is RowOperation.DELETE:
                    put(self._session, self._target, place.before, {})
                put(self._session, self._target, merged.before, merged.after)
        except RowRefused as error:
            self.refusals.refuse(merged, error, earlier)
            return
        if earlier is not None:
            self.refusals.overtaken(earlier)
        if place is not None and place is not earlier:
            self.refusals.leave_place(place)

    def _change(self, part: PlacedChanges) -> Change:
        place = place_of(part)
        before, after, without = self._images(part, place.operation)
        return Change(
            self.refusals.id_of(part), place.operation, before, after, place.position, place.commit_ms, without
        )

    def _check_values(self, change: Change, earlier: RowError | None) -> None:
        """Raise ExpressionFailed where the row still lacks what an expression was to give."""
        if change.unevaluated is not None:
            raise change.unevaluated.error
        if earlier is not None and change.after and not change.after.keys() >= set(earlier.lacks):
            raise ExpressionFailed(table=self._run.source, detail=earlier.detail)

    def _nets(self, placed: Sequence[PlacedChanges]) -> list[Net]:
        return nets(self._mapped, placed, is_exact(self._run))

    def _images(self, part: PlacedChanges, operation: RowOperation) -> tuple[Image, Image, ExpressionError | None]:
        """The row's key before and what the target is to have of it afterwards; {}: no such row."""
        try:
            return *self._evaluated_images(part, operation), None
        except ExpressionFailed as error:
            found = unevaluated(self._mapped, row_after(self._mapped, part), error)
            is_new = operation is RowOperation.INSERT
            return {} if is_new else first_image(keys_before(self._mapped, [part])), found.after, found

    def _evaluated_images(self, part: PlacedChanges, operation: RowOperation) -> tuple[Image, Image]:
        net = self._nets([part])[0]
        before: Image = {}
        if operation is not RowOperation.INSERT:
            before = first_image(keys_before(self._mapped, [part]))
        elif net.deletes.num_rows:
            before = first_image(net.deletes)
        if net.upserts.num_rows:
            return before, first_image(net.upserts)
        return before, first_image(net.updates[0].rows) if net.updates else {}


def _keys(batch: pa.RecordBatch, names: Sequence[str]) -> set[Key]:
    return set(zip(*(_texts(batch, name) for name in names), strict=True))


def _texts(batch: pa.RecordBatch, name: str) -> list[str | None]:
    values = batch.column(name).to_pylist()
    return ["\\x" + value.hex() if isinstance(value, bytes) else value for value in values]
