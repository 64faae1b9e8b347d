"""Full load of a table from the full topic or the source, each row exactly once."""

import threading
from dataclasses import dataclass, replace

from zcbus.bus.contract import Bus, OffsetExpired
from zcbus.bus.topics import full_topic
from zcbus.connectors.roles import TargetSession, TargetTable
from zcbus.engine.reasons import COLUMN_NOT_IN_TARGET, FULL_LOAD_EXPIRED, TableStopped
from zcbus.engine.subscribe.checkpoints.positions import apart
from zcbus.engine.subscribe.checkpoints.records import CheckpointWriter, Phase, TableCheckpoint
from zcbus.engine.subscribe.failures import Expired
from zcbus.engine.subscribe.load.direct_load import DirectLoad, SourceRows
from zcbus.engine.subscribe.load.topic_load import Loading, TopicRows
from zcbus.engine.subscribe.row_errors.store import close_all
from zcbus.engine.subscribe.schema.mapping import columns_of, map_table, require_exact_keys, spelled_by
from zcbus.engine.subscribe.sessions import Sessions
from zcbus.engine.subscribe.table import Skips, SyncRun, drop_shadow_table
from zcbus.kit.clock import now_ms
from zcbus.model.changes import RollbackFrame, SnapshotEnd, SnapshotOffer, SnapshotRows
from zcbus.model.evolution import compares_keys_otherwise
from zcbus.model.frames import decode_frame
from zcbus.model.origin import through
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.states import CleanMode, DdlMode, LoadMode, SyncState
from zcbus.protocol.tasks import SubscribedTable

_MAX_BYTES = 32 << 20


class FullLoad:
    """Loads one table in one session. The checkpoint is stored in the transaction of the rows, so
    every row arrives exactly once, however often the load is interrupted."""

    def __init__(
        self,
        bus: Bus,
        node: str,
        sessions: Sessions,
        session: TargetSession,
        checkpoints: CheckpointWriter,
        run: SyncRun,
        stop: threading.Event,
        direct_load: DirectLoad | None,
    ) -> None:
        """`direct_load`: None: the source cannot be read from this host."""
        self._bus, self._node, self._run, self._stop, self._direct_load = bus, node, run, stop, direct_load
        self._session, self._checkpoints = session, checkpoints
        self._loading = Loading(sessions, session, checkpoints, run, stop)
        self._topic = full_topic(node, run.task.published, run.task.generation)
        self._described: TableSchema | None = None
        """The source table's schema when this load began."""

    def run(self) -> bool:
        """Load to the end; false: stopped before it. Raises Expired, TableStopped, RowRefused, TransientError."""
        checkpoint = self._run.checkpoint if self._run.phase is Phase.LOADING else None
        if checkpoint is None or not checkpoint.columns or (checkpoint.direct and self._direct_load is None):
            checkpoint = self._begin()
            if checkpoint is None:
                return False
        self._run.enter(SyncState.FULL_RUNNING)
        try:
            return self._load(checkpoint)
        except OffsetExpired as error:
            raise self._expired() from error

    def _expired(self) -> Expired:
        return Expired(FULL_LOAD_EXPIRED, table=self._run.source, generation=self._run.task.generation)

    def _begin(self) -> TableCheckpoint | None:
        """Prepare the target table; None: stopped while waiting for the snapshot."""
        first = self._complete_snapshot() if self._run.task.append_only else self._first_frame()
        if first is None:
            return None
        direct = self._direct_load is not None and isinstance(first.frame, SnapshotOffer)
        if self._direct_load is not None and direct:
            self._described = self._direct_load.describe(self._run.source)
        schema = self._described or first.frame.schema
        origin = through((), first.frame.source, schema.name)
        if self._run.state is not SyncState.TABLE_LOCKED:  # it may still be locked
            self._run.enter(SyncState.FULL_RUNNING)
        task, before = self._run.task, self._run.checkpoint
        key = task.row_key(schema)
        target = map_table(task, schema, key, self._run.shapes).table
        existing = self._session.describe([target.name]).get(target.name)
        spelled = () if task.clean is CleanMode.DROP else spelled_by(target, existing, task.transform.exact_names)
        target = map_table(task, schema, key, self._run.shapes, spelled=spelled).coming_through(origin).table
        created = existing is None or (before is not None and before.created)
        # The intention is stored first: after a crash our own table must not count as a foreign one.
        otherwise = compares_keys_otherwise(self._run.structure, schema, key)
        rebuilt = existing is not None and created and self._must_rebuild(schema, otherwise)
        shadow = (
            _shadow_name(task) if existing is not None and _uses_shadow_table(task, created) and not rebuilt else ""
        )
        leftover = before.beside if before is not None else ""
        checkpoint = TableCheckpoint(
            task.generation,
            Phase.LOADING,
            place="".join(origin),
            beside=shadow or leftover,
            created=created,
            load_started_ms=now_ms(),
            direct=direct,
            full_offset=0 if direct else first.offset,
            record_time=first.behind,
            moves=task.moves,
        )
        checkpoint = Skips.carried(task, before, checkpoint)
        self._loading.keep(checkpoint)
        if leftover and not shadow:
            self._session.drop_table(TableName(target.name.schema, leftover))
        cleaning = CleanMode.NONE if shadow else self._cleaning(existing is not None, created, rebuilt)
        if existing is not None and (not created or otherwise) and cleaning is not CleanMode.DROP:
            require_exact_keys(self._session, target)
        self._session.create_table(target, cleaning, for_load=True)
        if existing is not None and cleaning is not CleanMode.DROP:
            self._complete_columns(target, existing)
        if shadow:
            self._session.create_shadow_table(target, TableName(target.name.schema, shadow))
        bare = not shadow and (created or cleaning in (CleanMode.DROP, CleanMode.TRUNCATE))
        checkpoint = replace(checkpoint, beside=shadow, bare=bare)
        merge = task.clean is CleanMode.NONE and not created and bool(key)
        checkpoint = replace(checkpoint, columns=columns_of(schema), key=key, spelled=spelled, merge=merge)
        close_all(self._session, self._checkpoints.subscription, self._run, "reloaded")
        self._run.seen, self._run.structure_waits = schema, False
        self._loading.keep(checkpoint)
        return checkpoint

    def _cleaning(self, exists: bool, created: bool, rebuilt: bool) -> CleanMode:
        """How to clean the target. A table of our own is emptied for a reload, so that deleted rows do not stay."""
        if rebuilt:
            return CleanMode.DROP
        clean = self._run.task.clean
        return CleanMode.ONLY_TRUNCATE if clean is CleanMode.NONE and exists and created else clean

    def _must_rebuild(self, schema: TableSchema, keys_otherwise: bool) -> bool:
        """Whether to recreate the target, because the source's schema changed and the table follows it."""
        task, known = self._run.task, self._run.structure
        differs = keys_otherwise or (known is not None and columns_of(known) != columns_of(schema))
        return differs and task.ddl is DdlMode.FOLLOW and task.clean is not CleanMode.ONLY_TRUNCATE

    def _complete_columns(self, target: TargetTable, existing: TableSchema) -> None:
        have = set(existing.names)
        missing = [column for column in target.columns if column.target not in have]
        if not missing:
            return
        if self._run.task.ddl is not DdlMode.FOLLOW:
            names = ", ".join(column.target for column in missing)
            raise TableStopped(COLUMN_NOT_IN_TARGET, table=target.name, columns=names)
        self._session.add_columns(target, missing)

    def _first_frame(self) -> "_First | None":
        """First usable record of the full topic; None: stopped while waiting for it."""
        behind = None
        with self._bus.reader(self._topic, 0) as reader:
            while not self._stop.is_set():
                try:
                    records = reader.read(1, 1, 0.5)
                except OffsetExpired as error:
                    raise self._expired() from error
                for record in records:
                    frame = decode_frame(record.payload)
                    assert isinstance(frame, SnapshotOffer | SnapshotRows | SnapshotEnd)
                    if not isinstance(frame, SnapshotOffer) or (
                        self._run.task.direct and self._direct_load is not None
                    ):
                        return _First(frame, record.offset, behind)
                    behind = record.time
        return None

    def _complete_snapshot(self) -> "_First | None":
        """As `_first_frame`, but waits for a complete snapshot: an incomplete one may restart, because without a key it
        cannot resume."""
        first: _First | None = None
        behind: int | None = None
        with self._bus.reader(self._topic, 0) as reader:
            while not self._stop.is_set():
                try:
                    records = reader.read(16, _MAX_BYTES, 0.5)
                except OffsetExpired as error:
                    raise self._expired() from error
                for record in records:
                    frame = decode_frame(record.payload)
                    if isinstance(frame, RollbackFrame):
                        first = None
                    elif isinstance(frame, SnapshotRows | SnapshotEnd):
                        first = first or _First(frame, record.offset, behind)
                        if isinstance(frame, SnapshotEnd):
                            return first
                    behind = record.time
        return None

    def _load(self, checkpoint: TableCheckpoint) -> bool:
        if checkpoint.direct and self._direct_load is not None:
            checkpoint = SourceRows(self._direct_load, self._loading, self._ended, self._described).load(checkpoint)
        else:
            checkpoint = TopicRows(self._bus, self._topic, self._loading, self._ended).load(checkpoint)
        if checkpoint.phase is Phase.LOADING:
            return False
        self._finish(checkpoint)
        return True

    def _ended(self, checkpoint: TableCheckpoint, rows: int) -> TableCheckpoint:
        finished = replace(checkpoint, phase=Phase.FINISHED, rows_total=rows, stretches=(), load_finished_ms=now_ms())
        if self._run.task.load is LoadMode.FULL:
            return finished
        return apart(self._bus, self._node, self._run, finished)

    def _exchange(self, checkpoint: TableCheckpoint) -> None:
        """Exchange the rows, in the transaction that ends the load."""
        table = self._loading.table(checkpoint)
        self._session.apply_shadow_table(table, TableName(table.name.schema, checkpoint.beside))

    def _finish(self, checkpoint: TableCheckpoint) -> None:
        if checkpoint.beside:
            self._exchange(checkpoint)
        elif checkpoint.bare:
            self._session.complete_table(self._loading.table(checkpoint))
        self._loading.commit(checkpoint)
        drop_shadow_table(self._session, self._checkpoints, self._run)
        self._run.enter(SyncState.FULL_FINISHED)


@dataclass(frozen=True, slots=True)
class _First:
    """A record of the full topic."""

    frame: SnapshotOffer | SnapshotRows | SnapshotEnd
    offset: int
    behind: int | None
    """Append time of the record before it; None: there is none."""


def _uses_shadow_table(task: SubscribedTable, created: bool) -> bool:
    """Whether to load into a shadow table. Without cleaning, a foreign table keeps its rows."""
    requested = task.begin is not None and task.begin.beside
    return requested and (created or task.clean is not CleanMode.NONE)


def _shadow_name(task: SubscribedTable) -> str:
    return f"zcbus_load_{task.id}"[:63]
