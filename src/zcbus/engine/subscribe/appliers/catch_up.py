"""One table's own way over the real topic until the main lane can take it in."""

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
    """Applies the changes of a single table that is apart; its place is kept in the table's own lane. Alone it holds
    nobody up, so it is here that changes which the target refuses are searched for."""

    isolates = True

    def __init__(self, bus: Bus, topic: str, session: TargetSession, lanes: CheckpointWriter, run: SyncRun) -> None:
        """Raises Expired where the changes it needs are not on the topic any more."""
        assert run.lane is not None
        verify(bus, topic, run.lane.offset, run.lane.record_time, run.source)
        super().__init__(bus, topic, session, lanes, run.lane.offset, run.lane.record_time)
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
        run, lane = self._run, self._run.lane
        assert lane is not None
        partly = lane.partly_behind(self.offset)
        return {run.source: Wanted(run, 0, lane.since_position, self.place_of(run), partly, lane.generation)}

    def write_place(self, pending: dict[SyncRun, TableCheckpoint]) -> None:
        offset, record_time = self.place
        lane = pending.get(self._run, self._run.lane)
        assert lane is not None
        pending[self._run] = replace(lane, offset=offset, record_time=record_time)
        if self._blocked and offset > self.offset:
            self._blocked = pass_blocking(self._session, self._lanes.subscription, self._run, offset)
