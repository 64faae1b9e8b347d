"""Making rows of the target what they are in the source, beside the running apply; see docs/decisions."""

from collections.abc import Sequence

import pyarrow as pa

from zcbus.connectors.roles import TargetSession
from zcbus.connectors.row_errors import RowErrorFilter
from zcbus.engine.comparison.merge import Key
from zcbus.engine.comparison.recheck import confront
from zcbus.engine.comparison.sides import Plan, SourceSide, TargetSide, key_rows
from zcbus.engine.comparison.watermark import place_of
from zcbus.engine.reasons import TABLE_NOT_LOADED, TableStopped
from zcbus.engine.subscribe.checkpoints.records import Phase
from zcbus.engine.subscribe.row_errors.images import QuarantinedRows
from zcbus.kit.errors import TransientError
from zcbus.model.comparison import Difference, DifferenceKind

_AT_ONCE = 200
_ATTEMPTS = 10
LOADED = frozenset({Phase.APART, Phase.MEMBER, Phase.FINISHED})
"""Where the target has the table's rows, and whoever writes them writes a checkpoint."""


class Repair:
    """Repairs rows of one table. Each part is a transaction of the target that holds the subscription's checkpoints, so
    that no change can be committed between reading a row in the source and writing it. Changes that the apply makes
    later are all newer than what it had then: those that the repaired row has already are made again, in their order,
    and end in the same row."""

    def __init__(
        self, plan: Plan, source: SourceSide, target: TargetSide, session: TargetSession, subscription: str, table: str
    ) -> None:
        self._plan, self._source, self._target = plan, source, target
        self._session, self._subscription, self._table = session, subscription, table

    def repair(self, keys: Sequence[Key]) -> int:
        """Returns how many rows were written or deleted. Rows that are among the table's row errors stay as they are.
        Raises TableStopped, RowRefused, TransientError; what was repaired until then stays."""
        return sum(self._patiently(keys[at : at + _AT_ONCE]) for at in range(0, len(keys), _AT_ONCE))

    def _patiently(self, keys: Sequence[Key]) -> int:
        """The apply may stand in the way with locks on both sides of ours; then one of the two gives in."""
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                return self._part(keys)
            except TransientError:
                self._session.rollback()
                if attempt == _ATTEMPTS:
                    raise
            except BaseException:
                self._session.rollback()
                raise
        raise AssertionError

    def _part(self, keys: Sequence[Key]) -> int:
        checkpoints = {
            checkpoint.name: checkpoint.data for checkpoint in self._session.lock_checkpoints(self._subscription)
        }
        checkpoint, _ = place_of(checkpoints, self._table)
        if checkpoint is None or checkpoint.phase not in LOADED:
            raise TableStopped(TABLE_NOT_LOADED, table=self._plan.target.name)
        held = held_keys(self._plan, self._session, self._subscription, self._table)
        wanted = [key for key in keys if key not in held]
        source = self._source.find(wanted)
        differences = confront(self._plan, source, self._target.find(wanted), wanted)
        self._write(source.rows, [source.key(place) for place in range(len(source))], differences)
        self._session.commit()
        return len(differences)

    def _write(self, rows: pa.RecordBatch, keys: list[Key], differences: dict[Key, Difference]) -> None:
        table = self._plan.mapped.table
        extra = [key for key, one in differences.items() if one.kind is DifferenceKind.EXTRA]
        if extra:
            self._session.delete(table, key_rows(self._plan, extra))
        places = [place for place, key in enumerate(keys) if key in differences]
        if places:
            self._session.upsert(table, rows.take(pa.array(places, pa.int64())))


def held_keys(plan: Plan, session: TargetSession, subscription: str, table: str) -> set[Key]:
    """Keys of a table's rows that wait for somebody's decision. Read in the session's open transaction."""
    errors = session.row_errors.read(subscription, RowErrorFilter(tables=(table,)))
    held = QuarantinedRows.of(errors, plan.source_key).keys()
    return {tuple(value or "" for value in key) for key in held}
