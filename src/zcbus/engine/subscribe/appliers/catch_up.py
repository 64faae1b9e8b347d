"""One table's own way over the real topic until the channel applier can take it in."""

from collections.abc import Mapping
from dataclasses import replace

from zcbus.bus.contract import Bus
from zcbus.connectors.roles import TargetSession
from zcbus.engine.subscribe.appliers.replay import MOST_RECORDS, Replay, TableFailed
from zcbus.engine.subscribe.checkpoints.positions import Expired, verify
from zcbus.engine.subscribe.checkpoints.records import CheckpointWriter, TableCheckpoint
from zcbus.engine.subscribe.reader import Wanted
from zcbus.engine.subscribe.row_errors.store import pass_blocking
from zcbus.engine.subscribe.table import SyncRun
from zcbus.model.schema import TableName


class CatchUp(Replay):
    """Applies the changes of a single table that is apart; its place is kept in the table's own checkpoint. Alone it
    holds nobody up, so it is here that changes which the target refuses are searched for."""

    isolates = True

    def __init__(
        self, bus: Bus, topic: str, session: TargetSession, checkpoints: CheckpointWriter, run: SyncRun
    ) -> None:
        """Raises Expired where the changes it needs are not on the topic any more."""
        assert run.checkpoint is not None
        verify(bus, topic, run.checkpoint.offset, run.checkpoint.record_time, run.source)
        super().__init__(bus, topic, session, checkpoints, run.checkpoint.offset, run.checkpoint.record_time)
        self._run = run
        self._blocked = True
        """Whether the table may have stood still in front of a change until now."""

    def turn(self, timeout: float, most_records: int = MOST_RECORDS) -> int:
        """As Replay.turn; raises Expired where changes are missing behind what was applied."""
        try:
            return super().turn(timeout, most_records)
        except TableFailed as failure:
            if isinstance(failure.error, Expired):
                raise failure.error from failure
            raise

    def wanted(self) -> Mapping[TableName, Wanted[SyncRun]]:
        run, checkpoint = self._run, self._run.checkpoint
        assert checkpoint is not None
        partly = checkpoint.partly_behind(self.offset)
        return {
            run.source: Wanted(run, 0, checkpoint.since_position, self.place_of(run), partly, checkpoint.generation)
        }

    def write_place(self, pending: dict[SyncRun, TableCheckpoint]) -> None:
        offset, record_time = self.place
        checkpoint = pending.get(self._run, self._run.checkpoint)
        assert checkpoint is not None
        pending[self._run] = replace(checkpoint, offset=offset, record_time=record_time)
        if self._blocked and offset > self.offset:
            self._blocked = pass_blocking(self._session, self._checkpoints.subscription, self._run, offset)
