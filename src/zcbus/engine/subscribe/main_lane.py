"""The channel's main lane: one reader, one target transaction for all tables that are members of it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from zcbus.bus.contract import Bus
from zcbus.connectors.roles import TargetSession
from zcbus.engine.subscribe.catch_up import CatchUp
from zcbus.engine.subscribe.gaps import Gaps
from zcbus.engine.subscribe.lanes import MAIN, LaneWriter, MainLane, Phase, TableLane, put_down
from zcbus.engine.subscribe.places import verify
from zcbus.engine.subscribe.replay import Replay
from zcbus.engine.subscribe.table import SyncRun
from zcbus.engine.subscribe.work import Wanted
from zcbus.model.schema import TableName

NEAR_RECORDS = 64
"""A table that is no further behind than this joins without a job of its own."""


class MainLaneReplay(Replay):
    """Applies all members. Membership changes only at borders, with a lane that is stored before and names the offset
    from which on, or up to which, the main lane carries the table."""

    isolates = False

    def __init__(
        self, bus: Bus, topic: str, session: TargetSession, lanes: LaneWriter, place: MainLane, members: list[SyncRun]
    ) -> None:
        super().__init__(bus, topic, session, lanes, place.offset, place.record_time)
        self._members = {run.source: run for run in members}
        self._gaps = Gaps(bus, topic)

    def wanted(self) -> Mapping[TableName, Wanted[SyncRun]]:
        return _Members(self._members, self.place_of)

    def write_place(self, pending: dict[SyncRun, TableLane]) -> None:
        offset, record_time = self.place
        self._lanes.write(MAIN, MainLane(offset, record_time))

    def members(self) -> list[SyncRun]:
        """The tables it carries."""
        return list(self._members.values())

    def lane_of_joining(self, run: SyncRun) -> TableLane:
        """What a table that is apart is to remember before it is carried; what it lacks up to here is applied. Only at
        a border.

        Raises TableFailed, Expired, OffsetExpired; then the table is apart as before.
        """
        assert run.lane is not None
        assert not self.inside
        if self._lacks_changes(run, run.lane):
            self._close_gap(run)
        return replace(run.lane, phase=Phase.MEMBER, offset=max(run.lane.offset, self.offset))

    def _lacks_changes(self, run: SyncRun, lane: TableLane) -> bool:
        behind = self.offset - lane.offset
        if not 0 < behind <= NEAR_RECORDS:
            return behind > 0
        verify(self._bus, self._topic, lane.offset, lane.record_time, run.source)
        return run.source in self._gaps.tables(lane.offset, self.offset)

    def _close_gap(self, run: SyncRun) -> None:
        gap = CatchUp(self._bus, self._topic, self._session, self._lanes, run)
        try:
            while gap.offset < self.offset:
                gap.turn(0.0, self.offset - gap.offset)
            gap.store()
        finally:
            gap.close()

    def lane_of_leaving(self, lane: TableLane) -> TableLane:
        """What a member is to remember before it goes its own way from here. Only at a border."""
        assert not self.inside
        return put_down(lane, MainLane(self.offset, self.record_time))

    def carry(self, run: SyncRun) -> None:
        """From now on a table's changes are applied; its lane says so already."""
        self._members[run.source] = run

    def go_to(self, place: MainLane) -> None:
        """Go on elsewhere; nothing may be open but lanes of tables that leave, which are committed with it."""
        self._lanes.write(MAIN, place)
        self._lanes.commit()
        self.offset, self.record_time = place.offset, place.record_time
        self.rewind()

    def forget(self, run: SyncRun) -> None:
        """A table is not carried any more: its lane says so already, or it begins anew."""
        self._members.pop(run.source, None)


class _Members(Mapping[TableName, Wanted[SyncRun]]):
    """Tables of the main lane, each looked at when its changes come: there may be thousands, and a turn is short."""

    def __init__(self, runs: Mapping[TableName, SyncRun], place_of: Callable[[SyncRun], str]) -> None:
        self._runs, self._place_of = runs, place_of

    def __getitem__(self, name: TableName) -> Wanted[SyncRun]:
        run = self._runs[name]
        if run.lane is None or run.phase is not Phase.MEMBER:
            raise KeyError(name)
        return Wanted(run, run.lane.offset, run.lane.since_position, self._place_of(run))

    def __iter__(self) -> Iterator[TableName]:
        return (name for name, run in self._runs.items() if run.phase is Phase.MEMBER)

    def __len__(self) -> int:
        return sum(1 for _ in self)
