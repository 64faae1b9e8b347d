"""The channel's main lane: one reader, one target transaction for all tables that are members of it."""

from collections.abc import Mapping
from dataclasses import replace

from zcbus.bus.contract import Bus
from zcbus.connectors.roles import TargetSession
from zcbus.engine.subscribe.catch_up import CatchUp
from zcbus.engine.subscribe.lanes import MAIN, LaneWriter, MainLane, Phase, TableLane, put_down
from zcbus.engine.subscribe.replay import Replay
from zcbus.engine.subscribe.table import SyncRun
from zcbus.engine.subscribe.work import Wanted
from zcbus.model.schema import TableName


class MainLaneReplay(Replay):
    """Applies all members. Membership changes only at borders, each in a transaction of its own that names the offset
    from which on, or up to which, the main lane carries the table."""

    isolates = False

    def __init__(
        self, bus: Bus, topic: str, session: TargetSession, lanes: LaneWriter, place: MainLane, members: list[SyncRun]
    ) -> None:
        super().__init__(bus, topic, session, lanes, place.offset, place.record_time)
        self._members = {run.source: run for run in members}

    def wanted(self) -> Mapping[TableName, Wanted[SyncRun]]:
        return {
            name: Wanted(run, run.lane.offset, run.lane.since_position, self.place_of(run))
            for name, run in self._members.items()
            if run.lane is not None and run.phase is Phase.MEMBER
        }

    def write_place(self, pending: dict[SyncRun, TableLane]) -> None:
        offset, record_time = self.place
        self._lanes.write(MAIN, MainLane(offset, record_time))

    def members(self) -> list[SyncRun]:
        """The tables it carries."""
        return list(self._members.values())

    def join(self, run: SyncRun) -> None:
        """Take in a table that is apart, after applying what it lacks up to here. Only at a border.

        Raises TableFailed, Expired; then the table is apart as before.
        """
        assert run.lane is not None
        assert not self.inside
        if run.lane.offset < self.offset:
            self._close_gap(run)
        lane = replace(run.lane, phase=Phase.MEMBER, offset=max(run.lane.offset, self.offset))
        self._write_now(run, lane)
        self._members[run.source] = run

    def _close_gap(self, run: SyncRun) -> None:
        gap = CatchUp(self._bus, self._topic, self._session, self._lanes, run)
        try:
            while gap.offset < self.offset:
                gap.turn(0.0, self.offset - gap.offset)
            gap.store()
        finally:
            gap.close()

    def leave(self, run: SyncRun) -> None:
        """Let a table go its own way from here. Only at a border."""
        assert run.lane is not None
        assert not self.inside
        self._members.pop(run.source, None)
        if run.lane.phase is Phase.MEMBER:
            self._write_now(run, put_down(run.lane, MainLane(self.offset, self.record_time)))

    def go_to(self, place: MainLane) -> None:
        """Go on elsewhere; nothing may be open but lanes of tables that leave, which are committed with it."""
        self._lanes.write(MAIN, place)
        self._lanes.commit()
        self.offset, self.record_time = place.offset, place.record_time
        self.rewind()

    def forget(self, run: SyncRun) -> None:
        """A table that begins anew is not carried any more."""
        self._members.pop(run.source, None)

    def _write_now(self, run: SyncRun, lane: TableLane) -> None:
        self._lanes.write(run.task.id, lane)
        self._lanes.commit()
        run.lane = lane
