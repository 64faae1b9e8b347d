"""The channel applier, with one target transaction for all its tables, and the catch-up of one table."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace

from zcbus.bus.contract import Bus
from zcbus.connectors.roles import TargetSession
from zcbus.engine.subscribe.appliers.applier import StructureChanged
from zcbus.engine.subscribe.appliers.parallel import ParallelAppliers, Round, begin, may_divide
from zcbus.engine.subscribe.appliers.replay import MAX_RECORDS, Replay
from zcbus.engine.subscribe.checkpoints.positions import verify
from zcbus.engine.subscribe.checkpoints.records import (
    MAIN,
    ChannelCheckpoint,
    CheckpointWriter,
    Phase,
    TableCheckpoint,
    checkpoint_apart,
    counting,
)
from zcbus.engine.subscribe.failures import SINGLE_TABLE_ERRORS, Expired, TableFailed
from zcbus.engine.subscribe.reader import AppliedTable, Gaps, TableWork
from zcbus.engine.subscribe.row_errors.store import pass_blocking
from zcbus.engine.subscribe.table import SyncRun
from zcbus.model.schema import TableName


class CatchUp(Replay):
    """Applies the changes of a single table, with a position in the table's own checkpoint.

    It blocks no other table, so rejected changes are isolated here.
    """

    isolates = True

    def __init__(
        self, bus: Bus, topic: str, session: TargetSession, checkpoints: CheckpointWriter, run: SyncRun
    ) -> None:
        """Open the topic. Raises Expired if needed changes are no longer on it."""
        assert run.checkpoint is not None
        verify(bus, topic, run.checkpoint.offset, run.checkpoint.record_time, run.source)
        super().__init__(
            bus, topic, session, checkpoints, run.checkpoint.offset, run.checkpoint.record_time, run.task.id
        )
        run.checkpoint = counting(run.checkpoint, run.checkpoint.offset)
        self._run = run
        self._blocked = True
        """Whether the table may be stopped at a change."""

    def turn(self, timeout: float, most_records: int = MAX_RECORDS) -> int:
        """As Replay.turn; also raises Expired at a gap."""
        try:
            return super().turn(timeout, most_records)
        except TableFailed as failure:
            if isinstance(failure.error, Expired):
                raise failure.error from failure
            raise

    def tables_to_apply(self) -> Mapping[TableName, AppliedTable[SyncRun]]:
        run, checkpoint = self._run, self._run.checkpoint
        assert checkpoint is not None
        partly = checkpoint.partly_behind(self.offset)
        return {
            run.source: AppliedTable(
                run, 0, checkpoint.since_position, self.address_of(run), partly, checkpoint.generation
            )
        }

    def write_position(self, pending: dict[SyncRun, TableCheckpoint]) -> None:
        offset, record_time = self.next_position
        checkpoint = pending.get(self._run, self._run.checkpoint)
        assert checkpoint is not None
        pending[self._run] = replace(checkpoint, offset=offset, record_time=record_time)
        if self._blocked and offset > self.offset:
            self._blocked = pass_blocking(self._session, self._checkpoints.subscription, self._run, offset)


_NEAR_RECORDS = 64
"""A table that is at most so far behind joins without a job of its own."""


class ChannelApplier(Replay):
    """Applies the changes of all members.

    Membership changes only at boundaries, with a previously stored checkpoint that contains the offset from which, or
    up to which, the channel applier applies the table.
    """

    isolates = False

    def __init__(
        self,
        bus: Bus,
        topic: str,
        session: TargetSession,
        checkpoints: CheckpointWriter,
        boundary: ChannelCheckpoint,
        members: list[SyncRun],
        keys: ParallelAppliers | None = None,
    ) -> None:
        """`boundary`: the stored checkpoint. `keys`: parallel appliers; None: only this session."""
        super().__init__(bus, topic, session, checkpoints, boundary.offset, boundary.record_time)
        self._committed, self._keys = boundary, keys
        self._round: Round | None = None
        """The round of the parallel appliers that is not stored yet."""
        self._members = {run.source: run for run in members}
        for run in members:
            if run.checkpoint is not None:
                run.checkpoint = counting(run.checkpoint, max(run.checkpoint.offset, boundary.offset))
        self._gaps = Gaps(bus, topic)
        self._verified: tuple[int, int | None] | None = None
        """The position verified last in this turn: thousands of tables may join from the same."""

    def close(self) -> None:
        super().close()
        if self._keys is not None:
            self._keys.close()

    def tables_to_apply(self) -> Mapping[TableName, AppliedTable[SyncRun]]:
        return _Members(self._members, self.address_of)

    def turn(self, timeout: float, most_records: int = MAX_RECORDS) -> int:
        self._verified = None
        try:
            return super().turn(timeout, most_records)
        except TableFailed:
            self._record_partial_round()
            raise

    def write_position(self, pending: dict[SyncRun, TableCheckpoint]) -> None:
        self._checkpoints.write(MAIN, ChannelCheckpoint(*self.next_position))

    def store(self) -> None:
        super().store()
        self._committed, self._round = ChannelCheckpoint(self.offset, self.record_time), None

    def divide(self, count: int) -> None:
        """Set the number of parallel appliers; only at a boundary."""
        assert not self.in_transaction
        if self._keys is not None and self._keys.count != count:
            self.store()
            self._keys.resize(count, self._committed)

    def write_in_parallel(self, work: Mapping[SyncRun, TableWork]) -> Collection[SyncRun]:
        # The changes of this session in an open transaction are locked for other sessions.
        if self._keys is None or self._keys.count < 2 or self.in_transaction or self._is_open:
            return ()
        parallel_round = Round(self._keys.count, self._committed, self.next_position[0])
        for run, changes in work.items():
            if may_divide(run, changes, self.offset):
                self._divide(self._keys, run, changes, parallel_round)
        if parallel_round.runs:
            self._round = parallel_round
            self._keys.execute(parallel_round)
        return parallel_round.runs

    def _divide(self, keys: ParallelAppliers, run: SyncRun, work: TableWork, parallel_round: Round) -> None:
        try:
            effects = self._applier.effects(run, work)
            if effects is None or not keys.supports(run, effects.table):
                return
            parts = effects.divided(keys.count)
        except SINGLE_TABLE_ERRORS as error:
            raise TableFailed([run], error) from error
        if parts is not None:
            parallel_round.add(run, parts)
            work.left_out.filtered += effects.filtered
        elif not effects.moves:
            keys.keep_together(run)

    def _record_partial_round(self) -> None:
        """Record in the tables' checkpoints what parallel appliers have written, before a retry."""
        parallel_round, self._round = self._round, None
        if parallel_round is None or self._keys is None or not parallel_round.done:
            return
        checkpoints = parallel_round.partial_checkpoints()
        for run in sorted(checkpoints, key=lambda one: one.task.id):
            self._checkpoints.write(run.task.id, checkpoints[run])
        begin(self._checkpoints, self._committed, self._keys.count)
        self._checkpoints.commit()
        for run, checkpoint in checkpoints.items():
            run.checkpoint = checkpoint

    def _change_schema(self, change: StructureChanged) -> None:
        try:
            super()._change_schema(change)
        finally:
            self._forget_tables()

    def _forget_tables(self) -> None:
        if self._keys is not None:
            self._keys.forget_tables()

    def members(self) -> list[SyncRun]:
        """The member tables."""
        return list(self._members.values())

    def checkpoint_for_joining(self, run: SyncRun) -> TableCheckpoint:
        """The checkpoint of a table that joins, after its missing changes are applied. Only at a boundary.

        Raises TableFailed, Expired, OffsetExpired; then the table stays apart.
        """
        assert run.checkpoint is not None
        assert not self.in_transaction
        if self._lacks_changes(run, run.checkpoint):
            self._close_gap(run)
        joining = counting(run.checkpoint, run.checkpoint.offset)
        return replace(joining, phase=Phase.MEMBER, offset=max(run.checkpoint.offset, self.offset))

    def is_near(self, checkpoint: TableCheckpoint) -> bool:
        """Whether so few changes are missing that the table can join without a job."""
        return self.offset - checkpoint.offset <= _NEAR_RECORDS

    def _lacks_changes(self, run: SyncRun, checkpoint: TableCheckpoint) -> bool:
        behind = self.offset - checkpoint.offset
        if not 0 < behind <= _NEAR_RECORDS:
            return behind > 0
        boundary = checkpoint.offset, checkpoint.record_time
        if boundary != self._verified:
            verify(self._bus, self._topic, *boundary, run.source)
            self._verified = boundary
        return run.source in self._gaps.tables(checkpoint.offset, self.offset)

    def _close_gap(self, run: SyncRun) -> None:
        gap = CatchUp(self._bus, self._topic, self._session, self._checkpoints, run)
        try:
            while gap.offset < self.offset:
                gap.turn(0.0, self.offset - gap.offset)
            gap.store()
        finally:
            gap.close()

    def checkpoint_for_leaving(self, run: SyncRun, checkpoint: TableCheckpoint) -> TableCheckpoint:
        """The checkpoint of a member that leaves here. Only at a boundary."""
        assert not self.in_transaction
        checkpoint = replace(checkpoint, counts=self._counts.take(run, checkpoint.counts))
        return checkpoint_apart(checkpoint, ChannelCheckpoint(self.offset, self.record_time))

    def carry(self, run: SyncRun) -> None:
        """Add a table whose checkpoint is already stored."""
        self._members[run.source] = run
        self._forget_tables()

    def move_to(self, boundary: ChannelCheckpoint) -> None:
        """Continue at another position; only checkpoints of leaving tables may be open.

        They are committed with it.
        """
        self._checkpoints.write(MAIN, boundary)
        self._checkpoints.commit()
        self._committed = boundary
        self.offset, self.record_time = boundary.offset, boundary.record_time
        self.rewind()

    def forget(self, run: SyncRun) -> None:
        """Remove a table whose checkpoint is already stored, or that starts again."""
        self._members.pop(run.source, None)
        self._counts.stored([run])


class _Members(Mapping[TableName, AppliedTable[SyncRun]]):
    """Tables of the channel applier, created on access: there may be thousands, and a turn is short."""

    def __init__(self, runs: Mapping[TableName, SyncRun], address_of: Callable[[SyncRun], str]) -> None:
        self._runs, self._address_of = runs, address_of

    def __getitem__(self, name: TableName) -> AppliedTable[SyncRun]:
        run = self._runs[name]
        if run.checkpoint is None or run.phase is not Phase.MEMBER:
            raise KeyError(name)
        checkpoint, address = run.checkpoint, self._address_of(run)
        return AppliedTable(
            run, checkpoint.offset, checkpoint.since_position, address, checkpoint.partly, checkpoint.generation
        )

    def __iter__(self) -> Iterator[TableName]:
        return (name for name, run in self._runs.items() if run.phase is Phase.MEMBER)

    def __len__(self) -> int:
        return sum(1 for _ in self)
