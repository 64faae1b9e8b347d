"""Comparison of one table, and repair of the rows that differ."""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

from zcbus.bus.contract import Bus
from zcbus.connectors.reading import TableReader
from zcbus.connectors.roles import TargetSession
from zcbus.engine.comparison.count import Counting
from zcbus.engine.comparison.ends import Ends, source_of
from zcbus.engine.comparison.merge import Findings
from zcbus.engine.comparison.recheck import Recheck, Rechecked
from zcbus.engine.comparison.record import Record
from zcbus.engine.comparison.repair import LOADED, Repair
from zcbus.engine.comparison.rows import Key
from zcbus.engine.comparison.sides import Plan, SourceSide, TargetSide
from zcbus.engine.comparison.walk import Walk
from zcbus.engine.comparison.watermark import Watermark
from zcbus.engine.connections import Connectors
from zcbus.engine.reasons import LINK_BEHIND, TABLE_NOT_LOADED, TableStopped
from zcbus.engine.subscribe.sessions import SessionFactory
from zcbus.engine.transform.shapes import Shapes
from zcbus.kit.clock import Clock
from zcbus.model.comparison import ComparisonState, RepairState
from zcbus.model.position import Position
from zcbus.model.schema import TableName
from zcbus.protocol.base import Reason
from zcbus.protocol.tasks import ComparisonTask, WantedComparison

_STALL_TIMEOUT_SECONDS = 60.0
_YIELD_SECONDS = 3.0
"""How long a link may stand still while other tables wait for their comparison."""


class LinkStalled(Exception):
    """The link does not move, and other tables can be compared meanwhile."""


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
    """Compares and repairs one table. `keep` receives the record on each change."""

    def __init__(
        self,
        task: ComparisonTask,
        request: WantedComparison,
        bus: Bus,
        connectors: Connectors,
        clock: Clock,
        cancelled: threading.Event,
        keep: Callable[[Record], None],
        stall_timeout_s: float = _STALL_TIMEOUT_SECONDS,
        *,
        yields: bool = False,
    ) -> None:
        """`yields`: others wait, which go first if the link stands still."""
        self._task, self._request, self._bus, self._connectors = task, request, bus, connectors
        self._clock, self._cancelled, self._keep, self._stall_timeout_s = clock, cancelled, keep, stall_timeout_s
        self._yields = yields
        self._readers: list[TableReader] = []

    def compare(self) -> Record:
        """Raises TableStopped, TransientError, Cancelled; LinkStalled before anything is read."""
        record = Record(self._request.number, ComparisonState.COMPARING, started_at=self._clock.now())
        self._keep(record)
        with self._sides(self._request.columns) as sides:
            if self._yields and not sides.caught_up.wait(_YIELD_SECONDS):
                raise LinkStalled
            if self._request.method == "count":
                return self._count(sides, record)
            record = replace(record, rows_total=sides.rows_total, key_names=sides.plan.source_key)
            keys, record = self._walk(sides, record)
            record = replace(record, state=ComparisonState.SETTLING)
            self._keep(record)
            confirmed = self._recheck(sides).recheck(keys)
        return self._ended(_rechecked(record, confirmed, self._source))

    def repair(self, record: Record) -> Record:
        """Repair the rows that a comparison found, and recheck them. Returns the comparison's updated record."""
        record = replace(record, repair_state=RepairState.REPAIRING, repair_reason=None)
        self._keep(record)
        # A repair writes all columns, also where only some were compared.
        with self._sides(()) as sides:
            repair = Repair(
                sides.plan,
                sides.source_rows,
                sides.target_rows,
                sides.session,
                self._request.subscription,
                self._request.table.id,
            )
            repaired = repair.repair(record.keys)
            confirmed = self._recheck(sides).recheck(record.keys)
        record = replace(record, repair=self._request.repair, repaired=repaired).with_differences(confirmed.differences)
        return replace(record, repair_state=RepairState.ERROR if confirmed.differences else RepairState.DONE)

    def interrupt(self) -> None:
        """End the server's work for a cancelled comparison, which may last long (a sort, a lock). The comparison then
        raises TransientError or Cancelled. From any thread."""
        for reader in list(self._readers):
            reader.interrupt()

    def _count(self, sides: _Sides, record: Record) -> Record:
        """Compare the numbers of rows."""
        source, target, log = sides.source_rows, sides.target_rows, sides.caught_up

        def exported(rows: int) -> None:
            self._keep(replace(record, state=ComparisonState.EXPORTED, rows_total=rows))

        counted = Counting(sides.plan, source, target, log, self._request.rounds, self._cancelled, exported).count()
        lacking = 0 if counted.changing else counted.source - counted.target
        found = replace(
            record,
            rows_total=counted.source,
            rows_compared=counted.source,
            missing=max(lacking, 0),
            extra=max(-lacking, 0),
            unsettled=abs(counted.source - counted.target) if counted.changing else 0,
        )
        return self._ended(_subject_to(found, counted.caught_up, self._source))

    def _ended(self, record: Record) -> Record:
        state = ComparisonState.NOT_NEEDED if _nothing_compared(record) else ComparisonState.DONE
        return replace(record, state=state, finished_at=self._clock.now())

    def _walk(self, sides: _Sides, record: Record) -> tuple[list[Key], Record]:
        """Keys of the rows that differ as they were read, at most MAX_CHECKED."""

        def report(findings: Findings) -> None:
            state = ComparisonState.EXPORTED if walk.source_read else ComparisonState.COMPARING
            self._keep(replace(_counted(record, findings), state=state))

        strict = self._request.method == "strict"
        walk = Walk(sides.plan, sides.source, sides.target, self._cancelled, report, strict=strict)
        walk.run()
        record = _counted(record, walk.findings)
        return walk.keys, replace(record, not_checked=walk.findings.total - len(walk.keys))

    def _recheck(self, sides: _Sides) -> Recheck:
        return Recheck(sides.plan, sides.source_rows, sides.target_rows, sides.caught_up, self._request.rounds)

    @property
    def _source(self) -> TableName:
        return source_of(self._request.table)

    @contextmanager
    def _sides(self, columns: tuple[str, ...]) -> Iterator[_Sides]:
        """Open both sides with their own connections. `columns`: as in WantedComparison."""
        task, request = self._task, self._request
        ends = Ends.of(self._connectors, task.source, task.target, Shapes(task.mask_key.get_secret_value()))
        with ExitStack() as open_:
            owner = f"{request.subscription}/{request.table.id}/contrast"
            session = open_.enter_context(SessionFactory(ends.target(), owner).first())
            caught_up = self._caught_up(session, ends.source(self._bus, task.node).log_end)
            checkpoint, _ = caught_up.checkpoint()
            if checkpoint is None or checkpoint.phase not in LOADED:
                raise TableStopped(TABLE_NOT_LOADED, table=self._source)
            planned = ends.plan(request.table, checkpoint, request.method, columns)
            source_readers = [
                self._reader(open_, ends.source_connector.reader(ends.source_options, "source")) for _ in range(2)
            ]
            target_readers = [
                self._reader(open_, ends.target_connector.reader(ends.target_options, "target")) for _ in range(2)
            ]
            sources = [SourceSide(planned, reader) for reader in source_readers]
            targets = [TargetSide(planned, reader) for reader in target_readers]
            total = source_readers[0].estimate(planned.source)
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
            self._request.subscription,
            self._request.table.id,
            self._source,
            log_end,
            self._cancelled,
            self._stall_timeout_s,
        )


def _nothing_compared(record: Record) -> bool:
    """Whether both sides were found empty; while the link is behind, rows may still be on their way."""
    found = record.rows_compared + record.missing + record.extra + record.different
    return not (found or record.unsettled or record.not_checked or record.reason)


def _counted(record: Record, findings: Findings) -> Record:
    return replace(
        record,
        rows_compared=findings.compared + findings.missing + findings.extra,
        missing=findings.missing,
        extra=findings.extra,
        different=findings.different,
    )


def _rechecked(record: Record, confirmed: Rechecked, source: TableName) -> Record:
    record = replace(record.with_differences(confirmed.differences), unsettled=confirmed.unsettled)
    if confirmed.differences:
        record = replace(record, repair_state=RepairState.ALLOWED)
    return _subject_to(record, confirmed.caught_up, source)


def _subject_to(record: Record, caught_up: bool, source: TableName) -> Record:
    if caught_up:
        return record
    return replace(record, reason=Reason(code=LINK_BEHIND, facts={"table": str(source)}))
