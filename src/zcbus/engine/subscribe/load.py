"""A table's full load: the rows of its full topic into the target, each exactly once."""

import threading
import time
from dataclasses import replace

import pyarrow as pa

from zcbus.bus.contract import Bus, OffsetExpired, Record
from zcbus.bus.topics import full_topic, real_topic
from zcbus.connectors.roles import Target, TargetSession, TargetTable
from zcbus.engine.batches import select
from zcbus.engine.reasons import COLUMN_NOT_IN_TARGET, FULL_LOAD_EXPIRED, TOPIC_REPLACED, TableStopped
from zcbus.engine.subscribe.crew import Crew, Part
from zcbus.engine.subscribe.isolation import Isolation, close_all, pass_blocking
from zcbus.engine.subscribe.lanes import LaneWriter, Phase, TableLane, with_loaded
from zcbus.engine.subscribe.mapping import Mapped, columns_of, map_table, spelled_by
from zcbus.engine.subscribe.places import Expired, offset_behind
from zcbus.engine.subscribe.replay import keep_structure
from zcbus.engine.subscribe.skips import Skips
from zcbus.engine.subscribe.table import SyncRun, map_lane
from zcbus.kit.clock import now_ms
from zcbus.model.changes import SnapshotEnd, SnapshotRows
from zcbus.model.frames import decode_frame
from zcbus.model.origin import through
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.states import CleanMode, DdlMode, LoadMode, SyncState
from zcbus.protocol.tasks import SubscribedTable

_COMMIT_SECONDS = 1.0
_MOST_BYTES = 32 << 20


class FullLoad:
    """Loads one table in one session. The offset on the full topic is stored in the transaction of the rows, so every
    row arrives exactly once, however often the load is interrupted."""

    def __init__(
        self,
        bus: Bus,
        node: str,
        target: Target,
        session: TargetSession,
        lanes: LaneWriter,
        run: SyncRun,
        stop: threading.Event,
    ) -> None:
        self._bus, self._node, self._target, self._run, self._stop = bus, node, target, run, stop
        self._session, self._lanes = session, lanes
        self._topic = full_topic(node, run.task.published, run.task.generation)
        self._blocked = True
        """Whether the load may have stood still in front of a row until now."""
        self._mapped: Mapped | None = None
        self._schema: TableSchema | None = None

    def run(self) -> bool:
        """Load until the end; false: stopped before. Raises Expired, TableStopped, RowRefused, TransientError."""
        lane = self._run.lane if self._run.phase is Phase.LOADING else None
        if lane is None or not lane.columns:
            lane = self._begin()
            if lane is None:
                return False
        self._run.enter(SyncState.FULL_RUNNING)
        try:
            return self._load(lane)
        except OffsetExpired as error:
            raise self._expired() from error

    def _expired(self) -> Expired:
        return Expired(FULL_LOAD_EXPIRED, table=self._run.source, generation=self._run.task.generation)

    def _begin(self) -> TableLane | None:
        """Make the target table ready; None: stopped while waiting for the snapshot to begin."""
        first = self._first_frame()
        if first is None:
            return None
        schema, origin = first.schema, through((), first.source, first.schema.name)
        self._run.enter(SyncState.FULL_RUNNING)
        task, before = self._run.task, self._run.lane
        key = schema.key(task.key)
        target = map_table(task, schema, key).table
        existing = self._session.describe(target.name)
        spelled = () if task.clean is CleanMode.DROP else spelled_by(target, existing, task.transform.exact_names)
        target = map_table(task, schema, key, spelled=spelled).coming_through(origin).table
        created = existing is None or (before is not None and before.created)
        # The intention is written down first: after a crash the table that we made does not count as somebody else's.
        rebuilt = existing is not None and created and self._follows_anew(schema)
        beside = _name_beside(task) if existing is not None and _loads_beside(task, created) and not rebuilt else ""
        leftover = before.beside if before is not None else ""
        lane = TableLane(
            task.generation,
            Phase.LOADING,
            place="".join(origin),
            beside=beside or leftover,
            created=created,
            load_started_ms=now_ms(),
        )
        self._keep(lane)
        if leftover and not beside:
            self._session.drop_table(TableName(target.name.schema, leftover))
        cleaning = CleanMode.NONE if beside else self._cleaning(existing is not None, created, rebuilt)
        self._session.create_table(target, cleaning, for_load=True)
        self._complete_columns(target)
        if beside:
            self._session.create_beside(target, TableName(target.name.schema, beside))
        bare = not beside and (created or cleaning is CleanMode.DROP)
        lane = replace(lane, beside=beside, bare=bare)
        merge = task.clean is CleanMode.NONE and not created
        lane = replace(lane, columns=columns_of(schema), key=key, spelled=spelled, merge=merge)
        close_all(self._session, self._lanes.subscription, self._run, "reloaded")
        self._run.seen = schema
        self._keep(lane)
        return lane

    def _cleaning(self, exists: bool, created: bool, rebuilt: bool) -> CleanMode:
        """A table that nobody but us has made is emptied for a reload, so that rows deleted meanwhile don't stay."""
        if rebuilt:
            return CleanMode.DROP
        clean = self._run.task.clean
        return CleanMode.ONLY_TRUNCATE if clean is CleanMode.NONE and exists and created else clean

    def _follows_anew(self, schema: TableSchema) -> bool:
        """Whether the table is to be made anew, because its source has another structure by now and it is to follow."""
        task, known = self._run.task, self._run.structure
        differs = known is not None and columns_of(known) != columns_of(schema)
        return differs and task.ddl is DdlMode.FOLLOW and task.clean is not CleanMode.ONLY_TRUNCATE

    def _complete_columns(self, target: TargetTable) -> None:
        existing = self._session.describe(target.name)
        have = set(existing.names) if existing is not None else set()
        missing = [column for column in target.columns if column.target not in have]
        if not missing:
            return
        if self._run.task.ddl is not DdlMode.FOLLOW:
            names = ", ".join(column.target for column in missing)
            raise TableStopped(COLUMN_NOT_IN_TARGET, table=target.name, columns=names)
        self._session.add_columns(target, missing)

    def _first_frame(self) -> SnapshotRows | SnapshotEnd | None:
        with self._bus.reader(self._topic, 0) as reader:
            while not self._stop.is_set():
                try:
                    records = reader.read(1, 1, 0.5)
                except OffsetExpired as error:
                    raise self._expired() from error
                if records:
                    frame = decode_frame(records[0].payload)
                    assert isinstance(frame, SnapshotRows | SnapshotEnd)
                    return frame
        return None

    def _keep(self, lane: TableLane) -> None:
        self._lanes.write(self._run.task.id, lane)
        keep_structure(self._lanes, self._run)
        self._lanes.commit()
        self._run.lane, self._run.structure = lane, self._run.seen
        self._run.held.commit()

    def _load(self, lane: TableLane) -> bool:
        self._verify(lane)
        if not lane.merge:
            lane = self._load_most(lane)
        with self._bus.reader(self._topic, lane.full_offset) as reader:
            committed = time.monotonic()
            while not self._stop.is_set():
                records = reader.read(8, _MOST_BYTES, 0.25)
                for record in records:
                    if record.offset < lane.full_offset:
                        continue
                    lane = self._take(record, lane)
                    if lane.phase is not Phase.LOADING:
                        self._finish(lane)
                        return True
                if records and (len(records) < 8 or time.monotonic() - committed > _COMMIT_SECONDS):
                    self._commit(lane)
                    committed = time.monotonic()
        if self._run.lane is not lane:
            self._commit(lane)
        return False

    def _load_most(self, lane: TableLane) -> TableLane:
        """Load in several sessions as far as that goes: up to the end of the snapshot, or a row that is refused."""
        crew = Crew(self._target, self._lanes, self._run, lane)
        try:
            with self._bus.reader(self._topic, lane.full_offset) as reader:
                while not self._stop.is_set() and all(
                    self._hand_over(record, lane, crew) for record in reader.read(4, _MOST_BYTES // 2, 0.25)
                ):
                    pass
        finally:
            lane = crew.finish()
        return lane

    def _hand_over(self, record: Record, lane: TableLane, crew: Crew) -> bool:
        """Give the crew a record's rows; false: these were the last that it takes."""
        if record.offset in dict(lane.ahead):
            return True
        frame = decode_frame(record.payload)
        if isinstance(frame, SnapshotEnd):
            return False
        assert isinstance(frame, SnapshotRows)
        mapped, rows = self._shaped(frame, lane)
        into = _loaded(mapped.table, lane)
        return crew.put(Part(record.offset, record.time, into, rows, frame.estimated_rows))

    def _shaped(self, frame: SnapshotRows, lane: TableLane) -> tuple[Mapped, pa.RecordBatch]:
        """Where rows go, and the rows as the target gets them."""
        mapped = self._mapped_to(frame.schema, lane)
        rows = select(frame.rows, mapped.inputs)
        return mapped, rows if mapped.shaping is None else mapped.shaping.rows(rows)

    def _verify(self, lane: TableLane) -> None:
        """The topic must be the one that the load began on."""
        if lane.full_offset == 0:
            return
        with self._bus.reader(self._topic, lane.full_offset - 1) as reader:
            records = reader.read(1, 1, 0.0)
        if not records or records[0].time != lane.record_time:
            raise Expired(TOPIC_REPLACED, table=self._run.source, offset=lane.full_offset)

    def _take(self, record: Record, lane: TableLane) -> TableLane:
        frame = decode_frame(record.payload)
        if isinstance(frame, SnapshotEnd):
            return self._ended(frame, lane)
        assert isinstance(frame, SnapshotRows)
        mapped, rows = self._shaped(frame, lane)
        put = self._session.upsert if lane.merge else self._session.load
        skips = Skips.of(self._run.task, lane)
        into = _loaded(mapped.table, lane)
        isolation = Isolation(self._session, self._lanes.subscription, self._run, skips, strict=False)
        loaded = isolation.load(mapped.table, rows, record.offset, lambda part: put(into, part))
        return with_loaded(skips.noted(lane), {record.offset: record.time}, loaded, frame.estimated_rows)

    def _mapped_to(self, schema: TableSchema, lane: TableLane) -> Mapped:
        if self._mapped is None or schema is not self._schema:
            known = set(lane.columns)
            extra = [column.name for column in schema.columns if (column.name, column.type.native) not in known]
            if extra and self._run.task.ddl is not DdlMode.IGNORE:
                raise TableStopped(COLUMN_NOT_IN_TARGET, table=schema.name, columns=", ".join(extra))
            self._mapped = map_lane(self._run, lane, schema, lane.key)
            self._schema = schema
        return self._mapped

    def _ended(self, end: SnapshotEnd, lane: TableLane) -> TableLane:
        self._mapped_to(end.schema, lane)
        finished = replace(
            lane,
            phase=Phase.FINISHED,
            since=str(end.first),
            until=str(end.last),
            rows_total=end.rows,
            load_finished_ms=now_ms(),
        )
        if self._run.task.load is LoadMode.FULL:
            return finished
        return apart(self._bus, self._node, self._run, finished)

    def _commit(self, lane: TableLane) -> None:
        loaded = lane.rows_loaded - (self._run.lane.rows_loaded if self._run.lane else 0)
        if self._blocked:
            self._blocked = pass_blocking(self._session, self._lanes.subscription, self._run, lane.full_offset)
        self._keep(lane)
        self._run.rate.add(loaded)

    def _exchange(self, lane: TableLane) -> None:
        """In the transaction that says that the load is finished."""
        table = self._table(lane)
        self._session.take_rows(table, TableName(table.name.schema, lane.beside))

    def _table(self, lane: TableLane) -> TargetTable:
        assert self._schema is not None
        return self._mapped_to(self._schema, lane).table

    def _finish(self, lane: TableLane) -> None:
        if lane.beside:
            self._exchange(lane)
        elif lane.bare:
            self._session.complete_table(self._table(lane))
        self._commit(lane)
        drop_beside(self._session, self._lanes, self._run)
        self._run.enter(SyncState.FULL_FINISHED)


def drop_beside(session: TargetSession, lanes: LaneWriter, run: SyncRun) -> None:
    """Drop the table that a finished load was made into, and note that it is gone."""
    lane = run.lane
    if lane is None or not lane.beside:
        return
    session.drop_table(TableName(run.task.target.schema_name, lane.beside))
    lane = replace(lane, beside="")
    lanes.write(run.task.id, lane)
    lanes.commit()
    run.lane = lane


def _loads_beside(task: SubscribedTable, created: bool) -> bool:
    """Rows of others in a table that was there before are never taken away where nothing is to be cleaned."""
    wanted = task.begin is not None and task.begin.beside
    return wanted and (created or task.clean is not CleanMode.NONE)


def _name_beside(task: SubscribedTable) -> str:
    return f"zcbus_load_{task.id}"[:63]


def _loaded(table: TargetTable, lane: TableLane) -> TargetTable:
    """The table that the rows are loaded into."""
    return replace(table, name=TableName(table.name.schema, lane.beside)) if lane.beside else table


def apart(bus: Bus, node: str, run: SyncRun, lane: TableLane) -> TableLane:
    """The lane of a loaded table that is to catch up. Raises Expired."""
    since = lane.since_position
    assert since is not None
    offset = offset_behind(bus, real_topic(node), since, run.source)
    return replace(lane, phase=Phase.APART, offset=offset, record_time=None)
