"""One comparison of one table, from reading both sides to what differs, and its repair."""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

from zcbus.bus.contract import Bus
from zcbus.connectors.reading import TableReader
from zcbus.connectors.roles import TargetSession
from zcbus.engine.comparison.count import Counting
from zcbus.engine.comparison.ends import Ends, source_of
from zcbus.engine.comparison.merge import Findings, Key
from zcbus.engine.comparison.recheck import Recheck, Rechecked
from zcbus.engine.comparison.record import Record
from zcbus.engine.comparison.repair import LOADED, Repair
from zcbus.engine.comparison.sides import Plan, SourceSide, TargetSide
from zcbus.engine.comparison.walk import Walk
from zcbus.engine.comparison.watermark import Watermark
from zcbus.engine.connections import Connectors
from zcbus.engine.reasons import LINK_BEHIND, TABLE_NOT_LOADED, TableStopped
from zcbus.engine.subscribe.sessions import SessionFactory
from zcbus.kit.clock import Clock
from zcbus.model.comparison import ComparisonState, RepairState
from zcbus.model.position import Position
from zcbus.model.schema import TableName
from zcbus.protocol.base import Reason
from zcbus.protocol.tasks import ContrastTask, WantedComparison

_PATIENCE_SECONDS = 60.0


@dataclass(slots=True)
class _Sides:
    plan: Plan
    source: SourceSide
    target: TargetSide
    """For rows in the order of the key; the next two look up single rows."""
    source_rows: SourceSide
    target_rows: TargetSide
    session: TargetSession
    caught_up: Watermark
    rows_total: int | None
    """By the source's statistics."""


class TableComparison:
    """Compares and repairs one table. `keep` gets the record whenever it says something new."""

    def __init__(
        self,
        task: ContrastTask,
        wanted: WantedComparison,
        bus: Bus,
        connectors: Connectors,
        clock: Clock,
        cancelled: threading.Event,
        keep: Callable[[Record], None],
        patience_s: float = _PATIENCE_SECONDS,
    ) -> None:
        self._task, self._wanted, self._bus, self._connectors = task, wanted, bus, connectors
        self._clock, self._cancelled, self._keep, self._patience = clock, cancelled, keep, patience_s
        self._readers: list[TableReader] = []

    def compare(self) -> Record:
        """Raises TableStopped, TransientError, Cancelled."""
        record = Record(self._wanted.number, ComparisonState.COMPARING, started_at=self._clock.now())
        self._keep(record)
        with self._sides(self._wanted.columns) as sides:
            if self._wanted.method == "count":
                return self._count(sides, record)
            record = replace(record, rows_total=sides.rows_total, key_names=sides.plan.source_key)
            keys, record = self._walk(sides, record)
            record = replace(record, state=ComparisonState.SETTLING)
            self._keep(record)
            settled = self._settling(sides).settle(keys)
        record = _settled(record, settled, self._source)
        return replace(record, state=ComparisonState.DONE, finished_at=self._clock.now())

    def repair(self, record: Record) -> Record:
        """The record of a comparison that is done, after what it found was repaired and looked at again."""
        record = replace(record, repair_state=RepairState.REPAIRING, repair_reason=None)
        self._keep(record)
        # Rows are written whole, whatever columns were compared.
        with self._sides(()) as sides:
            repair = Repair(
                sides.plan,
                sides.source_rows,
                sides.target_rows,
                sides.session,
                self._wanted.subscription,
                self._wanted.table.id,
            )
            repaired = repair.repair(record.keys)
            settled = self._settling(sides).settle(record.keys)
        record = replace(record, repair=self._wanted.repair, repaired=repaired).with_differences(settled.differences)
        return replace(record, repair_state=RepairState.ERROR if settled.differences else RepairState.DONE)

    def interrupt(self) -> None:
        """For one that is cancelled and waits for a server, which may be busy for long (a sort, a lock): what it waits
        for ends, and it raises a TransientError where not Cancelled. From any thread."""
        for reader in list(self._readers):
            reader.interrupt()

    def _count(self, sides: _Sides, record: Record) -> Record:
        """The record of a comparison of the numbers of rows."""
        source, target, log = sides.source_rows, sides.target_rows, sides.caught_up
        counted = Counting(sides.plan, source, target, log, self._wanted.rounds, self._cancelled).count()
        lacking = 0 if counted.changing else counted.source - counted.target
        record = replace(
            record,
            rows_total=counted.source,
            rows_compared=counted.source,
            missing=max(lacking, 0),
            extra=max(-lacking, 0),
            unsettled=abs(counted.source - counted.target) if counted.changing else 0,
        )
        record = _subject_to(record, counted.caught_up, self._source)
        return replace(record, state=ComparisonState.DONE, finished_at=self._clock.now())

    def _walk(self, sides: _Sides, record: Record) -> tuple[list[Key], Record]:
        """Keys of rows that are not the same as they were read, as many as are looked at again."""

        def told(findings: Findings) -> None:
            self._keep(_counted(record, findings))

        strict = self._wanted.method == "strict"
        walk = Walk(sides.plan, sides.source, sides.target, self._cancelled, told, strict=strict)
        walk.run()
        record = _counted(record, walk.findings)
        return walk.keys, replace(record, not_checked=walk.findings.total - len(walk.keys))

    def _settling(self, sides: _Sides) -> Recheck:
        return Recheck(sides.plan, sides.source_rows, sides.target_rows, sides.caught_up, self._wanted.rounds)

    @property
    def _source(self) -> TableName:
        return source_of(self._wanted.table)

    @contextmanager
    def _sides(self, columns: tuple[str, ...]) -> Iterator[_Sides]:
        """Both sides over connections of their own. `columns`: as in WantedComparison."""
        task, wanted = self._task, self._wanted
        ends = Ends.of(self._connectors, task.source, task.target, task.mask_key.get_secret_value())
        with ExitStack() as open_:
            owner = f"{wanted.subscription}/{wanted.table.id}/contrast"
            session = open_.enter_context(SessionFactory(ends.target(), owner).first())
            caught_up = self._caught_up(session, ends.source(self._bus, task.node).log_end)
            checkpoint, _ = caught_up.checkpoint()
            if checkpoint is None or checkpoint.phase not in LOADED:
                raise TableStopped(TABLE_NOT_LOADED, table=self._source)
            planned = ends.plan(wanted.table, checkpoint, wanted.method, columns)
            ours = [self._reader(open_, ends.ours.reader(ends.here, "source")) for _ in range(2)]
            theirs = [self._reader(open_, ends.theirs.reader(ends.there, "target")) for _ in range(2)]
            sources = [SourceSide(planned, reader) for reader in ours]
            targets = [TargetSide(planned, reader) for reader in theirs]
            total = ours[0].estimate(planned.source)
            yield _Sides(planned, sources[0], targets[0], sources[1], targets[1], session, caught_up, total)

    def _reader(self, open_: ExitStack, reader: TableReader) -> TableReader:
        self._readers.append(open_.enter_context(reader))
        open_.callback(self._readers.remove, reader)
        return reader

    def _caught_up(self, session: TargetSession, log_end: Callable[[], Position]) -> Watermark:
        return Watermark(
            self._bus,
            self._task.node,
            session,
            self._wanted.subscription,
            self._wanted.table.id,
            self._source,
            log_end,
            self._cancelled,
            self._patience,
        )


def _counted(record: Record, findings: Findings) -> Record:
    return replace(
        record,
        rows_compared=findings.compared + findings.missing + findings.extra,
        missing=findings.missing,
        extra=findings.extra,
        different=findings.different,
    )


def _settled(record: Record, settled: Rechecked, source: TableName) -> Record:
    record = replace(record.with_differences(settled.differences), unsettled=settled.unsettled)
    if settled.differences:
        record = replace(record, repair_state=RepairState.ALLOWED)
    return _subject_to(record, settled.caught_up, source)


def _subject_to(record: Record, caught_up: bool, source: TableName) -> Record:
    if caught_up:
        return record
    return replace(record, reason=Reason(code=LINK_BEHIND, facts={"table": str(source)}))
