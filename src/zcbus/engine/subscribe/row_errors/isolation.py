"""Isolation of rejected changes: each is stored and skipped, or it stops the table."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow as pa

from zcbus.connectors.errors import RowRefused
from zcbus.connectors.roles import TargetSession
from zcbus.connectors.row_errors import RowErrorFilter
from zcbus.engine.compaction import Net
from zcbus.engine.reasons import ExpressionFailed, NotAppended
from zcbus.engine.subscribe.appliers.effects import (
    apply_nets,
    filtered_rows,
    keys_after,
    keys_before,
    nets,
    row_after,
)
from zcbus.engine.subscribe.checkpoints.records import Amount
from zcbus.engine.subscribe.failures import RowBlocks
from zcbus.engine.subscribe.reader import LeftOut, RecordChanges, halves
from zcbus.engine.subscribe.row_errors.images import (
    ExpressionError,
    Image,
    Key,
    first_image,
    image_to_put,
    key_of,
    key_tuple,
    put,
    statement_of,
    without_value,
)
from zcbus.engine.subscribe.row_errors.single_change import Change, change_info, identifying_image, with_earlier
from zcbus.kit.clock import now_ms
from zcbus.model.batches import select
from zcbus.model.row_errors import Decision, RowError, RowErrorStatus, RowOperation

if TYPE_CHECKING:
    from zcbus.engine.subscribe.schema.mapping import Mapped
    from zcbus.engine.subscribe.table import Skips, SyncRun


class RejectedRows:
    """Rejected rows of one table, within a session's open transaction."""

    def __init__(
        self,
        session: TargetSession,
        subscription: str,
        run: "SyncRun",
        skips: "Skips",
        left_out: LeftOut,
        strict: bool,
    ) -> None:
        """`left_out`: counts them. `strict`: raise RowRefused instead of skipping."""
        self._session, self._subscription, self._run = session, subscription, run
        self._skips, self._left_out, self.strict = skips, left_out, strict

    def use_mapping(self, mapped: "Mapped") -> None:
        """Set the mapping of the following changes."""
        self._mapped, self._target = mapped, mapped.table

    def id_of(self, part: RecordChanges) -> str:
        """Id of the row error of a single change."""
        return self.name(part.offset, part.changes.order[0].as_py())

    def name(self, offset: object, order: int) -> str:
        """Id of the row error for a position in a record."""
        return f"{self._run.task.id}/{self._run.task.generation}/{offset}.{order}"

    def reject(self, change: Change, error: RowRefused, earlier: RowError | None = None) -> None:
        """Store, skip or block a rejected change. Raises RowRefused, RowBlocks."""
        if self.strict and not isinstance(error, NotAppended):
            raise error
        known = earlier or self._known(change.id)
        if known is not None and known.blocking:
            if known.wanted is Decision.SKIP:
                self._done(known, "skipped")
                self._left_out.refused += 1
                return
            if known.edited:
                refusal = self._try_edited(known, change)
                if refusal is None:
                    return
                change, error = replace(change, after=known.after), refusal
        found = self._row_error(change, error, known)
        if earlier is not None:
            self._quarantine(found)
        elif self._skips.take_dml():
            self._keep(replace(found, status=RowErrorStatus.PROCESSED, note="skip-count"))
        elif len(self._run.quarantined) < self._run.task.error_limit:
            self._quarantine(found)
        elif self.strict:
            raise error
        else:
            raise RowBlocks(replace(found, blocking=True), self._run.task.error_limit)
        self._left_out.refused += 1

    def _known(self, identifier: str) -> RowError | None:
        """The row error of an earlier attempt at the same change."""
        found = self._session.row_errors.read(self._subscription, RowErrorFilter(ids=(identifier,)))
        return found[0] if found else None

    def _try_edited(self, known: RowError, change: Change) -> RowRefused | None:
        """Apply an operator's edit of a blocking change; returns the refusal, None: applied."""
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
        failed = change.expression_error.lacks if change.expression_error is not None else ()
        lacks = dict.fromkeys((*failed, *(known.lacks if known else ())))
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

    def _quarantine(self, error: RowError) -> None:
        self._keep(error)
        self._run.quarantined.put(error)

    def _keep(self, error: RowError) -> None:
        self._session.row_errors.keep(self._subscription, [replace(error, changed_ms=now_ms())])

    def overtaken(self, error: RowError) -> None:
        """Close the error of a row that a later change completed."""
        self._keep(replace(error, status=RowErrorStatus.SUCCESS, wanted=None, note="overtaken"))
        self._run.quarantined.drop(error)

    def vacate_key(self, error: RowError) -> None:
        """Update a quarantined row whose old key another row now has."""
        if error.operation is RowOperation.DELETE:
            self.overtaken(error)
        else:
            self._quarantine(replace(error, before={}, operation=RowOperation.INSERT))


class Isolation:
    """Applies changes of one table within the open transaction of a session, isolating rejected ones.

    Rows that the target lacks because of an earlier rejection are `quarantined`: a later change of such a row is
    applied alone, together with the changes of the rejected one, so that the row ends as in the source.
    """

    def __init__(
        self,
        session: TargetSession,
        subscription: str,
        run: "SyncRun",
        skips: "Skips",
        left_out: LeftOut,
        strict: bool,
    ) -> None:
        """`left_out`: counts what is not applied. `strict`: raise RowRefused instead of skipping."""
        self._session, self._run, self._left_out = session, run, left_out
        self.rejected = RejectedRows(session, subscription, run, skips, left_out, strict)
        if run.checkpoint is not None:
            run.quarantined.by(run.checkpoint.key)

    def apply(self, mapped: "Mapped", records: Sequence[RecordChanges]) -> None:
        """Apply changes of one schema, in log order."""
        self._work_on(mapped)
        self._parts(list(records))

    def _work_on(self, mapped: "Mapped") -> None:
        self._mapped, self._target = mapped, mapped.table
        self.rejected.use_mapping(mapped)

    def touches(self, mapped: "Mapped", records: Sequence[RecordChanges]) -> bool:
        """Whether the changes concern a quarantined row."""
        if not len(self._run.quarantined):
            return False
        quarantined, names = self._run.quarantined.keys(), self._run.quarantined.names
        batches = (keys_before(mapped, records), keys_after(mapped, records))
        return any(not quarantined.isdisjoint(_keys(batch, names)) for batch in batches)

    def load(
        self, mapped: "Mapped", rows: pa.RecordBatch, offset: int, load: Callable[[pa.RecordBatch], None]
    ) -> Amount:
        """Load source rows of a full load; returns the loaded amount. `load` writes mapped rows, and raises
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
                self._refuse_loaded(rows, self.rejected.name(f"full-{offset}", first), error)
                return Amount(0, 0)
            middle = rows.num_rows // 2
            left = self._load(rows.slice(0, middle), offset, first, load)
            right = self._load(rows.slice(middle), offset, first + middle, load)
            return Amount(left.rows + right.rows, left.nbytes + right.nbytes)
        return Amount(shaped.num_rows, shaped.nbytes)

    def _refuse_loaded(self, row: pa.RecordBatch, name: str, error: RowRefused) -> None:
        found = None
        if isinstance(error, ExpressionFailed):
            found = without_value(self._mapped, select(row, self._mapped.inputs), error)
            error = found.error
        after = found.after if found is not None else first_image(self._mapped.rows(row))
        self.rejected.reject(Change(name, RowOperation.LOAD, {}, after, "", None, found), error)

    def _parts(self, records: list[RecordChanges]) -> None:
        count = sum(part.count for part in records)
        if count == 1:
            self._single(records[0])
            return
        if not self.touches(self._mapped, records):
            try:
                found = self._nets(records)
                with self._session.savepoint():
                    apply_nets(self._session, self._target, found)
                self._left_out.filtered += filtered_rows(found)
                return
            except RowRefused:
                if self.rejected.strict:
                    raise
        left, right = halves(records, count // 2)
        self._parts(left)
        self._parts(right)

    def _single(self, part: RecordChanges) -> None:
        change = self._change(part)
        quarantined = self._run.quarantined
        names = quarantined.names
        earlier = quarantined.find(key_tuple(change.before, names)) if change.before else None
        occupant = quarantined.find(key_tuple(change.after, names)) if change.after else None
        merged = with_earlier(change, earlier)
        try:
            self._check_values(merged, earlier)
            with self._session.savepoint():
                if occupant is not None and occupant is not earlier and occupant.operation is RowOperation.DELETE:
                    put(self._session, self._target, occupant.before, {})
                put(self._session, self._target, merged.before, merged.after)
        except RowRefused as error:
            self.rejected.reject(merged, error, earlier)
            return
        if not merged.after and merged.operation is not RowOperation.DELETE:
            self._left_out.filtered += 1
        if earlier is not None:
            self.rejected.overtaken(earlier)
        if occupant is not None and occupant is not earlier:
            self.rejected.vacate_key(occupant)

    def _change(self, part: RecordChanges) -> Change:
        info = change_info(part)
        before, after, failed = self._images(part, info.operation)
        return Change(self.rejected.id_of(part), info.operation, before, after, info.position, info.commit_ms, failed)

    def _check_values(self, change: Change, earlier: RowError | None) -> None:
        """Raise ExpressionFailed if the row still lacks a computed value."""
        if change.expression_error is not None:
            raise change.expression_error.error
        if earlier is not None and change.after and not change.after.keys() >= set(earlier.lacks):
            raise ExpressionFailed(table=self._run.source, detail=earlier.detail)

    def _nets(self, records: Sequence[RecordChanges]) -> list[Net]:
        return nets(self._mapped, records, self._run.equals_source)

    def _images(self, part: RecordChanges, operation: RowOperation) -> tuple[Image, Image, ExpressionError | None]:
        """The row's key before and its image afterwards in the target; {}: no row."""
        try:
            return *self._evaluated_images(part, operation), None
        except ExpressionFailed as error:
            found = without_value(self._mapped, row_after(self._mapped, part), error)
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
