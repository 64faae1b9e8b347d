"""Repair of target rows from the source while apply runs; see docs/decisions/0022-comparison.md."""

from collections.abc import Sequence

import pyarrow as pa

from zcbus.connectors.roles import TargetSession
from zcbus.connectors.row_errors import RowErrorFilter
from zcbus.engine.comparison.recheck import find_differences
from zcbus.engine.comparison.rows import Key
from zcbus.engine.comparison.sides import Plan, SourceSide, TargetSide, key_rows
from zcbus.engine.comparison.watermark import applied_up_to
from zcbus.engine.reasons import TABLE_NOT_LOADED, TableStopped
from zcbus.engine.subscribe.checkpoints.records import Phase
from zcbus.engine.subscribe.row_errors.images import QuarantinedRows
from zcbus.kit.errors import TransientError
from zcbus.model.comparison import Difference, DifferenceKind

_AT_ONCE = 200
_ATTEMPTS = 10
LOADED = frozenset({Phase.APART, Phase.MEMBER, Phase.FINISHED})
"""Phases in which the target has the table's rows, and each writer of them writes a checkpoint."""


class Repair:
    """Repairs rows of one table. Each part is one transaction of the target that locks the subscription's checkpoints,
    so apply commits no change between the read in the source and the write in the target. Apply continues from its
    checkpoint: changes that the repaired row already contains are applied again, in order, and give the same row."""

    def __init__(
        self, plan: Plan, source: SourceSide, target: TargetSide, session: TargetSession, subscription: str, table: str
    ) -> None:
        self._plan, self._source, self._target = plan, source, target
        self._session, self._subscription, self._table = session, subscription, table

    def repair(self, keys: Sequence[Key]) -> int:
        """Returns how many rows were written or deleted. Quarantined rows stay as they are. Raises TableStopped,
        RowRefused, TransientError; parts committed before stay."""
        return sum(self._with_retries(keys[at : at + _AT_ONCE]) for at in range(0, len(keys), _AT_ONCE))

    def _with_retries(self, keys: Sequence[Key]) -> int:
        """Repair a part, again after a deadlock with apply."""
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                return self._repair_part(keys)
            except TransientError:
                self._session.rollback()
                if attempt == _ATTEMPTS:
                    raise
            except BaseException:
                self._session.rollback()
                raise
        raise AssertionError

    def _repair_part(self, keys: Sequence[Key]) -> int:
        checkpoints = {
            checkpoint.name: checkpoint.data for checkpoint in self._session.lock_checkpoints(self._subscription)
        }
        checkpoint, _ = applied_up_to(checkpoints, self._table)
        if checkpoint is None or checkpoint.phase not in LOADED:
            raise TableStopped(TABLE_NOT_LOADED, table=self._plan.target.name)
        quarantined = quarantined_keys(self._plan, self._session, self._subscription, self._table)
        writable = [key for key in keys if key not in quarantined]
        source = self._source.find(writable)
        differences = find_differences(self._plan, source, self._target.find(writable), writable)
        self._write(source.rows, [source.key(index) for index in range(len(source))], differences)
        self._session.commit()
        return len(differences)

    def _write(self, rows: pa.RecordBatch, keys: list[Key], differences: dict[Key, Difference]) -> None:
        table = self._plan.mapped.table
        extra = [key for key, one in differences.items() if one.kind is DifferenceKind.EXTRA]
        if extra:
            self._session.delete(table, key_rows(self._plan, extra))
        indexes = [index for index, key in enumerate(keys) if key in differences]
        if indexes:
            self._session.upsert(table, rows.take(pa.array(indexes, pa.int64())))


def quarantined_keys(plan: Plan, session: TargetSession, subscription: str, table: str) -> set[Key]:
    """Keys of a table's quarantined rows, read in the session's open transaction."""
    errors = session.row_errors.read(subscription, RowErrorFilter(tables=(table,)))
    quarantined = QuarantinedRows.of(errors, plan.source_key).keys()
    return {tuple(value or "" for value in key) for key in quarantined}
