"""Making a target table fit the structure of the changes that come next."""

from dataclasses import replace

from zcbus.connectors.errors import RowRefused, TableRefused
from zcbus.connectors.roles import TargetSession
from zcbus.connectors.row_errors import RowErrorFilter
from zcbus.engine.subscribe.follow import follow
from zcbus.engine.subscribe.isolation import RowBlocks
from zcbus.engine.subscribe.lanes import TableLane
from zcbus.engine.subscribe.mapping import columns_of, evolve, map_table, spelled_by
from zcbus.engine.subscribe.skips import Skips
from zcbus.engine.subscribe.table import SyncRun
from zcbus.kit.clock import now_ms
from zcbus.model.evolution import describe_change
from zcbus.model.row_errors import Decision, RowError, RowErrorStatus, RowOperation
from zcbus.model.schema import TableSchema
from zcbus.model.states import CleanMode, DdlMode


class Restructuring:
    """Works for one session; `subscription` names whose row errors are kept."""

    def __init__(self, session: TargetSession, subscription: str) -> None:
        self._session, self._subscription = session, subscription

    def restructure(self, run: SyncRun, schema: TableSchema, key: tuple[str, ...], offset: int) -> TableLane:
        """Create the table, or make it follow its source; returns the lane to store, and notes the structure in
        `run.seen`. `offset`: of the record that has the new structure. Nothing may be open in the session.

        Raises TableStopped where the table may not or cannot follow, RowBlocks where the target refuses a step.
        """
        lane = run.lane
        assert lane is not None
        if not lane.columns:
            lane = self._create(run, lane, schema, key)
        elif run.structure is None or run.task.ddl is not DdlMode.FOLLOW:
            lane = self._only_add(run, lane, schema, key)
        else:
            lane = self._follow(run, lane, run.structure, schema, key, offset)
        run.seen = schema
        return lane

    def _create(self, run: SyncRun, lane: TableLane, schema: TableSchema, key: tuple[str, ...]) -> TableLane:
        target = map_table(run.task, schema, key).table
        existing = self._session.describe(target.name)
        spelled = spelled_by(target, existing, run.task.transform.exact_names)
        self._session.create_table(map_table(run.task, schema, key, spelled=spelled).table, CleanMode.NONE)
        created = lane.created or existing is None
        return replace(lane, columns=columns_of(schema), key=key, spelled=spelled, created=created)

    def _only_add(self, run: SyncRun, lane: TableLane, schema: TableSchema, key: tuple[str, ...]) -> TableLane:
        evolution = evolve(run.task, lane.columns, lane.key, schema, key)
        if evolution.added:
            target = map_table(run.task, schema, key, evolution.columns, lane.spelled).table
            columns = [column for column in target.columns if column.source in evolution.added]
            self._session.add_columns(target, columns)
        return replace(lane, columns=evolution.columns)

    def _follow(
        self, run: SyncRun, lane: TableLane, known: TableSchema, schema: TableSchema, key: tuple[str, ...], offset: int
    ) -> TableLane:
        try:
            return follow(self._session, run, lane, known, schema, key)
        except (RowRefused, TableRefused) as error:
            self._session.rollback()
            return self._refused(run, lane, known, schema, offset, error)

    def _refused(
        self,
        run: SyncRun,
        lane: TableLane,
        known: TableSchema,
        schema: TableSchema,
        offset: int,
        error: RowRefused | TableRefused,
    ) -> TableLane:
        """Skip the change of structure where that is allowed or was decided: the target goes on as it is."""
        found = _row_error(run, known, schema, offset, error)
        store, skips = self._session.row_errors, Skips.of(run.task, lane)
        earlier = store.read(self._subscription, RowErrorFilter(ids=(found.id,)))
        decided = bool(earlier) and earlier[0].wanted is Decision.SKIP
        if not decided and not skips.take_ddl():
            raise RowBlocks(found, run.task.ddl_skip)
        note = "skipped" if decided else "skip-count"
        done = replace(found, status=RowErrorStatus.PROCESSED, blocking=False, note=note)
        store.keep(self._subscription, [done])
        names = set(schema.names)
        return skips.noted(replace(lane, columns=tuple(pair for pair in lane.columns if pair[0] in names)))


def _row_error(
    run: SyncRun, known: TableSchema, schema: TableSchema, offset: int, error: RowRefused | TableRefused
) -> RowError:
    now = now_ms()
    return RowError(
        id=f"{run.task.id}/{run.task.generation}/{offset}.ddl",
        table=run.task.id,
        target=f"{run.task.target.schema_name}.{run.task.target.table}",
        operation=RowOperation.DDL,
        status=RowErrorStatus.NOT_PROCESSED,
        key={},
        before={column.name: column.type.native for column in known.columns},
        after={column.name: column.type.native for column in schema.columns},
        code=error.code,
        detail=str(error.facts.get("detail") or error),
        statement=describe_change(known, schema),
        position="",
        commit_ms=None,
        found_ms=now,
        changed_ms=now,
        blocking=True,
    )
