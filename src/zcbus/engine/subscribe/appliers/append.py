"""Applying the changes of a table without a key: rows are added; what needs to find a row becomes a row error."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from zcbus.connectors.errors import RowRefused
from zcbus.connectors.roles import TargetSession
from zcbus.engine.batches import select
from zcbus.engine.reasons import ExpressionFailed, NotAppended
from zcbus.engine.subscribe.appliers.effects import rows_added
from zcbus.engine.subscribe.reader import PlacedChanges, halves
from zcbus.engine.subscribe.row_errors.expression_errors import ExpressionError, unevaluated
from zcbus.engine.subscribe.row_errors.images import Image, first_image
from zcbus.engine.subscribe.row_errors.rejected_rows import RejectedRows
from zcbus.engine.subscribe.row_errors.single_change import Change, place_of
from zcbus.engine.subscribe.schema.mapping import Mapped
from zcbus.model.changes import Operation


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
