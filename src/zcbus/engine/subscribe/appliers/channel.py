"""The channel's applier, with one target transaction for all its tables, and the catch-up of a table apart."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace

from zcbus.bus.contract import Bus
from zcbus.connectors.roles import TargetSession
from zcbus.engine.subscribe.appliers.applier import StructureChanged
from zcbus.engine.subscribe.appliers.parallel import ParallelAppliers, Round, begin, may_divide
from zcbus.engine.subscribe.appliers.replay import ALONE, MOST_RECORDS, Replay, TableFailed
from zcbus.engine.subscribe.checkpoints.positions import Expired, verify
from zcbus.engine.subscribe.checkpoints.records import (
    MAIN,
    ChannelCheckpoint,
    CheckpointWriter,
    Phase,
    TableCheckpoint,
    put_down,
)
from zcbus.engine.subscribe.reader import Gaps, TableWork, Wanted
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


NEAR_RECORDS = 64
"""A table that is no further behind than this joins without a job of its own."""


class ChannelApplier(Replay):
    """Applies all members. Membership changes only at borders, with a checkpoint that is stored before and names the
    offset from which on, or up to which, the channel applier carries the table."""

    isolates = False

    def __init__(
        self,
        bus: Bus,
        topic: str,
        session: TargetSession,
        checkpoints: CheckpointWriter,
        place: ChannelCheckpoint,
        members: list[SyncRun],
        keys: ParallelAppliers | None = None,
    ) -> None:
        """`place`: as the target has it. `keys`: write large parts of the changes; None: nothing but this session."""
        super().__init__(bus, topic, session, checkpoints, place.offset, place.record_time)
        self._kept, self._keys = place, keys
        self._round: Round | None = None
        """What parallel appliers have written of what is not stored yet."""
        self._members = {run.source: run for run in members}
        self._gaps = Gaps(bus, topic)
        self._verified: tuple[int, int | None] | None = None
        """The place that was verified last in this turn: thousands of tables may join from the same."""

    def close(self) -> None:
        super().close()
        if self._keys is not None:
            self._keys.close()

    def wanted(self) -> Mapping[TableName, Wanted[SyncRun]]:
        return _Members(self._members, self.place_of)

    def turn(self, timeout: float, most_records: int = MOST_RECORDS) -> int:
        self._verified = None
        try:
            return super().turn(timeout, most_records)
        except TableFailed:
            self._put_round_down()
            raise

    def write_place(self, pending: dict[SyncRun, TableCheckpoint]) -> None:
        self._checkpoints.write(MAIN, ChannelCheckpoint(*self.place))

    def store(self) -> None:
        super().store()
        self._kept, self._round = ChannelCheckpoint(self.offset, self.record_time), None

    def divide(self, count: int) -> None:
        """From now on `count` parallel appliers write; only at a border."""
        assert not self.inside
        if self._keys is not None and self._keys.count != count:
            self.store()
            self._keys.become(count, self._kept)

    def write_beside(self, work: Mapping[SyncRun, TableWork]) -> Collection[SyncRun]:
        # Within a transaction that is written in parts, what this session has changed is locked.
        if self._keys is None or self._keys.count < 2 or self.inside or self._is_open:
            return ()
        todo = Round(self._keys.count, self._kept, self.place[0])
        for run, changes in work.items():
            if may_divide(run, changes, self.offset):
                self._divide(self._keys, run, changes, todo)
        if todo.runs:
            self._round = todo
            self._keys.carry_out(todo)
        return todo.runs

    def _divide(self, keys: ParallelAppliers, run: SyncRun, work: TableWork, todo: Round) -> None:
        try:
            effects = self._applier.effects(run, work)
            if effects is None or not keys.takes(run, effects.table):
                return
            parts = effects.divided(keys.count)
        except ALONE as error:
            raise TableFailed([run], error) from error
        if parts is not None:
            todo.add(run, parts)
        elif not effects.moves:
            keys.keep_together(run)

    def _put_round_down(self) -> None:
        """Let the tables remember what parallel appliers have written, because this checkpoint goes on before it."""
        todo, self._round = self._round, None
        if todo is None or self._keys is None or not todo.done:
            return
        checkpoints = todo.lanes_put_down()
        for run in sorted(checkpoints, key=lambda one: one.task.id):
            self._checkpoints.write(run.task.id, checkpoints[run])
        begin(self._checkpoints, self._kept, self._keys.count)
        self._checkpoints.commit()
        for run, checkpoint in checkpoints.items():
            run.checkpoint = checkpoint

    def _restructure(self, change: StructureChanged) -> None:
        try:
            super()._restructure(change)
        finally:
            self._forget_tables()

    def _forget_tables(self) -> None:
        if self._keys is not None:
            self._keys.forget_tables()

    def members(self) -> list[SyncRun]:
        """The tables it carries."""
        return list(self._members.values())

    def lane_of_joining(self, run: SyncRun) -> TableCheckpoint:
        """What a table that is apart is to remember before it is carried; what it lacks up to here is applied. Only at
        a border.

        Raises TableFailed, Expired, OffsetExpired; then the table is apart as before.
        """
        assert run.checkpoint is not None
        assert not self.inside
        if self._lacks_changes(run, run.checkpoint):
            self._close_gap(run)
        return replace(run.checkpoint, phase=Phase.MEMBER, offset=max(run.checkpoint.offset, self.offset))

    def _lacks_changes(self, run: SyncRun, checkpoint: TableCheckpoint) -> bool:
        behind = self.offset - checkpoint.offset
        if not 0 < behind <= NEAR_RECORDS:
            return behind > 0
        place = checkpoint.offset, checkpoint.record_time
        if place != self._verified:
            verify(self._bus, self._topic, *place, run.source)
            self._verified = place
        return run.source in self._gaps.tables(checkpoint.offset, self.offset)

    def _close_gap(self, run: SyncRun) -> None:
        gap = CatchUp(self._bus, self._topic, self._session, self._checkpoints, run)
        try:
            while gap.offset < self.offset:
                gap.turn(0.0, self.offset - gap.offset)
            gap.store()
        finally:
            gap.close()

    def lane_of_leaving(self, checkpoint: TableCheckpoint) -> TableCheckpoint:
        """What a member is to remember before it goes its own way from here. Only at a border."""
        assert not self.inside
        return put_down(checkpoint, ChannelCheckpoint(self.offset, self.record_time))

    def carry(self, run: SyncRun) -> None:
        """From now on a table's changes are applied; its checkpoint says so already."""
        self._members[run.source] = run
        self._forget_tables()

    def go_to(self, place: ChannelCheckpoint) -> None:
        """Go on elsewhere; nothing may be open but checkpoints of tables that leave, which are committed with it."""
        self._checkpoints.write(MAIN, place)
        self._checkpoints.commit()
        self._kept = place
        self.offset, self.record_time = place.offset, place.record_time
        self.rewind()

    def forget(self, run: SyncRun) -> None:
        """A table is not carried any more: its checkpoint says so already, or it begins anew."""
        self._members.pop(run.source, None)


class _Members(Mapping[TableName, Wanted[SyncRun]]):
    """Tables of the channel applier, each looked at when its changes come: there may be thousands, and a turn is
    short."""

    def __init__(self, runs: Mapping[TableName, SyncRun], place_of: Callable[[SyncRun], str]) -> None:
        self._runs, self._place_of = runs, place_of

    def __getitem__(self, name: TableName) -> Wanted[SyncRun]:
        run = self._runs[name]
        if run.checkpoint is None or run.phase is not Phase.MEMBER:
            raise KeyError(name)
        checkpoint, place = run.checkpoint, self._place_of(run)
        return Wanted(
            run, checkpoint.offset, checkpoint.since_position, place, checkpoint.partly, checkpoint.generation
        )

    def __iter__(self) -> Iterator[TableName]:
        return (name for name, run in self._runs.items() if run.phase is Phase.MEMBER)

    def __len__(self) -> int:
        return sum(1 for _ in self)
