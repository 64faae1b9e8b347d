"""One table's own way over the real topic until the main lane can take it in."""

from collections.abc import Mapping
from dataclasses import replace

from zcbus.bus.contract import Bus
from zcbus.connectors.roles import TargetSession
from zcbus.engine.subscribe.lanes import LaneWriter, TableLane
from zcbus.engine.subscribe.places import verify
from zcbus.engine.subscribe.replay import Replay
from zcbus.engine.subscribe.table import SyncRun
from zcbus.engine.subscribe.work import Wanted
from zcbus.model.schema import TableName


class CatchUp(Replay):
    """Applies the changes of a single table that is apart; its place is kept in the table's own lane."""

    def __init__(self, bus: Bus, topic: str, session: TargetSession, lanes: LaneWriter, run: SyncRun) -> None:
        """Raises Expired where the changes it needs are not on the topic any more."""
        assert run.lane is not None
        verify(bus, topic, run.lane.offset, run.lane.record_time, run.source)
        super().__init__(bus, topic, session, lanes, run.lane.offset, run.lane.record_time)
        self._run = run

    def wanted(self) -> Mapping[TableName, Wanted]:
        assert self._run.lane is not None
        return {self._run.source: Wanted(self._run, 0, self._run.lane.since_position)}

    def write_place(self, pending: dict[SyncRun, TableLane]) -> None:
        offset, record_time = self.place
        lane = pending.get(self._run, self._run.lane)
        assert lane is not None
        pending[self._run] = replace(lane, offset=offset, record_time=record_time)
