"""The search for the changes that a target refuses: each is kept and passed over, or the table stops."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pyarrow as pa

from zcbus.connectors.errors import RowRefused
from zcbus.connectors.roles import TargetSession
from zcbus.connectors.row_errors import RowErrorFilter
from zcbus.engine.batches import select
from zcbus.engine.compaction import Net
from zcbus.engine.reasons import ExpressionFailed, NotAppended
from zcbus.engine.subscribe.appliers.effects import apply_nets, is_exact, keys_after, keys_before, nets, row_after
from zcbus.engine.subscribe.checkpoints.records import Amount
from zcbus.engine.subscribe.reader import RecordChanges, halves
from zcbus.engine.subscribe.row_errors.images import Image, Key, first_image, key_of, key_tuple, put, statement_of
from zcbus.engine.subscribe.row_errors.single_change import (
    Change,
    ExpressionError,
    identifying_image,
    image_to_put,
    place_of,
    unevaluated,
    with_earlier,
)
from zcbus.engine.subscribe.schema.mapping import Mapped
from zcbus.engine.subscribe.table import RowBlocks, Skips, SyncRun
from zcbus.kit.clock import now_ms
from zcbus.model.row_errors import Decision, RowError, RowErrorStatus, RowOperation


class RejectedRows:
    """Of one table within the open transaction of a session."""

    def __init__(self, session: TargetSession, subscription: str, run: SyncRun, skips: Skips, strict: bool) -> None:
        """`strict`: refuse instead of passing over (RowRefused)."""
        self._session, self._subscription, self._run = session, subscription, run
        self._skips, self.strict = skips, strict

    def work_on(self, mapped: Mapped) -> None:
        """Whose changes are refused from now on."""
        self._mapped, self._target = mapped, mapped.table

    def id_of(self, part: RecordChanges) -> str:
        """What a row error of a single change is called."""
        return self.name(part.offset, part.changes.order[0].as_py())

    def name(self, offset: object, order: int) -> str:
        """What a row error is called of what stands at a place in a record."""
        return f"{self._run.task.id}/{self._run.task.generation}/{offset}.{order}"

    def refuse(self, change: Change, error: RowRefused, earlier: RowError | None = None) -> None:
        """Find out what is to be done with a refused change. Raises RowRefused, RowBlocks."""
        if self.strict and not isinstance(error, NotAppended):
            raise error
        known = earlier or self._known(change.id)
        if known is not None and known.blocking:
            if known.wanted is Decision.SKIP:
                self._done(known, "skipped")
                return
            if known.edited:
                refusal = self._try_edited(known, change)
                if refusal is None:
                    return
                change, error = replace(change, after=known.after), refusal
        found = self._row_error(change, error, known)
        if earlier is not None:
            self._hold(found)
        elif self._skips.take_dml():
            self._keep(replace(found, status=RowErrorStatus.PROCESSED, note="skip-count"))
        elif len(self._run.quarantined) < self._run.task.error_limit:
            self._hold(found)
        elif self.strict:
            raise error
        else:
            raise RowBlocks(replace(found, blocking=True), self._run.task.error_limit)

    def _known(self, identifier: str) -> RowError | None:
        """What was kept of the same change when the table stood still in front of it."""
        found = self._session.row_errors.read(self._subscription, RowErrorFilter(ids=(identifier,)))
        return found[0] if found else None

    def _try_edited(self, known: RowError, change: Change) -> RowRefused | None:
        """Apply what somebody made of a change in front of which the table stood still; returns why it was refused."""
        try:
            after = image_to_put(known, self._mapped)
            with self._session.savepoint():
                put(self._session, self._target, change.before, after)
        except RowRefused as error:
            return error
        self._done(known, "retried")
        return None

    def _done(self, known: RowError, note: str) -> None:
        self._keep(replace(known, status=RowErrorStatus.PROCESSED, wanted=None, blocking=False, note=note))

    def _row_error(self, change: Change, error: RowRefused, known: RowError | None) -> RowError:
        target, now = self._target, now_ms()
        unevaluated = change.unevaluated.lacks if change.unevaluated is not None else ()
        lacks = dict.fromkeys((*unevaluated, *(known.lacks if known else ())))
        return RowError(
            id=known.id if known else change.id,
            table=self._run.task.id,
            target=str(target.name),
            operation=change.operation,
            status=RowErrorStatus.NOT_PROCESSED,
            key=key_of(identifying_image(change, target), target),
            before=change.before,
            after=change.after,
            code=error.code,
            detail=str(error.facts.get("detail", error)),
            statement=statement_of(target, change.before, change.after),
            position=change.position,
            commit_ms=change.commit_ms,
            found_ms=known.found_ms if known else now,
            changed_ms=now,
            attempts=known.attempts + 1 if known else 1,
            edited=known is not None and known.edited and known.blocking,
            lacks=tuple(name for name in lacks if name not in change.after),
        )

    def _hold(self, error: RowError) -> None:
        self._keep(error)
        self._run.quarantined.put(error)

    def _keep(self, error: RowError) -> None:
        self._session.row_errors.keep(self._subscription, [replace(error, changed_ms=now_ms())])

    def overtaken(self, error: RowError) -> None:
        """What a quarantined row lacked has come with a later change."""
        self._keep(replace(error, status=RowErrorStatus.SUCCESS, wanted=None, note="overtaken"))
        self._run.quarantined.drop(error)

    def leave_place(self, error: RowError) -> None:
        """Another row has taken the place from which the quarantined row was to go."""
        if error.operation is RowOperation.DELETE:
            self.overtaken(error)
        else:
            self._hold(replace(error, before={}, operation=RowOperation.INSERT))


class Isolation:
    """Applies changes of one table within the open transaction of a session, isolating rejected ones.

    Rows that the target lacks because of an earlier rejection are `quarantined`: a later change of such a row is
    applied alone, together with the changes of the rejected one, so that the row ends as in the source.
    """

    def __init__(self, session: TargetSession, subscription: str, run: SyncRun, skips: Skips, strict: bool) -> None:
        """`strict`: refuse instead of passing over (RowRefused)."""
        self._session, self._run = session, run
        self.refusals = RejectedRows(session, subscription, run, skips, strict)
        if run.checkpoint is not None:
            run.quarantined.by(run.checkpoint.key)

    def apply(self, mapped: Mapped, placed: Sequence[RecordChanges]) -> None:
        """Changes of one structure in log order."""
        self._work_on(mapped)
        self._parts(list(placed))

    def _work_on(self, mapped: Mapped) -> None:
        self._mapped, self._target = mapped, mapped.table
        self.refusals.work_on(mapped)

    def touches(self, mapped: Mapped, placed: Sequence[RecordChanges]) -> bool:
        """Whether a row that is quarantined is among the changes."""
        if not len(self._run.quarantined):
            return False
        quarantined, names = self._run.quarantined.keys(), self._run.quarantined.names
        batches = (keys_before(mapped, placed), keys_after(mapped, placed))
        return any(not quarantined.isdisjoint(_keys(batch, names)) for batch in batches)

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

    def _parts(self, placed: list[RecordChanges]) -> None:
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

    def _single(self, part: RecordChanges) -> None:
        change = self._change(part)
        quarantined = self._run.quarantined
        names = quarantined.names
        earlier = quarantined.find(key_tuple(change.before, names)) if change.before else None
        place = quarantined.find(key_tuple(change.after, names)) if change.after else None
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

    def _change(self, part: RecordChanges) -> Change:
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

    def _nets(self, placed: Sequence[RecordChanges]) -> list[Net]:
        return nets(self._mapped, placed, is_exact(self._run))

    def _images(self, part: RecordChanges, operation: RowOperation) -> tuple[Image, Image, ExpressionError | None]:
        """The row's key before and what the target is to have of it afterwards; {}: no such row."""
        try:
            return *self._evaluated_images(part, operation), None
        except ExpressionFailed as error:
            found = unevaluated(self._mapped, row_after(self._mapped, part), error)
            is_new = operation is RowOperation.INSERT
            return {} if is_new else first_image(keys_before(self._mapped, [part])), found.after, found

    def _evaluated_images(self, part: RecordChanges, operation: RowOperation) -> tuple[Image, Image]:
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
